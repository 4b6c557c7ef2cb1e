import type { Queryable, Tx } from '#core'

/** A public post whose related posts are to be found. */
interface UnrelatedRow {
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

export interface RelatedRow extends Omit<UnrelatedRow, 'slug'> {
  /** Numbers of posts, best first. One that is not public any more is left out. */
  related: readonly number[]
}

export async function saveRelated(db: Queryable, rows: readonly RelatedRow[]): Promise<void> {
  await db.query(
    `insert into site_related as r (post_no, revision, among, related)
     select p.post_no, found.revision, found.among, coalesce((select array_agg(q.post_no order by place)
       from unnest(found.related) with ordinality as one (related_no, place) join public_posts q on q.post_no = related_no), '{}')
     from jsonb_to_recordset($1::jsonb) as found (post_id uuid, revision int, among int, related int[])
     join public_posts p on p.post_id = found.post_id
     order by p.post_no
     on conflict (post_no) do update set revision = excluded.revision, among = excluded.among,
       related = excluded.related`,
    [JSON.stringify(rows)]
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
