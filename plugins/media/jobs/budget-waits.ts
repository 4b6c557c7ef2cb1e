import { type Db, type Enqueue, on, type Subscription, type Tx } from '#core'
import { BudgetError, BudgetFreed, type Costs, type Purpose } from '#plugins/costs'
import type { Posts } from '#plugins/posts'
import { CoverUpdate } from '../covers/cover-job.ts'
import { findJob } from '../repository/jobs.ts'
import { enqueueMaking } from './media-requests.ts'

interface BudgetDeps {
  db: Db
  enqueue: Enqueue
  costs: Costs | undefined
}

/** What waits for room in a budget: the media of a job, or the cover of a post. */
export type WaitingMedia = { kind: 'media' | 'cover'; id: string }

/**
 * Runs paid work. When its next request does not fit a budget, it ends and waits; what was made so far is kept, and found
 * when it goes on.
 */
export async function untilBudgetEnds(
  { db, costs }: BudgetDeps,
  { waiting, purpose }: { waiting: WaitingMedia; purpose: Purpose },
  work: () => Promise<void>
): Promise<void> {
  if (costs === undefined) return work()
  try {
    await costs.attribute(purpose, work)
  } catch (error) {
    if (!(error instanceof BudgetError)) throw error
    await db.transaction(tx => costs.wait(tx, waiting, error))
  }
}

/** The same for the cover of a post. */
export async function paidCover(
  deps: BudgetDeps & { posts: Pick<Posts, 'read'> },
  post_id: string,
  work: () => Promise<void>
): Promise<void> {
  const post = deps.costs === undefined ? undefined : await deps.posts.read(deps.db, post_id)
  const purpose = { post_id, niche_slug: post?.niche_slug ?? null, part: 'cover' }
  await untilBudgetEnds(deps, { waiting: { kind: 'cover', id: post_id }, purpose }, work)
}

/** Goes on with media that there is room for. Nothing waits without the plugin `costs`. */
export function budgetSubscriptions({ db, enqueue, posts, costs }: BudgetDeps & { posts: Posts }): Subscription[] {
  if (costs === undefined) return []
  const goOn = async (tx: Tx, job_id: string) => {
    const row = await findJob(tx, job_id)
    if (row !== undefined) await enqueueMaking({ enqueue, posts }, tx, row)
  }
  return [
    on(BudgetFreed, async ({ kind, id }) => {
      if (kind === 'media') await db.transaction(tx => goOn(tx, id))
      if (kind === 'cover') await db.transaction(tx => enqueue(tx, CoverUpdate, { post_id: id }, { key: id }))
    })
  ]
}
