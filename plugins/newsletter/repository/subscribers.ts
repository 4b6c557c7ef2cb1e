import type { Queryable, Tx } from '#core'
import { type SubscriberStatus, type SuppressionReason, subscriberTransitions } from '../states.ts'
import type { Language } from '../texts/languages.ts'
import { lockAddresses } from './signups.ts'

/** A subscriber as operators read it. Times are ISO 8601. */
export interface Subscriber {
  subscriber_id: string
  email: string
  name: string | null
  status: SubscriberStatus
  status_at: string
  source: string
  /** In which they are spoken to; null for the one of the site. */
  language: Language | null
  created_at: string
  confirmed_at: string | null
}

const columns = 'subscriber_id, email, name, status, status_at, source, language, created_at, confirmed_at'

/** Hashes of an address, and of the plain address of its mailbox: of ada+news@ that of ada@. */
interface AddressHashes {
  email_hash: string
  plain_hash: string
}

/** Adds a subscriber who has to confirm. Of one that is known and gets nothing now, the language may change. */
export async function insertPending(
  tx: Tx,
  subscriber: Pick<Subscriber, 'email' | 'name' | 'source' | 'language'> & AddressHashes
): Promise<void> {
  const { email, email_hash, plain_hash, name, source, language } = subscriber
  await tx.query(
    `insert into newsletter_subscribers as known (email, email_hash, plain_hash, name, source, language)
     values ($1, $2, $3, $4, $5, $6)
     on conflict (email_hash) do update set language = excluded.language
       where known.status in ('pending', 'unsubscribed') and excluded.language is not null`,
    [email, email_hash, plain_hash, name, source, language]
  )
}

/** A subscriber of an import, who agreed elsewhere. */
interface AgreedSubscriber extends AddressHashes {
  email: string
  name: string | null
}

/** Adds subscribers who agreed elsewhere. Those who are known, or suppressed, stay as they are. @returns how many were added */
export async function insertAgreed(tx: Tx, subscribers: readonly AgreedSubscriber[]): Promise<number> {
  await lockAddresses(tx)
  const rows = await tx.query(
    `insert into newsletter_subscribers (email, email_hash, plain_hash, name, status, source, confirmed_at)
     select email, email_hash, plain_hash, name, 'active', 'import', now()
     from jsonb_to_recordset($1::jsonb) as given (email text, email_hash text, plain_hash text, name text)
     where not exists (
       select from newsletter_suppressions as suppressed
       where suppressed.email_hash in (given.email_hash, given.plain_hash)
     )
     on conflict (email_hash) do nothing returning subscriber_id`,
    [JSON.stringify(subscribers)]
  )
  return rows.length
}

/** Moves a subscriber, unless its status does not allow it. @returns whether it was moved */
export async function moveSubscriber(
  tx: Tx,
  subscriber_id: string,
  action: keyof typeof subscriberTransitions
): Promise<boolean> {
  const { from, to } = subscriberTransitions[action]
  const rows = await tx.query(
    `update newsletter_subscribers set status = $2, status_at = case when status = $2 then status_at else now() end,
       confirmed_at = case when $2 = 'active' then now() else confirmed_at end
     where subscriber_id = $1 and status = any($3::text[]) returning subscriber_id`,
    [subscriber_id, to, from.filter(status => status !== null)]
  )
  return rows.length > 0
}

export async function findByHash(db: Queryable, email_hash: string): Promise<Subscriber | undefined> {
  const [row] = await db.query<Subscriber>(`select ${columns} from newsletter_subscribers where email_hash = $1`, [
    email_hash
  ])
  return row
}

/** The subscribers of a mailbox, whatever tags they have: their ids, in the order in which rows are locked. */
export async function listIdsByMailbox(db: Queryable, plain_hash: string): Promise<string[]> {
  const rows = await db.query<{ subscriber_id: string }>(
    'select subscriber_id from newsletter_subscribers where plain_hash = $1 order by subscriber_id',
    [plain_hash]
  )
  return rows.map(({ subscriber_id }) => subscriber_id)
}

