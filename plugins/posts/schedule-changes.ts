import {
  type CalendarDuration,
  type Changes,
  ConflictError,
  type Db,
  durationMs,
  type EmitMany,
  type Enqueue,
  InputError,
  showDuration,
  type Tx
} from '#core'
import { requireDecided } from './approval.ts'
import { type By, type PostChanges, publishGate } from './change.ts'
import { type PostRef, PostRejected, PostScheduled } from './index.ts'
import { resolvePost } from './post-id.ts'
import type { PostStates } from './posts.ts'
import type { PublicationCheck } from './publication-check.ts'
import { PublishDue } from './publisher.ts'
import { insertHistory } from './repository/changes.ts'
import {
  type BatchOrder,
  findNextSlot,
  insertShift,
  listEligible,
  listWithoutNiche,
  lockEligible,
  lockFuture,
  lockSchedule,
  readClock,
  updateSlots
} from './repository/schedule.ts'
import { type StateRow, updateStatus } from './repository/state-changes.ts'
import { readPlan, readShift, readSlot, type SlotRequest } from './schedule-input.ts'
import { batchSlots, latestSlot, moveBy } from './slots.ts'
import { move } from './states.ts'
import { postsTopic } from './topics.ts'

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

/** So many of those skipped are named. */
const skippedAtMost = 100

/** Changes of slots, each in one transaction. Ids may be prefixes. Rows come back in the order of their slots. */
export interface ScheduleChanges {
  at(id: string, slot: SlotRequest, by: By & { force: boolean }): Promise<PostRef>
  /** No rows when no post is eligible. */
  batch(request: BatchRequest, by: By): Promise<{ rows: StateRow[]; skipped: SkippedPost[] }>
  /** Moves the slots still ahead by a signed duration, of one post or of all (null): all of them or none. */
  shift(id: string | null, duration: string, by: By): Promise<StateRow[]>
  /** Drops the slots still ahead, of one post or of all (null). */
  clear(id: string | null, by: By): Promise<StateRow[]>
  /** Lets a held post pass. @throws ConflictError when it is not held */
  approve(id: string, by: By): Promise<string>
  /** Sends a held post back to draft. @throws ConflictError when it is not held */
  reject(id: string, by: By): Promise<string>
  /** Queues the publisher for the next slot. */
  wakeNext(): Promise<void>
}

export interface ScheduleDeps {
  db: Db
  emitMany: EmitMany
  enqueue: Enqueue
  changes: Changes
  posts: PostChanges
  states: PostStates
  check: Pick<PublicationCheck, 'before' | 'objectionsTo'>
  isNicheGated(): boolean
  /** IANA name. */
  timeZone(): string
  /** The setting's text as it is stored, so that a bad one is found out. */
  quietHours(): string
}

