import type { Queryable, Tx } from '#core'
import type { Language } from '../texts/languages.ts'

/** A sign-up as it came. */
export interface Signup {
  email: string
  name: string | null
  /** `form` or `import`. */
  source: string
  /** In which they are spoken to; null for the one of the site. */
  language: Language | null
}

export async function insertSignups(tx: Tx, signups: readonly Signup[]): Promise<void> {
  await tx.query(
    `insert into newsletter_signups (email, name, source, language)
     select email, name, source, language
     from jsonb_to_recordset($1::jsonb) as signup (email text, name text, source text, language text)`,
    [JSON.stringify(signups)]
  )
}

/**
 * Waits until no other transaction adds or erases addresses: whether a mailbox was asked today, and whether it was erased, is
 * read before it is written.
 */
export async function lockAddresses(tx: Tx): Promise<void> {
  await tx.query("select pg_advisory_xact_lock(hashtextextended('newsletter.signups', 0))")
}

/** Takes the oldest out of the queue; nobody else gets them. */
export function takeSignups(tx: Tx, limit: number): Promise<Signup[]> {
  return tx.query<Signup>(
    `delete from newsletter_signups where signup_id in (
       select signup_id from newsletter_signups order by signup_id limit $1 for update skip locked
     ) returning email, name, source, language`,
    [limit]
  )
}

/** Takes an address out of the queue. */
export async function deleteSignups(tx: Tx, email: string): Promise<void> {
  await tx.query('delete from newsletter_signups where lower(email) = lower($1)', [email])
}

/** Marks a solved challenge as used. False when it was used before. */
export async function useChallenge(tx: Tx, challenge: string, expiresAt: Date): Promise<boolean> {
  const rows = await tx.query(
    'insert into newsletter_challenges (challenge, expires_at) values ($1, $2) on conflict do nothing returning challenge',
    [challenge, expiresAt]
  )
  return rows.length > 0
}

type RateKind = 'signup' | 'mail'

export async function addToRate(db: Queryable, kind: RateKind, count: number): Promise<void> {
  await db.query(
    `insert into newsletter_rates as rate (kind, minute, count) values ($1, date_trunc('minute', now()), $2)
     on conflict (kind, minute) do update set count = rate.count + $2`,
    [kind, count]
  )
}

/** How many there were in the last minutes. */
export async function sumOfRate(db: Queryable, kind: RateKind, minutes: number): Promise<number> {
  const [row] = await db.query<{ sum: number }>(
    `select coalesce(sum(count), 0)::int as sum from newsletter_rates
     where kind = $1 and minute > now() - $2 * interval '1 minute'`,
    [kind, minutes]
  )
  return row?.sum ?? 0
}

/** Removes what has passed: used challenges, rates, and sign-ups that nobody confirmed within a week. */
export async function removeExpiredSignups(tx: Tx): Promise<void> {
  await tx.query('delete from newsletter_challenges where expires_at < now()')
  await tx.query(`delete from newsletter_rates where minute < now() - interval '2 days'`)
  await tx.query(
    `delete from newsletter_subscribers where subscriber_id in (
       select subscriber_id from newsletter_subscribers left join newsletter_confirmations using (subscriber_id)
       where status = 'pending' and state is distinct from 'queued'
         and coalesce(requested_at, status_at) < now() - interval '7 days' limit 1000
     )`
  )
}
