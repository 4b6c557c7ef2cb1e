import { ConflictError, type Db, type Tx } from '#core'
import { requireDecided } from './approval.ts'
import type { PostDecision, PostRef } from './contract/post-ref.ts'
import type { ParticipantDecisions, Posts } from './index.ts'
import type { PublicationCheck } from './publication/check.ts'
import type { LockedPost } from './repository/locked-post.ts'
import { findLostSlot } from './repository/lost-slots.ts'
import type { RowUpdate } from './repository/state-changes.ts'
import type { Scheduler } from './scheduler.ts'
import { statusAfter } from './states.ts'
import type { PostTransitions } from './transitions.ts'

/** Changes of one post's state. Each takes the post's lock, so that of two at once the second sees what the first did. */
export interface PostStates
  extends Pick<Posts, 'approve' | 'publish' | 'schedule' | 'reject' | 'archive' | 'registerParticipant'> {
  /** Takes the post off every surface. @returns whether it was published. */
  unpublish(
    post_id: string,
    by: PostDecision
  ): Promise<{ post_id: string; unpublished: boolean; status: PostRef['status'] }>
  /** Archives a post that passes the check. */
  archiveChecked(post_id: string, by: PostDecision, check: (post: LockedPost) => void): Promise<void>
  /** Makes an archived post a draft again. @throws ConflictError in any other status */
  restore(post_id: string, by: PostDecision): Promise<void>
  /**
   * Submits a hand-made draft for approval; one that waits for it already stays. @throws ConflictError for a post of
   * the pipeline, whose task is decided on, and in any other status.
   */
  submit(post_id: string, by: PostDecision): Promise<void>
}

interface StateDeps {
  db: Db
  transitions: PostTransitions
  check: Pick<PublicationCheck, 'requirePublishable'>
  scheduler: Pick<Scheduler, 'isRegistered'>
}

export function createPostStates(deps: StateDeps): PostStates {
  const { db, transitions } = deps
  return {
    approve: (tx, post_id, by) => approve(deps, tx, post_id, by),
    publish: async (tx, post_id, by) => publish(deps, tx, await transitions.lock(tx, post_id), by),
    schedule: async (tx, post_id, publish_at, by) =>
      schedule(deps, tx, await transitions.lock(tx, post_id), publish_at, by),
    reject: async (tx, post_id, by) => reject(deps, tx, await transitions.lock(tx, post_id), by),
    archive: async (tx, post_id, by) => archive(deps, tx, await transitions.lock(tx, post_id), by),
    registerParticipant: participant => {
      transitions.registerParticipant(participant)
      return decisionsOf({ ...deps, transitions: transitions.withoutParticipant(participant) })
    },
    unpublish: (post_id, by) =>
      db.transaction(async tx => {
        const post = await transitions.lock(tx, post_id)
        if (post.status !== 'published') return { post_id, unpublished: false, status: post.status }
        const { status } = await transitions.apply(tx, { post, action: 'unpublish' }, by)
        return { post_id, unpublished: true, status }
      }),
    archiveChecked: (post_id, by, check) =>
      db.transaction(async tx => {
        const post = await transitions.lock(tx, post_id)
        check(post)
        await archive(deps, tx, post, by)
      }),
    restore: (post_id, by) => db.transaction(tx => restore(tx, transitions, post_id, by)),
    submit: (post_id, by) => db.transaction(tx => submit(tx, transitions, post_id, by))
  }
}

const decisionsOf = (deps: StateDeps): ParticipantDecisions => ({
  publish: (tx, post, by) => publish(deps, tx, post, by),
  async schedule(tx, post, publish_at, by) {
    // Approved with a slot, a post that was unpublished goes the way of every draft.
    const submitted =
      post.status === 'draft' ? await deps.transitions.apply(tx, { post, action: 'submit' }, by) : undefined
    return schedule(deps, tx, { ...post, ...submitted }, publish_at, by)
  },
  reject: (tx, post, by) => reject(deps, tx, post, by),
  archive: (tx, post, by) => archive(deps, tx, post, by)
})

