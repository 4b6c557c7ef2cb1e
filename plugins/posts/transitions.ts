import { type Changes, type Emit, InputError, type Tx } from '#core'
import { defaultGateName, type Gates } from '#plugins/gates'
import { holdPosts } from './approval.ts'
import { postsCacheTag } from './cache-tags.ts'
import { emitChanges, writeGates, writeHistory } from './change-records.ts'
import type { PostDecision, PostEvent, PostLabels } from './contract/post-ref.ts'
import type { Announce } from './contract/slots.ts'
import { type EditedPost, PostEdited, type PostParticipant, type TransitionedPost } from './index.ts'
import type { AppliedTransition, PlannedTransition, TransitionOptions } from './planned-transition.ts'
import { postNotFound } from './reads/require-post.ts'
import { type HistoryEntry, insertHistory } from './repository/history.ts'
import { type LockedPost, lockPost } from './repository/locked-post.ts'
import { isSlotAhead } from './repository/lost-slots.ts'
import { type RowUpdate, type StateRow, updateStates } from './repository/state-changes.ts'
import type { Scheduler } from './scheduler.ts'
import { type PostAction, statusAfter } from './states.ts'

/** The one place where posts change their state, with all that belongs to it, in the caller's transaction. */
export interface PostTransitions {
  /** The post, locked. @throws NotFoundError */
  lock(tx: Tx, post_id: string): Promise<LockedPost>
  /** Applies a transition to one locked post. @throws ConflictError when its status does not allow the action. */
  apply(tx: Tx, planned: PlannedTransition, by: PostDecision, options?: TransitionOptions): Promise<StateRow>
  /**
   * Applies transitions to locked posts in the same way: rows, participants, gate history, events and, last, the posts' own history.
   * @throws ConflictError when a status does not allow the action, InputError when a slot is not in the future
   */
  applyMany(
    tx: Tx,
    planned: readonly PlannedTransition[],
    by: PostDecision,
    options?: TransitionOptions
  ): Promise<StateRow[]>
  /** Takes back the approval of a locked post that is not what was approved: it waits for approval again, without its slot. */
  reopen(tx: Tx, post: StateRow, by: PostDecision & { reason: string }, fields: readonly string[]): Promise<void>
  /** Writes that a post waits for approval, or again. */
  awaitApproval(tx: Tx, post: StateRow, by: PostDecision & { waits_again?: boolean }): Promise<void>
  /** Writes that a post waits at its gate with another content. */
  holdAgain(tx: Tx, gate_name: string, post: StateRow, by: PostDecision): Promise<void>
  /** Writes that a post was made or edited. */
  record(tx: Tx, post_id: string, entry: Omit<HistoryEntry, 'post_id'>): Promise<void>
  /** Marks what readers see of posts as changed. */
  touch(tx: Tx): Promise<void>
  /** Emits `PostEdited` of a public post. */
  emitEdited(tx: Tx, event: PostEvent & { previous_slug: string; left?: PostLabels }): Promise<void>
  /** Has the participants change what belongs to a post that a person edited. */
  updateParticipants(tx: Tx, post: EditedPost, by: PostDecision): Promise<void>
  registerParticipant(participant: PostParticipant): void
  /** The same for decisions that a participant makes itself: all others take part. */
  withoutParticipant(participant: PostParticipant): PostTransitions
}

interface TransitionDeps {
  emit: Emit
  /** Of what becomes public, unless `TransitionOptions` has another. */
  announce: Announce
  changes: Changes
  gates: Gates
  scheduler: Pick<Scheduler, 'wakeAt'>
}

export function createPostTransitions(deps: TransitionDeps): PostTransitions {
  const participants: PostParticipant[] = []
  return transitionsOf(deps, participants, () => participants)
}

