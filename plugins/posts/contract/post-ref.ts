import type { PostStatus } from '../states.ts'

/** The little other plugins need to know about a post. */
export interface PostRef {
  post_id: string
  slug: string
  title: string
  status: PostStatus
  published_at: string | null
  /** Of everything readers see of it. */
  content_hash: string
}

/** Who decides on a post, and why. */
export interface PostDecision {
  actor: string
  reason?: string | null
  /** The content that was decided on. For other content the decision is refused (ConflictError `CONTENT_CHANGED`). Without it any content is meant. */
  content_hash?: string | null
  /** The gate it must be waiting at: else the decision is refused (ConflictError). */
  gate_name?: string
  /** No person decided: the gate history says `auto_approved`. */
  isAutomatic?: boolean
  /** Also when something blocks it: a near-duplicate (`DUPLICATE_CONTENT`), no niche (`NICHE_REQUIRED`), an earlier rejection. */
  skipsChecks?: boolean
  /** Gives a post that has a slot another one. */
  replacesSlot?: boolean
  /** The slot is the one that an edit took: it may be reached by now. */
  regainsSlot?: boolean
}

/** A picture for a post, and which one it may take the place of: one that was made like it. */
export interface FeaturedImage {
  url: string
  isReplaceable(url: string): boolean
}

/** Media that can be asked for with a post. */
export const mediaKinds = ['podcast', 'video', 'video_short'] as const

/** The slugs of a post's category and tags. */
export interface PostLabels {
  category: string | null
  tags: readonly string[]
}

/** What the events of a post carry. */
export interface PostEvent {
  post_id: string
  slug: string
  actor: string
  /** It was imported without media: none of what the setting `media_on_publish` lists is made for it. */
  skips_media?: true
}
