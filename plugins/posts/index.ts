import { event, type Page, type PageQuery, type Queryable, service, type Tx } from '#core'
import type { HeldSubject } from '#plugins/gates'
import type { CategoryRow, TagRow } from './repository/catalogue.ts'
import type { Post, PostSummary } from './representation.ts'
import type { PostStatus } from './states.ts'

export type { Post, PostSummary } from './representation.ts'
export type { PostStatus } from './states.ts'

/** What the pipeline hands over when a draft has passed its checks. */
export interface DraftedPost {
  task_id: string
  title: string
  excerpt: string
  /** Markdown. */
  content: string
  category: string | null
  tags: readonly string[]
  niche_slug: string | null
  seo_keywords: readonly string[]
}

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
  /** Of the content the decision is about: of any other it is refused (ConflictError `CONTENT_CHANGED`). Absent or null: of whatever it is. */
  content_hash?: string | null
  /** The gate it must be waiting at: else the decision is refused (ConflictError). */
  gate_name?: string
  /** The caller writes the sign-off's gate history itself, in the same transaction. */
  isRecorded?: boolean
}

/** The posts, as other plugins change them. All changes go through the caller's transaction and write the post's history. */
export interface Posts {
  /** Makes the task's post, or updates it when there is one, as `awaiting_approval`. @throws ConflictError when it is already public. */
  saveDraft(tx: Tx, draft: DraftedPost): Promise<PostRef>
  /** Makes the post public now. Already public: no change. @throws ConflictError when it is archived. */
  publish(tx: Tx, post_id: string, by: PostDecision): Promise<PostRef>
  /**
   * Gives a post that waits for approval, or is approved, its slot; that counts as the approval. `force` replaces a slot it has.
   * @throws InputError for a slot that is not in the future, ConflictError when its status does not allow one or it has one.
   */
  schedule(tx: Tx, post_id: string, publish_at: Date, by: PostDecision & { force?: boolean }): Promise<PostRef>
  /** Takes a draft that was not approved out of the queue: `draft`, without a slot. */
  withdraw(tx: Tx, post_id: string, by: PostDecision): Promise<PostRef>
  /** The `limit` posts that have waited longest for the sign-off, as its gate shows them: a drafted one by its task. */
  listAwaiting(db: Queryable, limit: number): Promise<HeldSubject[]>
  countAwaiting(db: Queryable): Promise<number>
  /** The post as clients with a token read it; undefined when there is none. */
  read(db: Queryable, post_id: string): Promise<Post | undefined>
  /** The published post whose title is nearest to `title`; null when there is none or no embedder answers. */
  nearestTitle(title: string): Promise<{ post_id: string; slug: string; title: string; similarity: number } | null>
  /** A published post whose text nearly repeats `content`; similarity 0–1. */
  nearestText(
    title: string,
    content: string
  ): Promise<{ post_id: string; slug: string; title: string; similarity: number } | null>
  /** Address of the read-only preview page, valid 24 hours. */
  previewUrl(post_id: string): Promise<string>
  /** Posts by id; ids without a post are left out. */
  refs(db: Queryable, post_ids: readonly string[]): Promise<Map<string, PostRef>>
  /** Address readers find the post at. */
  publicUrl(slug: string): string
}
export const PostsService = service<Posts>('posts')

/** `revision` counts changes of what readers see. */
export interface Revised<Item> {
  post: Item
  revision: number
}

/** What is public, in the shapes of the REST API as anonymous readers get them, for surfaces beside it. Newest first. */
export interface PublishedPosts {
  /** All public posts without their text, in pages of `size`: one page is in memory at a time. */
  pages(db: Queryable, size: number): AsyncIterable<readonly Revised<PostSummary>[]>
  /** The public posts among `post_ids`, with their text. */
  texts(db: Queryable, post_ids: readonly string[]): Promise<Revised<Post>[]>
  /** One page of the public posts among `post_ids`. @throws InputError for a cursor of another list. */
  list(db: Queryable, post_ids: readonly string[], query: PageQuery): Promise<Page<PostSummary>>
  isPublic(db: Queryable, post_id: string): Promise<boolean>
  /** Every category and every tag that has public posts, by slug. */
  categories(db: Queryable): Promise<CategoryRow[]>
  tags(db: Queryable): Promise<TagRow[]>
  /** The newest posts as RSS 2.0 and as JSON Feed 1.1. */
  feedXml(db: Queryable): Promise<string>
  feedJson(db: Queryable): Promise<string>
}
export const PublishedPostsService = service<PublishedPosts>('posts.published')

export interface PostEvent {
  post_id: string
  slug: string
  actor: string
}
/** The post became public. */
export const PostPublished = event<PostEvent>('posts.published')
/** A public post is no longer public: unpublished or archived. */
export const PostWithdrawn = event<PostEvent>('posts.withdrawn')
/** A public post reads differently; `slug` is its present one, `previous_slug` differs when it moved. */
export const PostEdited = event<PostEvent & { previous_slug: string }>('posts.edited')
/** The post was turned down when its slot was reached: it is a draft without a slot. */
export const PostRejected = event<PostEvent & { reason: string | null }>('posts.rejected')
/** The post got a slot. */
export const PostScheduled = event<PostEvent & { published_at: string }>('posts.scheduled')
/** Posts that tasks drafted got a slot, another one, or lost theirs. */
export const SlotsChanged = event<{ post_ids: string[]; actor: string }>('posts.slots_changed')
/** An approved post waits for approval again, without a slot: its content is not what was approved. */
export const PostReopened = event<PostEvent & { reason: string }>('posts.reopened')
/** The post reached its slot and waits at a gate for a last approval. */
export const PostHeld = event<PostEvent & { gate_name: string }>('posts.held')
