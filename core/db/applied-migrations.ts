import type { Queryable, Tx } from './db.ts'
import type { Migration } from './migration-files.ts'

export interface AppliedMigration {
  filename: string
  namespace: string
  checksum: string
  applied_at: string
}

/**
 * Makes migrators take turns until this transaction ends. The lock and the change are one transaction's, so that no
 * lost connection can leave one without the other. A wait for the lock and a long change are not cut short.
 */
export async function lockMigrations(tx: Tx): Promise<void> {
  await tx.query('set local statement_timeout = 0')
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('galley.schema_migrations', 0))`)
}

export async function createTable(db: Queryable): Promise<void> {
  await db.query(
    `create table if not exists schema_migrations (
       filename text primary key,
       namespace text not null default 'galley',
       checksum text not null,
       applied_at timestamptz not null default now()
     )`
  )
}

/** Oldest first; empty when nothing was ever migrated. Writes nothing. */
export async function listApplied(db: Queryable): Promise<AppliedMigration[]> {
  const [table] = await db.query<{ exists: boolean }>(`select to_regclass('schema_migrations') is not null as exists`)
  if (!table?.exists) return []
  return db.query<AppliedMigration>(
    `select filename, namespace, checksum, applied_at from schema_migrations order by filename collate "C"`
  )
}

export async function isApplied(db: Queryable, name: string): Promise<boolean> {
  return (await db.query('select from schema_migrations where filename = $1', [name])).length > 0
}

export async function insertApplied(db: Queryable, { name, namespace, checksum }: Migration): Promise<void> {
  await db.query('insert into schema_migrations (filename, namespace, checksum) values ($1, $2, $3)', [
    name,
    namespace,
    checksum
  ])
}

export async function deleteApplied(db: Queryable, name: string): Promise<void> {
  await db.query('delete from schema_migrations where filename = $1', [name])
}
