import { setTimeout as wait } from 'node:timers/promises'
import { type Db, type Enqueue, jobType, type Log, type Tx } from '#core'

/** Handles what waits in the inbox. */
export const HandleDeliveries = jobType<object>('webhooks.handle')

/** Of one kind of job one waits at a time: it handles all that waits. */
const wakeKey = { key: 'inbox' }

/** Under load one job is queued for all that came meanwhile. */
const pauseMs = 50

/** Queues the job that handles what waits. */
export interface Waker {
  /** Soon, without waiting for it. What is lost with its process is found by the run of the next minute. */
  wake(): void
  /** In the caller's transaction; at `startAt`, or now. */
  wakeIn(tx: Tx, startAt?: Date): Promise<void>
}

export function createWaker({ db, enqueue, log }: { db: Db; enqueue: Enqueue; log: Log }): Waker {
  let isAsked = false
  let isWaking = false
  const wakeIn = (tx: Tx, startAt?: Date) =>
    enqueue(tx, HandleDeliveries, {}, startAt === undefined ? wakeKey : { ...wakeKey, startAt })
  const run = async () => {
    isWaking = true
    while (isAsked) {
      isAsked = false
      try {
        await db.transaction(tx => wakeIn(tx))
      } catch (error) {
        log.warn({ err: error }, 'the handler of webhooks could not be woken: it runs within a minute')
      }
      await wait(pauseMs, undefined, { ref: false })
    }
    isWaking = false
  }
  return {
    wakeIn,
    wake() {
      isAsked = true
      if (!isWaking) void run()
    }
  }
}
