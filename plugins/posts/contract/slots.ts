import { type Queryable, service, type Tx } from '#core'
import type { IdRange, PageRequest } from '#lists'
import type { PostAction } from '../states.ts'
import type { PostDecision, PostEvent, PostRef } from './post-ref.ts'

/** What orders the posts that may get a slot. Ties are broken by id. */
export const slotOrders = ['approved_at', 'created_at', 'id', 'title'] as const
export type SlotOrder = (typeof slotOrders)[number]

/** Slots end here: later years need more than four digits. */
export const maxSlotMs = Date.UTC(9999, 0, 1)

/** A post with its slot: `published_at`, ISO 8601. */
export interface PostSlot extends PostRef {
  /** The task that drafted it; null for a hand-made post. */
  task_id: string | null
}

/** A post with what decides whether and when it is published. */
export interface SlotFacts extends PostSlot {
  awaiting_gate: string | null
  approved_at: string | null
  /** It has no niche, and `niche_gated_publishing` asks for one. */
  needs_niche: boolean
  /** Its slot is reached by the database's clock; false without a slot. */
  is_due: boolean
  /**
   * What happened to it last, edits apart, by whom and why; null for a post without a history. `slot`: the one it got, reached or
   * lost thereby, ISO 8601; null for none. `is_slot_ahead`: by the database's clock.
   */
  last: { action: PostAction; actor: string; reason: string | null; slot: string | null; is_slot_ahead: boolean } | null
  /** The last edit after that; null without one. */
  edited: { actor: string; fields: string[] } | null
}

/** A slot in a list. `sorted_at`: the slot to the microsecond, for cursors. */
export type ListedSlot = PostSlot & { sorted_at: string }

/** Which posts may get a slot, and in which order. */
export interface SlotQuery {
  ordered_by: SlotOrder
  /** Also posts whose slot is still ahead. */
  replacesSlots: boolean
  limit: number
}

/** A locked post and the slot it gets, in milliseconds since 1970. */
export interface GivenSlot {
  post: PostSlot
  slotMs: number
}

/** Called in the transaction that gives slots, with the earliest of them (ISO 8601). */
export type WakeAt = (tx: Tx, slot: string) => Promise<void>

/** A slot that an operator may want to give a post, ISO 8601. */
export interface WantedSlot {
  post_id: string
  slot: string
  /** The post has another slot. */
  replacesSlot: boolean
}

/** A post with the slot that it was given, ISO 8601. */
export type SlottedPost = Pick<PostRef, 'slug' | 'published_at'>

/** The plugin that plans slots and publishes at them. */
export interface SlotScheduler {
  readonly wakeAt: WakeAt
  /** How an operator gives a post this slot, for a message: a quoted command. */
  hintFor(wanted: WantedSlot): string
  /** Sentences for whoever gave a post its slot, which may not have been meant; empty where there are none. */
  warningsOf(post: SlottedPost): string[]
  /** Why no post is published without a person now, in one sentence without its end; null for nothing. */
  automaticBlocker(): string | null
}

/** The slots of posts, for the plugin that plans them. Every change writes history, gate history and events in the caller's transaction. */
export interface PostSlots {
  /** Has posts given slots from now on: without a scheduler none is. Register in `setup`. @throws TypeError for a second one */
  registerScheduler(scheduler: SlotScheduler): void
  find(db: Queryable, post_id: string): Promise<SlotFacts | undefined>
  /** Slots in their order, one more than the page has; with `all` also those reached, of published posts too. */
  list(db: Queryable, all: boolean, page: PageRequest): Promise<{ rows: ListedSlot[]; total: number }>
  /** The first slot since then, reached or not, of a post that is not public and waits at no gate; null when there is none. */
  findNext(db: Queryable, since: Date): Promise<string | null>
  /** Approved and waiting posts that may get a slot; those that need a niche and have none are left out. */
  listEligible(tx: Tx, query: SlotQuery): Promise<PostSlot[]>
  /** The same, locked. Changes of many slots take turns: two at once would both count on the same posts. */
  lockEligible(tx: Tx, query: SlotQuery): Promise<PostSlot[]>
  /** Posts that both leave out because they have no niche. */
  listWithoutNiche(tx: Tx, query: SlotQuery): Promise<PostSlot[]>
  /** The near-duplicates among posts to be published in this order, by id, each with why; it is compared with those before it, too. */
  duplicatesAmong(tx: Tx, posts: readonly PostSlot[]): Promise<ReadonlyMap<string, string>>
  /** One post, locked. @throws NotFoundError */
  lock(tx: Tx, post_id: string): Promise<SlotFacts>
  /** The posts whose slot is still ahead, locked, in the order of their slots. */
  lockAhead(tx: Tx): Promise<PostSlot[]>
  /** Gives locked posts their slots. Returns them in the order of their slots. */
  give(tx: Tx, slots: readonly GivenSlot[], by: PostDecision): Promise<PostSlot[]>
  /** Takes their slots from locked posts, which are approved again. */
  clear(tx: Tx, posts: readonly PostSlot[], by: PostDecision): Promise<PostSlot[]>
}
export const PostSlotsService = service<PostSlots>('posts.slots')

