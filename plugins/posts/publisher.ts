import { type Db, type Job, job, jobType } from '#core'
import type { Gates } from '#plugins/gates'
import { type PostChanges, publishGate } from './change.ts'
import { lockDue } from './repository/changes.ts'

/** Wakes the publisher. One is queued for the next slot; every minute one more runs, for slots missed while nothing ran. */
export const PublishDue = jobType<Record<string, never>>('posts.publish_due')

/** Posts in one transaction: few enough that readers do not wait for it, many enough that 10,000 due ones go out in time. */
const batch = 100

export interface Publisher {
  /** Publishes what is due by the database's clock, or holds it while the publish gate is on. Safe in any number of processes. */
  publishDue(signal: AbortSignal): Promise<void>
}

export function createPublisher({ db, gates, posts }: { db: Db; gates: Gates; posts: PostChanges }): Publisher {
  const publishBatch = () =>
    db.transaction(async tx => {
      const due = await lockDue(tx, batch)
      if (due.length > 0) await posts.moveDue(tx, due, gates.isOn(publishGate) ? 'hold' : 'release', 'publisher')
      return due.length
    })
  return {
    publishDue: async signal => {
      while (!signal.aborted && (await publishBatch()) === batch);
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
