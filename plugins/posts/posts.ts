import { ConflictError, type Db, type Emit, InputError, type Tx } from '#core'
import { requireDecided } from './approval.ts'
import type { By, ChangeDeps, PostChanges } from './change.ts'
import { type PostRef, PostScheduled, type Posts } from './index.ts'
import type { PublicationCheck } from './publication-check.ts'
import type { LockedPost } from './repository/changes.ts'
import { updateSlot } from './repository/state-changes.ts'
import type { Scheduler } from './slots.ts'
import { move } from './states.ts'

/** Changes of one post's state. Each takes the post's lock, so that of two at once the second sees what the first did. */
export interface PostStates extends Pick<Posts, 'publish' | 'schedule' | 'withdraw' | 'archive'> {
  /** Takes the post off every surface. @returns whether it was published. */
  unpublish(post_id: string, by: By): Promise<{ post_id: string; unpublished: boolean; status: PostRef['status'] }>
  /** Archives a post that passes the check. */
  archiveChecked(post_id: string, by: By, check: (post: LockedPost) => void): Promise<void>
  /** Makes an archived post a draft again. @throws ConflictError in any other status */
  restore(post_id: string, by: By): Promise<void>
  /**
   * Hands a draft made by hand in for approval; one that waits for it already stays. @throws ConflictError for a post of
   * the pipeline, whose task is decided on, and in any other status.
   */
  submit(post_id: string, by: By): Promise<void>
}

export interface StateDeps extends ChangeDeps {
  db: Db
  emit: Emit
  scheduler: Scheduler
  posts: PostChanges
  check: Pick<PublicationCheck, 'within'>
}

export function createPostStates({ db, emit, scheduler, posts, check }: StateDeps): PostStates {
  return {
    publish: async (tx, post_id, by) => {
      const post = await posts.lock(tx, post_id)
      requireDecided(post, by)
      if (post.is_public) return refOf(post)
      await check.within(tx, post, by)
      return refOf(await posts.move(tx, post, 'publish', by))
    },
    schedule: async (tx, post_id, publish_at, by) => {
      const locked = await posts.lock(tx, post_id)
      requireDecided(locked, by)
      const post = by.isRecorded ? await handedIn(tx, posts, locked, by) : locked
      const action = slotAction(post, by.force ?? false)
      const to_status = move(post.status, action)
      await check.within(tx, post, by)
      const row = await updateSlot(tx, post_id, publish_at, by.force ?? false)
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
      await posts.moved(tx, [{ ...row, action, from: post.status }], by)
      await emit(tx, PostScheduled, { post_id, slug, actor: by.actor, published_at })
      await scheduler.wakeAt(tx, published_at)
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
    archive: async (tx, post_id, by) => {
      const post = await posts.lock(tx, post_id)
      return refOf(post.status === 'archived' ? post : await posts.move(tx, post, 'archive', by))
    },
    archiveChecked: (post_id, by, check) =>
      db.transaction(async tx => {
        const post = await posts.lock(tx, post_id)
        check(post)
        if (post.status !== 'archived') await posts.move(tx, post, 'archive', by)
      }),
    restore: (post_id, by) => db.transaction(tx => restore(tx, posts, post_id, by)),
    submit: (post_id, by) => db.transaction(tx => submit(tx, posts, post_id, by))
  }
}

/** Signed off with a slot, a post that was unpublished goes the way of every draft. */
async function handedIn(tx: Tx, posts: PostChanges, post: LockedPost, by: By): Promise<LockedPost> {
  return post.status === 'draft' ? { ...post, ...(await posts.move(tx, post, 'submit', by)) } : post
}

async function restore(tx: Tx, posts: PostChanges, post_id: string, by: By): Promise<void> {
  const post = await posts.lock(tx, post_id)
  if (post.status !== 'archived')
    throw new ConflictError(`Post ${post_id} is ${post.status}: only an archived post is restored.`)
  await posts.move(tx, post, 'restore', by)
}

async function submit(tx: Tx, posts: PostChanges, post_id: string, by: By): Promise<void> {
  const post = await posts.lock(tx, post_id)
  if (post.status === 'awaiting_approval') return
  if (post.task_id !== null) {
    throw new ConflictError(
      `Post ${post_id} was written by task ${post.task_id}, which hands in its own drafts: "posts publish --force" publishes this one all the same.`
    )
  }
  if (post.status !== 'draft') throw new ConflictError(`Post ${post_id} is ${post.status}: only a draft is handed in.`)
  await posts.awaitApproval(tx, await posts.move(tx, post, 'submit', by), by)
}

/** A slot is given once; only `force` replaces it. */
function slotAction(post: LockedPost, force: boolean): 'schedule' | 'reschedule' {
  if (post.status !== 'scheduled') return 'schedule'
  if (force) return 'reschedule'
  throw new ConflictError(
    `Post ${post.post_id} is already scheduled for ${post.published_at}: give force (--force) to replace the slot.`
  )
}

function pastSlot(publish_at: Date): InputError {
  return new InputError({ publish_at: `must be in the future: ${publish_at.toISOString()} has passed` })
}

export function refOf({ post_id, slug, title, status, published_at, content_hash }: PostRef): PostRef {
  return { post_id, slug, title, status, published_at, content_hash }
}
