import type { Tx } from '#core'
import type { NewPost } from './creation.ts'

/** Everything of a post that can be edited. */
export interface Edited {
  slug: string
  title: string
  excerpt: string
  content: string
  category: string | null
  tags: readonly string[]
  tag_slugs: readonly string[]
  seo_title: string | null
  seo_description: string | null
  seo_keywords: readonly string[]
  featured_image_url: string | null
  language: string | null
  author: string | null
  niche_slug: string | null
}

/** Writes an edit and returns the new content's hash; `rendered` is of a changed text, null of the same. */
export async function updateContent(
  tx: Tx,
  post_id: string,
  edited: Edited,
  rendered: Pick<NewPost, 'content_html' | 'word_count'> | null
): Promise<string> {
  const [row] = await tx.query<{ content_hash: string }>(
    `update posts set slug = $2, title = $3, excerpt = $4, content = $5, content_html = coalesce($6, content_html),
       word_count = coalesce($7, word_count), category = $8,
       tags = $9, tag_slugs = $10, seo_title = $11, seo_description = $12, seo_keywords = $13, featured_image_url = $14,
       language = $15, author = $16, niche_slug = $17,
       revision = revision + 1, updated_at = now()
     where post_id = $1 returning content_hash`,
    [
      post_id,
      edited.slug,
      edited.title,
      edited.excerpt,
      edited.content,
      rendered?.content_html ?? null,
      rendered?.word_count ?? null,
      edited.category,
      edited.tags,
      edited.tag_slugs,
      edited.seo_title,
      edited.seo_description,
      edited.seo_keywords,
      edited.featured_image_url,
      edited.language,
      edited.author,
      edited.niche_slug
    ]
  )
  return row?.content_hash ?? ''
}

/** Sends readers of a given-up slug on; the slug now in use stops being a redirect. */
export async function retireSlug(tx: Tx, post_id: string, retired: string, present: string): Promise<void> {
  await tx.query('delete from post_slugs where slug = $1', [present])
  await tx.query(
    `insert into post_slugs (slug, post_id) values ($1, $2)
     on conflict (slug) do update set post_id = excluded.post_id, retired_at = now()`,
    [retired, post_id]
  )
}
