import { type Changes, ConflictError, type Emit, type Tx } from '#core'
import type { By, PostChanges } from './change.ts'
import { PostScheduled } from './index.ts'
import type { PublicationCheck } from './publication-check.ts'
import { insertHistory } from './repository/changes.ts'
import {
  countSlots,
  findNextSlot,
  findSlot,
  listEligible,
  listSlots,
  listWithoutNiche,
  lockAhead,
  lockEligible,
  lockSchedule,
  updateSlots
} from './repository/slots.ts'
import { updateStatus } from './repository/state-changes.ts'
import type { BatchPosts, BatchSelection, PostSlot, PostSlots, SlotFacts, WakeAt } from './slot-services.ts'
import { move } from './states.ts'
import { postsTopic } from './topics.ts'

/** The one plugin that publishes posts at their slots, once it has registered. */
export interface Scheduler {
  register(wakeAt: WakeAt): void
  isRegistered(): boolean
  /** @throws ConflictError without one */
  wakeAt: WakeAt
}

export function createScheduler(): Scheduler {
  let registered: WakeAt | undefined
  return {
    register(wakeAt) {
      if (registered !== undefined) throw new TypeError('a scheduler is registered twice')
      registered = wakeAt
    },
    isRegistered: () => registered !== undefined,
    wakeAt: async (tx, slot) => {
      if (registered === undefined) throw noScheduler()
      await registered(tx, slot)
    }
  }
}

const noScheduler = () =>
  new ConflictError(
    'No post gets a slot while the plugin schedule is off: turn it on (galley plugins enable schedule), or publish now. Nothing was changed.'
  )

export interface SlotDeps {
  emit: Emit
  changes: Changes
  posts: PostChanges
  scheduler: Scheduler
  check: Pick<PublicationCheck, 'objectionsTo'>
  isNicheGated(): boolean
}

export function createPostSlots(deps: SlotDeps): PostSlots {
  const { posts, scheduler, isNicheGated } = deps
  return {
    registerScheduler: scheduler.register,
    find: (db, post_id) => findSlot(db, post_id, isNicheGated()),
    async list(db, all, page) {
      const [rows, total] = await Promise.all([listSlots(db, all, page), countSlots(db, all)])
      return { rows, total }
    },
    findNext: findNextSlot,
    listForBatch: (tx, selection) => batchPosts(deps, tx, selection, listEligible),
    async lockForBatch(tx, selection) {
      await lockSchedule(tx)
      return batchPosts(deps, tx, selection, lockEligible)
    },
    async lock(tx, post_id) {
      await posts.lock(tx, post_id)
      return (await findSlot(tx, post_id, isNicheGated())) as SlotFacts
    },
    async lockAhead(tx) {
      await lockSchedule(tx)
      return lockAhead(tx)
    },
    give: (tx, slots, by) => give(deps, tx, slots, by),
    clear: (tx, found, by) => clear(deps, tx, found, by)
  }
}

/** So many posts that a batch has to leave out are named, of each reason. */
const maxRefused = 100

async function batchPosts(
  { check, isNicheGated }: SlotDeps,
  tx: Tx,
  { count, ordered_by, force }: BatchSelection,
  find: typeof listEligible
): Promise<BatchPosts> {
  const query = { ordered_by, force, limit: count + maxRefused, isNicheGated: isNicheGated() }
  const found = await find(tx, query)
  const objections = await check.objectionsTo(tx, found)
  const withoutNiche = query.isNicheGated ? await listWithoutNiche(tx, query, maxRefused) : []
  const repeating = found.flatMap(post => {
    const reason = objections.get(post.post_id)?.message
    return reason === undefined ? [] : [{ post, reason }]
  })
  return {
    eligible: found.filter(({ post_id }) => !objections.has(post_id)).slice(0, count),
    refused: [...withoutNiche.map(post => ({ post, reason: noNiche })), ...repeating.slice(0, maxRefused)]
  }
}

const noNiche = 'it has no niche_slug, and niche_gated_publishing is on'

async function give(
  { emit, changes, posts, scheduler }: SlotDeps,
  tx: Tx,
  slots: readonly { post: PostSlot; slot: number }[],
  by: By
): Promise<PostSlot[]> {
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
  await emit(tx, PostScheduled, events)
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
  if (first != null) await scheduler.wakeAt(tx, first)
  return rows
}

async function clear({ changes, posts }: SlotDeps, tx: Tx, found: readonly PostSlot[], by: By): Promise<PostSlot[]> {
  if (found.length === 0) return []
  const to_status = move('scheduled', 'clear')
  const ids = found.map(post => post.post_id)
  const rows = await updateStatus(tx, ids, 'clear', to_status)
  const cleared = new Map(rows.map(row => [row.post_id, row]))
  const entry = { action: 'clear', from_status: 'scheduled', to_status, actor: by.actor } as const
  const history = found.map(post => ({ ...entry, post_id: post.post_id, detail: { published_at: post.published_at } }))
  await insertHistory(tx, history)
  await changes.touch(tx, postsTopic)
  await posts.moved(
    tx,
    rows.map(row => ({ ...row, action: 'clear', from: 'scheduled' })),
    by
  )
  return found.map(post => cleared.get(post.post_id) ?? post)
}
