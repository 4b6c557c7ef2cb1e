import { ConflictError } from '#core'

/** The statuses of a post; the database's check constraint lists the same. */
export const postStatuses = ['draft', 'awaiting_approval', 'approved', 'scheduled', 'published', 'archived'] as const
export type PostStatus = (typeof postStatuses)[number]

/** Every legal move of a post: from where, to where. What is not here cannot happen. From null: the post is made by it. */
export const transitions = {
  create: { from: [null], to: 'draft' },
  // The pipeline submits another draft of a post that was not approved.
  submit: { from: [null, 'draft', 'awaiting_approval', 'approved'], to: 'awaiting_approval' },
  schedule: { from: ['awaiting_approval', 'approved'], to: 'scheduled' },
  reschedule: { from: ['scheduled'], to: 'scheduled' },
  hold: { from: ['scheduled'], to: 'scheduled' },
  // By the publisher when the slot is reached, or by an operator at the publish gate.
  release: { from: ['scheduled'], to: 'published' },
  clear: { from: ['scheduled'], to: 'approved' },
  // Its content changed: the approval was of what was there before.
  reopen: { from: ['approved', 'scheduled'], to: 'awaiting_approval' },
  // An operator's own decision, which counts as the approval.
  publish: { from: ['draft', 'awaiting_approval', 'approved', 'scheduled'], to: 'published' },
  reject: { from: ['awaiting_approval', 'approved', 'scheduled'], to: 'draft' },
  unpublish: { from: ['published'], to: 'draft' },
  archive: { from: ['draft', 'awaiting_approval', 'approved', 'scheduled', 'published'], to: 'archived' },
  // What was approved or public before is so no longer.
  restore: { from: ['archived'], to: 'draft' }
} as const satisfies Record<string, { from: readonly (PostStatus | null)[]; to: PostStatus }>

/** Everything that moves a post; also the `action` of its history rows. */
export type PostAction = keyof typeof transitions

/** Where `action` leads from `from`. @throws ConflictError when no such move is legal. */
export function statusAfter(from: PostStatus | null, action: PostAction): PostStatus {
  const { from: allowed, to }: { from: readonly (PostStatus | null)[]; to: PostStatus } = transitions[action]
  if (allowed.includes(from)) return to
  const statuses = allowed.filter(status => status !== null)
  throw new ConflictError(`A post that is ${from} does not allow ${action}: it must be ${statuses.join(' or ')}.`)
}
