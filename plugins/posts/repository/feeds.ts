import type { Queryable } from '#core'
import { conditions, type PublicFilter, whereOf } from './lists.ts'
import type { PostRow } from './rows.ts'

export type FeedRow = Pick<
  PostRow,
  'post_id' | 'slug' | 'title' | 'excerpt' | 'content_html' | 'author' | 'category' | 'tags' | 'updated_at'
> & {
  published_at: string
  /** Null for a post without a category. */
  category_name: string | null
}

/**
 * The newest public posts, as many as have `maxBytes` of HTML together. One that has more by itself is left out. The
 * length of a stored text is known without reading it.
 */
export function listNewest(
  db: Queryable,
  filter: Pick<PublicFilter, 'category' | 'tag'>,
  { limit, maxBytes }: { limit: number; maxBytes: number }
): Promise<FeedRow[]> {
  const { where, params } = conditions(filter)
  const limitAt = params.push(limit)
  const bytesAt = params.push(maxBytes)
  return db.query<FeedRow>(
    `select post_id, slug, title, excerpt, content_html, author, category, tags, published_at, updated_at,
       (select name from categories where categories.slug = counted.category) as category_name
     from (
       select *, sum(bytes) over (order by published_at desc, post_id desc) as total_bytes
       from (
         select *, octet_length(content_html)::bigint as bytes
         from public_posts ${whereOf(where)} order by published_at desc, post_id desc limit $${limitAt}
       ) as newest
       where bytes <= $${bytesAt}
     ) as counted
     where total_bytes <= $${bytesAt}
     order by published_at desc, post_id desc`,
    params
  )
}
