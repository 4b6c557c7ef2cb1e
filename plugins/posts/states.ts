import { ConflictError } from '#core'

/** The statuses of a post; the database's check constraint lists the same. */
export const postStatuses = ['draft', 'awaiting_approval', 'approved', 'scheduled', 'published', 'archived'] as const
export type PostStatus = (typeof postStatuses)[number]

/** Everything that moves a post; also the `action` of its history rows. */
export type PostAction =
  | 'create'
  | 'submit'
  | 'schedule'
  | 'reschedule'
  | 'hold'
  | 'release'
  | 'clear'
  | 'reopen'
  | 'publish'
  | 'reject'
  | 'unpublish'
  | 'archive'
  | 'restore'

export interface Transition {
  /** Null: the post is made by it. */
  readonly from: PostStatus | null
  readonly action: PostAction
  readonly to: PostStatus
}

/** Every legal move. What is not a row here cannot happen. */
export const transitions: readonly Transition[] = [
  { from: null, action: 'create', to: 'draft' },
  { from: null, action: 'submit', to: 'awaiting_approval' },
  // The pipeline submits another draft of a post that was not approved.
  { from: 'draft', action: 'submit', to: 'awaiting_approval' },
  { from: 'awaiting_approval', action: 'submit', to: 'awaiting_approval' },
  { from: 'approved', action: 'submit', to: 'awaiting_approval' },
  { from: 'awaiting_approval', action: 'schedule', to: 'scheduled' },
  { from: 'approved', action: 'schedule', to: 'scheduled' },
  { from: 'scheduled', action: 'reschedule', to: 'scheduled' },
  { from: 'scheduled', action: 'hold', to: 'scheduled' },
  // By the publisher when the slot is reached, or by an operator at the publish gate.
  { from: 'scheduled', action: 'release', to: 'published' },
  { from: 'scheduled', action: 'clear', to: 'approved' },
  // Its content changed: the approval was of what was there before.
  { from: 'approved', action: 'reopen', to: 'awaiting_approval' },
  { from: 'scheduled', action: 'reopen', to: 'awaiting_approval' },
  // An operator's own decision, which counts as the approval.
  { from: 'draft', action: 'publish', to: 'published' },
  { from: 'awaiting_approval', action: 'publish', to: 'published' },
  { from: 'approved', action: 'publish', to: 'published' },
  { from: 'scheduled', action: 'publish', to: 'published' },
  { from: 'awaiting_approval', action: 'reject', to: 'draft' },
  { from: 'approved', action: 'reject', to: 'draft' },
  { from: 'scheduled', action: 'reject', to: 'draft' },
  { from: 'published', action: 'unpublish', to: 'draft' },
  { from: 'draft', action: 'archive', to: 'archived' },
  { from: 'awaiting_approval', action: 'archive', to: 'archived' },
  { from: 'approved', action: 'archive', to: 'archived' },
  { from: 'scheduled', action: 'archive', to: 'archived' },
  { from: 'published', action: 'archive', to: 'archived' },
  // What was approved or public before is so no longer.
  { from: 'archived', action: 'restore', to: 'draft' }
]

/** Where `action` leads from `from`. @throws ConflictError when the table has no such row. */
export function statusAfter(from: PostStatus | null, action: PostAction): PostStatus {
  const row = transitions.find(transition => transition.from === from && transition.action === action)
  if (row !== undefined) return row.to
  const allowed = transitions.flatMap(transition => (transition.action === action ? (transition.from ?? []) : []))
  throw new ConflictError(`A post that is ${from} does not allow ${action}: it must be ${allowed.join(' or ')}.`)
}
