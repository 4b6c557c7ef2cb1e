import type { Queryable, Tx } from '#core'

/** A public post whose related posts are to be found. */
export interface UnrelatedRow {
  post_id: string
  slug: string
  revision: number
  /** How many public posts there are. */
  among: number
}

/**
 * Posts that are new, were edited, have a related post that is not public any more, or had fewer than `wanted` when there were
 * fewer posts by a tenth; the newest first.
 */
export function listUnrelated(
  db: Queryable,
  { wanted, limit }: { wanted: number; limit: number }
): Promise<UnrelatedRow[]> {
  return db.query<UnrelatedRow>(
    `with all_public as (select count(*)::int as among from public_posts)
     select p.post_id, p.slug, p.revision, a.among
     from public_posts p cross join all_public a left join site_related r on r.post_id = p.post_id
     where r.post_id is null or r.revision <> p.revision
       or (cardinality(r.related) < $2 and a.among > r.among + r.among / 10)
       or exists (select 1 from unnest(r.related) as one (related_id)
                  where not exists (select 1 from public_posts q where q.post_id = related_id))
     order by p.post_no desc limit $1`,
    [limit, wanted]
  )
}

/** `related`: ids of public posts, best first. */
export async function saveRelated(
  db: Queryable,
  { post_id, revision, among, related }: Omit<UnrelatedRow, 'slug'> & { related: readonly string[] }
): Promise<void> {
  await db.query(
    `insert into site_related as r (post_id, revision, among, related) values ($1, $2, $3, $4::uuid[])
     on conflict (post_id) do update set revision = excluded.revision, among = excluded.among,
       related = excluded.related`,
    [post_id, revision, among, related]
  )
}

/** Of posts that are not public. */
export async function deleteUnneeded(db: Queryable): Promise<void> {
  await db.query(
    'delete from site_related r where not exists (select 1 from public_posts p where p.post_id = r.post_id)'
  )
}

/** After a restore the posts are others: all is found again. */
export async function deleteAllRelated(tx: Tx): Promise<void> {
  await tx.query('delete from site_related')
}
