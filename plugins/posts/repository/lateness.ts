import type { Queryable } from '#core'
import type { LatenessRow } from '../contract/slots.ts'

/** What the publisher would publish: a post that a gate holds, that nobody approved, or that lacks a niche it needs ($1), does not wait for it. */
export const waitsForPublisher = `status = 'scheduled' and awaiting_gate is null and approved_at is not null
  and (not $1 or niche_slug is not null or niche_waived)`

/** Posts whose slot is reached and that are not public yet, by the database's clock. */
export async function countOverdue(db: Queryable, isNicheGated: boolean): Promise<number> {
  const [row] = await db.query<{ total: number }>(
    `select count(*) as total from posts where ${waitsForPublisher} and published_at <= now()`,
    [isNicheGated]
  )
  return row?.total ?? 0
}

/** Whether a slot was reached more than `seconds` ago and its post is not public. */
export async function isOverdueBy(db: Queryable, isNicheGated: boolean, seconds: number): Promise<boolean> {
  const rows = await db.query(
    `select 1 from posts where ${waitsForPublisher} and published_at < now() - $2 * interval '1 second' limit 1`,
    [isNicheGated, seconds]
  )
  return rows.length > 0
}

/** The first posts whose slot was reached more than `seconds` ago and that are not public, and how many there are in all. */
export function listOverdue(
  db: Queryable,
  isNicheGated: boolean,
  seconds: number,
  limit: number
): Promise<{ slug: string; published_at: string; total: number }[]> {
  return db.query(
    `select slug, published_at, count(*) over () as total from posts
     where ${waitsForPublisher} and published_at < now() - $2 * interval '1 second'
     order by published_at, post_id limit $3`,
    [isNicheGated, seconds, limit]
  )
}

/** Lateness of what the publisher released at `since` (null: ever) or later, in seconds past the slot. */
export function listLateness(db: Queryable, since: string | null, limits: readonly number[]): Promise<LatenessRow[]> {
  return db.query<LatenessRow>(
    `select width_bucket(seconds, $2::float8[]) as bucket, count(*) as posts, sum(seconds)::float8 as seconds,
       at < final_until as is_final, final_until
     from (
       select at, extract(epoch from at - (detail->>'published_at')::timestamptz)::float8 as seconds,
         -- A statement ends within 30 seconds, and a transaction of the publisher is a handful of them.
         date_trunc('minute', now()) - interval '5 minutes' as final_until
       from post_history
       where action = 'release' and detail ? 'published_at' and ($1::timestamptz is null or at >= $1)
     ) released
     group by bucket, is_final, final_until`,
    [since, limits]
  )
}
