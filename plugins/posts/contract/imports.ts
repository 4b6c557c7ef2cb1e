import type { Queryable, Tx } from '#core'
import type { PostRef } from './post-ref.ts'
import type { Rendered } from './rendered.ts'
import type { Announce, DeferAnnouncements } from './slots.ts'

/** A post of another system, ready to be stored. Fields are bounded as those of an edit are. */
export interface ImportedPost {
  /** What its address was called, in any form; the title where nothing of it can be used. */
  slug: string
  title: string
  /** Null: from the first paragraph. */
  excerpt: string | null
  /** Markdown. */
  content: string
  /** `content` as `Posts.render` gave it. */
  rendered: Rendered
  /** Since when readers have had it; null for a draft. A time in the future counts as now. */
  published_at: Date | null
  /** Null: now. */
  created_at: Date | null
  /** Null: now. */
  updated_at: Date | null
  category: string | null
  tags: readonly string[]
  seo_title: string | null
  seo_description: string | null
  featured_image_url: string | null
  /** BCP 47; null for the setting site_language. */
  language: string | null
  author: string | null
}

/** Who imports, and why. `announce` is called with what became public. */
export interface ImportDecision {
  actor: string
  reason: string
  announce: Announce
}

/** Stores posts that were written, and read, somewhere else. */
export interface PostImports {
  /** The slug it would have if nobody had that: lower-case ASCII words, at most 80 characters; empty when only a random one is left. */
  slugOf(post: Pick<ImportedPost, 'slug' | 'title'>): string
  /** What is wrong with a post's fields, by field; empty when nothing is. */
  faultsOf(post: ImportedPost): Readonly<Record<string, string>>
  /**
   * Stores posts in the caller's transaction, and returns them in the same order. Who imports a published post approves it:
   * the gate history, the post's history and its approved hash say so. A slug that is taken gets a random suffix.
   * @throws InputError for a post that has faults
   */
  insert(tx: Tx, posts: readonly ImportedPost[], by: ImportDecision): Promise<PostRef[]>
  readonly deferAnnouncements: DeferAnnouncements
  /** Has the database look at the posts anew once many were stored: only a server does it by itself. */
  analyze(db: Queryable): Promise<void>
  /** Those of these slugs that a post has, or had. */
  listTaken(db: Queryable, slugs: readonly string[]): Promise<Set<string>>
  /** BCP 47: of posts that have none of their own. */
  siteLanguage(): string
}
