import {
  type Changes,
  ConflictError,
  type Db,
  type Emit,
  type EmitMany,
  type Enqueue,
  InputError,
  resolveId,
  showDuration,
  type Tx
} from '#core'
import { requireDecided } from './approval.ts'
import { type By, type PostChanges, publishGate } from './change.ts'
import { type PostRef, PostRejected, PostScheduled, SlotsChanged } from './index.ts'
import type { PostStates } from './posts.ts'
import { PublishDue } from './publisher.ts'
import { insertHistory, type StateRow, updateStatus } from './repository/changes.ts'
import {
  type BatchOrder,
  findNextSlot,
  insertShift,
  listEligible,
  lockEligible,
  lockFuture,
  lockSchedule,
  readClock,
  updateSlots
} from './repository/schedule.ts'
import { readPlan, readShift, readSlot, type SlotRequest } from './schedule-input.ts'
import { batchSlots, latestSlot } from './slots.ts'
import { move } from './states.ts'
import { postsTopic } from './totals.ts'

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

/** Changes of slots, each in one transaction. Ids may be prefixes. Rows come back in the order of their slots. */
export interface ScheduleChanges {
  at(id: string, slot: SlotRequest, by: By & { force: boolean }): Promise<PostRef>
  /** Empty when no post is eligible. */
  batch(request: BatchRequest, by: By): Promise<StateRow[]>
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
  emit: Emit
  emitMany: EmitMany
  enqueue: Enqueue
  changes: Changes
  posts: PostChanges
  states: PostStates
  /** IANA name. */
  timeZone(): string
  /** The setting's text as it is stored, so that a bad one is found out. */
  quietHours(): string
}

export function createScheduleChanges(deps: ScheduleDeps): ScheduleChanges {
  const { db, enqueue, emitMany, posts, states } = deps
  const idOf = (id: string) => resolveId(db, 'posts', 'post_id', id)
  return {
    async at(id, request, by) {
      const post_id = await idOf(id)
      return db.transaction(async tx => {
        // The clock is read once nobody else holds the post: `now` must still be ahead when the slot is written.
        await posts.lock(tx, post_id)
        return states.schedule(tx, post_id, readSlot(request, await clockOf(deps, tx)), by)
      })
    },
    batch: (request, by) => db.transaction(tx => batch(deps, tx, request, by)),
    async shift(id, duration, by) {
      const ms = readShift(duration)
      const post_id = id === null ? null : await idOf(id)
      return db.transaction(tx => shift(deps, tx, post_id, ms, by))
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

async function batch(deps: ScheduleDeps, tx: Tx, request: BatchRequest, by: By): Promise<StateRow[]> {
  const { count, ordered_by, force, dry_run } = request
  const plan = async () => readPlan(request, deps.quietHours(), await clockOf(deps, tx))
  // What can be refused does not wait for the locks.
  await plan()
  if (!dry_run) await lockSchedule(tx)
  const found = await (dry_run ? listEligible : lockEligible)(tx, { ordered_by, force, limit: count })
  // Read after the locks were waited for: what was ahead before may have passed.
  const times = batchSlots({ ...(await plan()), count: found.length, timeZone: deps.timeZone() })
  if (times.length < found.length) throw new InputError({ interval: 'is too long: the last slots pass the year 9999' })
  const slots = found.map((post, index) => ({ post, slot: times[index] as number }))
  if (dry_run) return slots.map(({ post, slot }) => ({ ...post, published_at: new Date(slot).toISOString() }))
  return giveSlots(deps, tx, slots, by)
}

async function shift(deps: ScheduleDeps, tx: Tx, post_id: string | null, ms: number, by: By): Promise<StateRow[]> {
  const found = await lockSlots(deps, tx, post_id)
  if (found.length === 0) return []
  const now = (await readClock(tx)).getTime()
  const slots = found.map(post => ({ post, slot: Date.parse(post.published_at ?? '') + ms }))
  const wrong = slots.filter(({ slot }) => slot <= now || slot >= latestSlot)
  const [first] = wrong
  if (first !== undefined) {
    const where = first.slot <= now ? 'into the past' : 'past the year 9999'
    throw new ConflictError(
      `A shift by ${showDuration(ms)} would move ${wrong.length} of ${slots.length} slots ${where}, first that of ${first.post.slug} (${first.post.published_at}): nothing was moved.`
    )
  }
  const moved = await giveSlots(deps, tx, slots, by)
  await insertShift(tx, by.actor, { by: showDuration(ms), post_ids: moved.map(post => post.post_id) })
  return moved
}

async function clear(deps: ScheduleDeps, tx: Tx, post_id: string | null, by: By): Promise<StateRow[]> {
  const found = await lockSlots(deps, tx, post_id)
  if (found.length === 0) return []
  const to_status = move('scheduled', 'clear')
  const ids = found.map(post => post.post_id)
  const cleared = new Map((await updateStatus(tx, ids, 'clear', to_status)).map(row => [row.post_id, row]))
  const entry = { action: 'clear', from_status: 'scheduled', to_status, actor: by.actor } as const
  const history = found.map(post => ({ ...entry, post_id: post.post_id, detail: { published_at: post.published_at } }))
  await insertHistory(tx, history)
  await deps.changes.touch(tx, postsTopic)
  await tellTasks(deps.emit, tx, found, by.actor)
  return found.map(post => cleared.get(post.post_id) ?? post)
}

/** One event however many slots changed, and none for posts made by hand. */
async function tellTasks(emit: Emit, tx: Tx, posts: readonly StateRow[], actor: string): Promise<void> {
  const drafted = posts.filter(post => post.task_id !== null)
  if (drafted.length > 0) await emit(tx, SlotsChanged, { post_ids: drafted.map(post => post.post_id), actor })
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
  { emit, emitMany, enqueue, changes, posts }: ScheduleDeps,
  tx: Tx,
  slots: readonly { post: StateRow; slot: number }[],
  by: By
): Promise<StateRow[]> {
  const { actor } = by
  const before = new Map(slots.map(({ post }) => [post.post_id, post.status]))
  const actionOf = (post_id: string) => (before.get(post_id) === 'scheduled' ? 'reschedule' : 'schedule')
  const rows = await updateSlots(
    tx,
    slots.map(({ post, slot }) => ({ post_id: post.post_id, slot }))
  )
  const history = rows.map(({ post_id, published_at }) => {
    const [from_status, action] = [before.get(post_id) ?? null, actionOf(post_id)] as const
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
  await tellTasks(emit, tx, rows, actor)
  const first = rows[0]?.published_at
  if (first != null) await enqueue(tx, PublishDue, {}, { startAt: new Date(first), key: first })
  return rows
}
