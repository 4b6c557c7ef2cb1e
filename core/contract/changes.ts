import type { Tx } from './database.ts'

/** Invalidates, in every process, what was derived from the database. */
export interface Changes {
  /** Marks what the cache tag `tag` names as changed: here as soon as `tx` commits, in other processes within a second. */
  touch(tx: Tx, tag: string): Promise<void>
  /** Calls `invalidate` whenever `tag` changed, or a change may have been missed. */
  on(tag: string, invalidate: () => void): void
  /** False while a change made elsewhere more than a second ago could be unknown here: read through. */
  isCurrent(): boolean
}
