import type { Queryable, Tx } from '#core'
import { type RecipientState, reportTransitions, type SendStatus } from '../states.ts'
import type { Language } from '../texts/languages.ts'

/** A row of the ledger that is to be sent. */
export interface QueuedRecipient {
  subscriber_id: string
  attempts: number
  unanswered: number
}

/** What became of a mail, for its row. */
export interface Result {
  subscriber_id: string
  state: RecipientState
  response: string
  is_soft: boolean
  attempts: number
  unanswered: number
  /** Of a row that is queued again. */
  delay_seconds: number
}

/** Adds rows for the next subscribers by id. @returns the last of them; undefined when there are no more */
export async function addRecipients(
  db: Queryable,
  send_id: string,
  after: string | null,
  limit: number
): Promise<string | undefined> {
  const [row] = await db.query<{ last: string | null }>(
    `with part as (
       select subscriber_id from newsletter_subscribers
       where status = 'active' and ($2::uuid is null or subscriber_id > $2) order by subscriber_id limit $3
     ), added as (
       insert into newsletter_recipients (send_id, subscriber_id) select $1, subscriber_id from part
       on conflict do nothing
     )
     select (select subscriber_id from part order by subscriber_id desc limit 1) as last`,
    [send_id, after, limit]
  )
  return row?.last ?? undefined
}

/**
 * Rows that a process left without knowing how it ended: they are sent again after all others, and counted. So with many
 * crashes nobody gets many. @returns how many
 */
export async function requeueUnanswered(tx: Tx, send_id: string): Promise<number> {
  const rows = await tx.query(
    `update newsletter_recipients set state = 'queued', claim = null, unanswered = unanswered + 1,
       response = 'The sending process ended before the answer came.', not_before = now(), updated_at = now()
     where send_id = $1 and state = 'sending' returning subscriber_id`,
    [send_id]
  )
  return rows.length
}

/** Rows that are due. */
export function listQueued(db: Queryable, send_id: string, limit: number): Promise<QueuedRecipient[]> {
  return db.query<QueuedRecipient>(
    `select subscriber_id, attempts, unanswered from newsletter_recipients
     where send_id = $1 and state = 'queued' and not_before <= now() order by not_before, subscriber_id limit $2`,
    [send_id, limit]
  )
}

/** A row that was marked as being sent, with where to. */
export interface BegunRecipient {
  subscriber_id: string
  email: string
  language: Language | null
}

/** What connections ask for at once: rows of one mail with what became of them, and rows to be sent next. */
interface LedgerStep {
  send_id: string
  /** The holder of the lease. */
  claim: string
  results: readonly Result[]
  next: readonly string[]
}

/**
 * Writes what became of mails, and marks the next rows as being sent. An event that came before a result stays. Who is no longer
 * a subscriber gets nothing, nor does who was put off meanwhile, and nobody does of a mail that was paused or cancelled. One
 * statement, which is one way to the database and back for many mails. @returns the rows to be sent; undefined when the lease is
 * another's
 */
export async function stepLedger(
  db: Queryable,
  { send_id, claim, results, next }: LedgerStep
): Promise<BegunRecipient[] | undefined> {
  const rows = await db.query<Partial<BegunRecipient> & { is_holder: boolean }>(
    `with holder as (
       select from newsletter_state where holder = $2 for share
     ), written as (
       update newsletter_recipients as recipient set state = result.state, response = result.response, claim = null,
         is_soft = result.is_soft, attempts = result.attempts, unanswered = result.unanswered,
         not_before = now() + result.delay_seconds * interval '1 second', updated_at = now()
       from jsonb_to_recordset($3::jsonb) as result (
         subscriber_id uuid, state text, response text, is_soft boolean, attempts int, unanswered int, delay_seconds int
       )
       where recipient.send_id = $1 and recipient.subscriber_id = result.subscriber_id and recipient.state = 'sending'
         and recipient.claim = $2 and exists (select from holder)
     ), begun as (
       update newsletter_recipients as recipient set claim = $2, updated_at = now(),
         state = case when subscriber.status = 'active' then 'sending' else 'suppressed' end
       from unnest($4::uuid[]) as begun (subscriber_id)
       left join newsletter_subscribers as subscriber on subscriber.subscriber_id = begun.subscriber_id
       where recipient.send_id = $1 and recipient.subscriber_id = begun.subscriber_id and recipient.state = 'queued'
         and recipient.not_before <= now() and exists (select from holder)
         and exists (select from newsletter_sends where send_id = $1 and status = 'sending')
       returning recipient.subscriber_id, email, language, state
     ), counted as (
       insert into newsletter_rates as rate (kind, minute, count)
       select 'mail', date_trunc('minute', now()), count(*) from begun where state = 'sending' having count(*) > 0
       on conflict (kind, minute) do update set count = rate.count + excluded.count
     )
     select exists (select from holder) as is_holder, subscriber_id, email, language
     from (select) as one left join begun on begun.state = 'sending'`,
    [send_id, claim, JSON.stringify(results), next]
  )
  if (rows[0]?.is_holder !== true) return undefined
  return rows.flatMap(({ subscriber_id, email, language = null }) =>
    subscriber_id == null || email == null ? [] : [{ subscriber_id, email, language }]
  )
}

