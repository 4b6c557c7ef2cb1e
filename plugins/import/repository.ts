import type { Queryable, Tx } from '#core'

/** A post of another system, by what it is called there. */
interface SourceKey {
  system: string
  site: string
  source_id: string
}

/** Has imports of one site take turns: of two at once each post is stored by one. */
export async function lockSite(tx: Tx, { system, site }: Omit<SourceKey, 'source_id'>): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('galley import ' || $1, 0))`, [`${system} ${site}`])
}

/** The ids among these that were imported before. */
export async function listImported(
  db: Queryable,
  { system, site }: Omit<SourceKey, 'source_id'>,
  source_ids: readonly string[]
): Promise<Set<string>> {
  const rows = await db.query<{ source_id: string }>(
    'select source_id from imported_posts where system = $1 and site = $2 and source_id = any($3::text[])',
    [system, site, source_ids]
  )
  return new Set(rows.map(row => row.source_id))
}

export async function recordImported(
  tx: Tx,
  { system, site }: Omit<SourceKey, 'source_id'>,
  posts: readonly { source_id: string; post_id: string }[]
): Promise<void> {
  await tx.query(
    `insert into imported_posts (system, site, source_id, post_id)
     select $1, $2, source_id, post_id from unnest($3::text[], $4::uuid[]) as made (source_id, post_id)`,
    [system, site, posts.map(({ source_id }) => source_id), posts.map(({ post_id }) => post_id)]
  )
}

/** Stores where former addresses lead; one that leads somewhere already stays. @returns the posts of those that are new, a post each time */
export async function insertRedirects(
  tx: Tx,
  redirects: readonly { path: string; post_id: string }[]
): Promise<string[]> {
  const rows = await tx.query<{ post_id: string }>(
    `insert into redirects (path, post_id)
     select path, post_id from unnest($1::text[], $2::uuid[]) as made (path, post_id)
     on conflict (path) do nothing returning post_id`,
    [redirects.map(({ path }) => path), redirects.map(({ post_id }) => post_id)]
  )
  return rows.map(({ post_id }) => post_id)
}

/** Those of these paths that lead somewhere already. */
export async function listRedirected(db: Queryable, paths: readonly string[]): Promise<Set<string>> {
  const rows = await db.query<{ path: string }>('select path from redirects where path = any($1::text[])', [paths])
  return new Set(rows.map(({ path }) => path))
}

/** The slug of the public post that the first of these former addresses leads to. */
export async function findRedirect(db: Queryable, paths: readonly string[]): Promise<string | undefined> {
  const [row] = await db.query<{ slug: string }>(
    `select p.slug from redirects r join public_posts p using (post_id) where r.path = any($1::text[])
     order by array_position($1::text[], r.path) limit 1`,
    [paths]
  )
  return row?.slug
}