export async function countActive(db: Queryable): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select count(*)::int as count from newsletter_subscribers where status = 'active'`
  )
  return row?.count ?? 0
}

export async function countSubscribers(db: Queryable, status: SubscriberStatus | null): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    'select count(*)::int as count from newsletter_subscribers where $1::text is null or status = $1',
    [status]
  )
  return row?.count ?? 0
}

export function listSubscribers(
  db: Queryable,
  status: SubscriberStatus | null,
  { limit, offset }: { limit: number; offset: number }
): Promise<Subscriber[]> {
  return db.query<Subscriber>(
    `select ${columns} from newsletter_subscribers where $1::text is null or status = $1
     order by created_at desc, subscriber_id desc limit $2 offset $3`,
    [status, limit, offset]
  )
}

/** The next subscribers by id, for all of them in parts. */
export function listAfter(
  db: Queryable,
  status: SubscriberStatus | null,
  after: string | null,
  limit: number
): Promise<Subscriber[]> {
  return db.query<Subscriber>(
    `select ${columns} from newsletter_subscribers
     where ($1::text is null or status = $1) and ($2::uuid is null or subscriber_id > $2)
     order by subscriber_id limit $3`,
    [status, after, limit]
  )
}

/** Erases the subscribers of a mailbox; rows of mails that were sent keep an id that says nothing. @returns their addresses */
export async function deleteByMailbox(tx: Tx, plain_hash: string): Promise<string[]> {
  const rows = await tx.query<{ email: string }>(
    'delete from newsletter_subscribers where plain_hash = $1 returning email',
    [plain_hash]
  )
  return rows.map(({ email }) => email)
}

/** Gives an address no mail from now on, whoever asks; by its plain hash, its mailbox. An erased one stays so. */
export async function suppress(tx: Tx, email_hash: string, reason: SuppressionReason): Promise<void> {
  await tx.query(
    `insert into newsletter_suppressions as suppressed (email_hash, reason) values ($1, $2)
     on conflict (email_hash) do update set reason = $2, created_at = now() where suppressed.reason <> 'erased'`,
    [email_hash, reason]
  )
}

/** The same for subscribers that are here. */
export async function suppressSubscribers(
  tx: Tx,
  subscriber_ids: readonly string[],
  reason: SuppressionReason
): Promise<void> {
  await tx.query(
    `insert into newsletter_suppressions as suppressed (email_hash, reason)
     select email_hash, $2 from newsletter_subscribers where subscriber_id = any($1::uuid[])
     on conflict (email_hash) do update set reason = $2, created_at = now() where suppressed.reason <> 'erased'`,
    [subscriber_ids, reason]
  )
}

/** Lifts what suppresses an address, and the subscribers of its mailbox. @returns whether it was suppressed */
export async function unsuppress(tx: Tx, { email_hash, plain_hash }: AddressHashes): Promise<boolean> {
  const rows = await tx.query(
    `delete from newsletter_suppressions where email_hash in (
       select $1 union select $2 union select email_hash from newsletter_subscribers where plain_hash = $2
     ) returning email_hash`,
    [email_hash, plain_hash]
  )
  return rows.length > 0
}

/** Why an address, or all of its mailbox, gets no mail, and since when; undefined: it may. */
export async function findSuppression(
  db: Queryable,
  { email_hash, plain_hash }: AddressHashes
): Promise<{ reason: SuppressionReason; created_at: string } | undefined> {
  const [row] = await db.query<{ reason: SuppressionReason; created_at: string }>(
    `select reason, created_at from newsletter_suppressions where email_hash in ($1, $2)
     order by reason = 'erased' desc, created_at desc limit 1`,
    [email_hash, plain_hash]
  )
  return row
}

/** Mails in a row that came back for now, until a subscriber is paused. */
const maxSoftFailures = 3

/** Pauses those of these subscribers whose last mails all came back for now. */
export async function pauseAfterSoftFailures(tx: Tx, subscriber_ids: readonly string[]): Promise<void> {
  const { from, to } = subscriberTransitions.pause
  await tx.query(
    `update newsletter_subscribers as subscriber set status = $3, status_at = now()
     where subscriber_id = any($1::uuid[]) and status = any($4::text[]) and $2 = (
       select count(*) filter (where is_soft) from (
         select is_soft from newsletter_recipients as recipient
         where recipient.subscriber_id = subscriber.subscriber_id and state not in ('queued', 'sending', 'suppressed')
         order by updated_at desc limit $2
       ) as latest
     )`,
    [subscriber_ids, maxSoftFailures, to, from]
  )
}
