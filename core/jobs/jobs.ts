import { NotFoundError } from '../contract/errors.ts'
import type { Job, Subscription } from '../contract/plugin.ts'
import type { Db } from '../db/db.ts'
import type { Log } from '../log.ts'
import { type Boss, createBoss } from './boss.ts'
import { createExhaustedKind } from './exhausted.ts'
import { exhaustedQueue, installQueues } from './install.ts'
import { createKinds, type Kind } from './kinds.ts'
import { countParked, listParked, type ParkedJob, type ParkedPage } from './parked-repository.ts'
import { QueueWorker } from './queue-worker.ts'
import { hasQueues, type QueueStats, readStats } from './repository.ts'
import { createRestart, type Restarted } from './restart.ts'
import { createQueueParts, createSending, type Sending } from './send.ts'
import { tellTogether } from './together.ts'
import { startWatch, type Watch } from './watch.ts'

export type { ParkedJob } from './parked-repository.ts'
export type { QueueStats } from './repository.ts'
export type { Restarted } from './restart.ts'
export type { EnqueueMany, NewJob } from './send.ts'

/** Durable jobs and events: rows in the database, worked by every process that was started. */
export interface Jobs extends Sending {
  /** Makes a plugin's jobs and subscriptions known. @throws TypeError when a name is taken. */
  register(plugin: string, jobs: readonly Job[], subscriptions: readonly Subscription[]): void
  /** Creates or migrates the tables, and the queues of everything registered. Cheap when all is there. */
  install(): Promise<void>
  /** Begins to work. */
  start(): Promise<void>
  /** Claims no more and lets running jobs finish; what is not done after the grace is aborted and handed back. */
  stop(graceSeconds: number): Promise<void>
  stats(): Promise<QueueStats[]>
  /** Parked jobs, newest first, by default 100 at most; `total` counts all of them. */
  parked(page?: ParkedPage): Promise<{ items: ParkedJob[]; total: number }>
  /** Starts a parked job anew with all its retries, or what it was for. @throws NotFoundError */
  retryParked(id: string, actor: string): Promise<Restarted>
  /** The same with every parked job, or those of one queue. */
  retryAllParked(queue: string | undefined, actor: string): Promise<Restarted>
}

/** How long the last statements of a stop may take, past the grace. */
const lastWordsMs = 1_000

export function createJobs({ db, log }: { db: Db; log: Log }): Jobs {
  const kinds = createKinds()
  const boss = createBoss(db, log, () => kinds.all().some(({ cron }) => cron !== undefined))
  const sending = createSending(boss, kinds)
  const restart = createRestart(db, kinds)
  let work: Work | undefined
  return {
    ...sending,
    register: kinds.register,
    install: async () => {
      const library = await boss.get()
      await library.start()
      // One transaction: a commit for each queue costs more than the queue.
      await db.transaction(tx => boss.within(tx, () => installQueues(library, tx, kinds.all())))
      if (work === undefined) await library.stop({ graceful: false })
    },
    start: async () => {
      const queueParts = createQueueParts(boss, db)
      const all = kinds.all().map(kind => tellTogether(kind, queueParts, log))
      work ??= await startWork(db, log, boss, [...all, createExhaustedKind(db, log, kinds, sending.emit)])
    },
    stop: async graceSeconds => {
      const stopping = work
      work = undefined
      await stopping?.stop(graceSeconds * 1_000)
    },
    stats: async () => ((await hasQueues(db)) ? readStats(db) : []),
    parked: async (page = {}) => {
      if (!(await hasQueues(db))) return { items: [], total: 0 }
      return { items: await listParked(db, page), total: await countParked(db, page.queue) }
    },
    retryParked: async (id, actor) => {
      const restarted = await restart({ id }, actor)
      if (restarted.retried.length + restarted.dropped.length === 0)
        throw new NotFoundError(`There is no parked job ${id}: "galley jobs list" shows those there are.`)
      return restarted
    },
    retryAllParked: (queue, actor) => restart({ queue }, actor)
  }
}

interface Work {
  stop(graceMs: number): Promise<void>
}

async function startWork(db: Db, log: Log, boss: Boss, kinds: readonly Kind[]): Promise<Work> {
  const library = await boss.get()
  await library.start()
  const workers = new Map<string, QueueWorker>()
  const onLastFailure = () => workers.get(exhaustedQueue)?.wake()
  for (const kind of kinds) workers.set(kind.queue, new QueueWorker({ boss: library, db, log, kind, onLastFailure }))
  const watch = await startWatch({ db, boss: library, log, workers })
  return {
    stop: async graceMs => {
      const finished = stopWorkers([...workers.values()], watch, graceMs).then(() => library.stop({ graceful: false }))
      await within(graceMs + lastWordsMs, finished)
    }
  }
}

/** Claims are kept alive by the watch while their handlers finish. */
async function stopWorkers(workers: readonly QueueWorker[], watch: Watch, graceMs: number): Promise<void> {
  await within(graceMs, Promise.all(workers.map(worker => worker.finish())))
  await Promise.all(workers.map(worker => worker.abandonAll()))
  await watch.stop()
}

/** Resolves with the work or at the limit, whichever is sooner. */
async function within(ms: number, work: Promise<unknown>): Promise<void> {
  const limit = Promise.withResolvers<void>()
  const timer = setTimeout(limit.resolve, ms)
  try {
    await Promise.race([work, limit.promise])
  } finally {
    clearTimeout(timer)
  }
}
