import { type Commands, event, type InputError, type Queryable, service, type Tx } from '#core'
import type { IdRange } from '#lists'
import type { HeldSubject } from '#plugins/gates'
import type { PostImports } from './contract/imports.ts'
import type { MediaChange } from './contract/media.ts'
import type { FeaturedImage, PostDecision, PostEvent, PostLabels, PostRef } from './contract/post-ref.ts'
import type { Rendered } from './contract/rendered.ts'
import type { SimilarPosts } from './contract/similar-posts.ts'
import type { SlottedPost, WantedSlot } from './contract/slots.ts'
import type { Post } from './reads/representation.ts'
import type { StrayPictures } from './reads/stray-pictures.ts'
import type { LockedPost } from './repository/locked-post.ts'
import type { LostSlot } from './repository/lost-slots.ts'
import type { PostAction, PostStatus } from './states.ts'

export { postEntriesCacheTag, postsCacheTag, purgeBy, purgeTag } from './cache-tags.ts'
export type { ImportedPost, PostImports } from './contract/imports.ts'
export type { MediaChange, MediaState, PostMedia } from './contract/media.ts'
export {
  type FeaturedImage,
  mediaKinds,
  type PostDecision,
  type PostEvent,
  type PostLabels,
  type PostRef
} from './contract/post-ref.ts'
export type { Rendered } from './contract/rendered.ts'
export type { ComparedPost, SimilarPost, SimilarPosts } from './contract/similar-posts.ts'
export {
  type Announce,
  type DeferAnnouncements,
  type DeferredAnnouncements,
  type DuePost,
  type DuePosts,
  DuePostsService,
  type GivenSlot,
  type LatenessRow,
  type ListedSlot,
  maxSlotMs,
  overdueSeconds,
  type PostSlot,
  type PostSlots,
  PostSlotsService,
  type SlotFacts,
  type SlotOrder,
  type SlotQuery,
  type SlotScheduler,
  type SlottedPost,
  slotOrders,
  type WakeAt,
  type WantedSlot
} from './contract/slots.ts'
export { type FeedFormat, type FeedScope, feedFormats, feedPath } from './feeds/addresses.ts'
export {
  type ListedPosts,
  type NumberedPost,
  type PublishedFilter,
  type PublishedPages,
  type PublishedPosts,
  PublishedPostsService,
  type PublishedSite,
  type Revised
} from './published-posts.ts'
export type { Post } from './reads/representation.ts'
export { readDatabaseClock } from './repository/clock.ts'
export type { LockedPost } from './repository/locked-post.ts'
export type { Neighbours, PostLink } from './repository/pages.ts'
export { PostSummary } from './schemas.ts'
export { languageTag } from './settings.ts'
export { type PostAction, type PostStatus, postStatuses } from './states.ts'

/** What the pipeline hands over when a draft has passed its checks. */
export interface DraftedPost {
  task_id: string
  title: string
  excerpt: string
  /** Markdown. */
  content: string
  /** This, and what follows it, is of the task's first draft: a post that there is keeps its own. */
  category: string | null
  tags: readonly string[]
  niche_slug: string | null
  seo_keywords: readonly string[]
  /** `content` as `render` gave it; absent: it is rendered in the transaction. */
  rendered?: Rendered
}

/** A post whose state a decision changed, as it is now. */
export interface TransitionedPost extends PostRef {
  /** The task that drafted it; null for a hand-made post. */
  task_id: string | null
  action: PostAction
  from: PostStatus
}

/** A post of which a person changed what readers see, as it is now. */
export interface EditedPost extends PostRef {
  task_id: string | null
  excerpt: string
  /** Markdown. */
  content: string
  /** Its text before the edit, which may have been of something else. */
  before: { title: string; excerpt: string; content: string }
}

/**
 * What a plugin does whenever posts change their state or are edited, in the same transaction. An error undoes the
 * decision. The posts are locked before; rows of its own it locks afterwards, in the order of their ids,
 * so that no two decisions wait for each other.
 */
export interface PostParticipant {
  /** Once for all posts whose state one decision changes. */
  transitioned(
    tx: Tx,
    posts: readonly TransitionedPost[],
    by: Pick<PostDecision, 'actor' | 'reason' | 'skipsChecks'>
  ): Promise<void>
  /** Called for edits. `saveDraft`, by which the pipeline stores what it wrote, does not call it. */
  edited(tx: Tx, post: EditedPost, by: Pick<PostDecision, 'actor' | 'reason'>): Promise<void>
}

