import type { Queryable, Tx } from '#core'

/** The landing tables, by name. */
const landingTables = ['alert_events', 'revenue_events', 'subscriber_events'] as const
export type LandingTable = (typeof landingTables)[number]

/** A delivery to be stored. */
export interface NewDelivery {
  source: string
  event_id: string
  event_type: string
  object: string | null
  /** ISO 8601. */
  occurred_at: string | null
  rank: number
  body: Buffer
  /** Where its payload is stored besides; null for nowhere. */
  landing: LandingTable | null
  /** False: storing it was all. */
  is_handled_later: boolean
  /** How often it was sent: more than once when redeliveries arrived together. */
  deliveries: number
}

export interface StoredDelivery {
  id: string
  source: string
  event_id: string
  /** How often it was sent, the deliveries of this call included. */
  deliveries: number
}

const insertInto = (table: LandingTable) => `${table}_landed as (
  insert into ${table} (id, source, event_id, event_type, payload)
  select id, source, event_id, stored.event_type, convert_from(stored.body, 'UTF8')::jsonb
  from stored join given using (source, event_id)
  where landing = '${table}' and stored.deliveries = given.deliveries
  on conflict (source, event_id) do nothing)`

/**
 * Stores deliveries once, each with its payload in its landing table, in one statement. The rows are stored in one order everywhere: two
 * processes with the same deliveries wait for each other, and never both for one.
 */
export function insertDeliveries(db: Queryable, deliveries: readonly NewDelivery[]): Promise<StoredDelivery[]> {
  const rows = deliveries.map(({ body: _, ...row }) => row)
  const bodies = deliveries.map(({ body }) => body.toString('base64'))
  return db.query<StoredDelivery>(
    `with given as (
       select g.*, decode(encoded, 'base64') as bytes
       from rows from (
         jsonb_to_recordset($1::jsonb) as (source text, event_id text, event_type text, object text,
           occurred_at timestamptz, rank integer, landing text, is_handled_later boolean, deliveries integer),
         unnest($2::text[])
       ) as g (source, event_id, event_type, object, occurred_at, rank, landing, is_handled_later, deliveries, encoded)
     ), stored as (
       insert into webhook_deliveries as known
         (source, event_id, event_type, object, occurred_at, rank, body, body_bytes, state, handled_at, deliveries)
       select source, event_id, event_type, object, occurred_at, rank, bytes, length(bytes),
         case when is_handled_later then 'waiting' else 'handled' end,
         case when not is_handled_later then now() end, deliveries
       from given order by source, event_id
       on conflict (source, event_id) do update
         set deliveries = known.deliveries + excluded.deliveries, last_received_at = now()
       returning id, source, event_id, event_type, body, deliveries
     ), ${landingTables.map(insertInto).join(', ')}
     select id, source, event_id, deliveries from stored`,
    [JSON.stringify(rows), bodies]
  )
}

/** Has redeliveries handled again, of a source to which they say that something goes on. */
export async function wakeRepeated(db: Queryable, ids: readonly string[]): Promise<void> {
  await db.query(
    `update webhook_deliveries set state = 'waiting', attempts = 0, not_before = now(), claim = null
     where id = any($1::uuid[]) and state = 'handled' and body is not null`,
    [ids]
  )
}

/** A delivery that this process is to handle. */
export interface ClaimedDelivery {
  id: string
  source: string
  event_id: string
  event_type: string
  object: string | null
  occurred_at: string | null
  rank: number
  attempts: number
  replays: number
  deliveries: number
  received_at: string
  handled_at: string | null
}

/** Claims the next due ones for a while, the oldest first. */
export async function claimDeliveries(
  db: Queryable,
  claim: string,
  options: { sources: readonly string[]; limit: number; leaseSeconds: number }
): Promise<ClaimedDelivery[]> {
  const rows = await db.query<ClaimedDelivery & { number: number }>(
    `update webhook_deliveries set claim = $1, attempts = attempts + 1, not_before = now() + $4 * interval '1 second'
     where id in (
       select id from webhook_deliveries
       where state = 'waiting' and not_before <= now() and source = any($2::text[])
       order by not_before, number limit $3 for update skip locked
     )
     returning id, number, source, event_id, event_type, object, occurred_at, rank, attempts, replays, deliveries, received_at,
       handled_at`,
    [claim, options.sources, options.limit, options.leaseSeconds]
  )
  return rows.sort((one, other) => one.number - other.number)
}

/** The body of a claimed delivery, which nobody else handles until the transaction ends; undefined when the claim has lapsed. */
export async function lockClaimed(tx: Tx, id: string, claim: string): Promise<Buffer | undefined> {
  const [row] = await tx.query<{ body: Buffer }>(
    `select body from webhook_deliveries where id = $1 and claim = $2 and state = 'waiting' and body is not null for update`,
    [id, claim]
  )
  return row?.body
}

/** Makes an event the latest of its object. False when a later one was there before. */
export async function moveWatermark(
  tx: Tx,
  event: { source: string; object: string; at: Date; rank: number }
): Promise<boolean> {
  const rows = await tx.query(
    `insert into webhook_objects as known (source, object, occurred_at, rank) values ($1, $2, $3, $4)
     on conflict (source, object) do update set occurred_at = excluded.occurred_at, rank = excluded.rank
       where (known.occurred_at, known.rank) <= (excluded.occurred_at, excluded.rank)
     returning object`,
    [event.source, event.object, event.at, event.rank]
  )
  return rows.length > 0
}

export async function markHandled(tx: Tx, id: string, state: 'handled' | 'late'): Promise<void> {
  await tx.query(
    'update webhook_deliveries set state = $2, handled_at = now(), claim = null, error = null where id = $1',
    [id, state]
  )
}

/** Schedules the retry, or parks it. False when the claim has lapsed. */
export async function recordHandlingFailure(
  tx: Tx,
  id: string,
  claim: string,
  failure: { error: string; isLast: boolean; delaySeconds: number }
): Promise<boolean> {
  const rows = await tx.query(
    `update webhook_deliveries set claim = null, error = $3, state = case when $4 then 'parked' else state end,
       not_before = now() + $5 * interval '1 second'
     where id = $1 and claim = $2 and state = 'waiting' returning id`,
    [id, claim, failure.error, failure.isLast, failure.delaySeconds]
  )
  return rows.length > 0
}

/** Gives claimed deliveries back that nobody tried to handle. */
export async function releaseDeliveries(db: Queryable, ids: readonly string[], claim: string): Promise<void> {
  await db.query(
    `update webhook_deliveries set claim = null, attempts = attempts - 1, not_before = now()
     where id = any($1::uuid[]) and claim = $2 and state = 'waiting'`,
    [ids, claim]
  )
}

/** When the next one is due, or its claim lapses; null when none waits. */
export async function findNextDueDelivery(db: Queryable, sources: readonly string[]): Promise<string | null> {
  const [row] = await db.query<{ at: string | null }>(
    `select min(not_before) as at from webhook_deliveries where state = 'waiting' and source = any($1::text[])`,
    [sources]
  )
  return row?.at ?? null
}
