import type { Tx } from '#core'
import type { PostDecision } from '../contract/post-ref.ts'
import type { GivenSlot, PostSlot, PostSlots } from '../contract/slots.ts'
import type { PlannedTransition } from '../planned-transition.ts'
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
import type { Scheduler } from '../scheduler.ts'
import type { PostTransitions } from '../transitions.ts'

interface SlotDeps {
  transitions: PostTransitions
  scheduler: Scheduler
  check: Pick<PublicationCheck, 'duplicatesAmong'>
  isNicheGated(): boolean
}

export function createPostSlots({ transitions, scheduler, check, isNicheGated }: SlotDeps): PostSlots {
  return {
    registerScheduler: scheduler.register,
    find: (db, post_id) => findSlot(db, post_id, isNicheGated()),
    async list(db, all, page) {
      const [rows, total] = await Promise.all([listSlots(db, all, page), countSlots(db, all)])
      return { rows, total }
    },
    findNext: findNextSlot,
    listEligible: (tx, query) => listEligible(tx, query, isNicheGated()),
    async lockEligible(tx, query) {
      await lockSchedule(tx)
      return lockEligible(tx, query, isNicheGated())
    },
    listWithoutNiche: async (tx, query) => (isNicheGated() ? listWithoutNiche(tx, query) : []),
    async duplicatesAmong(tx, found) {
      const blockers = await check.duplicatesAmong(tx, found)
      return new Map([...blockers].map(([post_id, { message }]) => [post_id, message]))
    },
    async lock(tx, post_id) {
      await transitions.lock(tx, post_id)
      const post = await findSlot(tx, post_id, isNicheGated())
      if (post === undefined) throw new TypeError(`The post ${post_id} is locked and gone.`)
      return post
    },
    async lockAhead(tx) {
      await lockSchedule(tx)
      return lockAhead(tx)
    },
    give: (tx, slots, by) => give(transitions, tx, slots, by),
    clear: (tx, found, by) => clear(transitions, tx, found, by)
  }
}

/** The publisher is woken for the first slot, and then from slot to slot. */
async function give(
  transitions: PostTransitions,
  tx: Tx,
  slots: readonly GivenSlot[],
  by: PostDecision
): Promise<PostSlot[]> {
  const moves = slots.map(({ post, slotMs }): PlannedTransition => {
    const slot = new Date(slotMs).toISOString()
    return post.status === 'scheduled'
      ? { post, slot, action: 'reschedule', update: 'move_slot' }
      : { post, slot, action: 'schedule', update: 'give_slot' }
  })
  const rows = await transitions.applyMany(tx, moves, by)
  return rows.sort((a, b) => Date.parse(a.published_at ?? '') - Date.parse(b.published_at ?? ''))
}

async function clear(
  transitions: PostTransitions,
  tx: Tx,
  found: readonly PostSlot[],
  by: PostDecision
): Promise<PostSlot[]> {
  const moves = found.map(post => ({ post, action: 'clear', detail: { published_at: post.published_at } }) as const)
  const cleared = new Map((await transitions.applyMany(tx, moves, by)).map(row => [row.post_id, row]))
  return found.map(post => cleared.get(post.post_id) ?? post)
}