/**
 * A participant's own decisions on posts. It changes its own rows itself, in the same transaction, and is not called for them.
 * Errors are those of `Posts`.
 */
export interface ParticipantDecisions {
  publish(tx: Tx, post: LockedPost, by: PostDecision): Promise<PostRef>
  /** A draft, as a post is after `unpublish`, is submitted for approval first. */
  schedule(tx: Tx, post: LockedPost, publish_at: Date, by: PostDecision): Promise<PostRef>
  reject(tx: Tx, post: LockedPost, by: PostDecision): Promise<PostRef>
  archive(tx: Tx, post: LockedPost, by: PostDecision): Promise<PostRef>
}

/** The posts, as other plugins change them. All changes go through the caller's transaction and write the post's history. */
export interface Posts {
  /** Makes the task's post, or replaces the title, excerpt and content of the one there is, as `awaiting_approval`. @throws ConflictError when it is already public. */
  saveDraft(tx: Tx, draft: DraftedPost): Promise<PostRef>
  /**
   * Renders a text as readers get it, in a process of its own; `client` is whoever brings it. Ask it outside of transactions.
   * @throws InputError for `content` that takes over 1 s or 128 MB, or is out of proportion; UnavailableError when too many wait.
   */
  render(content: string, client: string): Promise<Rendered>
  /** The same for many texts, at half the cost. One that `render` would refuse has its InputError in its place. */
  renderMany(contents: readonly string[], client: string): Promise<(Rendered | InputError)[]>
  /** Stores posts of other systems. */
  readonly imports: PostImports
  /**
   * Approves without a time: a post that an edit took the slot from gets it back while that lies ahead, any other is public now.
   * Errors are those of `schedule` and `publish`.
   */
  approve(tx: Tx, post_id: string, by: PostDecision): Promise<PostRef>
  /** The slots that edits took, of those posts that wait for approval again and had one, by the id of the post. */
  lostSlots(db: Queryable, post_ids: readonly string[]): Promise<Map<string, LostSlot>>
  /** Makes the post public now. Already public: no change. @throws ConflictError when it is archived. */
  publish(tx: Tx, post_id: string, by: PostDecision): Promise<PostRef>
  /**
   * Gives a post that waits for approval, or is approved, its slot; that counts as the approval. `replacesSlot` gives one that has a slot another.
   * @throws InputError for a slot that is not in the future, ConflictError when its status does not allow one, it has one, or no
   *   scheduler is registered.
   */
  schedule(tx: Tx, post_id: string, publish_at: Date, by: PostDecision): Promise<PostRef>
  /** How an operator gives a post a slot, for a message: a quoted command. Undefined when no scheduler is registered. */
  slotHint(wanted: WantedSlot): string | undefined
  /** Sentences for whoever gave a post its slot, such as that it lies in the quiet hours; empty where there are none. */
  slotWarnings(post: SlottedPost): string[]
  /** Takes a draft that was not approved out of the queue: `draft`, without a slot. */
  reject(tx: Tx, post_id: string, by: PostDecision): Promise<PostRef>
  /** Archives the post. Already archived: no change. */
  archive(tx: Tx, post_id: string, by: PostDecision): Promise<PostRef>
  /**
   * Gives a public post a picture, unless a person chose one. @returns whether it has this one now
   * @throws NotFoundError
   */
  setFeaturedImage(tx: Tx, post_id: string, image: FeaturedImage, by: PostDecision): Promise<boolean>
  /**
   * Takes the picture that `isMatch` knows by its address back from a post that is not public. What waits for approval waits
   * again, as after every edit. @returns whether it had it @throws NotFoundError
   */
  takeBackFeaturedImage(tx: Tx, post_id: string, isMatch: (url: string) => boolean, by: PostDecision): Promise<boolean>
  /** Whether any post, public or not, names a picture in `/images/generated/`: as its own, or in its text. */
  isImageNamed(db: Queryable, filename: string): Promise<boolean>
  /** The addresses, other than those of this service, which public posts name pictures in `/images/generated/` at. */
  strayPictures(db: Queryable): Promise<StrayPictures>
  /** The id of the post an operator means: by its own, its task's, or a prefix of either. @throws NotFoundError; AppError `AMBIGUOUS_ID` */
  resolve(db: Queryable, id: string): Promise<string>
  /** The post, locked until the transaction ends. @throws NotFoundError */
  lock(tx: Tx, post_id: string): Promise<LockedPost>
  /**
   * Before a decision that publishes or schedules a drafted post, outside of its transaction: whether it nearly repeats another
   * by now. @throws ConflictError `DUPLICATE_CONTENT`
   */
  checkDuplicate(post_id: string, by: Pick<PostDecision, 'skipsChecks'>): Promise<void>
  /** What blocks publishing a locked post without a person, in one sentence without its end; null for nothing. */
  automaticBlockerOf(tx: Tx, post: LockedPost): Promise<string | null>
  /** From this similarity on, 0–1, a drafted post that nearly repeats another is refused; null: none is. Register in `setup`. */
  setDuplicateThreshold(similarity: () => number | null): void
  /** Compares posts with these functions. Without them no post is similar to another. Register in `setup`. */
  registerSimilarPosts(similar: SimilarPosts): void
  /** Adds commands to the group `posts`. Register in `setup`. */
  registerCommands(load: Commands['load']): void
  /** Has a plugin take part in every transition and edit from now on. Its own decisions go through what this returns. Register in `setup`. */
  registerParticipant(participant: PostParticipant): ParticipantDecisions
  /** The `limit` hand-made posts that have waited longest for approval, with the time they wait since; with `ids` only of these. */
  listAwaiting(db: Queryable, limit: number, ids?: IdRange): Promise<(HeldSubject & { since: string })[]>
  /** How many hand-made posts wait for approval. */
  countAwaiting(db: Queryable): Promise<number>
  /** The post as clients with a token read it; undefined when there is none. */
  read(db: Queryable, post_id: string): Promise<Post | undefined>
  /** The same with pictures at the addresses that are stored: nothing but an edit makes another text of it. */
  readStored(db: Queryable, post_id: string): Promise<Post | undefined>
  /** Address of the read-only preview page, valid 24 hours. */
  previewUrl(post_id: string): Promise<string>
  /** Posts by id; ids without a post are left out. */
  refs(db: Queryable, post_ids: readonly string[]): Promise<Map<string, PostRef>>
  /** Category and tags of posts, public or not; ids without a post are left out. */
  labels(db: Queryable, post_ids: readonly string[]): Promise<Map<string, PostLabels>>
  /** Address readers find the post at. */
  publicUrl(slug: string): string
  /** Has the feeds name the WebSub hub at `address`; empty for none. Register in `setup`, and tell the hub of changes. @throws TypeError when there is one */
  registerFeedHub(address: () => string): void
  /** The media that were asked for as these posts were made; posts without any are left out. */
  askedMedia(db: Queryable, post_ids: readonly string[]): Promise<Map<string, string[]>>
  /** Says what a post offers beside its text. Where that changes for readers, `PostEdited` follows. Nothing for a post that is not there. */
  setMedia(tx: Tx, post_id: string, media: MediaChange, by: Pick<PostDecision, 'actor'>): Promise<void>
}
export const PostsService = service<Posts>('posts')

