import type { ErrorDefinition } from '#core'

/** The error codes of this plugin. */
export const taskErrors = {
  TASK_ALREADY_REJECTED: {
    status: 409,
    describe: 'The task was rejected before this decision.',
    message: 'Task 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d was rejected already. Nothing was changed.'
  },
  TASK_IN_PROGRESS: {
    status: 409,
    describe: 'The pipeline is writing the task; decide, or edit the text of its post, when it is done.',
    message: 'Task 3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d is being written: decide when it is awaiting_approval.'
  },
  TOPIC_QUEUE_FULL: {
    status: 409,
    describe: 'Too many topics wait for a decision; decide some first.',
    message: '50 topics wait for a decision: decide some first.'
  },
  DUPLICATE_TOPIC: {
    status: 409,
    describe: 'The topic nearly repeats an open topic or a published post; leave out `--strict` to propose it anyway.',
    message: 'The topic nearly repeats "How tides follow the moon": leave out --strict to propose it anyway.'
  }
} as const satisfies Record<string, ErrorDefinition>
