import { AsyncLocalStorage } from 'node:async_hooks'
import type { Tx } from '../contract/database.ts'

type BeforeCommit = (tx: Tx) => Promise<void>

const storage = new AsyncLocalStorage<BeforeCommit>()

/** Calls `work`. Every transaction that it begins also runs `beforeCommit`, and commits or fails with its statements. */
export function withBeforeCommit(beforeCommit: BeforeCommit, work: () => void): void {
  storage.run(beforeCommit, work)
}

/** Runs what a surrounding `withBeforeCommit` has added to this transaction. */
export async function runBeforeCommit(tx: Tx): Promise<void> {
  await storage.getStore()?.(tx)
}
