import type { Queryable, Tx } from '../db/db.ts'

/** Answers when the database does. */
export async function ping(db: Queryable): Promise<void> {
  await db.query('select 1')
}

/** Whether a heartbeat was written in the last `seconds`. */
export async function hasHeartbeatSince(db: Pick<Queryable, 'query'>, type: string, seconds: number): Promise<boolean> {
  const rows = await db.query(
    `select from audit_log where event_type = $1 and at > now() - $2 * interval '1 second' limit 1`,
    [type, seconds]
  )
  return rows.length > 0
}

/** Lets one process write at a time, until the transaction ends. */
export async function lockHeartbeat(tx: Tx): Promise<void> {
  await tx.query("select pg_advisory_xact_lock(hashtextextended('galley.heartbeat', 0))")
}
