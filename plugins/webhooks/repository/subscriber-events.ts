import type { Queryable, Tx } from '#core'
import type { MailReport } from '../mail/report.ts'

/** A report as a row. */
export interface SubscriberRow {
  event_id: string
  event_type: string
  /** JSON. */
  payload: string
  /** Null for an event that is about no mail to an address. */
  report: MailReport | null
}

interface StoredReport {
  id: string
  event_id: string
  /** False for one that was there before. */
  is_new: boolean
}

/** Stores reports once, with what was read from each. */
export function storeReports(
  tx: Tx,
  source: string,
  received_at: string,
  rows: readonly SubscriberRow[]
): Promise<StoredReport[]> {
  const facts = rows.map(({ event_id, event_type, report }) => ({
    event_id,
    event_type,
    kind: report?.kind ?? null,
    email: report?.email ?? null,
    is_permanent: report?.isPermanent ?? null,
    message_id: report?.messageId ?? null,
    occurred_at: report === null ? null : (report.at?.toISOString() ?? received_at)
  }))
  return tx.query<StoredReport>(
    `with given as (
       select g.* from rows from (
         jsonb_to_recordset($2::jsonb) as (event_id text, event_type text, kind text, email text, is_permanent boolean,
           message_id text, occurred_at timestamptz),
         unnest($3::text[])
       ) as g (event_id, event_type, kind, email, is_permanent, message_id, occurred_at, payload)
     )
     insert into subscriber_events
       (source, event_id, event_type, payload, received_at, kind, email, is_permanent, message_id, occurred_at)
     select $1, event_id, event_type, payload::jsonb, $4, kind, email, is_permanent, message_id, occurred_at
     from given order by event_id
     on conflict (source, event_id) do update set kind = excluded.kind, email = excluded.email,
       is_permanent = excluded.is_permanent, message_id = excluded.message_id, occurred_at = excluded.occurred_at
     returning id, event_id, xmax = 0 as is_new`,
    [source, JSON.stringify(facts), rows.map(({ payload }) => payload), received_at]
  )
}

/** The address that a report is about; undefined when it is erased. */
export async function findEmail(db: Queryable, id: string): Promise<string | undefined> {
  const [row] = await db.query<{ email: string | null }>('select email from subscriber_events where id = $1', [id])
  return row?.email ?? undefined
}

/** Empties the payloads in which a regular expression is found, in any case, of whatever kind the event is. */
export async function erasePayloadsWith(tx: Tx, pattern: string): Promise<void> {
  await tx.query("update subscriber_events set payload = '{}' where payload::text ~* $1", [pattern])
}

/** Removes an address from what providers reported of mails to it. */
export async function eraseReports(tx: Tx, email: string): Promise<void> {
  await tx.query(
    `update subscriber_events set email = null, payload = '{}', message_id = null where lower(email) = lower($1)`,
    [email]
  )
}