/** A post whose slot is reached. */
export interface DuePost extends PostSlot {
  /** Its content is what was approved. */
  is_as_approved: boolean
}

/** The publisher looks every minute whatever happens: so long after its slot a post is overdue. */
export const overdueSeconds = 90

/** How many posts were published how late. `bucket`: how many of the limits the lateness reaches. */
export interface LatenessRow {
  bucket: number
  posts: number
  seconds: number
  /** So old that no further row can appear beside it. */
  is_final: boolean
  /** Rows before it are final. */
  final_until: string
}

/** Has the subscribers to publications called, now or later. */
export type Announce = (tx: Tx, published: readonly PostEvent[]) => Promise<void>

/**
 * Announcements that wait for the end of many publications, because the work of the subscribers (memory, export) would delay
 * those that are left. Should the process die, they follow after `maxDelayMs`.
 */
export interface DeferredAnnouncements {
  readonly announce: Announce
  isEmpty(): boolean
  /** What throws before leaves them to the delay. */
  announceNow(): Promise<void>
}
export type DeferAnnouncements = (options: { maxDelayMs: number }) => DeferredAnnouncements

/** Posts whose slot is reached, for the publisher. All times are the database's. */
export interface DuePosts {
  /** At most so many of those that may be published, oldest slot first, locked; what another publisher has locked is left to it. */
  lockDue(tx: Tx, limit: number): Promise<DuePost[]>
  /** Publishes locked posts. Without `announce` they are announced at once. One that is not as it was approved waits for approval again. */
  publish(tx: Tx, posts: readonly DuePost[], by: { actor: string; announce?: Announce | undefined }): Promise<void>
  readonly deferAnnouncements: DeferAnnouncements
  /** Has locked posts wait at a gate, in the same way. */
  hold(tx: Tx, posts: readonly DuePost[], gate_name: string, by: { actor: string }): Promise<void>
  /** Records which of at most `limit` posts wait for a niche alone, and emits `PostSkipped` once for each slot. */
  skipDue(tx: Tx, limit: number): Promise<void>
  /** Has the database plan with the number of posts that are published now. For after many of them. */
  analyze(db: Queryable): Promise<void>
  /** Posts that wait at a gate, the longest waiting first; `limit` null: all of them. With `ids` only those of these posts or tasks. */
  listHeld(db: Queryable, gate_name: string, limit: number | null, ids?: IdRange): Promise<PostSlot[]>
  countHeld(db: Queryable, gate_name: string): Promise<number>
  /** Publishes a post that waits at a gate. @throws ConflictError when it does not */
  approveHeld(tx: Tx, post_id: string, gate_name: string, by: PostDecision): Promise<void>
  /** Makes a post that waits at a gate a draft again, without a slot. @throws ConflictError when it does not wait there */
  rejectHeld(tx: Tx, post_id: string, gate_name: string, by: PostDecision): Promise<void>
  /** How many may be published and are not yet. */
  countOverdue(db: Queryable): Promise<number>
  /** Whether one of them should have been published more than so many seconds ago. */
  isOverdueBy(db: Queryable, seconds: number): Promise<boolean>
  /** Lateness of what was released at `since` (null: ever) or later, in seconds past the slot, by upper limits. */
  listLateness(db: Queryable, since: string | null, limits: readonly number[]): Promise<LatenessRow[]>
}
export const DuePostsService = service<DuePosts>('posts.due')
