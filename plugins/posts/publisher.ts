import { type Db, type EmitMany, type Job, job, jobType, type TellNow } from '#core'
import type { Gates } from '#plugins/gates'
import { type PostChanges, publishGate } from './change.ts'
import { PostPassedOver, PostPublished } from './index.ts'
import { readClock } from './repository/schedule.ts'
import { lockDue, recordPassedOver } from './repository/state-changes.ts'

/** Wakes the publisher. One is queued for the next slot; every minute one more runs, for slots missed while nothing ran. */
export const PublishDue = jobType<Record<string, never>>('posts.publish_due')

/**
 * Posts in one transaction: few enough that nobody waits for it long (the embedded database does one thing at a time), many
 * enough that 10,000 due ones go out in seconds though their subscribers begin to work beside it.
 */
const batch = 250

/**
 * While more posts are due than one batch holds, those who follow publications (texts are remembered, files exported) are
 * put off until the last one is out: their work would hold up what readers wait for. So much later they begin whatever happens.
 */
const readersFirstMs = 30_000

export interface Publisher {
  /** Publishes what is due by the database's clock, or holds it while the publish gate is on. Safe in any number of processes. */
  publishDue(signal: AbortSignal): Promise<void>
}

export interface PublisherDeps {
  db: Db
  gates: Gates
  posts: Pick<PostChanges, 'moveDue'>
  tellNow: TellNow
  emitMany: EmitMany
  isNicheGated(): boolean
}

export function createPublisher({ db, gates, posts, tellNow, emitMany, isNicheGated }: PublisherDeps): Publisher {
  const publishBatch = () =>
    db.transaction(async tx => {
      const due = await lockDue(tx, batch, isNicheGated())
      // By the database's clock, as the jobs are.
      const tellAt = due.length < batch ? undefined : new Date((await readClock(tx)).getTime() + readersFirstMs)
      if (due.length > 0)
        await posts.moveDue(tx, due, gates.isOn(publishGate) ? 'hold' : 'release', 'publisher', tellAt)
      return due.length
    })
  const passOver = () =>
    db.transaction(async tx => {
      const passed = await recordPassedOver(tx, batch)
      await emitMany(tx, PostPassedOver, passed)
    })
  return {
    publishDue: async signal => {
      let isPutOff = false
      while (!signal.aborted && (await publishBatch()) === batch) isPutOff = true
      if (isNicheGated()) await passOver()
      if (isPutOff) await db.transaction(tx => tellNow(tx, PostPublished))
    }
  }
}

/** After each run `wakeNext` queues the next: whoever gives many slots at once queues a run for the first only. */
export function publisherJob(publisher: Publisher, wakeNext: () => Promise<void>): Job {
  const run = async (signal: AbortSignal) => {
    await publisher.publishDue(signal)
    await wakeNext()
  }
  return job(PublishDue, (_, { signal }) => run(signal), { cron: '* * * * *', timeout: 120 })
}
