import type { Db } from '../contract/database.ts'
import { inLane } from '../db/lanes.ts'
import { withTimeout } from '../timeout.ts'
import { ping } from './repository.ts'

const timeoutMs = 2_000

/** Tells whether the database answers within two seconds. Callers at the same moment share one question. */
export const createDatabaseCheck = (db: Db): (() => Promise<boolean>) =>
  createSharedCheck(() => ping(db).then(() => true))

/** Asks a question whose answer takes the database, on the connection that is there for it: false also when it throws or takes longer than two seconds. */
export function createSharedCheck(ask: () => Promise<boolean>): () => Promise<boolean> {
  let asking: Promise<boolean> | undefined
  return () => {
    asking ??= inLane('health', async () => withTimeout(timeoutMs, ask(), () => false))
      .catch(() => false)
      .finally(() => {
        asking = undefined
      })
    return asking
  }
}
