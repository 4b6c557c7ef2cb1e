/** The statuses of a task; the database's check constraint lists the same. */
export const taskStatuses = [
  'pending',
  'in_progress',
  'awaiting_gate',
  'awaiting_approval',
  'approved',
  'published',
  'rejected',
  'rejected_retry',
  'rejected_final',
  'dismissed',
  'failed'
] as const
export type TaskStatus = (typeof taskStatuses)[number]

/**
 * Every legal move of a task, row for row the specification's table: what triggers it, from where, to where.
 * A move that is not here does not happen; the repository changes a status only with a compare-and-swap on `from`.
 */
export const transitions = {
  picked_up: { from: ['pending'], to: 'in_progress' },
  reclaimed: { from: ['rejected_retry'], to: 'in_progress' },
  qa_passed: { from: ['in_progress'], to: 'awaiting_approval' },
  qa_failed: { from: ['in_progress'], to: 'rejected' },
  failed: { from: ['in_progress'], to: 'failed' },
  // The job that takes it out of the queue used up its retries.
  pickup_failed: { from: ['pending', 'rejected_retry'], to: 'failed' },
  retried: { from: ['failed', 'rejected'], to: 'pending' },
  approved: { from: ['awaiting_approval'], to: 'published' },
  scheduled: { from: ['awaiting_approval'], to: 'approved' },
  // Its post was published, at its slot or by an operator, who may publish a rejected draft and one that is being rewritten.
  post_published: {
    from: [
      'awaiting_approval',
      'approved',
      'pending',
      'in_progress',
      'rejected',
      'rejected_retry',
      'rejected_final',
      'failed'
    ],
    to: 'published'
  },
  // `schedule reject`: approved, and rejected when the slot was reached.
  slot_rejected: { from: ['approved'], to: 'rejected' },
  rejected: { from: ['awaiting_approval'], to: 'rejected' },
  // The post's content changed after the approval.
  reopened: { from: ['approved'], to: 'awaiting_approval' },
  // It can be approved, and so published, again.
  unpublished: { from: ['published'], to: 'awaiting_approval' },
  // Its post was archived: what nobody can publish any more is out of the queue.
  archived: {
    from: [
      'awaiting_approval',
      'approved',
      'published',
      'pending',
      'in_progress',
      'rejected',
      'rejected_retry',
      'rejected_final',
      'failed'
    ],
    to: 'dismissed'
  },
  // Its post was taken out of the archive, as a draft: it waits as one that was unpublished.
  restored: { from: ['dismissed'], to: 'awaiting_approval' },
  // The same for a draft that had been rejected: to leave the archive is no approval.
  restored_rejected: { from: ['dismissed'], to: 'rejected' },
  restored_finally_rejected: { from: ['dismissed'], to: 'rejected_final' },
  rejected_for_retry: { from: ['awaiting_approval'], to: 'rejected_retry' },
  rejected_finally: { from: ['awaiting_approval', 'rejected_retry'], to: 'rejected_final' },
  topic_approved: { from: ['awaiting_gate'], to: 'pending' },
  topic_rejected: { from: ['awaiting_gate'], to: 'dismissed' },
  // Everything that is not published yet; `rejected_final` has ended.
  cancelled: {
    from: [
      'pending',
      'in_progress',
      'awaiting_gate',
      'awaiting_approval',
      'approved',
      'rejected',
      'rejected_retry',
      'failed'
    ],
    to: 'dismissed'
  }
} as const satisfies Record<string, { from: readonly TaskStatus[]; to: TaskStatus }>
export type Transition = keyof typeof transitions

/** The stages a draft goes through while its task is `in_progress`, with the progress each begins at. */
export const stages = { research: 5, draft: 20, qa: 70 } as const
export type Stage = keyof typeof stages

/**
 * How a task leaves the archive with its post, by what it was before it was dismissed. A post whose draft was being written again, or
 * could not be, has the one that was rejected.
 */
export const restoringTransition = (before: TaskStatus | null): Transition => {
  if (before === 'rejected_final') return 'restored_finally_rejected'
  const hadRejectedDraft = before !== null && (isRejected(before) || isWrittenAgain(before) || before === 'failed')
  return hadRejectedDraft ? 'restored_rejected' : 'restored'
}

const rejected: readonly TaskStatus[] = ['rejected', 'rejected_retry', 'rejected_final']

export const isRejected = (status: TaskStatus): boolean => rejected.includes(status)

/** Of a task that has a post. */
export const isWrittenAgain = (status: TaskStatus): boolean => status === 'pending' || status === 'in_progress'
