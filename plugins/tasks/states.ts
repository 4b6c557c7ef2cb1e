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
  gave_up: { from: ['in_progress'], to: 'failed' },
  // The job that takes it out of the queue was given up.
  not_started: { from: ['pending', 'rejected_retry'], to: 'failed' },
  retried: { from: ['failed', 'rejected'], to: 'pending' },
  approved: { from: ['awaiting_approval'], to: 'published' },
  approved_for_later: { from: ['awaiting_approval'], to: 'approved' },
  // By its slot, or by an operator's hand, which publishes a draft that was turned down or is being written again, too.
  went_live: {
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
  // `schedule reject`: signed off, and turned down when the slot was reached.
  slot_rejected: { from: ['approved'], to: 'rejected' },
  declined: { from: ['awaiting_approval'], to: 'rejected' },
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
  sent_back: { from: ['awaiting_approval'], to: 'rejected_retry' },
  rejected_for_good: { from: ['awaiting_approval', 'rejected_retry'], to: 'rejected_final' },
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

/** The steps a draft goes through while its task is `in_progress`, with the progress each begins at. */
export const stages = { research: 5, draft: 20, qa: 70 } as const
export type Stage = keyof typeof stages

/** Statuses in which a draft was turned down. */
export const isRejected = (status: TaskStatus): boolean => status.startsWith('rejected')