/** `registered`: all participants. `participating`: those who take part in the changes. */
function transitionsOf(
  deps: TransitionDeps,
  registered: PostParticipant[],
  participating: () => readonly PostParticipant[]
): PostTransitions {
  const { gates } = deps
  const awaitApproval: PostTransitions['awaitApproval'] = (tx, post, by) =>
    holdPosts(gates, tx, defaultGateName, [post], by)
  const applyMany: PostTransitions['applyMany'] = (tx, planned, by, options = {}) =>
    applyAll(deps, participating(), tx, planned, by, options)
  const applyOne: PostTransitions['apply'] = async (tx, one, by, options) => {
    const [row] = await applyMany(tx, [one], by, options)
    if (row === undefined) throw new TypeError(`Post ${one.post.post_id} was not changed.`)
    return row
  }
  return {
    lock: async (tx, post_id) => {
      const post = await lockPost(tx, post_id)
      if (post === undefined) throw postNotFound(post_id)
      return post
    },
    apply: applyOne,
    applyMany,
    reopen: async (tx, before, by, fields) => {
      const { published_at: slot } = before
      // An approval at the gate gives that slot back while it lies ahead.
      const detail = { reason: by.reason, fields, ...(slot === null ? {} : { published_at: slot }) }
      const comesBack = slot !== null && (await isSlotAhead(tx, slot))
      const returning = `; approved at its gate before then, it gets its slot ${slot} back`
      const reason = comesBack ? by.reason + returning : by.reason
      await applyOne(tx, { post: before, action: 'reopen', detail }, { ...by, reason })
      // The gate is notified of the slot that the post lost.
      await awaitApproval(tx, before, { ...by, waits_again: true })
    },
    awaitApproval,
    holdAgain: (tx, gate_name, post, by) => holdPosts(gates, tx, gate_name, [post], { ...by, waits_again: true }),
    record: async (tx, post_id, entry) => {
      await insertHistory(tx, [{ post_id, ...entry }])
      await deps.changes.touch(tx, postsCacheTag)
    },
    touch: tx => deps.changes.touch(tx, postsCacheTag),
    emitEdited: (tx, event) => deps.emit(tx, PostEdited, event),
    updateParticipants: async (tx, post, { actor, reason = null }) => {
      for (const participant of participating()) await participant.edited(tx, post, { actor, reason })
    },
    registerParticipant: participant => void registered.push(participant),
    withoutParticipant: participant =>
      transitionsOf(deps, registered, () => participating().filter(each => each !== participant))
  }
}

async function applyAll(
  deps: TransitionDeps,
  participants: readonly PostParticipant[],
  tx: Tx,
  planned: readonly PlannedTransition[],
  by: PostDecision,
  options: TransitionOptions
): Promise<StateRow[]> {
  if (planned.length === 0) return []
  const changed = await updateRows(tx, planned, options)
  await callParticipants(participants, tx, changed, by)
  await writeGates(deps.gates, tx, changed, by, options)
  await emitChanges({ emit: deps.emit, announce: options.announce ?? deps.announce }, tx, changed, by, options)
  await wakeScheduler(deps, tx, changed)
  await deps.changes.touch(tx, postsCacheTag)
  await writeHistory(tx, changed, by)
  return changed.map(({ row }) => row)
}

async function updateRows(
  tx: Tx,
  planned: readonly PlannedTransition[],
  { gate_name = '' }: TransitionOptions
): Promise<AppliedTransition[]> {
  const rows: StateRow[] = []
  for (const [update, ofUpdate] of Map.groupBy(planned, each => each.update ?? rowUpdateOf(each.action))) {
    const targetOf = ({ post, action, slot = '' }: PlannedTransition) => ({
      post_id: post.post_id,
      to: statusAfter(post.status, action),
      slot,
      gate_name
    })
    rows.push(...(await updateStates(tx, update, ofUpdate.map(targetOf))))
  }
  const before = new Map(planned.map(each => [each.post.post_id, each]))
  const changed = rows.flatMap(row => {
    const each = before.get(row.post_id)
    return each === undefined ? [] : [{ ...each, row }]
  })
  const missed = planned.find(({ post }) => !rows.some(row => row.post_id === post.post_id))
  if (missed === undefined) return changed
  if (missed.slot === undefined) throw new TypeError(`Post ${missed.post.post_id} was changed without its lock.`)
  throw new InputError({ publish_at: `must be in the future: ${missed.slot} has passed` })
}

function rowUpdateOf(action: PostAction): RowUpdate {
  if (action === 'create' || action === 'reschedule') throw new TypeError(`${action} says nothing about the row.`)
  return action
}

async function callParticipants(
  participants: readonly PostParticipant[],
  tx: Tx,
  applied: readonly AppliedTransition[],
  { actor, reason = null, skipsChecks = false }: PostDecision
): Promise<void> {
  const posts: TransitionedPost[] = applied.map(({ row, post, action }) => ({ ...row, action, from: post.status }))
  for (const participant of participants) await participant.transitioned(tx, posts, { actor, reason, skipsChecks })
}

/** For the earliest of the slots: each run of the publisher wakes the next. */
async function wakeScheduler(
  { scheduler }: TransitionDeps,
  tx: Tx,
  applied: readonly AppliedTransition[]
): Promise<void> {
  const slots = applied.flatMap(({ slot, row }) => (slot === undefined ? [] : (row.published_at ?? [])))
  const [first] = slots.sort()
  if (first !== undefined) await scheduler.wakeAt(tx, first)
}
