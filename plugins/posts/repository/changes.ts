import type { Param, Tx } from '#core'
import type { PostAction, PostStatus } from '../states.ts'

/** What a change needs to know about the post it changes; the row stays locked until the transaction ends. */
export interface LockedPost {
  post_id: string
  slug: string
  title: string
  excerpt: string
  content: string
  status: PostStatus
  category: string | null
  tags: string[]
  seo_title: string | null
  seo_description: string | null
  seo_keywords: string[]
  featured_image_url: string | null
  language: string | null
  author: string | null
  niche_slug: string | null
  published_at: string | null
  awaiting_gate: string | null
  /** The task that drafted it; null for a hand-made post. */
  task_id: string | null
  /** Of everything readers see of it. */
  content_hash: string
  revision: number
  /** Readers see it now. */
  is_public: boolean
}

// Public by the clock, not by the transaction's beginning: another may have published it while this one waited for the lock.
const lockedColumns = `post_id, slug, title, excerpt, content, status, category, tags, seo_title, seo_description, seo_keywords,
  featured_image_url, language, author, niche_slug, published_at, awaiting_gate, task_id, content_hash, revision, (status = 'published' and published_at <= clock_timestamp()) as is_public`

export async function lockPost(tx: Tx, post_id: string): Promise<LockedPost | undefined> {
  const [row] = await tx.query<LockedPost>(`select ${lockedColumns} from posts where post_id = $1 for update`, [
    post_id
  ])
  return row
}

export async function lockPostOfTask(tx: Tx, task_id: string): Promise<LockedPost | undefined> {
  const [row] = await tx.query<LockedPost>(`select ${lockedColumns} from posts where task_id = $1 for update`, [
    task_id
  ])
  return row
}

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
       seo_keywords, niche_slug, metadata, task_id, body_hash, created_by)
     select $1, $2, $3, $4, $5, $6, $7, $8, $9::text[], $10::text[], $11::text[], $12, $13::jsonb, $14::uuid, $15, $16
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
      post.created_by
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

/** One row of a post's history. */
export interface HistoryEntry {
  post_id: string
  action: PostAction | 'edit'
  from_status: PostStatus | null
  to_status: PostStatus
  actor: string
  detail?: Record<string, unknown>
}

export async function insertHistory(tx: Tx, entries: readonly HistoryEntry[]): Promise<void> {
  const column = (value: (entry: HistoryEntry) => string) => entries.map(value)
  const params: Param[] = [
    column(entry => entry.post_id),
    column(entry => entry.action),
    // Arrays of text cannot hold null here: the empty text stands for it.
    column(entry => entry.from_status ?? ''),
    column(entry => entry.to_status),
    column(entry => entry.actor),
    column(entry => JSON.stringify(entry.detail ?? {}))
  ]
  await tx.query(
    `insert into post_history (post_id, action, from_status, to_status, actor, detail)
     select post_id, action, nullif(from_status, ''), to_status, actor, detail::jsonb
     from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[])
       as entry (post_id, action, from_status, to_status, actor, detail)`,
    params
  )
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
