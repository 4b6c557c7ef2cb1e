import type { Tx } from '#core'
import type { By, Move, PostMoves } from '../moves.ts'
import type { PublicationCheck } from '../publication/check.ts'
import {
  countSlots,
  findNextSlot,
  findSlot,
  listEligible,
  listSlots,
  listWithoutNiche,
  lockAhead,
  lockEligible,
  lockSchedule
} from '../repository/slots.ts'
import type { Scheduler } from './scheduler.ts'
import type { BatchPosts, BatchSelection, PostSlot, PostSlots, SlotFacts } from './services.ts'

export interface SlotDeps {
  posts: PostMoves
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
    give: (tx, slots, by) => give(posts, tx, slots, by),
    clear: (tx, found, by) => clear(posts, tx, found, by)
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

/** The publisher is woken for the first slot, and then from slot to slot. */
async function give(posts: PostMoves, tx: Tx, slots: readonly GivenSlot[], by: By): Promise<PostSlot[]> {
  const moves = slots.map(({ post, slot: at }): Move => {
    const slot = new Date(at).toISOString()
    return post.status === 'scheduled'
      ? { post, slot, action: 'reschedule', change: 'move_slot' }
      : { post, slot, action: 'schedule', change: 'batch' }
  })
  const rows = await posts.moveMany(tx, moves, by)
  return rows.sort((a, b) => Date.parse(a.published_at ?? '') - Date.parse(b.published_at ?? ''))
}

type GivenSlot = Parameters<PostSlots['give']>[1][number]

async function clear(posts: PostMoves, tx: Tx, found: readonly PostSlot[], by: By): Promise<PostSlot[]> {
  const moves = found.map(post => ({ post, action: 'clear', detail: { published_at: post.published_at } }) as const)
  const cleared = new Map((await posts.moveMany(tx, moves, by)).map(row => [row.post_id, row]))
  return found.map(post => cleared.get(post.post_id) ?? post)
}
