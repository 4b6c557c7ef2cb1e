import type { Queryable } from '#core'

/** A public post as a link names it. */
export interface PostLink {
  slug: string
  title: string
}

/** The public posts right before and right after one in time. */
export interface Neighbours {
  previous: PostLink | null
  next: PostLink | null
}

export async function findNeighbours(
  db: Queryable,
  { post_id, published_at }: { post_id: string; published_at: string | null }
): Promise<Neighbours> {
  const rows = await db.query<PostLink & { is_next: boolean }>(
    `(select slug, title, false as is_next from public_posts where (published_at, post_id) < ($1::timestamptz, $2::uuid)
      order by published_at desc, post_id desc limit 1)
     union all
     (select slug, title, true from public_posts where (published_at, post_id) > ($1::timestamptz, $2::uuid)
      order by published_at, post_id limit 1)`,
    [published_at, post_id]
  )
  const linkOf = (isNext: boolean): PostLink | null => {
    const row = rows.find(({ is_next }) => is_next === isNext)
    return row === undefined ? null : { slug: row.slug, title: row.title }
  }
  return { previous: linkOf(false), next: linkOf(true) }
}

/** Slugs of the public posts right before and right after any of these, which may be among them. */
export async function listNeighbourSlugs(db: Queryable, post_ids: readonly string[]): Promise<string[]> {
  const rows = await db.query<{ slug: string }>(
    `select distinct beside.slug from public_posts as post cross join lateral (
       (select slug from public_posts where (published_at, post_id) < (post.published_at, post.post_id)
        order by published_at desc, post_id desc limit 1)
       union all
       (select slug from public_posts where (published_at, post_id) > (post.published_at, post.post_id)
        order by published_at, post_id limit 1)
     ) as beside where post.post_id = any($1::uuid[])`,
    [post_ids]
  )
  return rows.map(({ slug }) => slug)
}

/** Slugs of public posts with the time of their last change, newest post first. */
export function listSlugs(
  db: Queryable,
  limit: number,
  offset: number
): Promise<{ slug: string; updated_at: string }[]> {
  return db.query<{ slug: string; updated_at: string }>(
    'select slug, updated_at from public_posts order by published_at desc, post_id desc limit $1 offset $2',
    [limit, offset]
  )
}
