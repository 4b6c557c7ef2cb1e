import type { Tx } from '#core'
import type { DuePost } from '../contract/slots.ts'
import type { PostStatus } from '../states.ts'
import { waitsForPublisher } from './lateness.ts'

const unapproved =
  'published_at = null, approved_at = null, approved_hash = null, awaiting_gate = null, niche_waived = false'
/** An approval is of the content there is at that moment; approving the same again keeps its time. */
const approvedNow = `approved_at = case when approved_hash = content_hash then coalesce(approved_at, now()) else now() end,
  approved_hash = content_hash`

const slot = 'published_at = target.slot::timestamptz, awaiting_gate = null'

/** What a transition does to a post's row, beside its status. The time is always the database's. */
const rowUpdates = {
  submit: unapproved,
  // A person names the slot: that is an approval, and says whether the post may be published without a niche.
  schedule: `${slot}, ${approvedNow}, niche_waived = false`,
  schedule_without_niche: `${slot}, ${approvedNow}, niche_waived = true`,
  // The slot that an edit took: another decision may have been waited for until it was reached.
  regain_slot: `${slot}, ${approvedNow}, niche_waived = false`,
  regain_slot_without_niche: `${slot}, ${approvedNow}, niche_waived = true`,
  give_slot: `${slot}, ${approvedNow}`,
  // Moving a slot is no approval.
  move_slot: `${slot}, approved_at = coalesce(approved_at, now())`,
  hold: 'awaiting_gate = target.gate_name',
  release: `${approvedNow}, awaiting_gate = null`,
  clear: 'published_at = null, awaiting_gate = null',
  // A slot that has passed is kept: it is when the post was meant to appear.
  publish: `published_at = least(published_at, now()), ${approvedNow}, awaiting_gate = null`,
  reject: unapproved,
  unpublish: unapproved,
  reopen: unapproved,
  restore: unapproved,
  archive: "published_at = case when status = 'published' then published_at end, awaiting_gate = null"
} as const
export type RowUpdate = keyof typeof rowUpdates
const slotUpdates: ReadonlySet<RowUpdate> = new Set<RowUpdate>([
  'schedule',
  'schedule_without_niche',
  'give_slot',
  'move_slot'
])

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

/** Where a locked post goes. */
interface StateTarget {
  post_id: string
  to: PostStatus
  /** ISO 8601; empty for a transition without a slot. */
  slot: string
  /** Empty for a transition to no gate. */
  gate_name: string
}

/** Changes the state of locked posts, and returns them in the order of their slots. A slot that is not in the future stays unwritten. */
export function updateStates(tx: Tx, update: RowUpdate, targets: readonly StateTarget[]): Promise<StateRow[]> {
  return tx.query<StateRow>(
    `with moved as (
       update posts set status = target.to_status, ${rowUpdates[update]}, revision = revision + 1, updated_at = now()
       from unnest($1::uuid[], $2::text[], $3::text[], $4::text[]) as target (id, to_status, slot, gate_name)
       where post_id = target.id ${slotUpdates.has(update) ? 'and target.slot::timestamptz > clock_timestamp()' : ''}
       returning ${stateColumns}
     )
     select * from moved order by published_at, post_id`,
    [
      targets.map(({ post_id }) => post_id),
      targets.map(({ to }) => to),
      targets.map(({ slot }) => slot),
      targets.map(({ gate_name }) => gate_name)
    ]
  )
}

/** Scheduled posts whose slot is reached, that nobody holds and no missing niche keeps back, oldest slot first; what another publisher has locked is left to it. */
export function lockDue(tx: Tx, limit: number, isNicheGated: boolean): Promise<DuePost[]> {
  return tx.query<DuePost>(
    `select ${stateColumns}, approved_hash is not distinct from content_hash as is_as_approved from posts
     where ${waitsForPublisher} and published_at <= now()
     order by published_at, post_id limit $2 for update skip locked`,
    [isNicheGated, limit]
  )
}

/** Records posts that were skipped at their slots because they have no niche, once for each slot. Returns the newly recorded ones. */
export function recordSkipped(
  tx: Tx,
  limit: number
): Promise<{ post_id: string; slug: string; title: string; actor: string }[]> {
  return tx.query(
    `with passed as (
       select post_id, slug, title, published_at from posts
       where status = 'scheduled' and published_at <= now() and awaiting_gate is null and approved_at is not null
         and niche_slug is null and not niche_waived
         and not exists (
           select from post_history as earlier
           where earlier.post_id = posts.post_id and earlier.action = 'skip' and earlier.detail ->> 'slot' = published_at::text
         )
       order by published_at, post_id limit $1 for update skip locked
     ), noted as (
       insert into post_history (post_id, action, from_status, to_status, actor, detail)
       select post_id, 'skip', 'scheduled', 'scheduled', 'publisher',
         jsonb_build_object('slot', published_at::text, 'reason', 'it has no niche')
       from passed
     )
     select post_id, slug, title, 'publisher' as actor from passed order by published_at, post_id`,
    [limit]
  )
}
