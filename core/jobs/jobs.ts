import type { Db } from '../contract/database.ts'
import type { Emit, Enqueue, Job, Subscription } from '../contract/jobs.ts'
import type { Log } from '../log.ts'
import { withTimeout } from '../timeout.ts'
import { withBatches } from './batches.ts'
import { type Boss, createBoss } from './boss.ts'
import { createDeadLetterHandler } from './dead-letters.ts'
import { installQueues } from './install.ts'
import { createQueueHandlers, type QueueHandler, type QueueHandlers } from './queue-handlers.ts'
import { QueueWorker } from './queue-worker.ts'
import { deadLetterQueue, hasQueues, type QueueStats, readQueueStats } from './repository.ts'
import { createQueueSplit, createSending } from './send.ts'
import { type JobWatch, startWatch } from './watch.ts'

/** Durable jobs and events: rows in the database, worked by every process that was started. */
export interface Jobs {
  readonly enqueue: Enqueue
  readonly emit: Emit
  /** Makes a plugin's jobs and subscriptions known. @throws TypeError when a name is taken. */
  register(plugin: string, jobs: readonly Job[], subscriptions: readonly Subscription[]): void
  /** Creates or migrates the tables, and the queues of everything registered. Cheap when all is there. */
  install(): Promise<void>
  /** Begins to work. */
  start(): Promise<void>
  /** Claims no more and lets running jobs finish; what is not done after the grace is aborted and handed back. */
  stop(graceSeconds: number): Promise<void>
  stats(): Promise<QueueStats[]>
  /** The jobs and the subscribers that were registered. */
  readonly handlers: Pick<QueueHandlers, 'all' | 'find'>
}

/** How long the last statements of a stop may take, past the grace. */
const closeMs = 1_000

export function createJobs({ db, log }: { db: Db; log: Log }): Jobs {
  const handlers = createQueueHandlers()
  const boss = createBoss(db, log, () => handlers.all().some(({ cron }) => cron !== undefined))
  const sending = createSending(boss, handlers)
  let work: Pick<Jobs, 'stop'> | undefined
  return {
    ...sending,
    handlers,
    register: handlers.register,
    install: async () => {
      const library = await boss.get()
      await library.start()
      // One transaction: a commit for each queue costs more than the queue.
      await db.transaction(tx => boss.inTransaction(tx, () => installQueues(library, tx, handlers.all())))
      if (work === undefined) await library.stop({ graceful: false })
    },
    start: async () => {
      const queueSplit = createQueueSplit(boss, db)
      const all = handlers.all().map(handler => withBatches(handler, queueSplit, log))
      work ??= await startWork(db, log, boss, [...all, createDeadLetterHandler(db, log, handlers, sending.emit)])
    },
    stop: async graceSeconds => {
      const stopping = work
      work = undefined
      await stopping?.stop(graceSeconds)
    },
    stats: async () => ((await hasQueues(db)) ? readQueueStats(db) : [])
  }
}

async function startWork(db: Db, log: Log, boss: Boss, handlers: readonly QueueHandler[]): Promise<Pick<Jobs, 'stop'>> {
  const library = await boss.get()
  await library.start()
  const workers = new Map<string, QueueWorker>()
  const onLastFailure = () => workers.get(deadLetterQueue)?.wake()
  for (const handler of handlers)
    workers.set(handler.queue, new QueueWorker({ boss: library, db, log, handler, onLastFailure }))
  const watch = await startWatch({ db, boss: library, log, workers })
  return {
    stop: async graceSeconds => {
      const graceMs = graceSeconds * 1_000
      const finished = stopWorkers([...workers.values()], watch, graceMs).then(() => library.stop({ graceful: false }))
      await withTimeout(graceMs + closeMs, finished, () => undefined)
    }
  }
}

/** Claims are kept alive by the watch while their handlers finish. */
async function stopWorkers(workers: readonly QueueWorker[], watch: JobWatch, graceMs: number): Promise<void> {
  await withTimeout(graceMs, Promise.all(workers.map(worker => worker.finish())), () => undefined)
  await Promise.all(workers.map(worker => worker.abandonAll()))
  await watch.stop()
}