export function createScheduleChanges(deps: ScheduleDeps): ScheduleChanges {
  const { db, enqueue, emitMany, posts, states } = deps
  const idOf = (id: string) => resolvePost(db, id)
  return {
    async at(id, request, by) {
      const post_id = await idOf(id)
      await deps.check.before(post_id, by)
      return db.transaction(async tx => {
        // The clock is read once nobody else holds the post: `now` must still be ahead when the slot is written.
        await posts.lock(tx, post_id)
        return states.schedule(tx, post_id, readSlot(request, await clockOf(deps, tx)), by)
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
      return db.transaction(tx => clear(deps, tx, post_id, by))
    },
    async approve(id, by) {
      const post_id = await idOf(id)
      await states.approveHeld(post_id, by)
      return post_id
    },
    async reject(id, by) {
      const post_id = await idOf(id)
      await db.transaction(async tx => {
        const post = await posts.lock(tx, post_id)
        if (post.awaiting_gate !== publishGate) throw notHeld(post)
        requireDecided(post, by)
        await posts.move(tx, post, 'withdraw', by)
        const { actor, reason = null } = by
        await emitMany(tx, PostRejected, [{ post_id, slug: post.slug, actor, reason }])
      })
      return post_id
    },
    wakeNext: () =>
      db.transaction(async tx => {
        const slot = await findNextSlot(tx)
        if (slot !== null) await enqueue(tx, PublishDue, {}, { startAt: new Date(slot), key: slot })
      })
  }
}

export const notHeld = (post: Pick<StateRow, 'post_id' | 'status'>) =>
  new ConflictError(
    `Post ${post.post_id} (${post.status}) does not wait at ${publishGate}: "schedule pending" lists those that do.`
  )

const clockOf = async ({ timeZone }: ScheduleDeps, tx: Tx) => ({ now: await readClock(tx), timeZone: timeZone() })

async function batch(
  deps: ScheduleDeps,
  tx: Tx,
  request: BatchRequest,
  by: By
): Promise<{ rows: StateRow[]; skipped: SkippedPost[] }> {
  const { count, ordered_by, force, dry_run } = request
  const plan = async () => readPlan(request, deps.quietHours(), await clockOf(deps, tx))
  // What can be refused does not wait for the locks.
  await plan()
  if (!dry_run) await lockSchedule(tx)
  const which = { ordered_by, force, limit: count + skippedAtMost, isNicheGated: deps.isNicheGated() }
  const eligible = await (dry_run ? listEligible : lockEligible)(tx, which)
  const objections = await deps.check.objectionsTo(tx, eligible)
  const found = eligible.filter(({ post_id }) => !objections.has(post_id)).slice(0, count)
  const without = which.isNicheGated ? await listWithoutNiche(tx, which, skippedAtMost) : []
  const skip = ({ post_id, slug, title }: StateRow, reason: string): SkippedPost => ({ post_id, slug, title, reason })
  const repeating = eligible.flatMap(post => {
    const objection = objections.get(post.post_id)
    return objection === undefined ? [] : [skip(post, objection.message)]
  })
  const skipped = [...without.map(post => skip(post, noNiche)), ...repeating.slice(0, skippedAtMost)]
  // Read after the locks were waited for: what was ahead before may have passed.
  const times = batchSlots({ ...(await plan()), count: found.length, timeZone: deps.timeZone() })
  if (times.length < found.length) throw new InputError({ interval: 'is too long: the last slots pass the year 9999' })
  const slots = found.map((post, index) => ({ post, slot: times[index] as number }))
  const shown = () => slots.map(({ post, slot }) => ({ ...post, published_at: new Date(slot).toISOString() }))
  return { rows: dry_run ? shown() : await giveSlots(deps, tx, slots, by), skipped }
}

const noNiche = 'it has no niche_slug, and niche_gated_publishing is on'

async function shift(
  deps: ScheduleDeps,
  tx: Tx,
  post_id: string | null,
  duration: CalendarDuration,
  by: By
): Promise<StateRow[]> {
  const found = await lockSlots(deps, tx, post_id)
  if (found.length === 0) return []
  const now = (await readClock(tx)).getTime()
  const timeZone = deps.timeZone()
  const slots = found.map(post => ({ post, slot: moveBy(Date.parse(post.published_at ?? ''), duration, timeZone) }))
  const shown = showDuration(durationMs(duration))
  const wrong = slots.filter(({ slot }) => slot <= now || slot >= latestSlot)
  const [first] = wrong
  if (first !== undefined) {
    const where = first.slot <= now ? 'into the past' : 'past the year 9999'
    throw new ConflictError(
      `A shift by ${shown} would move ${wrong.length} of ${slots.length} slots ${where}, first that of ${first.post.slug} (${first.post.published_at}): nothing was moved.`
    )
  }
  const moved = await giveSlots(deps, tx, slots, by)
  await insertShift(tx, by.actor, { by: shown, post_ids: moved.map(post => post.post_id) })
  return moved
}

async function clear(deps: ScheduleDeps, tx: Tx, post_id: string | null, by: By): Promise<StateRow[]> {
  const found = await lockSlots(deps, tx, post_id)
  if (found.length === 0) return []
  const to_status = move('scheduled', 'clear')
  const ids = found.map(post => post.post_id)
  const rows = await updateStatus(tx, ids, 'clear', to_status)
  const cleared = new Map(rows.map(row => [row.post_id, row]))
  const entry = { action: 'clear', from_status: 'scheduled', to_status, actor: by.actor } as const
  const history = found.map(post => ({ ...entry, post_id: post.post_id, detail: { published_at: post.published_at } }))
  await insertHistory(tx, history)
  await deps.changes.touch(tx, postsTopic)
  await deps.posts.moved(
    tx,
    rows.map(row => ({ ...row, action: 'clear', from: 'scheduled' })),
    by
  )
  return found.map(post => cleared.get(post.post_id) ?? post)
}

/** The slots still ahead, locked; of one post, exactly its own. @throws ConflictError when that post has none */
async function lockSlots({ posts }: ScheduleDeps, tx: Tx, post_id: string | null): Promise<StateRow[]> {
  if (post_id === null) {
    await lockSchedule(tx)
    return lockFuture(tx)
  }
  const post = await posts.lock(tx, post_id)
  if (post.status !== 'scheduled' || post.published_at === null) {
    throw new ConflictError(`Post ${post_id} is ${post.status}, not scheduled: it has no slot to change.`)
  }
  if (post.awaiting_gate !== null || new Date(post.published_at) <= (await readClock(tx))) {
    const instead = post.awaiting_gate === null ? '"schedule at --force" gives another' : 'approve or reject it'
    throw new ConflictError(`The slot of post ${post_id} (${post.published_at}) was reached: it stays; ${instead}.`)
  }
  return [post]
}

/** Writes the slots of locked posts with what belongs to them; the publisher is woken for the first, and then from slot to slot. */
async function giveSlots(
  { emitMany, enqueue, changes, posts }: ScheduleDeps,
  tx: Tx,
  slots: readonly { post: StateRow; slot: number }[],
  by: By
): Promise<StateRow[]> {
  const { actor } = by
  const before = new Map(slots.map(({ post }) => [post.post_id, post.status]))
  const fromOf = (post_id: string) => before.get(post_id) ?? 'scheduled'
  const actionOf = (post_id: string) => (fromOf(post_id) === 'scheduled' ? 'reschedule' : 'schedule')
  const rows = await updateSlots(
    tx,
    slots.map(({ post, slot }) => ({ post_id: post.post_id, slot }))
  )
  const history = rows.map(({ post_id, published_at }) => {
    const [from_status, action] = [fromOf(post_id), actionOf(post_id)] as const
    return { post_id, action, from_status, to_status: move(from_status, action), actor, detail: { published_at } }
  })
  await insertHistory(tx, history)
  await changes.touch(tx, postsTopic)
  const events = rows.flatMap(({ post_id, slug, published_at }) =>
    published_at === null ? [] : [{ post_id, slug, actor, published_at }]
  )
  await emitMany(tx, PostScheduled, events)
  await posts.leaveGates(
    tx,
    slots.map(({ post }) => ({ post, action: actionOf(post.post_id) })),
    by
  )
  await posts.moved(
    tx,
    rows.map(row => ({ ...row, action: actionOf(row.post_id), from: fromOf(row.post_id) })),
    by
  )
  const first = rows[0]?.published_at
  if (first != null) await enqueue(tx, PublishDue, {}, { startAt: new Date(first), key: first })
  return rows
}
