import type { Tx } from '#core'
import type { PostStatus } from '../states.ts'
import { type LockedPost, lockedColumns } from './locked-post.ts'

/** What a new post starts with. */
export interface NewPost {
  slug: string
  title: string
  excerpt: string
  content: string
  content_html: string
  word_count: number
  status: PostStatus
  category: string | null
  tags: readonly string[]
  tag_slugs: readonly string[]
  seo_keywords: readonly string[]
  seo_description?: string | null
  featured_image_url?: string | null
  language?: string | null
  author?: string | null
  niche_slug: string | null
  metadata: Record<string, unknown>
  task_id: string | null
  body_hash: string | null
  created_by: string
}

/** Inserts the post; undefined when its slug is taken, by a post or by a redirect. */
async function insertPost(tx: Tx, post: NewPost): Promise<LockedPost | undefined> {
  const [row] = await tx.query<LockedPost>(
    `insert into posts (slug, title, excerpt, content, content_html, word_count, status, category, tags, tag_slugs,
       seo_keywords, niche_slug, metadata, task_id, body_hash, created_by, seo_description, featured_image_url,
       language, author)
     select $1, $2, $3, $4, $5, $6, $7, $8, $9::text[], $10::text[], $11::text[], $12, $13::jsonb, $14::uuid, $15, $16,
       $17, $18, $19, $20
     where not exists (select from post_slugs where slug = $1)
     on conflict (slug) do nothing
     returning ${lockedColumns}`,
    [
      post.slug,
      post.title,
      post.excerpt,
      post.content,
      post.content_html,
      post.word_count,
      post.status,
      post.category,
      post.tags,
      post.tag_slugs,
      post.seo_keywords,
      post.niche_slug,
      JSON.stringify(post.metadata),
      post.task_id,
      post.body_hash,
      post.created_by,
      post.seo_description ?? null,
      post.featured_image_url ?? null,
      post.language ?? null,
      post.author ?? null
    ]
  )
  return row
}

/** Inserts the post with the first of the slugs that is free; undefined when none is. */
export async function insertWithFreeSlug(
  tx: Tx,
  post: Omit<NewPost, 'slug'>,
  slugs: Iterable<string>
): Promise<LockedPost | undefined> {
  for (const slug of slugs) {
    const inserted = await insertPost(tx, { ...post, slug })
    if (inserted !== undefined) return inserted
  }
  return undefined
}

/** Serialises creations of the same body until the transaction ends. */
export async function lockBody(tx: Tx, body_hash: string): Promise<void> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [body_hash])
}

/** The newest post with this body made within the window. */
export async function findByBody(tx: Tx, body_hash: string, windowMinutes: number): Promise<string | undefined> {
  const [row] = await tx.query<{ post_id: string }>(
    `select post_id from posts where body_hash = $1 and created_at > now() - make_interval(mins => $2)
     order by created_at desc limit 1`,
    [body_hash, windowMinutes]
  )
  return row?.post_id
}
