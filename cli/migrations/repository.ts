import type { Queryable, Tx } from '../../core/contract/database.ts'
import type { Migration } from '../../core/db/migrations/files.ts'
import { liftTimeLimits } from '../database/repository.ts'

/** A name counts within its namespace. */
export type MigrationIdentity = Pick<Migration, 'namespace' | 'name'>

const lock = "hashtextextended('galley.schema_migrations', 0)"

/**
 * Makes migrators take turns until this transaction ends. The lock and the change are one transaction's, so that no
 * lost connection can leave one without the other. A wait for the lock and a long change are not cut short.
 */
export async function lockMigrations(tx: Tx): Promise<void> {
  await liftTimeLimits(tx)
  await tx.query(`select pg_advisory_xact_lock(${lock})`)
}

/** False when another transaction holds it: one that migrates, or, in the very same database, the one moved from. */
export async function tryLockMigrations(tx: Tx): Promise<boolean> {
  const [row] = await tx.query<{ taken: boolean }>(`select pg_try_advisory_xact_lock(${lock}) as taken`)
  return row?.taken === true
}

/** Plugins name their files without knowing of each other, so a name counts within its namespace. */
export async function createTable(db: Queryable): Promise<void> {
  await db.query(
    `create table if not exists schema_migrations (
       filename text not null,
       namespace text not null default 'galley',
       checksum text not null,
       applied_at timestamptz not null default now(),
       primary key (namespace, filename)
     )`
  )
  const [key] = await db.query<{ columns: number }>(
    `select indnkeyatts as columns from pg_index where indrelid = 'schema_migrations'::regclass and indisprimary`
  )
  // Tables made before plugins had migrations are keyed by file name alone.
  if (key?.columns === 1) {
    await db.query(
      'alter table schema_migrations drop constraint schema_migrations_pkey, add primary key (namespace, filename)'
    )
  }
}

export async function isApplied(db: Queryable, { namespace, name }: MigrationIdentity): Promise<boolean> {
  const rows = await db.query('select from schema_migrations where namespace = $1 and filename = $2', [namespace, name])
  return rows.length > 0
}

export async function insertApplied(db: Queryable, { name, namespace, checksum }: Migration): Promise<void> {
  await db.query('insert into schema_migrations (filename, namespace, checksum) values ($1, $2, $3)', [
    name,
    namespace,
    checksum
  ])
}

export async function deleteApplied(db: Queryable, { namespace, name }: MigrationIdentity): Promise<void> {
  await db.query('delete from schema_migrations where namespace = $1 and filename = $2', [namespace, name])
}

/** What the login may do in its database. */
interface Privileges {
  /** As SQL writes them. */
  role: string
  database: string
  tables: boolean
  schemas: boolean
  vectors: boolean
}

export async function readPrivileges(db: Queryable): Promise<Privileges> {
  const [privileges] = await db.query<Privileges>(
    `select quote_ident(current_user) as role, quote_ident(current_database()) as database,
            has_schema_privilege('public', 'create') and has_schema_privilege('public', 'usage') as tables,
            may_create or to_regnamespace('jobs') is not null as schemas,
            exists (select from pg_extension where extname = 'vector')
              or (select rolsuper from pg_roles where rolname = current_user)
              or may_create and exists (select from pg_available_extension_versions where name = 'vector' and trusted) as vectors
     from has_database_privilege(current_database(), 'create') may_create`
  )
  if (privileges === undefined) throw new TypeError('A select from a function answered no row.')
  return privileges
}
