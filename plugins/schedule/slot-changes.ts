import {
  type CalendarDuration,
  ConflictError,
  type Db,
  durationMs,
  InputError,
  recordAudit,
  showDuration,
  type Tx
} from '#core'
import type { BatchOrder, DuePosts, PostDecision, PostRef, PostSlot, PostSlots, Posts } from '#plugins/posts'
import { batchSlots, latestSlot, moveBy } from './batch-slots.ts'
import { readDatabaseClock } from './repository.ts'
import { publishGate } from './settings.ts'
import { readPlan, readShift, readSlot, type SlotRequest } from './slot-input.ts'

export type SlotDecision = PostDecision

export interface BatchRequest {
  count: number
  /** Duration between two slots. */
  interval: string
  /** First slot, in the contract's grammar. */
  start: string
  /** `HH:MM-HH:MM`, or `none`; absent: the setting `publish_quiet_hours`. */
  quiet_hours?: string | undefined
  ordered_by: BatchOrder
  /** Takes posts whose slot is still ahead, too. */
  force: boolean
  /** Answers the slots without giving them. */
  dry_run: boolean
}

/** A post that a batch passed over, and why. */
export interface SkippedPost {
  post_id: string
  slug: string
  title: string
  reason: string
}

/** Changes of slots, each in one transaction. Ids may be prefixes. Rows come back in the order of their slots. */
export interface SlotChanges {
  at(id: string, slot: SlotRequest, by: SlotDecision & { force: boolean }): Promise<PostRef>
  /** No rows when no post is eligible. */
  batch(request: BatchRequest, by: SlotDecision): Promise<{ rows: PostSlot[]; skipped: SkippedPost[] }>
  /** Moves the slots still ahead by a signed duration, of one post or of all (null): all of them or none. */
  shift(id: string | null, duration: string, by: SlotDecision): Promise<PostSlot[]>
  /** Drops the slots still ahead, of one post or of all (null). */
  clear(id: string | null, by: SlotDecision): Promise<PostSlot[]>
  /** Lets a held post pass. @throws ConflictError when it is not held */
  approve(id: string, by: SlotDecision): Promise<string>
  /** Sends a held post back to draft. @throws ConflictError when it is not held */
  reject(id: string, by: SlotDecision): Promise<string>
}

export interface SlotChangesDeps {
  db: Db
  posts: Pick<Posts, 'resolve' | 'lock' | 'schedule' | 'checkBefore'>
  slots: PostSlots
  due: Pick<DuePosts, 'approveHeld' | 'rejectHeld'>
  /** IANA name. */
  timeZone(): string
  /** The setting's text as it is stored, so that a bad one is found out. */
  quietHours(): string
}

export function createSlotChanges(deps: SlotChangesDeps): SlotChanges {
  const { db, posts, slots, due } = deps
  const idOf = (id: string) => posts.resolve(db, id)
  return {
    async at(id, request, by) {
      const post_id = await idOf(id)
      await posts.checkBefore(post_id, by)
      return db.transaction(async tx => {
        // The clock is read once nobody else holds the post: `now` must still be ahead when the slot is written.
        await posts.lock(tx, post_id)
        return posts.schedule(tx, post_id, readSlot(request, await clockOf(deps, tx)), by)
      })
    },
    batch: (request, by) => db.transaction(tx => batch(deps, tx, request, by)),
    async shift(id, duration, by) {
      const moved = readShift(duration)
      const post_id = id === null ? null : await idOf(id)
      return db.transaction(tx => shift(deps, tx, post_id, moved, by))
    },
    async clear(id, by) {
      const post_id = id === null ? null : await idOf(id)
      return db.transaction(async tx => slots.clear(tx, await lockAhead(slots, tx, post_id), by))
    },
    async approve(id, by) {
      const post_id = await idOf(id)
      await db.transaction(tx => due.approveHeld(tx, post_id, publishGate, by))
      return post_id
    },
    async reject(id, by) {
      const post_id = await idOf(id)
      await db.transaction(tx => due.rejectHeld(tx, post_id, publishGate, by))
      return post_id
    }
  }
}

const clockOf = async ({ timeZone }: SlotChangesDeps, tx: Tx) => ({
  now: await readDatabaseClock(tx),
  timeZone: timeZone()
})

async function batch(
  deps: SlotChangesDeps,
  tx: Tx,
  request: BatchRequest,
  by: SlotDecision
): Promise<{ rows: PostSlot[]; skipped: SkippedPost[] }> {
  const { dry_run } = request
  const { slots } = deps
  const plan = async () => readPlan(request, deps.quietHours(), await clockOf(deps, tx))
  // What can be refused does not wait for the locks.
  await plan()
  const { eligible, refused } = await (dry_run ? slots.listForBatch(tx, request) : slots.lockForBatch(tx, request))
  // Read again after the locks were waited for: what was ahead before may have passed.
  const times = batchSlots({ ...(await plan()), count: eligible.length, timeZone: deps.timeZone() })
  if (times.length < eligible.length)
    throw new InputError({ interval: 'is too long: the last slots pass the year 9999' })
  const given = eligible.map((post, index) => ({ post, slot: times[index] as number }))
  const shown = () => given.map(({ post, slot }) => ({ ...post, published_at: new Date(slot).toISOString() }))
  return {
    rows: dry_run ? shown() : await slots.give(tx, given, by),
    skipped: refused.map(({ post: { post_id, slug, title }, reason }) => ({ post_id, slug, title, reason }))
  }
}

async function shift(
  { slots, timeZone }: SlotChangesDeps,
  tx: Tx,
  post_id: string | null,
  duration: CalendarDuration,
  by: SlotDecision
): Promise<PostSlot[]> {
  const found = await lockAhead(slots, tx, post_id)
  if (found.length === 0) return []
  const now = (await readDatabaseClock(tx)).getTime()
  const zone = timeZone()
  const moved = found.map(post => ({ post, slot: moveBy(Date.parse(post.published_at ?? ''), duration, zone) }))
  const shown = showDuration(durationMs(duration))
  refuseOutside(moved, now, shown)
  const rows = await slots.give(tx, moved, by)
  const post_ids = rows.map(post => post.post_id)
  // One entry for one shift, however many posts it moved.
  await recordAudit(tx, { event_type: 'schedule.shifted', actor: by.actor, details: { by: shown, post_ids } })
  return rows
}

/** @throws ConflictError when a slot would pass, or lie beyond the last one there can be. */
function refuseOutside(moved: readonly { post: PostSlot; slot: number }[], now: number, by: string): void {
  const wrong = moved.filter(({ slot }) => slot <= now || slot >= latestSlot)
  const [first] = wrong
  if (first === undefined) return
  const where = first.slot <= now ? 'into the past' : 'past the year 9999'
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