/** Without a time: an edit that took a slot is no decision on when the post is published. */
async function approve(deps: StateDeps, tx: Tx, post_id: string, by: PostDecision): Promise<PostRef> {
  const post = await deps.transitions.lock(tx, post_id)
  const lost = await findLostSlot(tx, post_id)
  if (!lost?.is_ahead) return publish(deps, tx, post, by)
  return schedule(deps, tx, post, new Date(lost.slot), { ...by, regainsSlot: true })
}

async function publish(
  { transitions, check }: StateDeps,
  tx: Tx,
  post: LockedPost,
  by: PostDecision
): Promise<PostRef> {
  requireDecided(post, by)
  if (post.is_public) return refOf(post)
  await check.requirePublishable(tx, post, by)
  return refOf(await transitions.apply(tx, { post, action: 'publish' }, by))
}

async function schedule(
  { transitions, check, scheduler }: StateDeps,
  tx: Tx,
  post: LockedPost,
  publish_at: Date,
  by: PostDecision
): Promise<PostRef> {
  requireDecided(post, by)
  if (by.regainsSlot === true && !scheduler.isRegistered()) throw slotOutOfReach(post)
  const action = slotAction(post, by.replacesSlot ?? false)
  statusAfter(post.status, action)
  await check.requirePublishable(tx, post, by)
  const slot = publish_at.toISOString()
  return refOf(await transitions.apply(tx, { post, action, slot, update: slotUpdate(by) }, by))
}

const slotOutOfReach = ({ post_id, task_id }: LockedPost) =>
  new ConflictError(
    `The slot that an edit took cannot come back while the plugin schedule is off: "galley ${task_id === null ? `posts publish ${post_id}` : `tasks publish ${task_id}`}" publishes now. Nothing was changed.`
  )

function slotUpdate({ skipsChecks = false, regainsSlot = false }: PostDecision): RowUpdate {
  if (regainsSlot) return skipsChecks ? 'regain_slot_without_niche' : 'regain_slot'
  return skipsChecks ? 'schedule_without_niche' : 'schedule'
}

async function reject({ transitions }: StateDeps, tx: Tx, post: LockedPost, by: PostDecision): Promise<PostRef> {
  // An archived post and a draft are out of the queue already.
  if (by.gate_name === undefined && (post.status === 'archived' || post.status === 'draft')) return refOf(post)
  requireDecided(post, by)
  return refOf(await transitions.apply(tx, { post, action: 'reject' }, by))
}

async function archive({ transitions }: StateDeps, tx: Tx, post: LockedPost, by: PostDecision): Promise<PostRef> {
  return refOf(post.status === 'archived' ? post : await transitions.apply(tx, { post, action: 'archive' }, by))
}

async function restore(tx: Tx, transitions: PostTransitions, post_id: string, by: PostDecision): Promise<void> {
  const post = await transitions.lock(tx, post_id)
  if (post.status !== 'archived')
    throw new ConflictError(`Post ${post_id} is ${post.status}: only an archived post is restored.`)
  await transitions.apply(tx, { post, action: 'restore' }, by)
}

async function submit(tx: Tx, transitions: PostTransitions, post_id: string, by: PostDecision): Promise<void> {
  const post = await transitions.lock(tx, post_id)
  if (post.status === 'awaiting_approval') return
  if (post.task_id !== null) {
    throw new ConflictError(
      `Post ${post_id} was written by task ${post.task_id}, which submits its own drafts: "posts publish --force" publishes this one all the same.`
    )
  }
  if (post.status !== 'draft') throw new ConflictError(`Post ${post_id} is ${post.status}: only a draft is submitted.`)
  await transitions.awaitApproval(tx, await transitions.apply(tx, { post, action: 'submit' }, by), by)
}

/** A slot is given once; only a decision that says so replaces it. */
function slotAction(post: LockedPost, replacesSlot: boolean): 'schedule' | 'reschedule' {
  if (post.status !== 'scheduled') return 'schedule'
  if (replacesSlot) return 'reschedule'
  throw new ConflictError(
    `Post ${post.post_id} is already scheduled for ${post.published_at}: give force (--force) to replace the slot.`
  )
}

export function refOf({ post_id, slug, title, status, published_at, content_hash }: PostRef): PostRef {
  return { post_id, slug, title, status, published_at, content_hash }
}
