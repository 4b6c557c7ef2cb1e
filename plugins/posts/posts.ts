import { ConflictError, type Db, type Emit, type Enqueue, InputError, type Tx } from '#core'
import { requireDecided } from './approval.ts'
import { type By, type ChangeDeps, type PostChanges, publishGate } from './change.ts'
import { type PostRef, PostScheduled, type Posts, SlotsChanged } from './index.ts'
import { PublishDue } from './publisher.ts'
import { type LockedPost, updateSlot } from './repository/changes.ts'
import { move } from './states.ts'

/** Changes of one post's state. Each takes the post's lock, so that of two at once the second sees what the first did. */
export interface PostStates extends Pick<Posts, 'publish' | 'schedule' | 'withdraw'> {
  /** Takes the post off every surface. @returns whether it was published. */
  unpublish(post_id: string, by: By): Promise<{ post_id: string; unpublished: boolean; status: PostRef['status'] }>
  archive(post_id: string, by: By, check: (post: LockedPost) => void): Promise<void>
  /**
   * Hands a draft made by hand in for approval; one that waits for it already stays. @throws ConflictError for a post of
   * the pipeline, whose task is decided on, and in any other status.
   */
  submit(post_id: string, by: By): Promise<void>
  /** Lets a post pass that waits at the publish gate: it is public when this resolves. @throws ConflictError when it waits at none. */
  approveHeld(post_id: string, by: By): Promise<void>
}

export interface StateDeps extends ChangeDeps {
  db: Db
  emit: Emit
  enqueue: Enqueue
  posts: PostChanges
}

export function createPostStates({ db, emit, enqueue, posts }: StateDeps): PostStates {
  return {
    publish: async (tx, post_id, by) => {
      const post = await posts.lock(tx, post_id)
      requireDecided(post, by)
      return post.is_public ? refOf(post) : refOf(await posts.move(tx, post, 'publish', by))
    },
    schedule: async (tx, post_id, publish_at, by) => {
      const post = await posts.lock(tx, post_id)
      requireDecided(post, by)
      const action = slotAction(post, by.force ?? false)
      const to_status = move(post.status, action)
      const row = await updateSlot(tx, post_id, publish_at)
      if (row?.published_at == null) throw pastSlot(publish_at)
      const { published_at, slug } = row
      await posts.record(tx, post_id, {
        action,
        from_status: post.status,
        to_status,
        actor: by.actor,
        detail: { published_at }
      })
      await posts.leaveGates(tx, [{ post, action }], by)
      await emit(tx, PostScheduled, { post_id, slug, actor: by.actor, published_at })
      if (post.task_id !== null) await emit(tx, SlotsChanged, { post_ids: [post_id], actor: by.actor })
      // Slots at the same moment share one job.
      await enqueue(tx, PublishDue, {}, { startAt: publish_at, key: published_at })
      return refOf(row)
    },
    withdraw: async (tx, post_id, by) => {
      const post = await posts.lock(tx, post_id)
      // An archived post and a draft are out of the queue already.
      if (by.gate_name === undefined && (post.status === 'archived' || post.status === 'draft')) return refOf(post)
      requireDecided(post, by)
      return refOf(await posts.move(tx, post, 'withdraw', by))
    },
    unpublish: (post_id, by) =>
      db.transaction(async tx => {
        const post = await posts.lock(tx, post_id)
        if (post.status !== 'published') return { post_id, unpublished: false, status: post.status }
        const { status } = await posts.move(tx, post, 'unpublish', by)
        return { post_id, unpublished: true, status }
      }),
    archive: (post_id, by, check) =>
      db.transaction(async tx => {
        const post = await posts.lock(tx, post_id)
        check(post)
        if (post.status !== 'archived') await posts.move(tx, post, 'archive', by)
      }),
    submit: (post_id, by) => db.transaction(tx => submit(tx, posts, post_id, by)),
    approveHeld: (post_id, by) => db.transaction(tx => approveHeld(tx, posts, post_id, by))
  }
}

async function submit(tx: Tx, posts: PostChanges, post_id: string, by: By): Promise<void> {
  const post = await posts.lock(tx, post_id)
  if (post.status === 'awaiting_approval') return
  if (post.task_id !== null) {
    throw new ConflictError(
      `Post ${post_id} was written by task ${post.task_id}, which hands in its own drafts: "posts publish" publishes this one all the same.`
    )
  }
  if (post.status !== 'draft') throw new ConflictError(`Post ${post_id} is ${post.status}: only a draft is handed in.`)
  await posts.awaitApproval(tx, await posts.move(tx, post, 'submit', by), by)
}

async function approveHeld(tx: Tx, posts: PostChanges, post_id: string, by: By): Promise<void> {
  const post = await posts.lock(tx, post_id)
  if (post.awaiting_gate !== publishGate) {
    throw new ConflictError(
      `Post ${post_id} (${post.status}) does not wait at ${publishGate}: there is nothing to approve.`
    )
  }
  requireDecided(post, by)
  await posts.move(tx, post, 'release', by)
}

/** A slot is given once; only `force` replaces it. */
function slotAction(post: LockedPost, force: boolean): 'schedule' | 'reschedule' {
  if (post.status !== 'scheduled') return 'schedule'
  if (force) return 'reschedule'
  throw new ConflictError(
    `Post ${post.post_id} is already scheduled for ${post.published_at}: use force to replace the slot.`
  )
}

function pastSlot(publish_at: Date): InputError {
  return new InputError({ publish_at: `must be in the future: ${publish_at.toISOString()} has passed` })
}

export function refOf({ post_id, slug, title, status, published_at, content_hash }: PostRef): PostRef {
  return { post_id, slug, title, status, published_at, content_hash }
}
