import type { Queryable, Tx } from '../../../core/contract/database.ts'
import { recordAudit } from '../../../core/db/audit.ts'
import { hasTable } from '../../database/repository.ts'
import { listTables, quoteName } from './tables.ts'

/** What was applied, with the full precision of the times, which are the order. */
export interface AppliedRow {
  name: string
  namespace: string
  checksum: string
  applied_at: string
}

export async function listAppliedRows(db: Queryable): Promise<AppliedRow[]> {
  if (!(await hasTable(db, 'schema_migrations'))) return []
  return db.query<AppliedRow>(
    `select filename as name, namespace, checksum, applied_at::text as applied_at from schema_migrations
     order by schema_migrations.applied_at, filename collate "C"`
  )
}

export async function restoreAppliedTime(tx: Tx, { name, namespace, applied_at }: AppliedRow): Promise<void> {
  await tx.query('update schema_migrations set applied_at = $3::timestamptz where namespace = $1 and filename = $2', [
    namespace,
    name,
    applied_at
  ])
}

/** Rows that `setup` makes, and the histories: a database with no more than these is empty. */
const madeBySetup: Readonly<Record<string, string>> = {
  'public.schema_migrations': 'true',
  'public.audit_log': 'true',
  'public.app_settings': `key in ('cli_oauth_client_id', 'cli_oauth_client_secret', 'secret_key_check')`,
  'public.oauth_clients': `revoked_at is not null
    or client_id in (select value from app_settings where key = 'cli_oauth_client_id')`
}

/** Those of the schema's tables that hold rows which `setup` does not make. */
export async function listNonEmptyTables(db: Queryable): Promise<string[]> {
  const nonEmpty: string[] = []
  for (const { name } of await listTables(db, 'public')) {
    const rows = await db.query(`select 1 from ${quoteName(name)} where not (${madeBySetup[name] ?? 'false'}) limit 1`)
    if (rows.length > 0) nonEmpty.push(name.slice('public.'.length))
  }
  return nonEmpty
}

export async function recordRestore(tx: Tx, details: { restore_id: string; created_at: string }): Promise<void> {
  await recordAudit(tx, { event_type: 'backup_restored', actor: 'operator', details })
}

export async function wasRestored(db: Queryable, id: string): Promise<boolean> {
  const rows = await db.query(
    `select from audit_log where event_type = 'backup_restored' and details->>'restore_id' = $1`,
    [id]
  )
  return rows.length > 0
}
