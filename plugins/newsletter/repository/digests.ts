import type { Queryable, Tx } from '#core'

/** When it was last looked for posts for a digest; null: never yet. */
export async function findDigestTime(db: Queryable): Promise<Date | null> {
  const [row] = await db.query<{ digest_at: string | null }>('select digest_at from newsletter_state')
  return row?.digest_at == null ? null : new Date(row.digest_at)
}

export async function writeDigestTime(tx: Tx, at: Date): Promise<void> {
  await tx.query('insert into newsletter_state (digest_at) values ($1) on conflict (id) do update set digest_at = $1', [
    at
  ])
}

/** The posts of the digests that were made since then, whatever became of them. */
export async function listDigestedPosts(db: Queryable, since: Date): Promise<string[]> {
  const rows = await db.query<{ post_id: string }>(
    `select distinct unnest(post_ids || withdrawn_post_ids) as post_id from newsletter_sends where kind = 'digest' and created_at >= $1`,
    [since]
  )
  return rows.map(({ post_id }) => post_id)
}
