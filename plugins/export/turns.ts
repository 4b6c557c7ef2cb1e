import type { Db, Queryable } from '#core'
import { lockExports } from './repository.ts'

/** Runs `work` while no other export runs, in this process or another one on the same database. */
export type Exclusively = <T>(work: (db: Queryable) => Promise<T>) => Promise<T>

export function createExclusively(db: Db): Exclusively {
  let last: Promise<unknown> = Promise.resolve()
  const take = <T>(work: (db: Queryable) => Promise<T>) => {
    // The embedded database has one process and one session: a transaction would keep everybody else from it.
    if (db.kind === 'pglite') return work(db)
    return db.transaction(async tx => {
      await lockExports(tx)
      return work(tx)
    })
  }
  return work => {
    // Turns are taken in the process first: those who wait must not each hold a connection.
    const done = last.then(() => take(work))
    last = done.catch(() => {})
    return done
  }
}

/** Those who ask while a run is under way share the next one: it starts after all of them asked. */
export function createShared<T>(work: () => Promise<T>): () => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  let next: Promise<T> | undefined
  return () => {
    next ??= last.then(() => {
      next = undefined
      const run = work()
      last = run.catch(() => {})
      return run
    })
    return next
  }
}
