import { type Db, type Enqueue, type Job, job, jobType } from '#core'
import {
  type DeferredAnnouncements,
  type DuePosts,
  type PostSlots,
  readDatabaseClock,
  type SlotScheduler,
  type WakeAt
} from '#plugins/posts'
import { publishGateName } from './settings.ts'

/** Wakes the publisher. One is queued for the next slot; every minute one more runs, for slots missed while nothing ran. */
export const PublishDue = jobType<Record<string, never>>('schedule.publish_due')

/**
 * Posts in one transaction. Few enough that others do not wait long: the embedded database does one thing at a time. Many
 * enough that 10,000 due posts are published in seconds.
 */
const batchSize = 250

/** While more posts are due than one batch holds, the subscribers to publications wait for the last one, at most so long. */
const maxAnnounceDelayMs = 30_000

export interface Publisher {
  /** Publishes what is due by the database's clock, or holds it while the publish gate is on. Safe in any number of processes. */
  publishDue(signal: AbortSignal): Promise<void>
}

export interface PublisherDeps {
  db: Db
  due: Pick<DuePosts, 'lockDue' | 'publish' | 'hold' | 'skipDue' | 'analyze' | 'deferAnnouncements'>
  isGateOn(): boolean
}

export function createPublisher({ db, due, isGateOn }: PublisherDeps): Publisher {
  const actor = 'publisher'
  /** Publishes or holds one batch. @returns whether more may be due */
  const publishBatch = (deferred: DeferredAnnouncements) =>
    db.transaction(async tx => {
      const posts = await due.lockDue(tx, batchSize)
      if (posts.length === 0) return false
      const announce = posts.length < batchSize ? undefined : deferred.announce
      if (isGateOn()) await due.hold(tx, posts, publishGateName, { actor })
      else await due.publish(tx, posts, { actor, announce })
      return posts.length === batchSize
    })
  return {
    publishDue: async signal => {
      const deferred = due.deferAnnouncements({ maxDelayMs: maxAnnounceDelayMs })
      let isMoreDue = true
      while (isMoreDue && !signal.aborted) isMoreDue = await publishBatch(deferred)
      await db.transaction(tx => due.skipDue(tx, batchSize))
      if (deferred.isEmpty()) return
      // What the subscribers ask about so many new posts would be planned as for a few.
      await due.analyze(db)
      await deferred.announceNow()
    }
  }
}

/** Queues the publisher for a slot. Slots at the same moment share one job. */
export const wakePublisher =
  (enqueue: Enqueue): WakeAt =>
  (tx, slot) =>
    enqueue(tx, PublishDue, {}, { startAt: new Date(slot), key: slot })

interface PublisherJobDeps {
  db: Db
  publisher: Publisher
  slots: Pick<PostSlots, 'findNext'>
  scheduler: Pick<SlotScheduler, 'wakeAt'>
}

/** After each run the next is queued: whoever gives many slots at once queues a run for the first only. */
export function publisherJob({ db, publisher, slots, scheduler }: PublisherJobDeps): Job {
  const run = async (signal: AbortSignal) => {
    // A slot that comes after the last look for due posts would wait for the run of the next minute.
    const begunAt = await readDatabaseClock(db)
    await publisher.publishDue(signal)
    await db.transaction(async tx => {
      const slot = await slots.findNext(tx, begunAt)
      if (slot !== null) await scheduler.wakeAt(tx, slot)
    })
  }
  return job(PublishDue, (_, { signal }) => run(signal), { cron: '* * * * *', timeoutSeconds: 120 })
}
