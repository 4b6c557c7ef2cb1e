import { isDeepStrictEqual } from 'node:util'
import type { PgBoss, QueueResult } from 'pg-boss'
import type { Tx } from '../db/db.ts'
import type { Kind } from './kinds.ts'
import { createActiveIndex } from './repository.ts'

/** pg-boss's dead letter queue: a row for each job whose last retry has failed, whoever noticed it. */
export const deadLetterQueue = 'exhausted'

const daySeconds = 24 * 60 * 60
/** The least that pg-boss allows. A running job says every 3 s that it lives; see queue-worker.ts. */
const heartbeatSeconds = 10
/** The process abandons an attempt by itself; the database does so later, if the process could not. */
const timeoutMarginSeconds = 30

const everyQueue = {
  retryBackoff: true,
  retryDelayMax: 60 * 60,
  heartbeatSeconds,
  // A job may be due in months, and a queue nobody works (a plugin taken out for a while) keeps what it holds.
  retentionSeconds: 365 * daySeconds,
  // Finished jobs are deleted by the worker, so this concerns the parked ones.
  deleteAfterSeconds: 30 * daySeconds
}

const deadLetterOptions = { ...everyQueue, retryLimit: 10, retryDelay: 5, expireInSeconds: 900 + timeoutMarginSeconds }

function optionsOf(kind: Kind) {
  return {
    ...everyQueue,
    retryLimit: kind.retries,
    retryDelay: kind.retryDelay,
    expireInSeconds: kind.timeout + timeoutMarginSeconds,
    deadLetter: deadLetterQueue
  }
}

/** Brings the queues and schedules in line with the kinds. */
export async function installQueues(boss: PgBoss, tx: Tx, kinds: readonly Kind[]): Promise<void> {
  const present = new Map((await boss.getQueues()).map(queue => [queue.name, queue]))
  if (!present.has(deadLetterQueue)) {
    await createActiveIndex(tx)
    await boss.createQueue(deadLetterQueue, deadLetterOptions)
  }
  for (const kind of kinds) await installQueue(boss, kind, present.get(kind.queue))
  await installSchedules(boss, kinds)
}

async function installQueue(boss: PgBoss, kind: Kind, present: QueueResult | undefined): Promise<void> {
  const options = optionsOf(kind)
  // `short`: of the jobs with the same key one at a time is `created`.
  if (present === undefined) await boss.createQueue(kind.queue, { ...options, policy: 'short' })
  else if (!hasOptions(present, options)) await boss.updateQueue(kind.queue, options)
}

function hasOptions(queue: QueueResult, options: object): boolean {
  return Object.entries(options).every(([name, value]) => isDeepStrictEqual(queue[name as keyof QueueResult], value))
}

async function installSchedules(boss: PgBoss, kinds: readonly Kind[]): Promise<void> {
  const present = new Map((await boss.getSchedules()).map(({ name, cron }) => [name, cron]))
  for (const { queue, cron } of kinds) {
    if (present.get(queue) === cron) continue
    if (cron === undefined) await boss.unschedule(queue)
    else await boss.schedule(queue, cron, {}, { tz: 'UTC' })
  }
}
