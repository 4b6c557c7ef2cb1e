import type { Queryable, Tx } from '#core'
import type { NewPost } from './creation.ts'
import { type LockedPost, lockedColumns } from './locked-post.ts'

/** A post of another system, as its row begins. Times are ISO 8601. */
export interface ImportedRow
  extends Pick<
    NewPost,
    | 'slug'
    | 'title'
    | 'excerpt'
    | 'content'
    | 'content_html'
    | 'word_count'
    | 'status'
    | 'category'
    | 'tags'
    | 'tag_slugs'
    | 'created_by'
  > {
  seo_title: string | null
  seo_description: string | null
  featured_image_url: string | null
  language: string | null
  author: string | null
  published_at: string | null
  created_at: string | null
}

/** Inserts posts in one statement; those whose slug is taken, by a post or by a redirect, are left out. */
export function insertImported(tx: Tx, posts: readonly ImportedRow[]): Promise<LockedPost[]> {
  return tx.query<LockedPost>(
    `insert into posts (slug, title, excerpt, content, content_html, word_count, status, category, tags, tag_slugs,
       created_by, seo_title, seo_description, featured_image_url, language, author, published_at, created_at)
     select slug, title, excerpt, content, content_html, word_count, status, category, tags, tag_slugs,
       created_by, seo_title, seo_description, featured_image_url, language, author, published_at,
       coalesce(created_at, now())
     from jsonb_to_recordset($1::jsonb) as post (
       slug text, title text, excerpt text, content text, content_html text, word_count integer, status text,
       category text, tags text[], tag_slugs text[], created_by text, seo_title text, seo_description text,
       featured_image_url text, language text, author text, published_at timestamptz, created_at timestamptz
     )
     where not exists (select from post_slugs where post_slugs.slug = post.slug)
     on conflict (slug) do nothing
     returning ${lockedColumns}`,
    [JSON.stringify(posts)]
  )
}

/** Says when posts last changed where they come from. */
export async function keepUpdated(tx: Tx, posts: readonly { post_id: string; updated_at: string }[]): Promise<void> {
  await tx.query(
    `update posts set updated_at = imported.at
     from unnest($1::uuid[], $2::timestamptz[]) as imported (id, at) where post_id = imported.id`,
    [posts.map(({ post_id }) => post_id), posts.map(({ updated_at }) => updated_at)]
  )
}

/** Those of these slugs that a post has, or that redirect to one. */
export async function listTakenSlugs(db: Queryable, slugs: readonly string[]): Promise<Set<string>> {
  const rows = await db.query<{ slug: string }>(
    `select slug from posts where slug = any($1::text[])
     union select slug from post_slugs where slug = any($1::text[])`,
    [slugs]
  )
  return new Set(rows.map(({ slug }) => slug))
}
