import type { Queryable, Tx } from '#core'
import { resolveId } from '#lists'

export const deliveryStates = ['waiting', 'handled', 'late', 'parked'] as const
type DeliveryState = (typeof deliveryStates)[number]

/** A delivery as lists show it. Times are ISO 8601. */
export interface DeliveryView {
  id: string
  source: string
  event_id: string
  event_type: string
  /** `late`: a later event of its object had been handled. `parked`: given up, with the reason in `error`. */
  state: DeliveryState
  object: string | null
  occurred_at: string | null
  received_at: string
  last_received_at: string
  handled_at: string | null
  /** How often the sender sent it. */
  deliveries: number
  replays: number
  attempts: number
  error: string | null
  body_bytes: number
  /** False once the body was removed: it cannot be replayed. */
  has_body: boolean
}

const columns = `id, source, event_id, event_type, state, object, occurred_at, received_at, last_received_at, handled_at,
  deliveries, replays, attempts, error, body_bytes, body is not null as has_body`

export interface DeliveryFilter {
  source?: string | undefined
  state?: DeliveryState | undefined
  since?: Date | undefined
}

const matching = `($1::text is null or source = $1) and ($2::text is null or state = $2)
  and ($3::timestamptz is null or received_at >= $3)`
const valuesOf = ({ source, state, since }: DeliveryFilter) => [source ?? null, state ?? null, since ?? null]

/** Newest first. */
export function listDeliveries(db: Queryable, filter: DeliveryFilter, limit: number): Promise<DeliveryView[]> {
  return db.query<DeliveryView>(
    `select ${columns} from webhook_deliveries where ${matching} order by received_at desc, id desc limit $4`,
    [...valuesOf(filter), limit]
  )
}

export async function countDeliveries(db: Queryable, filter: DeliveryFilter): Promise<number> {
  const [row] = await db.query<{ total: number }>(
    `select count(*) as total from webhook_deliveries where ${matching}`,
    valuesOf(filter)
  )
  return row?.total ?? 0
}

/** The full id of a delivery. @throws NotFoundError, or ConflictError for a prefix of several */
export const resolveDelivery = (db: Queryable, id: string): Promise<string> =>
  resolveId(db, 'webhook_deliveries', 'id', id)

export async function findDelivery(
  db: Queryable,
  id: string
): Promise<(DeliveryView & { body: Buffer | null }) | undefined> {
  const [row] = await db.query<DeliveryView & { body: Buffer | null }>(
    `select ${columns}, body from webhook_deliveries where id = $1`,
    [id]
  )
  return row
}

const replayed = `state = 'waiting', attempts = 0, not_before = now(), claim = null, error = null, replays = replays + 1`

/** Has a delivery handled again. False without its body, or while it waits. */
export async function replayOne(tx: Tx, id: string): Promise<boolean> {
  const rows = await tx.query(
    `update webhook_deliveries set ${replayed}
     where id = $1 and body is not null and (state <> 'waiting' or attempts > 0) returning id`,
    [id]
  )
  return rows.length > 0
}

/** Has all matching ones handled again whose bodies are there. Returns how many, and how many have no body any more. */
export async function replayMatching(
  tx: Tx,
  filter: DeliveryFilter
): Promise<{ replayed: number; without_body: number }> {
  const [row] = await tx.query<{ replayed: number; without_body: number }>(
    `with replayed as (
       update webhook_deliveries set ${replayed}
       where ${matching} and body is not null and (state <> 'waiting' or attempts > 0) returning id
     )
     select (select count(*) from replayed) as replayed,
       (select count(*) from webhook_deliveries where ${matching} and body is null) as without_body`,
    valuesOf(filter)
  )
  return row ?? { replayed: 0, without_body: 0 }
}

/** Numbers of those that wait or are parked, and since when the first is due. */
export async function readBacklog(
  db: Queryable
): Promise<{ waiting: number; due_since: string | null; parked: number; sources: string[] }> {
  const [row] = await db.query<{
    waiting: number
    due_since: string | null
    parked: number
    sources: string[]
  }>(
    `select count(*) filter (where state = 'waiting') as waiting,
       min(not_before) filter (where state = 'waiting') as due_since,
       count(*) filter (where state = 'parked') as parked,
       coalesce(array_agg(distinct source) filter (where state = 'waiting'), '{}') as sources
     from webhook_deliveries where state in ('waiting', 'parked')`
  )
  return row ?? { waiting: 0, due_since: null, parked: 0, sources: [] }
}

/** Removes bodies that are older than so many days, then the oldest ones beyond `maxBytes`. Those that still wait keep theirs. */
export async function removeBodies(
  db: Queryable,
  { days, maxBytes }: { days: number; maxBytes: number }
): Promise<number> {
  const rows = await db.query(
    `update webhook_deliveries set body = null
     where body is not null and state <> 'waiting' and (
       received_at < now() - $1 * interval '1 day'
       or id in (
         select id from (
           select id, sum(body_bytes) over (order by received_at desc, id desc) as bytes
           from webhook_deliveries where body is not null
         ) newest where bytes > $2))
     returning id`,
    [days, maxBytes]
  )
  return rows.length
}

/** Removes the bodies in which a text stands, or a regular expression is found, in any case. Those that still wait keep theirs. */
export async function removeBodiesWith(tx: Tx, text: string, pattern: string): Promise<void> {
  // A body need not be text: as one, its ASCII is itself, and any other byte has a number.
  const asciiOf = (bytes: string) => `lower(encode(${bytes}, 'escape'))`
  await tx.query(
    `update webhook_deliveries set body = null
     where body is not null and state <> 'waiting'
       and (position(${asciiOf("convert_to($1, 'UTF8')")} in ${asciiOf('body')}) > 0 or encode(body, 'escape') ~* $2)`,
    [text, pattern]
  )
}
