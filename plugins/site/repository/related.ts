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
    // One look for all that are related: one for each would be three times as long.
    `with all_public as (select count(*)::int as among from public_posts), outdated as materialized (
       select r.post_no from site_related r cross join unnest(r.related) as one (related_no)
       where not exists (select from public_posts q where q.post_no = related_no)
     )
     select p.post_id, p.slug, p.revision, a.among
     from public_posts p cross join all_public a left join site_related r on r.post_no = p.post_no
     where r.post_no is null or r.revision <> p.revision
       or (cardinality(r.related) < $2 and a.among > r.among + r.among / 10)
       or p.post_no in (select post_no from outdated)
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
    `insert into site_related as r (post_no, revision, among, related)
     select p.post_no, $2, $3, coalesce((select array_agg(q.post_no order by place)
       from unnest($4::uuid[]) with ordinality as one (related_id, place) join public_posts q on q.post_id = related_id), '{}')
     from public_posts p where p.post_id = $1
     on conflict (post_no) do update set revision = excluded.revision, among = excluded.among,
       related = excluded.related`,
    [post_id, revision, among, related]
  )
}

/** Of posts that are not public. */
export async function deleteUnneeded(db: Queryable): Promise<void> {
  await db.query(
    'delete from site_related r where not exists (select 1 from public_posts p where p.post_no = r.post_no)'
  )
}

/** After a restore the posts are others: all is found again. */
export async function deleteAllRelated(tx: Tx): Promise<void> {
  await tx.query('delete from site_related')
}
