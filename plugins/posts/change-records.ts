import type { Emit, EventType, Tx } from '#core'
import type { Gates } from '#plugins/gates'
import { decisionOn, holdPosts } from './approval.ts'
import type { PostDecision } from './contract/post-ref.ts'
import type { Announce } from './contract/slots.ts'
import { PostHeld, PostReopened, PostScheduled, PostWithdrawn } from './index.ts'
import type { AppliedTransition, TransitionOptions } from './planned-transition.ts'
import { insertHistory } from './repository/history.ts'
import type { StateRow } from './repository/state-changes.ts'

/** Writes what transitions mean at the gates: decisions, and what waits now. */
export async function writeGates(
  gates: Gates,
  tx: Tx,
  applied: readonly AppliedTransition[],
  by: PostDecision,
  { gate_name }: TransitionOptions
): Promise<void> {
  const decisions = applied.flatMap(({ post, action }) => decisionOn(post, action, by) ?? [])
  if (decisions.length > 0) await gates.recordMany(tx, decisions)
  const held = applied.filter(({ action }) => action === 'hold').map(({ post: before }) => before)
  if (held.length > 0 && gate_name !== undefined) await holdPosts(gates, tx, gate_name, held, by)
}

/** One statement for each kind of event, however many posts moved. */
export async function emitChanges(
  { emit, announce }: { emit: Emit; announce: Announce },
  tx: Tx,
  applied: readonly AppliedTransition[],
  { actor, reason }: PostDecision,
  { gate_name = '' }: TransitionOptions
): Promise<void> {
  const eventOf = ({ row: { post_id, slug } }: AppliedTransition) => ({ post_id, slug, actor })
  const emitAll = async <Event extends object>(
    type: EventType<Event>,
    isMatch: (each: AppliedTransition) => boolean,
    payloadOf: (each: AppliedTransition) => Event
  ) => {
    const payloads = applied.filter(isMatch).map(payloadOf)
    if (payloads.length > 0) await emit(tx, type, payloads)
  }
  const isPublic = ({ status }: StateRow) => status === 'published'
  const published = applied.filter(({ row }) => isPublic(row)).map(eventOf)
  if (published.length > 0) await announce(tx, published)
  await emitAll(PostWithdrawn, ({ post, row }) => isPublic(post) && !isPublic(row), eventOf)
  const slotOf = ({ row }: AppliedTransition) => row.published_at ?? ''
  await emitAll(
    PostScheduled,
    ({ slot }) => slot !== undefined,
    each => ({ ...eventOf(each), published_at: slotOf(each) })
  )
  await emitAll(
    PostHeld,
    ({ action }) => action === 'hold',
    each => ({ ...eventOf(each), gate_name })
  )
  await emitAll(
    PostReopened,
    ({ action }) => action === 'reopen',
    each => ({ ...eventOf(each), reason: reason ?? '' })
  )
}

/** Called last: the time of the row is the end of the transaction, from which the lateness of a slot is measured. */
export function writeHistory(
  tx: Tx,
  applied: readonly AppliedTransition[],
  { actor, reason }: PostDecision
): Promise<void> {
  const why = reason == null ? {} : { reason }
  return insertHistory(
    tx,
    applied.map(({ post, row, action, slot, detail }) => ({
      post_id: row.post_id,
      action,
      from_status: post.status,
      to_status: row.status,
      actor,
      detail: detail ?? (slot === undefined ? why : { published_at: row.published_at })
    }))
  )
}