/** When the next row of a send is due; null when none is left. */
export async function findNextRecipient(db: Queryable, send_id: string): Promise<string | null> {
  const [row] = await db.query<{ at: string | null }>(
    `select min(not_before) as at from newsletter_recipients where send_id = $1 and state = 'queued'`,
    [send_id]
  )
  return row?.at ?? null
}

/** Mails whose answers were lost since one was taken. */
export async function countLostInRow(db: Queryable, send_id: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select count(*)::int as count from newsletter_recipients
     where send_id = $1 and unanswered > 0 and state in ('queued', 'unanswered') and updated_at > coalesce(
       (select max(updated_at) from newsletter_recipients where send_id = $1 and state = 'sent'), '-infinity'
     )`,
    [send_id]
  )
  return row?.count ?? 0
}

interface StateCount {
  send_id: string
  state: RecipientState
  count: number
}

/** How many rows each of these sends has in each state. */
export function countStates(db: Queryable, send_ids: readonly string[]): Promise<StateCount[]> {
  return db.query<StateCount>(
    `select send_id, state, count(*)::int as count from newsletter_recipients where send_id = any($1::uuid[])
     group by send_id, state`,
    [send_ids]
  )
}

/** A recipient whose mail went, or may have gone, more than once or to nobody knows what end. */
export interface UnansweredRow {
  subscriber_id: string
  /** Null: erased since. */
  email: string | null
  state: RecipientState
  unanswered: number
  response: string | null
}

export function listUnanswered(db: Queryable, send_id: string, limit: number): Promise<UnansweredRow[]> {
  return db.query<UnansweredRow>(
    `select subscriber_id, email, state, unanswered, response from newsletter_recipients
     left join newsletter_subscribers using (subscriber_id)
     where send_id = $1 and unanswered > 0 order by subscriber_id limit $2`,
    [send_id, limit]
  )
}

export async function countUnanswered(db: Queryable, send_id: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    'select count(*)::int as count from newsletter_recipients where send_id = $1 and unanswered > 0',
    [send_id]
  )
  return row?.count ?? 0
}

/** A mail that a subscriber got, or did not get, and why. */
export interface MailRow {
  send_id: string
  /** Of the newsletter: what is queued in one that was cancelled is not sent. */
  send_status: SendStatus
  subject: string
  state: RecipientState
  unanswered: number
  response: string | null
  updated_at: string
}

export function listMailsOf(db: Queryable, subscriber_id: string, limit: number): Promise<MailRow[]> {
  return db.query<MailRow>(
    `select send_id, status as send_status, subject, state, unanswered, response, updated_at from newsletter_recipients
     join newsletter_sends using (send_id) where subscriber_id = $1 order by updated_at desc, send_id limit $2`,
    [subscriber_id, limit]
  )
}

/** Writes what a provider reports of a mail that was sent. @returns whether it was new */
export async function recordReport(
  tx: Tx,
  { send_id, subscriber_id }: { send_id: string; subscriber_id: string },
  action: keyof typeof reportTransitions,
  is_soft: boolean
): Promise<boolean> {
  const { from, to } = reportTransitions[action]
  const rows = await tx.query(
    `update newsletter_recipients set state = $3, is_soft = $4, claim = null, updated_at = now()
     where send_id = $1 and subscriber_id = $2 and state = any($5::text[]) returning send_id`,
    [send_id, subscriber_id, to, is_soft, from]
  )
  return rows.length > 0
}
