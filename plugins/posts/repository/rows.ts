import type { MediaState } from '../contract/media.ts'
import type { PostStatus } from '../states.ts'

/** A post as the repository reads it for a list. `awaiting_gate`, `metadata` and the state of the media are read for clients with a token only. */
export interface SummaryRow {
  post_id: string
  slug: string
  title: string
  excerpt: string
  status: PostStatus
  category: string | null
  tags: string[]
  seo_title: string | null
  seo_description: string | null
  seo_keywords: string[]
  featured_image_url: string | null
  language: string | null
  author: string | null
  published_at: string | null
  niche_slug: string | null
  media: string[]
  word_count: number
  created_at: string
  updated_at: string
  /** Counts changes of what readers see. */
  revision: number
  awaiting_gate?: string | null
  metadata?: Record<string, unknown>
  media_state?: MediaState | null
  media_error?: string | null
}

/** The same with its text. */
export interface PostRow extends SummaryRow {
  content: string
  content_html: string
}
