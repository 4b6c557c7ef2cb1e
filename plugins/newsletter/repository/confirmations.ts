import type { Queryable, Tx } from '#core'
import type { Language } from '../texts/languages.ts'

/** A mail that asks for a confirmation, to be sent. */
export interface DueConfirmation {
  subscriber_id: string
  email: string
  language: Language | null
  attempts: number
}

/**
 * Has a subscriber asked for the confirmation, unless that was done within a day, or it is not needed: so a mailbox gets at
 * most one such mail a day, whoever types its addresses. One transaction at a time does this. @returns whether a mail is queued
 */
export async function askForConfirmation(
  tx: Tx,
  { email_hash, mailbox_hash }: { email_hash: string; mailbox_hash: string }
): Promise<boolean> {
  const rows = await tx.query(
    `insert into newsletter_confirmations (subscriber_id, mailbox_hash)
     select subscriber_id, $2 from newsletter_subscribers
     where email_hash = $1 and status in ('pending', 'paused', 'unsubscribed')
       and not exists (select from newsletter_suppressions as suppressed where suppressed.email_hash in ($1, plain_hash))
       and not exists (
         select from newsletter_confirmations as earlier
         where earlier.mailbox_hash = $2 and earlier.requested_at >= now() - interval '24 hours'
       )
     on conflict (subscriber_id) do update set state = 'queued', attempts = 0, not_before = now(), requested_at = now(),
       token_hash = null, expires_at = null, earlier_token_hash = newsletter_confirmations.token_hash,
       earlier_expires_at = newsletter_confirmations.expires_at
     returning subscriber_id`,
    [email_hash, mailbox_hash]
  )
  return rows.length > 0
}

/**
 * Claims the next due mail, with the hash of the token that it is to carry, which is valid for 48 hours. One whose process dies
 * is not sent again: it may have arrived. So each process claims only the one that it sends.
 */
export async function claimConfirmation(db: Queryable, token_hash: string): Promise<DueConfirmation | undefined> {
  const [row] = await db.query<DueConfirmation>(
    `update newsletter_confirmations as confirmation
     set state = 'sending', attempts = attempts + 1, token_hash = $1, expires_at = now() + interval '48 hours'
     from newsletter_subscribers as subscriber
     where subscriber.subscriber_id = confirmation.subscriber_id and confirmation.subscriber_id = (
       select subscriber_id from newsletter_confirmations
       where state = 'queued' and not_before <= now() order by not_before limit 1 for update skip locked
     ) returning confirmation.subscriber_id, email, language, attempts`,
    [token_hash]
  )
  return row
}

export async function endConfirmation(db: Queryable, subscriber_id: string, state: 'sent' | 'failed'): Promise<void> {
  await db.query(`update newsletter_confirmations set state = $2 where subscriber_id = $1 and state = 'sending'`, [
    subscriber_id,
    state
  ])
}

export async function delayConfirmation(db: Queryable, subscriber_id: string, seconds: number): Promise<void> {
  await db.query(
    `update newsletter_confirmations set state = 'queued', not_before = now() + $2 * interval '1 second'
     where subscriber_id = $1 and state = 'sending'`,
    [subscriber_id, seconds]
  )
}

/** When the next mail is due; null when none waits. */
export async function findNextConfirmation(db: Queryable): Promise<string | null> {
  const [row] = await db.query<{ at: string | null }>(
    `select min(not_before) as at from newsletter_confirmations where state = 'queued'`
  )
  return row?.at ?? null
}

/**
 * Uses up a token and the other one of the same subscriber: with one mail a day, two are younger than 48 hours.
 * @returns whose it was; undefined for one that is unknown, used or too old
 */
export async function takeToken(tx: Tx, token_hash: string): Promise<string | undefined> {
  const [row] = await tx.query<{ subscriber_id: string }>(
    `update newsletter_confirmations
     set token_hash = null, expires_at = null, earlier_token_hash = null, earlier_expires_at = null
     where (token_hash = $1 and expires_at > now()) or (earlier_token_hash = $1 and earlier_expires_at > now())
     returning subscriber_id`,
    [token_hash]
  )
  return row?.subscriber_id
}

/** Sends no mail that waits: the database is a copy. */
export async function failQueuedConfirmations(tx: Tx): Promise<void> {
  await tx.query(`update newsletter_confirmations set state = 'failed' where state in ('queued', 'sending')`)
}
