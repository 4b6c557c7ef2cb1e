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
  previous: BesidePost | null
  next: BesidePost | null
  related: { post_no: number; revision: number }[]
}

const link = `jsonb_build_object('slug', slug, 'title', title, 'post_no', post_no, 'revision', revision) as link`

export function listBeside(db: Queryable, post_ids: readonly string[]): Promise<BesideRow[]> {
  return db.query<BesideRow>(
    `select p.post_id, previous.link as previous, next.link as next, coalesce(related.posts, '[]') as related
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
     where p.post_id = any($1::uuid[])`,
    [post_ids]
  )
}
