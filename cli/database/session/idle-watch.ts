import type { Tx } from '../../../core/contract/database.ts'

/** Watches one transaction of a database that does not end an idle one by itself. */
export interface IdleWatch {
  /** Runs a statement. */
  during<T>(statement: () => Promise<T>): Promise<T>
  /** Settles with the work of the transaction, or rejects when no statement has run for too long. The work may go on behind. */
  unlessIdle<T>(tx: Tx, work: Promise<T>): Promise<T>
}

const unlimited = new WeakSet<Tx>()

/** For a transaction that may do other work between its statements. */
export const allowIdle = (tx: Tx): void => void unlimited.add(tx)

/** `fault` makes the error of a transaction that was idle for so many milliseconds. */
export function createIdleWatch(idleMs: number, fault: () => Error): IdleWatch {
  const idle = Promise.withResolvers<never>()
  let timer: NodeJS.Timeout | undefined
  let hasEnded = false
  let isUnlimited = () => false
  const onIdle = () => {
    if (!isUnlimited()) idle.reject(fault())
  }
  // The database keeps the process. Once it is closed, what was left open must not.
  const start = () => {
    if (!hasEnded) timer = setTimeout(onIdle, idleMs).unref()
  }
  return {
    async during(statement) {
      clearTimeout(timer)
      try {
        return await statement()
      } finally {
        start()
      }
    },
    async unlessIdle(tx, work) {
      isUnlimited = () => unlimited.has(tx)
      start()
      try {
        return await Promise.race([work, idle.promise])
      } finally {
        hasEnded = true
        clearTimeout(timer)
      }
    }
  }
}
