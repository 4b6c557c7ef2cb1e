import type { Tx } from '#core'
import type { DuePost } from '../slot-services.ts'
import type { PostAction, PostStatus } from '../states.ts'

const unapproved =
  'published_at = null, approved_at = null, approved_hash = null, awaiting_gate = null, niche_waived = false'
/** An approval is of the content there is at that moment; approving the same again keeps its time. */
const approvedNow = `approved_at = case when approved_hash = content_hash then coalesce(approved_at, now()) else now() end,
  approved_hash = content_hash`

/** What a state change does to a post's row, beside its status. The time is always the database's. */
const stateChanges: Record<Exclude<PostAction, 'create' | 'reschedule' | 'schedule' | 'hold'>, string> = {
  submit: unapproved,
  release: `${approvedNow}, awaiting_gate = null`,
  clear: 'published_at = null, awaiting_gate = null',
  // A slot that has passed is kept: it is when the post was meant to appear.
  publish: `published_at = least(published_at, now()), ${approvedNow}, awaiting_gate = null`,
  withdraw: unapproved,
  unpublish: unapproved,
  reopen: unapproved,
  restore: unapproved,
  archive: "published_at = case when status = 'published' then published_at end, awaiting_gate = null"
}

export interface StateRow {
  post_id: string
  slug: string
  title: string
  status: PostStatus
  published_at: string | null
  task_id: string | null
  content_hash: string
}
export const stateColumns = 'post_id, slug, title, status, published_at, task_id, content_hash'

/** Moves locked posts to a status. */
export function updateStatus(
  tx: Tx,
  post_ids: readonly string[],
  action: keyof typeof stateChanges,
  to: PostStatus
): Promise<StateRow[]> {
  return tx.query<StateRow>(
    `update posts set status = $2, ${stateChanges[action]}, revision = revision + 1, updated_at = now()
     where post_id = any($1::uuid[]) returning ${stateColumns}`,
    [post_ids, to]
  )
}

/**
 * Gives a locked post its slot; undefined when the slot is not in the future by the database's clock. With `waivesNiche` it
 * goes out at its slot without a niche, too.
 */
export async function updateSlot(
  tx: Tx,
  post_id: string,
  publish_at: Date,
  waivesNiche: boolean
): Promise<StateRow | undefined> {
  const [row] = await tx.query<StateRow>(
    `update posts set status = 'scheduled', published_at = $2, ${approvedNow}, awaiting_gate = null,
       niche_waived = $3, revision = revision + 1, updated_at = now()
     where post_id = $1 and $2::timestamptz > clock_timestamp() returning ${stateColumns}`,
    [post_id, publish_at, waivesNiche]
  )
  return row
}

/** Has locked scheduled posts wait at a gate. */
export function updateGate(tx: Tx, post_ids: readonly string[], gate_name: string): Promise<StateRow[]> {
  return tx.query<StateRow>(
    `update posts set awaiting_gate = $2, revision = revision + 1, updated_at = now()
     where post_id = any($1::uuid[]) returning ${stateColumns}`,
    [post_ids, gate_name]
  )
}

/** Scheduled posts whose slot is reached, that nobody holds and no missing niche keeps back, oldest slot first; what another publisher has locked is left to it. */
export function lockDue(tx: Tx, limit: number, isNicheGated: boolean): Promise<DuePost[]> {
  return tx.query<DuePost>(
    `select ${stateColumns}, approved_hash is not distinct from content_hash as is_as_approved from posts
     where status = 'scheduled' and published_at <= now() and awaiting_gate is null and approved_at is not null
       and (not $2 or niche_slug is not null or niche_waived)
     order by published_at, post_id limit $1 for update skip locked`,
    [limit, isNicheGated]
  )
}

/** Notes that posts were passed over at their slots for want of a niche, once for each approval. Answers those it is new of. */
export function recordPassedOver(
  tx: Tx,
  limit: number
): Promise<{ post_id: string; slug: string; title: string; actor: string }[]> {
  return tx.query(
    `with passed as (
       select post_id, slug, title, published_at from posts
       where status = 'scheduled' and published_at <= now() and awaiting_gate is null and approved_at is not null
         and niche_slug is null and not niche_waived
         and not exists (
           select from post_history as told
           where told.post_id = posts.post_id and told.action = 'pass_over' and told.detail ->> 'slot' = published_at::text
         )
       order by published_at, post_id limit $1 for update skip locked
     ), noted as (
       insert into post_history (post_id, action, from_status, to_status, actor, detail)
       select post_id, 'pass_over', 'scheduled', 'scheduled', 'publisher',
         jsonb_build_object('slot', published_at::text, 'reason', 'it has no niche')
       from passed
     )
     select post_id, slug, title, 'publisher' as actor from passed order by published_at, post_id`,
    [limit]
  )
}
