import { type Changes, type Emit, NotFoundError, type Tx } from '#core'
import type { GateDecision, Gates } from '#plugins/gates'
import { PostEdited, type PostEvent, PostHeld, PostPublished, PostWithdrawn } from './index.ts'
import { insertHistory, type LockedPost, lockPost, type StateRow, updateStatus } from './repository/changes.ts'
import { move, type PostAction } from './states.ts'
import { postsTopic } from './totals.ts'

/** The gate at which a scheduled post waits for a last approval. */
export const publishGate = 'final_publish_approval'

type StatusAction = Parameters<typeof updateStatus>[2]

export interface By {
  actor: string
  reason?: string | null
}

/** Writes changes of posts with what belongs to them, in the caller's transaction: history, gate history, events. */
export interface PostChanges {
  /** The post, locked. @throws NotFoundError */
  lock(tx: Tx, post_id: string): Promise<LockedPost>
  /** Moves a locked post. @throws ConflictError when its status does not allow the action. */
  move(tx: Tx, post: LockedPost, action: StatusAction, by: By): Promise<StateRow>
  /** Moves many locked posts of one status. */
  moveDue(tx: Tx, posts: readonly StateRow[], action: 'hold' | 'release', actor: string): Promise<void>
  /** Records that a post was made, changed or given a slot. */
  record(tx: Tx, post_id: string, entry: Omit<Parameters<typeof insertHistory>[1][number], 'post_id'>): Promise<void>
  /** Tells that a public post reads differently. */
  edited(tx: Tx, event: PostEvent & { previous_slug: string }): Promise<void>
  /** Records what became of a gate that held the post. */
  leaveGate(tx: Tx, post: LockedPost, action: PostAction, by: By): Promise<void>
}

export interface ChangeDeps {
  emit: Emit
  changes: Changes
  gates: Gates
}

/** What leaving the publish gate by another door means for its history. */
const gateDecisions: Partial<Record<PostAction, GateDecision['decision']>> = {
  publish: 'approved',
  release: 'approved',
  withdraw: 'rejected'
}

export function createPostChanges({ emit, changes, gates }: ChangeDeps): PostChanges {
  const leaveGate = async (tx: Tx, post: LockedPost, action: PostAction, { actor, reason = null }: By) => {
    if (post.awaiting_gate === null) return
    const decision = gateDecisions[action] ?? 'cleared'
    await gates.record(tx, {
      gate_name: post.awaiting_gate,
      subject_type: 'post',
      subject_id: post.post_id,
      decision,
      actor,
      reason
    })
  }
  const record: PostChanges['record'] = async (tx, post_id, entry) => {
    await insertHistory(tx, [{ post_id, ...entry }])
    await changes.touch(tx, postsTopic)
  }

  return {
    record,
    leaveGate,
    edited: (tx, event) => emit(tx, PostEdited, event),
    lock: async (tx, post_id) => {
      const post = await lockPost(tx, post_id)
      if (post === undefined) throw new NotFoundError(`There is no post ${post_id}.`)
      return post
    },
    move: async (tx, post, action, by) => {
      const to = move(post.status, action)
      const [row] = await updateStatus(tx, [post.post_id], action, to)
      if (row === undefined) throw new TypeError(`Post ${post.post_id} was moved without its lock.`)
      const detail = by.reason == null ? {} : { reason: by.reason }
      await record(tx, post.post_id, { action, from_status: post.status, to_status: to, actor: by.actor, detail })
      await leaveGate(tx, post, action, by)
      const event = { post_id: post.post_id, slug: post.slug, actor: by.actor }
      if (to === 'published') await emit(tx, PostPublished, event)
      else if (post.status === 'published') await emit(tx, PostWithdrawn, event)
      return row
    },
    moveDue: async (tx, posts, action, actor) => {
      const to = move('scheduled', action)
      await updateStatus(
        tx,
        posts.map(post => post.post_id),
        action,
        to
      )
      await insertHistory(
        tx,
        posts.map(({ post_id, status }) => ({ post_id, action, from_status: status, to_status: to, actor }))
      )
      for (const { post_id, slug } of posts) {
        if (action === 'release') await emit(tx, PostPublished, { post_id, slug, actor })
        else {
          await gates.record(tx, {
            ...{ gate_name: publishGate, subject_type: 'post', subject_id: post_id },
            ...{ decision: 'held', actor, reason: null }
          })
          await emit(tx, PostHeld, { post_id, slug, actor, gate_name: publishGate })
        }
      }
      await changes.touch(tx, postsTopic)
    }
  }
}
