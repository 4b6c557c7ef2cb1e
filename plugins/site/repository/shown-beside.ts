import type { Queryable } from '#core'
import type { PostLink } from '#plugins/posts'

/** A post that the page of another links to. */
export interface BesidePost extends PostLink {
  post_no: number
  revision: number
}

/** The public posts right before and after each of these, and those related to it, best first. */
export interface BesideRow {
  post_id: string
  post_no: number
  previous: BesidePost | null
  next: BesidePost | null
  related: { post_no: number; revision: number }[]
}

const link = `jsonb_build_object('slug', slug, 'title', title, 'post_no', post_no, 'revision', revision) as link`

/** The numbers of public posts right before and after each of these, and of those that have one of them as related. */
export async function listShowing(db: Queryable, post_nos: readonly number[]): Promise<number[]> {
  const rows = await db.query<{ post_no: number }>(
    `with asked as (select post_no, published_at, post_id from public_posts where post_no = any($1::int[]))
     select previous.post_no from asked cross join lateral (
       select post_no from public_posts p
       where (p.published_at, p.post_id) < (asked.published_at, asked.post_id) order by published_at desc, post_id desc limit 1
     ) as previous
     union select next.post_no from asked cross join lateral (
       select post_no from public_posts p
       where (p.published_at, p.post_id) > (asked.published_at, asked.post_id) order by published_at, post_id limit 1
     ) as next
     union select post_no from site_related where related && $1::int[]`,
    [post_nos]
  )
  return rows.map(({ post_no }) => post_no)
}

export function listBeside(
  db: Queryable,
  among: { post_ids: readonly string[] } | { post_nos: readonly number[] }
): Promise<BesideRow[]> {
  const [condition, keys] =
    'post_ids' in among ? ['post_id = any($1::uuid[])', among.post_ids] : ['post_no = any($1::int[])', among.post_nos]
  return db.query<BesideRow>(
    `select p.post_id, p.post_no, previous.link as previous, next.link as next, coalesce(related.posts, '[]') as related
     from public_posts p
     left join lateral (
       select ${link} from public_posts
       where (published_at, post_id) < (p.published_at, p.post_id) order by published_at desc, post_id desc limit 1
     ) as previous on true
     left join lateral (
       select ${link} from public_posts
       where (published_at, post_id) > (p.published_at, p.post_id) order by published_at, post_id limit 1
     ) as next on true
     left join lateral (
       select jsonb_agg(jsonb_build_object('post_no', q.post_no, 'revision', q.revision) order by place) as posts
       from site_related r cross join unnest(r.related) with ordinality as one (related_no, place)
       join public_posts q on q.post_no = related_no
       where r.post_no = p.post_no
     ) as related on true
     where p.${condition}`,
    [keys]
  )
}
