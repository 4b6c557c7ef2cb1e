import { inLane } from '../db/lanes.ts'
import { withTimeout } from '../timeout.ts'

const timeoutMs = 2_000

/** Asks a question whose answer takes the database, on the connection that is there for it: false also when it throws or takes longer than two seconds. Callers at the same moment share one question. */
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
