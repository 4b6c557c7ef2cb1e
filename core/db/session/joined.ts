import { AsyncLocalStorage } from 'node:async_hooks'
import type { Tx } from '../db.ts'

type Join = (tx: Tx) => Promise<void>

const joining = new AsyncLocalStorage<Join>()

/** Calls `work`; every transaction begun from within carries `join`'s statements too, and commits or fails with them. */
export function withJoined(join: Join, work: () => void): void {
  joining.run(join, work)
}

/** Runs what the surrounding call wants in this transaction. */
export async function runJoined(tx: Tx): Promise<void> {
  await joining.getStore()?.(tx)
}
