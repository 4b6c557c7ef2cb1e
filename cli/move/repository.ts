import type { Queryable, Tx } from '../../core/contract/database.ts'
import { recordAudit } from '../../core/db/audit.ts'

/** Tables, views, sequences and functions in the schemas that an installation fills, but for those of extensions. */
export async function listOwnObjects(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ name: string }>(
    `select name from (
       select oid, relname::text as name, relnamespace as space, 'pg_class'::regclass as catalogue from pg_class
       where relkind in ('r', 'p', 'v', 'm', 'S', 'f')
       union all
       select oid, proname::text, pronamespace, 'pg_proc'::regclass from pg_proc) o
     join pg_namespace n on n.oid = o.space
     where n.nspname in ('public', 'jobs') and not exists (
       select from pg_depend where classid = o.catalogue and objid = o.oid and deptype = 'e')
     order by name limit 20`
  )
  return rows.map(({ name }) => name)
}

export async function recordMove(tx: Tx, move_id: string): Promise<void> {
  await recordAudit(tx, { event_type: 'installation_moved', actor: 'operator', details: { move_id } })
}

export async function hasMoved(db: Queryable, move_id: string): Promise<boolean> {
  const rows = await db.query(
    `select from audit_log where event_type = 'installation_moved' and details->>'move_id' = $1`,
    [move_id]
  )
  return rows.length > 0
}
