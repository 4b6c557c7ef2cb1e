import type { Tx } from '../contract/database.ts'

/** A row to write into the audit log. `details` depends on the event type. */
interface NewAuditEntry {
  readonly event_type: string
  /** `operator` for a local command, else a client_id. */
  readonly actor: string
  readonly details: object
}

/** Writes a row in the transaction of what it tells of: neither is there without the other. */
export async function recordAudit(tx: Tx, { event_type, actor, details }: NewAuditEntry): Promise<void> {
  await tx.query('insert into audit_log (event_type, actor, details) values ($1, $2, $3::jsonb)', [
    event_type,
    actor,
    JSON.stringify(details)
  ])
}

/** Rows that the service writes by itself, again and again, are deleted after this time. Others stay for ever. */
const retentionDays = 7

/** Deletes the rows of one type that are too old. */
export async function deleteOldAudit(tx: Tx, event_type: string): Promise<void> {
  await tx.query(`delete from audit_log where event_type = $1 and at < now() - $2 * interval '1 day'`, [
    event_type,
    retentionDays
  ])
}
