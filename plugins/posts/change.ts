import { type Changes, type Emit, NotFoundError, type Tx } from '#core'
import { defaultGateName, type Gates } from '#plugins/gates'
import { decisionOn, holdPosts } from './approval.ts'
import {
  type PostDecision,
  PostEdited,
  type PostEvent,
  PostHeld,
  type PostMove,
  type PostParticipant,
  PostPublished,
  PostReopened,
  type PostRevision,
  PostWithdrawn
} from './index.ts'
import { insertHistory, type LockedPost, lockPost } from './repository/changes.ts'
import { type StateRow, updateGate, updateStatus } from './repository/state-changes.ts'
import type { Announce, DuePost } from './slot-services.ts'
import { move, type PostAction } from './states.ts'
import { postsTopic } from './topics.ts'

type StatusAction = Parameters<typeof updateStatus>[2]

export type By = PostDecision

/** Writes changes of posts with what belongs to them, in the caller's transaction: history, gate history, events. */
export interface PostChanges {
  /** The post, locked. @throws NotFoundError */
  lock(tx: Tx, post_id: string): Promise<LockedPost>
  /** Moves a locked post. @throws ConflictError when its status does not allow the action. */
  move(tx: Tx, post: LockedPost, action: StatusAction, by: By): Promise<StateRow>
  /**
   * Moves locked posts whose slot is reached; those that are not as they were approved wait for approval again.
   * `announce`, absent: emits `PostPublished` for those that go out.
   */
  moveDue(tx: Tx, posts: readonly DuePost[], by: DueMove): Promise<void>
  /** Records that a post was made, changed or given a slot. */
  record(tx: Tx, post_id: string, entry: Omit<Parameters<typeof insertHistory>[1][number], 'post_id'>): Promise<void>
  /** Has those who take part move what belongs to these posts, in the same transaction. */
  moved(tx: Tx, moves: readonly PostMove[], by: By): Promise<void>
  /** The same for a post that a person edited. */
  revised(tx: Tx, post: PostRevision, by: By): Promise<void>
  takePart(participant: PostParticipant): void
  /** Tells that a public post reads differently. */
  edited(tx: Tx, event: PostEvent & { previous_slug: string }): Promise<void>
  /** Records what an action on each post decides at the gate it waits at. */
  leaveGates(tx: Tx, left: readonly LeftGate[], by: By): Promise<void>
  /** Records that a post waits for the sign-off, or again. */
  awaitApproval(tx: Tx, post: StateRow, by: By & { waits_again?: boolean }): Promise<void>
  /**
   * After an edit: the approval of what was there before no longer counts. An approved or scheduled post waits for
   * the sign-off again, without a slot; one that waits at a gate is told of there anew. `post` is as it was before.
   */
  contentChanged(
    tx: Tx,
    post: LockedPost,
    now: Pick<StateRow, 'slug' | 'title' | 'content_hash'>,
    edit: Edit
  ): Promise<void>
}

/** What happens to posts at their slot, and through whom. */
export type DueMove = { actor: string } & (
  | { action: 'release'; announce?: Announce | undefined }
  | { action: 'hold'; gate_name: string }
)

/** A post as it was before an action. */
export interface LeftGate {
  post: StateRow & { awaiting_gate?: string | null }
  action: PostAction
}

/** What was edited, and by whom. */
export interface Edit {
  fields: readonly string[]
  actor: string
}

export interface ChangeDeps {
  emit: Emit
  changes: Changes
  gates: Gates
}

