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
  approved: { from: ['awaiting_approval'], to: 'published' },
  approved_for_later: { from: ['awaiting_approval'], to: 'approved' },
  went_live: { from: ['awaiting_approval', 'approved'], to: 'published' },
  // `schedule reject`: signed off, and turned down when the slot was reached.
  slot_rejected: { from: ['approved'], to: 'rejected' },
  declined: { from: ['awaiting_approval'], to: 'rejected' },
  // The post's content changed after the approval.
  reopened: { from: ['approved'], to: 'awaiting_approval' },
  sent_back: { from: ['awaiting_approval'], to: 'rejected_retry' },
  rejected_for_good: { from: ['awaiting_approval', 'rejected_retry'], to: 'rejected_final' },
  topic_approved: { from: ['awaiting_gate'], to: 'pending' },
  topic_rejected: { from: ['awaiting_gate'], to: 'dismissed' }
} as const satisfies Record<string, { from: readonly TaskStatus[]; to: TaskStatus }>
export type Transition = keyof typeof transitions

/** The steps a draft goes through while its task is `in_progress`, with the progress each begins at. */
export const stages = { research: 5, draft: 20, qa: 70 } as const
export type Stage = keyof typeof stages

/** Statuses in which a draft was turned down. */
export const isRejected = (status: TaskStatus): boolean => status.startsWith('rejected')