/** The post became public. */
export const PostPublished = event<PostEvent>('posts.published')
/** A public post is no longer public: unpublished or archived. */
export const PostWithdrawn = event<PostEvent>('posts.withdrawn')
/**
 * A public post reads differently; `slug` is its present one, `previous_slug` differs when it moved. `left`: the category and tags
 * that the edit took away, if any.
 */
export const PostEdited = event<PostEvent & { previous_slug: string; left?: PostLabels }>('posts.edited')
/** A category has another name or description. */
export const CategoryDescribed = event<{ slug: string }>('posts.category_described')
/** The post was rejected when its slot was reached: it is a draft without a slot. */
export const PostRejected = event<PostEvent & { reason: string | null }>('posts.rejected')
/** The post got a slot. */
export const PostScheduled = event<PostEvent & { published_at: string }>('posts.scheduled')
/** An approved post waits for approval again, without a slot: its content is not what was approved. */
export const PostReopened = event<PostEvent & { reason: string }>('posts.reopened')
/** The post reached its slot and has no niche, which `niche_gated_publishing` asks for: it is published once it has one. Emitted once for a slot. */
export const PostSkipped = event<PostEvent & { title: string }>('posts.skipped')
/** The post reached its slot and waits at a gate for a last approval. */
export const PostHeld = event<PostEvent & { gate_name: string }>('posts.held')