export function createPostChanges({ emit, changes, gates }: ChangeDeps): PostChanges {
  const leaveGates: PostChanges['leaveGates'] = async (tx, left, by) => {
    const decisions = left.map(({ post, action }) => decisionOn(post, action, by)).filter(each => each !== undefined)
    const own = by.isRecorded ? decisions.filter(({ gate_name }) => gate_name !== defaultGateName) : decisions
    await gates.recordMany(tx, own)
  }
  const record: PostChanges['record'] = async (tx, post_id, entry) => {
    await insertHistory(tx, [{ post_id, ...entry }])
    await changes.touch(tx, postsTopic)
  }
  const awaitApproval: PostChanges['awaitApproval'] = (tx, post, by) =>
    holdPosts(gates, tx, defaultGateName, [post], by)
  const participants: PostParticipant[] = []
  const moved: PostChanges['moved'] = async (tx, moves, { actor, reason = null, force = false }) => {
    if (moves.length === 0) return
    for (const participant of participants) await participant.moved(tx, moves, { actor, reason, force })
  }
  const reopen = async (
    tx: Tx,
    post: StateRow,
    fields: readonly string[],
    by: Required<Pick<By, 'actor' | 'reason'>>
  ) => {
    const { post_id, slug, status: from_status, published_at } = post
    const to_status = move(from_status, 'reopen')
    const rows = await updateStatus(tx, [post_id], 'reopen', to_status)
    await moved(
      tx,
      rows.map(row => ({ ...row, action: 'reopen', from: from_status })),
      by
    )
    const detail = { reason: by.reason, fields, ...(published_at === null ? {} : { published_at }) }
    await record(tx, post_id, { action: 'reopen', from_status, to_status, actor: by.actor, detail })
    await awaitApproval(tx, post, { ...by, waits_again: true })
    await emit(tx, PostReopened, { post_id, slug, actor: by.actor, reason: by.reason ?? '' })
  }

  return {
    record,
    leaveGates,
    awaitApproval,
    moved,
    takePart: participant => void participants.push(participant),
    revised: async (tx, post, { actor, reason = null }) => {
      for (const participant of participants) await participant.edited(tx, post, { actor, reason })
    },
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
      await leaveGates(tx, [{ post, action }], by)
      await moved(tx, [{ ...row, action, from: post.status }], by)
      const event = { post_id: post.post_id, slug: post.slug, actor: by.actor }
      if (to === 'published') await emit(tx, PostPublished, event)
      else if (post.status === 'published') await emit(tx, PostWithdrawn, event)
      return row
    },
    moveDue: async (tx, due, by) => {
      const { action, actor } = by
      const posts = due.filter(post => post.is_as_approved)
      for (const post of due) if (!post.is_as_approved) await reopen(tx, post, [], { actor, reason: unlikeApproved })
      const to = move('scheduled', action)
      const ids = posts.map(post => post.post_id)
      const rows =
        by.action === 'hold' ? await updateGate(tx, ids, by.gate_name) : await updateStatus(tx, ids, 'release', to)
      await moved(
        tx,
        rows.map(row => ({ ...row, action, from: 'scheduled' })),
        { actor }
      )
      const events = posts.map(({ post_id, slug }) => ({ post_id, slug, actor }))
      if (by.action === 'release') await (by.announce?.(tx, events) ?? emit(tx, PostPublished, events))
      else {
        const { gate_name } = by
        await holdPosts(gates, tx, gate_name, posts, { actor })
        await emit(
          tx,
          PostHeld,
          events.map(event => ({ ...event, gate_name }))
        )
      }
      await changes.touch(tx, postsTopic)
      // Last, so that its time is the end of the transaction: what it is past the slot is the lateness.
      await insertHistory(
        tx,
        posts.map(({ post_id, status, published_at }) => ({
          ...{ post_id, action, from_status: status, to_status: to, actor, detail: { published_at } }
        }))
      )
    },
    contentChanged: async (tx, before, now, { fields, actor }) => {
      const post = { ...before, ...now }
      const by = { actor, reason: `the content changed: ${fields.join(', ')}`, waits_again: true }
      if (post.awaiting_gate !== null) await holdPosts(gates, tx, post.awaiting_gate, [post], by)
      else if (post.status === 'awaiting_approval') await awaitApproval(tx, post, by)
      else if (post.status === 'approved' || post.status === 'scheduled') await reopen(tx, post, fields, by)
    }
  }
}

const unlikeApproved = 'its content is not what was approved'
