import type { Queryable, Tx } from '#core'
import { fetchLimit, type PageRequest } from '#lists'
import type { ListedSlot, SlotFacts, SlotOrder, SlotQuery } from '../contract/slots.ts'
import { stateColumns as columns, type StateRow } from './state-changes.ts'

const orderBy: Record<SlotOrder, string> = {
  // What nobody has approved yet comes last, oldest first.
  approved_at: 'approved_at nulls last, created_at, post_id',
  created_at: 'created_at, post_id',
  id: 'post_id',
  title: 'lower(title) collate "C", post_id'
}

/** Changes of many slots take turns: two batches at once would both count on the same posts. */
export async function lockSchedule(tx: Tx): Promise<void> {
  await tx.query("select pg_advisory_xact_lock(hashtextextended('posts.schedule', 0))")
}

const eligible = `((status in ('approved', 'awaiting_approval') and (published_at is null or $1))
  or ($1 and status = 'scheduled' and awaiting_gate is null and published_at > clock_timestamp()))`

/** Posts that may get a slot; with `replacesSlots` also those whose slot is still ahead. */
export function listEligible(
  tx: Tx,
  { ordered_by, replacesSlots, limit }: SlotQuery,
  isNicheGated: boolean
): Promise<StateRow[]> {
  return tx.query<StateRow>(
    `select ${columns} from posts where ${eligible} and (not $3 or niche_slug is not null) order by ${orderBy[ordered_by]} limit $2`,
    [replacesSlots, limit, isNicheGated]
  )
}

/** Those among them that have no niche. */
export function listWithoutNiche(db: Queryable, { ordered_by, replacesSlots, limit }: SlotQuery): Promise<StateRow[]> {
  return db.query<StateRow>(
    `select ${columns} from posts where ${eligible} and niche_slug is null order by ${orderBy[ordered_by]} limit $2`,
    [replacesSlots, limit]
  )
}

/** `listEligible`, locked: what another transaction gives a slot meanwhile, or archives, is left out. */
export async function lockEligible(tx: Tx, query: SlotQuery, isNicheGated: boolean): Promise<StateRow[]> {
  const ids = (await listEligible(tx, query, isNicheGated)).map(({ post_id }) => post_id)
  const rows = await tx.query<StateRow>(
    `select ${columns} from posts where post_id = any($2::uuid[]) and ${eligible} order by post_id for update`,
    [query.replacesSlots, ids]
  )
  const order = new Map(ids.map((post_id, index) => [post_id, index]))
  const indexOf = ({ post_id }: StateRow) => order.get(post_id) ?? 0
  return rows.sort((a, b) => indexOf(a) - indexOf(b))
}

/** Scheduled posts whose slot is still ahead, locked in the order of their ids, in the order of their slots. */
export async function lockAhead(tx: Tx): Promise<StateRow[]> {
  const rows = await tx.query<StateRow & { published_at: string }>(
    `select ${columns} from posts
     where status = 'scheduled' and awaiting_gate is null and published_at > clock_timestamp()
     order by post_id for update`
  )
  const slotOf = (row: (typeof rows)[number]) => Date.parse(row.published_at)
  return rows.sort((a, b) => slotOf(a) - slotOf(b))
}

const queued = `status = 'scheduled' and published_at > now()`
const everQueued = `status in ('scheduled', 'published')`

/** Slots in their order, one more than a page has; with `all` also those reached, of published posts too. */
export function listSlots(db: Queryable, all: boolean, page: PageRequest): Promise<ListedSlot[]> {
  return db.query<ListedSlot>(
    `select ${columns}, published_at::text as sorted_at from posts
     where ${all ? everQueued : queued}
       and ($1::timestamptz is null or (published_at, post_id) > ($1, $2::uuid))
     order by published_at, post_id limit $3 offset $4`,
    [page.after?.[0] ?? null, page.after?.[1] ?? null, fetchLimit(page), page.offset]
  )
}

export async function countSlots(db: Queryable, all: boolean): Promise<number> {
  const [row] = await db.query<{ total: number }>(
    `select count(*) as total from posts where ${all ? everQueued : queued}`
  )
  return row?.total ?? 0
}

/** A post with what decides whether and when it is published. Due by the clock: the transaction may have waited for a lock. */
export async function findSlot(db: Queryable, post_id: string, isNicheGated: boolean): Promise<SlotFacts | undefined> {
  const [row] = await db.query<SlotFacts>(
    `select ${columns}, awaiting_gate, approved_at, $2 and niche_slug is null and not niche_waived as needs_niche,
       coalesce(published_at <= clock_timestamp(), false) as is_due, last.facts as last, edited.facts as edited
     from posts
     left join lateral (
       select id, jsonb_build_object('action', action, 'actor', actor, 'reason', detail ->> 'reason', 'slot', detail ->> 'published_at',
         'is_slot_ahead', coalesce((detail ->> 'published_at')::timestamptz > clock_timestamp(), false)) as facts
       from post_history where post_history.post_id = posts.post_id and action not in ('edit', 'skip') order by id desc limit 1
     ) as last on true
     left join lateral (
       select jsonb_build_object('actor', actor, 'fields', detail -> 'fields') as facts from post_history
       where post_history.post_id = posts.post_id and action = 'edit' and post_history.id > coalesce(last.id, 0)
       order by post_history.id desc limit 1
     ) as edited on true
     where post_id = $1`,
    [post_id, isNicheGated]
  )
  return row
}

/** The first slot since then, reached or not, of a post that waits for it; null when there is none. */
export async function findNextSlot(db: Queryable, since: Date): Promise<string | null> {
  const [row] = await db.query<{ slot: string | null }>(
    `select min(published_at) as slot from posts
     where status = 'scheduled' and awaiting_gate is null and published_at >= $1::timestamptz`,
    [since.toISOString()]
  )
  return row?.slot ?? null
}

/** How many posts have a slot, reached or not, and are not public. */
export async function countScheduled(db: Queryable): Promise<number> {
  const [row] = await db.query<{ total: number }>("select count(*) as total from posts where status = 'scheduled'")
  return row?.total ?? 0
}
