import { randomUUID } from 'node:crypto'
import type { Db, Tx } from '../contract/database.ts'
import type { Emit, Enqueue } from '../contract/jobs.ts'
import { notify } from '../db/notify.ts'
import { type QueueSplit, rowsFor } from './batches.ts'
import type { Boss } from './boss.ts'
import type { QueueHandlers } from './queue-handlers.ts'
import { bringForward, delayedJobPayload, jobsChannel } from './repository.ts'

/** What plugins queue with. The jobs are rows of the caller's transaction: the job table is the outbox. */
export function createSending(boss: Boss, handlers: QueueHandlers): { enqueue: Enqueue; emit: Emit } {
  return {
    enqueue: async (tx, type, data, options = {}) => {
      if (handlers.find(type.id) === undefined)
        throw new TypeError(`No plugin declares the job ${type.id}: add it to \`jobs\`.`)
      await send(boss, tx, type.id, { id: randomUUID(), data, ...options })
      await notify(tx, jobsChannel, options.startAt === undefined ? [type.id] : [type.id, delayedJobPayload])
    },
    emit: async (tx, type, payloads) => {
      const events: readonly object[] = Array.isArray(payloads) ? payloads : [payloads]
      const subscribers = handlers.subscribersOf(type.id)
      if (subscribers.length === 0 || events.length === 0) return
      for (const handler of subscribers) {
        const rows = rowsFor(handler, events).map(data => ({ id: randomUUID(), data, ...(events.length > 1 && bulk) }))
        await insert(boss, tx, handler.queue, rows)
      }
      await notify(
        tx,
        jobsChannel,
        subscribers.map(({ queue }) => queue)
      )
    }
  }
}

export function createQueueSplit(boss: Boss, db: Db): QueueSplit {
  return (queue, rows) =>
    db.transaction(async tx => {
      await insert(
        boss,
        tx,
        queue,
        rows.map(row => ({ ...row, ...bulk }))
      )
      await notify(tx, jobsChannel, [queue])
    })
}

/** Events that were emitted as a list wait for those emitted alone: a post that is published behind an import is not late. */
const bulk = { priority: -1 } as const

/** A job to queue. Without a key it is like no other. */
interface Row {
  readonly id: string
  readonly data: object
  readonly startAt?: Date
  readonly key?: string
  /** 0 by default; the highest is claimed first. */
  readonly priority?: number
}

/** The insert is refused while a job with the key waits. A worker may start that job before it can be brought forward. */
const maxInsertTries = 5

/** Writes a job to a queue in the caller's transaction. A key that waits already is joined: its time is the sooner of both. */
async function send(boss: Boss, tx: Tx, queue: string, row: Row): Promise<void> {
  for (let tries = 0; tries < maxInsertTries; tries++) {
    const inserted = await insert(boss, tx, queue, [row])
    if (inserted.length > 0 || (await bringForward(tx, queue, row.key ?? row.id, row.startAt ?? null))) return
  }
  throw new Error(`The job ${queue} with the key ${row.key} could not be queued: try again.`)
}

/** Returns the ids of those that were inserted: a waiting job with the same key keeps one out. */
async function insert(boss: Boss, tx: Tx, queue: string, rows: readonly Row[]): Promise<readonly string[]> {
  const inserts = rows.map(({ id, data, startAt, key, priority }) => ({
    id,
    data,
    // The queue's policy takes a missing key for one more key that all jobs share.
    singletonKey: key ?? id,
    ...(startAt && { startAfter: startAt.toISOString() }),
    ...(priority !== undefined && { priority })
  }))
  return (await boss.inTransaction(tx, library => library.insert(queue, inserts, { returnId: true }))) ?? []
}
