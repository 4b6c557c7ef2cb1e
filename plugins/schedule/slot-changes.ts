import { ConflictError, type Db, recordAudit, type Tx } from '#core'
import {
  type DuePosts,
  maxSlotMs,
  type PostDecision,
  type PostRef,
  type PostSlot,
  type PostSlots,
  type Posts,
  readDatabaseClock
} from '#plugins/posts'
import { type CalendarDuration, durationMs, formatDuration, moveBy } from '#time'
import { type BatchDeps, type BatchRequest, giveBatch, type SkippedPost } from './batch.ts'
import { publishGateName } from './settings.ts'
import { readSlotClock } from './slot-clock.ts'
import { readShift, readSlot, type SlotRequest } from './slot-input.ts'

/** Changes of slots, each in one transaction. Ids may be prefixes. Rows come back in the order of their slots. */
export interface SlotChanges {
  at(id: string, slot: SlotRequest, by: PostDecision): Promise<PostRef>
  /** No rows when no post is eligible. */
  batch(request: BatchRequest, by: PostDecision): Promise<{ rows: PostSlot[]; skipped: SkippedPost[] }>
  /** Moves the slots still ahead by a signed duration, of one post or of all (null): all of them or none. */
  shift(id: string | null, duration: string, by: PostDecision): Promise<PostSlot[]>
  /** Drops the slots still ahead, of one post or of all (null). */
  clear(id: string | null, by: PostDecision): Promise<PostSlot[]>
  /** Lets a held post pass. @throws ConflictError when it is not held */
  approve(id: string, by: PostDecision): Promise<string>
  /** Sends a held post back to draft. @throws ConflictError when it is not held */
  reject(id: string, by: PostDecision): Promise<string>
}

/** `force` of a request for one post: it replaces the slot the post has, and skips the checks. */
export const byForce = (by: PostDecision, force: boolean): PostDecision => ({
  ...by,
  skipsChecks: force,
  replacesSlot: force
})

interface SlotChangesDeps extends BatchDeps {
  db: Db
  posts: Pick<Posts, 'resolve' | 'lock' | 'schedule' | 'checkDuplicate'>
  slots: PostSlots
  due: Pick<DuePosts, 'approveHeld' | 'rejectHeld'>
}

export function createSlotChanges(deps: SlotChangesDeps): SlotChanges {
  const { db, posts, slots, due } = deps
  const idOf = (id: string) => posts.resolve(db, id)
  return {
    async at(id, request, by) {
      const post_id = await idOf(id)
      await posts.checkDuplicate(post_id, by)
      return db.transaction(async tx => {
        // The clock is read once nobody else holds the post: `now` must still be ahead when the slot is written.
        await posts.lock(tx, post_id)
        const post = await posts.schedule(tx, post_id, readSlot(request, await readSlotClock(tx, deps.timeZone())), by)
        await recordSlots(tx, 'schedule.set', [post], by)
        return post
      })
    },
    batch: (request, by) =>
      db.transaction(async tx => {
        const given = await giveBatch(deps, tx, request, by)
        if (!request.dry_run) await recordSlots(tx, 'schedule.batched', given.rows, by)
        return given
      }),
    async shift(id, duration, by) {
      const moved = readShift(duration)
      const post_id = id === null ? null : await idOf(id)
      return db.transaction(tx => shift(deps, tx, post_id, moved, by))
    },
    async clear(id, by) {
      const post_id = id === null ? null : await idOf(id)
      return db.transaction(async tx => {
        const dropped = await lockAhead(slots, tx, post_id)
        await recordSlots(tx, 'schedule.cleared', dropped, by)
        return slots.clear(tx, dropped, by)
      })
    },
    async approve(id, by) {
      const post_id = await idOf(id)
      await db.transaction(tx => due.approveHeld(tx, post_id, publishGateName, by))
      return post_id
    },
    async reject(id, by) {
      const post_id = await idOf(id)
      await db.transaction(tx => due.rejectHeld(tx, post_id, publishGateName, by))
      return post_id
    }
  }
}

/** Of a change of more posts an entry names the first: lists of entries are read whole. The posts' histories have the others. */
const maxRecorded = 100

/** One entry for one change, with the slots that were given, or dropped: whoever dropped one by mistake can give it again. */
async function recordSlots(
  tx: Tx,
  event_type: 'schedule.set' | 'schedule.batched' | 'schedule.cleared',
  posts: readonly PostRef[],
  { actor }: PostDecision
): Promise<void> {
  if (posts.length === 0) return
  const slots = posts.slice(0, maxRecorded).map(({ post_id, published_at }) => ({ post_id, published_at }))
  await recordAudit(tx, { event_type, actor, details: { count: posts.length, slots } })
}

async function shift(
  { slots, timeZone }: SlotChangesDeps,
  tx: Tx,
  post_id: string | null,
  duration: CalendarDuration,
  by: PostDecision
): Promise<PostSlot[]> {
  const found = await lockAhead(slots, tx, post_id)
  if (found.length === 0) return []
  const now = (await readDatabaseClock(tx)).getTime()
  const zone = timeZone()
  const moved = found.map(post => ({ post, slotMs: moveBy(Date.parse(post.published_at ?? ''), duration, zone) }))
  const shown = formatDuration(durationMs(duration))
  refuseOutside(moved, now, shown)
  const rows = await slots.give(tx, moved, by)
  const post_ids = rows.slice(0, maxRecorded).map(post => post.post_id)
  // One entry for one shift, however many posts it moved.
  await recordAudit(tx, {
    event_type: 'schedule.shifted',
    actor: by.actor,
    details: { by: shown, count: rows.length, post_ids }
  })
  return rows
}

/** @throws ConflictError when a slot would pass, or lie beyond the last one there can be. */
function refuseOutside(moved: readonly { post: PostSlot; slotMs: number }[], now: number, by: string): void {
  const wrong = moved.filter(({ slotMs }) => slotMs <= now || slotMs >= maxSlotMs)
  const [first] = wrong
  if (first === undefined) return
  const where = first.slotMs <= now ? 'into the past' : 'beyond the year 9998'
  throw new ConflictError(
    `A shift by ${by} would move ${wrong.length} of ${moved.length} slots ${where}, first that of ${first.post.slug} (${first.post.published_at}): nothing was moved.`
  )
}

/** The slots still ahead, locked; of one post, exactly its own. @throws ConflictError when that post has none */
async function lockAhead(slots: PostSlots, tx: Tx, post_id: string | null): Promise<PostSlot[]> {
  if (post_id === null) return slots.lockAhead(tx)
  const post = await slots.lock(tx, post_id)
  if (post.status !== 'scheduled' || post.published_at === null) {
    throw new ConflictError(`Post ${post_id} is ${post.status}, not scheduled: it has no slot to change.`)
  }
  if (post.awaiting_gate !== null || post.is_due) {
    const instead = post.awaiting_gate === null ? '"schedule at --force" gives another' : 'approve or reject it'
    throw new ConflictError(`The slot of post ${post_id} (${post.published_at}) was reached: it stays; ${instead}.`)
  }
  return [post]
}
