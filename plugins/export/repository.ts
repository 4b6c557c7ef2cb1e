import type { Queryable } from '#core'

/** Waits until no other process exports. The lock ends with the transaction. */
export async function lockExports(tx: Queryable): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('galley export', 0))`)
}
