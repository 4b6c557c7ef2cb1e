import { ConflictError, type Tx } from '#core'
import { defaultGateName, type GateDecision, type Gates, type HeldSubject, type HoldCause } from '#plugins/gates'
import type { PostDecision } from './contract/post-ref.ts'
import type { StateRow } from './repository/state-changes.ts'
import type { PostAction, PostStatus } from './states.ts'

/** A post as gates know it. At the gate `awaiting_approval` a drafted post is represented by its task. */
export function subjectOf(gate_name: string, post: StateRow): HeldSubject {
  const isTask = gate_name === defaultGateName && post.task_id !== null
  const { post_id, task_id, title, content_hash, published_at } = post
  const subject_id = isTask ? (task_id ?? post_id) : post_id
  return {
    subject_type: isTask ? 'task' : 'post',
    subject_id,
    task_id,
    post_id,
    title,
    content_hash,
    slot: published_at
  }
}

/** @throws ConflictError when the post does not wait at the decision's gate, `CONTENT_CHANGED` when the decision is about another content. */
export function requireDecided(
  post: Pick<StateRow, 'post_id' | 'status' | 'content_hash'> & { awaiting_gate: string | null },
  { gate_name, content_hash: decided }: Pick<PostDecision, 'gate_name' | 'content_hash'>
): void {
  if (gate_name !== undefined && gateOf(post) !== gate_name) {
    throw new ConflictError(
      `Post ${post.post_id} (${post.status}) does not wait at ${gate_name}: "gates pending" lists what does.`
    )
  }
  if (decided == null || decided === post.content_hash) return
  throw new ConflictError(
    `The content of post ${post.post_id} has changed since it was shown for this decision (its hash was ${decided.slice(0, 12)}, it is ${post.content_hash.slice(0, 12)}): look at it again and decide then. Nothing was changed.`,
    'CONTENT_CHANGED'
  )
}

/** The gate a post waits at; null when it waits at none. */
function gateOf(post: { status: PostStatus; awaiting_gate?: string | null }): string | null {
  return post.awaiting_gate ?? (post.status === 'awaiting_approval' ? defaultGateName : null)
}

/** What leaving a gate by an action means for its history; by any other it stays, or comes back to it. */
const decisions: Partial<Record<PostAction, GateDecision['decision']>> = {
  schedule: 'approved',
  publish: 'approved',
  release: 'approved',
  reject: 'rejected',
  archive: 'cleared',
  clear: 'cleared'
}

/** The row of the gate history for an action on a post; undefined when it waited at no gate, or still does. */
export function decisionOn(
  post: StateRow & { awaiting_gate?: string | null },
  action: PostAction,
  { actor, reason = null, isAutomatic = false }: Pick<PostDecision, 'actor' | 'reason' | 'isAutomatic'>
): GateDecision | undefined {
  const gate_name = gateOf(post)
  // A held post that gets another slot passes that gate again.
  const decision = action === 'reschedule' && post.awaiting_gate != null ? 'cleared' : decisions[action]
  if (gate_name === null || decision === undefined) return undefined
  const { subject_type, subject_id, content_hash } = subjectOf(gate_name, post)
  const made = decision === 'approved' && isAutomatic ? 'auto_approved' : decision
  return { gate_name, subject_type, subject_id, decision: made, actor, reason, content_hash }
}

/** Records that posts wait at a gate, or wait there again. The record has the present content, and the present slot or the one the post lost. */
export function holdPosts(
  gates: Gates,
  tx: Tx,
  gate_name: string,
  posts: readonly StateRow[],
  { actor, reason = null, waits_again = false }: Partial<HoldCause> & { actor: string }
): Promise<void> {
  return gates.holdMany(
    tx,
    gate_name,
    posts.map(post => subjectOf(gate_name, post)),
    { actor, reason, waits_again }
  )
}
