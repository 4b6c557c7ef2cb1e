import { createSerial, type Db, type Queryable } from '#core'
import { lockExports } from './repository.ts'

/** Runs `work` while no other export runs, in any process on the same database. */
export type ExportLock = <T>(work: (db: Queryable) => Promise<T>) => Promise<T>

export function createExportLock(db: Db): ExportLock {
  // The process queues first, so that waiting exports hold no connection.
  const serially = createSerial()
  const runLocked = <T>(work: (db: Queryable) => Promise<T>) => {
    // The embedded database has one process and one session: a transaction would block everybody else.
    if (db.kind === 'pglite') return work(db)
    return db.transaction(async tx => {
      await lockExports(tx)
      return work(tx)
    })
  }
  return work => serially(() => runLocked(work))
}
