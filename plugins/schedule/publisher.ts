import { randomUUID } from 'node:crypto'
import { type Db, type Enqueue, type Job, job, jobType } from '#core'
import type { Announce, DuePosts, PostEvent, PostSlots, WakeAt } from '#plugins/posts'
import { readDatabaseClock } from './repository.ts'
import { publishGateName } from './settings.ts'

/** Wakes the publisher. One is queued for the next slot; every minute one more runs, for slots missed while nothing ran. */
export const PublishDue = jobType<Record<string, never>>('schedule.publish_due')

/** Calls the subscribers of posts that went out before the last batch did. */
export const AnnouncePublished = jobType<{ posts: readonly PostEvent[] }>('schedule.announce')

/**
 * Posts in one transaction. Few enough that others do not wait long: the embedded database does one thing at a time. Many
 * enough that 10,000 due posts are published in seconds.
 */
const batchSize = 250

/**
 * While more posts are due than one batch holds, the subscribers to publications (memory, export) wait until the last post
 * is public: their work would delay the publication. After this time they begin in any case.
 */
const maxAnnounceDelayMs = 30_000

export interface Publisher {
  /** Publishes what is due by the database's clock, or holds it while the publish gate is on. Safe in any number of processes. */
  publishDue(signal: AbortSignal): Promise<void>
}

export interface PublisherDeps {
  db: Db
  due: Pick<DuePosts, 'lock' | 'release' | 'hold' | 'skipDue' | 'analyze'>
  enqueue: Enqueue
  isGateOn(): boolean
}

export function createPublisher({ db, due, enqueue, isGateOn }: PublisherDeps): Publisher {
  const actor = 'publisher'
  const announceLater =
    (keys: string[]): Announce =>
    async (tx, posts) => {
      const key = randomUUID()
      // By the database's clock, as the jobs are.
      const startAt = new Date((await readDatabaseClock(tx)).getTime() + maxAnnounceDelayMs)
      await enqueue(tx, AnnouncePublished, { posts }, { startAt, key })
      tx.afterCommit(() => void keys.push(key))
    }
  /** A job that waits under its key starts now. */
  const announceNow = (keys: readonly string[]) =>
    db.transaction(async tx => {
      for (const key of keys) await enqueue(tx, AnnouncePublished, { posts: [] }, { key })
    })
  /** True: more may be due. The keys of announcements that are put off are added to `keys`. */
  const publishBatch = (keys: string[]) =>
    db.transaction(async tx => {
      const posts = await due.lock(tx, batchSize)
      if (posts.length === 0) return false
      const announce = posts.length < batchSize ? undefined : announceLater(keys)
      if (isGateOn()) await due.hold(tx, posts, publishGateName, { actor })
      else await due.release(tx, posts, { actor, announce })
      return posts.length === batchSize
    })
  return {
    publishDue: async signal => {
      const keys: string[] = []
      let isMoreDue = true
      while (isMoreDue && !signal.aborted) isMoreDue = await publishBatch(keys)
      await db.transaction(tx => due.skipDue(tx, batchSize))
      if (keys.length === 0) return
      // What the subscribers ask about so many new posts would be planned as for a few.
      await due.analyze(db)
      await announceNow(keys)
    }
  }
}

export const announceJob = (db: Db, due: Pick<DuePosts, 'announce'>): Job =>
  job(AnnouncePublished, ({ posts }) => db.transaction(tx => due.announce(tx, posts)))

/** Queues the publisher for a slot. Slots at the same moment share one job. */
export const wakePublisher =
  (enqueue: Enqueue): WakeAt =>
  (tx, slot) =>
    enqueue(tx, PublishDue, {}, { startAt: new Date(slot), key: slot })

export interface PublisherJobDeps {
  db: Db
  publisher: Publisher
  slots: Pick<PostSlots, 'findNext'>
  wakeAt: WakeAt
}

/** After each run the next is queued: whoever gives many slots at once queues a run for the first only. */
export function publisherJob({ db, publisher, slots, wakeAt }: PublisherJobDeps): Job {
  const run = async (signal: AbortSignal) => {
    // A slot that comes after the last look for due posts would wait for the run of the next minute.
    const begunAt = await readDatabaseClock(db)
    await publisher.publishDue(signal)
    await db.transaction(async tx => {
      const slot = await slots.findNext(tx, begunAt)
      if (slot !== null) await wakeAt(tx, slot)
    })
  }
  return job(PublishDue, (_, { signal }) => run(signal), { cron: '* * * * *', timeoutSeconds: 120 })
}
