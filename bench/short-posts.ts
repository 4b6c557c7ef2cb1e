import type { Db } from '../core/contract/database.ts'

/** Public posts of some hundred bytes, three hours apart. Each has three related posts. */
export async function insertShortPosts(db: Db, posts: number): Promise<void> {
  await db.query("insert into categories (slug, name) select 'c' || n, 'Category ' || n from generate_series(0, 19) n")
  await db.query(
    `insert into posts (slug, title, excerpt, content, content_html, status, published_at, category, tags, tag_slugs)
     select 'tides-' || n, 'Post ' || n, 'Why the sea rises', repeat('The sea rises twice a day. ', 30),
       '<p>' || repeat('The sea rises twice a day. ', 30) || '</p>', 'published',
       timestamptz '2026-01-01' - interval '3 hours' * n, 'c' || n % 20, array['t' || n % 200], array['t' || n % 200]
     from generate_series(1, $1::int) n`,
    [posts]
  )
  await db.query(
    `insert into site_related (post_no, revision, among, related)
     select post_no, revision, $1::int, array(select q.post_no from posts q where q.post_no in (p.post_no + 7, p.post_no + 13, p.post_no + 29))
     from posts p`,
    [posts]
  )
  await db.script('vacuum analyze')
}
