import { InputError, type Tx } from '#core'
import type { PostDecision, PostSlot, PostSlots, SlotOrder } from '#plugins/posts'
import { batchSlots } from './batch-slots.ts'
import { readSlotClock } from './slot-clock.ts'
import { readPlan } from './slot-input.ts'

export interface BatchRequest {
  count: number
  /** Duration between two slots. */
  interval: string
  /** First slot, in the contract's grammar. */
  start: string
  /** `HH:MM-HH:MM`, or `none`; absent: the setting `publish_quiet_hours`. */
  quiet_hours?: string | undefined
  ordered_by: SlotOrder
  /** Takes posts whose slot is still ahead, too. */
  replacesSlots: boolean
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

export interface BatchDeps {
  slots: Pick<PostSlots, 'listEligible' | 'lockEligible' | 'listWithoutNiche' | 'duplicatesAmong' | 'give'>
  /** IANA name. */
  timeZone(): string
  /** The setting's text as it is stored, so that a bad one is found out. */
  quietHours(): string
}

/** Gives posts a slot each, in a row. No rows when no post is eligible. */
export async function giveBatch(
  deps: BatchDeps,
  tx: Tx,
  request: BatchRequest,
  by: PostDecision
): Promise<{ rows: PostSlot[]; skipped: SkippedPost[] }> {
  const timeZone = deps.timeZone()
  const plan = async () => readPlan(request, deps.quietHours(), await readSlotClock(tx, timeZone))
  // What can be refused does not wait for the locks.
  await plan()
  const { posts, skipped } = await selectPosts(deps, tx, request)
  // Read again after the locks were waited for: what was ahead before may have passed.
  const times = batchSlots({ ...(await plan()), count: posts.length, timeZone })
  const given = posts.flatMap((post, index) => {
    const slotMs = times[index]
    return slotMs === undefined ? [] : [{ post, slotMs }]
  })
  if (given.length < posts.length)
    throw new InputError({ interval: 'is too long: the last slots are beyond the year 9998' })
  const shown = () => given.map(({ post, slotMs }) => ({ ...post, published_at: new Date(slotMs).toISOString() }))
  return { rows: request.dry_run ? shown() : await deps.slots.give(tx, given, by), skipped }
}

/** So many posts that a batch passes over are named, of each reason. */
const maxSkipped = 100
const noNiche = 'it has no niche_slug, and niche_gated_publishing is on'

/** The posts that a batch takes, locked unless it is only shown, and those that it passes over. */
async function selectPosts(
  { slots }: BatchDeps,
  tx: Tx,
  { count, ordered_by, replacesSlots, dry_run }: BatchRequest
): Promise<{ posts: PostSlot[]; skipped: SkippedPost[] }> {
  const query = { ordered_by, replacesSlots, limit: count + maxSkipped }
  const found = await (dry_run ? slots.listEligible(tx, query) : slots.lockEligible(tx, query))
  const blockers = await slots.duplicatesAmong(tx, found)
  const withoutNiche = await slots.listWithoutNiche(tx, { ...query, limit: maxSkipped })
  const blocked = found.flatMap(post => {
    const reason = blockers.get(post.post_id)
    return reason === undefined ? [] : [skippedPost(post, reason)]
  })
  return {
    posts: found.filter(({ post_id }) => !blockers.has(post_id)).slice(0, count),
    skipped: [...withoutNiche.map(post => skippedPost(post, noNiche)), ...blocked.slice(0, maxSkipped)]
  }
}

const skippedPost = ({ post_id, slug, title }: PostSlot, reason: string): SkippedPost => ({
  post_id,
  slug,
  title,
  reason
})
