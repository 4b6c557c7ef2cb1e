import type { Tx } from '#core'
import type { PostStatus } from '../states.ts'

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

/** Public by the clock, not by the transaction's beginning: another may have published it while this one waited for the lock. */
export const lockedColumns = `post_id, slug, title, excerpt, content, status, category, tags, seo_title, seo_description, seo_keywords,
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
