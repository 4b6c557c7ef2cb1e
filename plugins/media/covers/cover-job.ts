import { type Db, type Enqueue, type Job, job, jobType } from '#core'
import { CoverError } from '../cover-error.ts'
import { presentable } from '../presentable.ts'
import { retryAfterWait } from '../retry-after.ts'
import type { Covers } from './covers.ts'

/** Brings the cover of a post to what the post is by then. */
export const CoverUpdate = jobType<{ post_id: string; waits?: number }>('media.cover')

/** Is notified how each cover job ended. */
export interface CoverOutcome {
  /** Another try follows. */
  recordFault(post_id: string, error: unknown): Promise<void>
  fail(post_id: string, error: Error): Promise<void>
  /** Its fault, if it had one, is over: it is there, or not wanted any more. */
  end(post_id: string, isThere: boolean): Promise<void>
}

export interface CoverJobDeps {
  db: Db
  enqueue: Enqueue
  now: () => Date
  covers: Pick<Covers, 'update'>
  /** Runs paid work on a post; it waits when it does not fit a budget. */
  paid(post_id: string, work: () => Promise<void>): Promise<void>
  /** Other media show the cover, and follow it. */
  requests: { follow(post_id: string, options: { isNew: boolean }): Promise<void> }
  outcome: CoverOutcome
}

export const coverJob = ({ db, enqueue, now, covers, paid, requests, outcome }: CoverJobDeps): Job =>
  job(
    CoverUpdate,
    async ({ post_id, waits = 0 }, { signal }) => {
      try {
        let isThere = false
        await paid(post_id, async () => {
          isThere = await covers.update(post_id, signal)
        })
        await outcome.end(post_id, isThere)
      } catch (fault) {
        signal.throwIfAborted()
        const error = presentable(fault)
        if (error instanceof CoverError) return outcome.fail(post_id, error)
        await outcome.recordFault(post_id, error)
        const later = retryAfterWait(error, waits, now())
        if (later === null) throw error
        const { startAt, ...count } = later
        return db.transaction(tx => enqueue(tx, CoverUpdate, { post_id, ...count }, { key: post_id, startAt }))
      }
      await requests.follow(post_id, { isNew: false })
    },
    {
      // An endpoint may be paid for each picture: few retries, over some minutes.
      retries: 3,
      retryDelaySeconds: 30,
      onDeadLetter: ({ post_id }, error) => outcome.fail(post_id, error)
    }
  )

export interface CoverRequestDeps {
  covers: Pick<Covers, 'listAffected'>
  db: Db
  enqueue: Enqueue
}

/** A post has one such job waiting, however often it changes. Thousands are published at once: they come in batches. */
export const createCoverRequest =
  ({ covers, db, enqueue }: CoverRequestDeps) =>
  async (changed: readonly string[]): Promise<void> => {
    const post_ids = await covers.listAffected(changed)
    if (post_ids.length === 0) return
    await db.transaction(async tx => {
      for (const post_id of post_ids) await enqueue(tx, CoverUpdate, { post_id }, { key: post_id })
    })
  }
