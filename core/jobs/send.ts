import { randomUUID } from 'node:crypto'
import type { Emit, EmitMany, Enqueue, JobType, TellNow } from '../contract/plugin.ts'
import type { Db, Tx } from '../db/db.ts'
import { notify } from '../db/notify.ts'
import type { Boss } from './boss.ts'
import type { Kinds } from './kinds.ts'
import { channel, hasten, joinWaiting, later } from './repository.ts'
import { putTogether, type QueueParts } from './together.ts'

/** A job to queue. */
export interface NewJob<Data extends object = object> {
  readonly data: Data
  /** Not before this time; default now. */
  readonly startAt?: Date
  /** Of the jobs of the kind with this key, one waits at a time. */
  readonly key?: string
}

/** Queues many jobs of a kind in the caller's transaction, in one statement. Keys as in `Enqueue`. */
export type EnqueueMany = <Data extends object>(
  tx: Tx,
  type: JobType<Data>,
  jobs: readonly NewJob<Data>[]
) => Promise<void>

export interface Sending {
  readonly enqueue: Enqueue
  readonly enqueueMany: EnqueueMany
  readonly emit: Emit
  readonly emitMany: EmitMany
  readonly tellNow: TellNow
}

/** What plugins queue with. The jobs are rows of the caller's transaction: the job table is the outbox. */
export function createSending(boss: Boss, kinds: Kinds): Sending {
  const enqueueMany: EnqueueMany = async (tx, type, jobs) => {
    if (kinds.find(type.id) === undefined)
      throw new TypeError(`No plugin declares the job ${type.id}: add it to \`jobs\`.`)
    if (jobs.length === 0) return
    await send(boss, tx, type.id, jobs)
    await notify(tx, channel, jobs.some(({ startAt }) => startAt !== undefined) ? [type.id, later] : [type.id])
  }
  const emitMany: EmitMany = async (tx, type, payloads, options = {}) => {
    const queues = kinds.subscribersOf(type.id)
    if (queues.length === 0 || payloads.length === 0) return
    for (const queue of queues) {
      const isTogether = payloads.length > 1 && kinds.find(queue)?.handleMany !== undefined
      const rows = isTogether ? putTogether(payloads) : payloads
      await send(
        boss,
        tx,
        queue,
        rows.map(data => ({ data, ...options }))
      )
    }
    // What is put off is found by those who look every second: nobody waits for it to the millisecond.
    if (options.startAt === undefined) await notify(tx, channel, queues)
  }
  return {
    enqueueMany,
    enqueue: (tx, type, data, options) => enqueueMany(tx, type, [{ data, ...options }]),
    emitMany,
    tellNow: async (tx, type) => {
      const queues = kinds.subscribersOf(type.id)
      if (await hasten(tx, queues)) await notify(tx, channel, queues)
    },
    emit: (tx, type, payload) => emitMany(tx, type, [payload])
  }
}

export function createQueueParts(boss: Boss, db: Db): QueueParts {
  return (queue, rows) =>
    db.transaction(async tx => {
      await insert(boss, tx, queue, rows)
      await notify(tx, channel, [queue])
    })
}

/** Between a refused insert and the look at the waiting job, a worker may have started that job. */
const attempts = 5

interface Row extends NewJob {
  readonly id: string
}

/** Writes jobs to a queue in the caller's transaction. A key that waits already is joined: its time is the sooner of both. */
async function send(boss: Boss, tx: Tx, queue: string, jobs: readonly NewJob[]): Promise<void> {
  let rows: Row[] = jobs.map(job => ({ ...job, id: randomUUID() }))
  for (let attempt = 0; attempt < attempts && rows.length > 0; attempt++) {
    const inserted = await insert(boss, tx, queue, rows)
    const refused = rows.filter(({ id }) => !inserted.has(id))
    rows = []
    for (const row of refused) {
      if (!(await joinWaiting(tx, queue, row.key ?? row.id, row.startAt ?? null))) rows.push(row)
    }
  }
  if (rows.length > 0) throw new Error(`The job ${queue} with the key ${rows[0]?.key} could not be queued: try again.`)
}

async function insert(boss: Boss, tx: Tx, queue: string, rows: readonly Row[]): Promise<Set<string>> {
  const inserts = rows.map(({ id, data, startAt, key }) => ({
    id,
    data,
    // The queue's policy takes a missing key for one more key that all jobs share.
    singletonKey: key ?? id,
    ...(startAt && { startAfter: startAt.toISOString() })
  }))
  const ids = await boss.within(tx, library => library.insert(queue, inserts, { returnId: true }))
  return new Set(ids)
}
