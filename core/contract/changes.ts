import type { Tx } from '../db/db.ts'

/** Invalidates, in every process, what was derived from the database. */
export interface Changes {
  /** Marks `topic` as changed: here as soon as `tx` commits, in other processes within a second. */
  touch(tx: Tx, topic: string): Promise<void>
  /** Calls `drop` whenever `topic` changed, or a change may have been missed. */
  on(topic: string, drop: () => void): void
  /** False while a change made elsewhere more than a second ago could be unknown here: read through. */
  isCurrent(): boolean
}
