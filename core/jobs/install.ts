import { isDeepStrictEqual } from 'node:util'
import type { PgBoss, QueueResult } from 'pg-boss'
import type { Tx } from '../contract/database.ts'
import type { QueueHandler } from './queue-handlers.ts'
import { createActiveIndex, deadLetterQueue, dueSchedulesQueue } from './repository.ts'

const daySeconds = 24 * 60 * 60
/** The least that pg-boss allows. A running job says every 3 s that it lives; see queue-worker.ts. */
const heartbeatSeconds = 10
/** The process abandons a run by itself; the database does so later, if the process could not. */
const timeoutMarginSeconds = 30
/** The most that pg-boss allows is a day. */
export const maxTimeoutSeconds = daySeconds - timeoutMarginSeconds

const everyQueue = {
  retryBackoff: true,
  retryDelayMax: 60 * 60,
  heartbeatSeconds,
  // A job may be due in months, and a queue nobody works (a plugin taken out for a while) keeps what it holds.
  retentionSeconds: 365 * daySeconds,
  // Finished jobs are deleted by the worker, so this concerns dead letters.
  deleteAfterSeconds: 30 * daySeconds
}

const deadLetterOptions = { ...everyQueue, retryLimit: 10, retryDelay: 5, expireInSeconds: 900 + timeoutMarginSeconds }

function optionsOf(handler: QueueHandler) {
  return {
    ...everyQueue,
    retryLimit: handler.retries,
    retryDelay: handler.retryDelaySeconds,
    expireInSeconds: handler.timeoutSeconds + timeoutMarginSeconds,
    deadLetter: deadLetterQueue
  }
}

/** Brings the queues and schedules in line with the handlers. */
export async function installQueues(boss: PgBoss, tx: Tx, handlers: readonly QueueHandler[]): Promise<void> {
  const present = new Map((await boss.getQueues()).map(queue => [queue.name, queue]))
  if (!present.has(deadLetterQueue)) {
    await createActiveIndex(tx)
    await boss.createQueue(deadLetterQueue, deadLetterOptions)
    // The library makes it when it starts: before a restore into a running service takes all queues out.
    await boss.createQueue(dueSchedulesQueue)
  }
  for (const handler of handlers) await installQueue(boss, handler, present.get(handler.queue))
  await installSchedules(boss, handlers)
}

async function installQueue(boss: PgBoss, handler: QueueHandler, present: QueueResult | undefined): Promise<void> {
  const options = optionsOf(handler)
  // `short`: of the jobs with the same key one at a time is `created`.
  if (present === undefined) await boss.createQueue(handler.queue, { ...options, policy: 'short' })
  else if (!hasOptions(present, options)) await boss.updateQueue(handler.queue, options)
}

const hasOptions = (queue: QueueResult, options: object): boolean =>
  Object.entries(options).every(([name, value]) => isDeepStrictEqual(queue[name as keyof QueueResult], value))

async function installSchedules(boss: PgBoss, handlers: readonly QueueHandler[]): Promise<void> {
  const present = new Map((await boss.getSchedules()).map(({ name, cron }) => [name, cron]))
  for (const { queue, cron } of handlers) {
    if (present.get(queue) === cron) continue
    if (cron === undefined) await boss.unschedule(queue)
    else await boss.schedule(queue, cron, {}, { tz: 'UTC' })
  }
}
