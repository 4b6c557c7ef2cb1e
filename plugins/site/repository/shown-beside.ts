import type { Queryable } from '#core'
import type { PostLink } from '#plugins/posts'

/** Posts whose numbers begin alike are a part of the export. */
const partSize = 1000

/** Changes with everything that readers see of a post. */
const versionOf = (row: string) => `((${row}.post_no::bigint << 32) | ${row}.revision)`

/** What the pages of each part show of other posts: neighbours, and related posts that are public. */
export async function hashBesideParts(db: Queryable): Promise<Map<number, string>> {
  const rows = await db.query<{ part: number; neighbours: string; related: string | null }>(
    `with ordered as (
       select post_id, post_no, lag(${versionOf('o')}, 1, 0::bigint) over newest as next, lead(${versionOf('o')}, 1, 0::bigint) over newest as previous
       from public_posts o window newest as (order by published_at desc, post_id desc)
     )
     select post_no / $1 as part,
       bit_xor(hashint8extended(previous, hashint8extended(next, post_no)))::text as neighbours,
       bit_xor(hashint8extended(related.hash, post_no))::text as related
     from ordered left join (${relatedHashes}) as related using (post_id)
     group by 1`,
    [partSize]
  )
  return new Map(rows.map(({ part, neighbours, related }) => [part, `${neighbours} ${related ?? ''}`]))
}

const relatedHashes = `select r.post_id, bit_xor(hashint8extended(${versionOf('p')}, place)) as hash
  from site_related r cross join unnest(r.related) with ordinality as one (related_id, place)
  join public_posts p on p.post_id = related_id
  group by r.post_id`

/** The same for each post of a part, by its id. */
export async function hashBesidePosts(db: Queryable, part: number): Promise<Map<string, string>> {
  const rows = await db.query<{ post_id: string; beside: string }>(
    `select p.post_id, concat_ws(' ', previous.version, '/', next.version, '/', related.hash) as beside
     from public_posts p
     left join lateral (
       select ${versionOf('o')} as version from public_posts o
       where (published_at, post_id) < (p.published_at, p.post_id) order by published_at desc, post_id desc limit 1
     ) as previous on true
     left join lateral (
       select ${versionOf('o')} as version from public_posts o
       where (published_at, post_id) > (p.published_at, p.post_id) order by published_at, post_id limit 1
     ) as next on true
     left join lateral (
       select string_agg(${versionOf('q')}::text, ' ' order by place) as hash
       from site_related r cross join unnest(r.related) with ordinality as one (related_id, place)
       join public_posts q on q.post_id = related_id
       where r.post_id = p.post_id
     ) as related on true
     where p.post_no >= $1 and p.post_no < $2`,
    [part * partSize, (part + 1) * partSize]
  )
  return new Map(rows.map(({ post_id, beside }) => [post_id, beside]))
}

/** The public posts right before and after each of these, and the numbers of those related to it, best first. */
export interface BesideRow {
  post_id: string
  previous: PostLink | null
  next: PostLink | null
  related: number[]
}

export function listBeside(db: Queryable, post_ids: readonly string[]): Promise<BesideRow[]> {
  return db.query<BesideRow>(
    `select p.post_id, previous.link as previous, next.link as next, coalesce(related.post_nos, '{}') as related
     from public_posts p
     left join lateral (
       select jsonb_build_object('slug', slug, 'title', title) as link from public_posts
       where (published_at, post_id) < (p.published_at, p.post_id) order by published_at desc, post_id desc limit 1
     ) as previous on true
     left join lateral (
       select jsonb_build_object('slug', slug, 'title', title) as link from public_posts
       where (published_at, post_id) > (p.published_at, p.post_id) order by published_at, post_id limit 1
     ) as next on true
     left join lateral (
       select array_agg(q.post_no order by place) as post_nos
       from site_related r cross join unnest(r.related) with ordinality as one (related_id, place)
       join public_posts q on q.post_id = related_id
       where r.post_id = p.post_id
     ) as related on true
     where p.post_id = any($1::uuid[])`,
    [post_ids]
  )
}
