import { isDeepStrictEqual } from 'node:util'
import { sessionSettings } from '../../cli/database/session/session.ts'
import type { Db } from '../../core/contract/database.ts'

/** What a migrated database is when it is new. */
export interface NewState {
  /** The rows that the migrations made, as JSON by table. */
  rows: Readonly<Record<string, string>>
  /** A summary of the schema, roles and statistics. */
  catalogs: object
}

const notSystem = `nspname not like 'pg\\_%' and nspname <> 'information_schema'`

/** A new row of one has a number of its own, and a row that is gone lowers the count. */
const catalogs = [
  'pg_attrdef',
  'pg_attribute',
  'pg_auth_members',
  'pg_authid',
  'pg_collation',
  'pg_constraint',
  'pg_database',
  'pg_db_role_setting',
  'pg_default_acl',
  'pg_enum',
  'pg_event_trigger',
  'pg_extension',
  'pg_index',
  'pg_inherits',
  'pg_largeobject_metadata',
  'pg_namespace',
  'pg_policy',
  'pg_proc',
  'pg_publication',
  'pg_rewrite',
  'pg_sequence',
  'pg_statistic',
  'pg_statistic_ext',
  'pg_trigger',
  'pg_ts_config',
  'pg_ts_dict',
  'pg_type'
]
/** Shared by all databases of a server, where other tests change them. */
const shared = ['pg_auth_members', 'pg_authid', 'pg_database', 'pg_db_role_setting']

/** Reads what `emptyDatabase` goes back to. */
export async function readNewState(db: Db): Promise<NewState> {
  const tables = await filledTables(db)
  const rows: Record<string, string> = {}
  for (const table of tables) {
    const [found] = await db.query<{ rows: string | null }>(`select json_agg(t)::text as rows from ${table} t`)
    if (found?.rows) rows[table] = found.rows
  }
  return { rows, catalogs: await readCatalogs(db) }
}

/** Makes a database that a test has used a new one again; false where that is not possible: throw it away. */
export async function emptyDatabase(db: Db, { rows, catalogs: before }: NewState): Promise<boolean> {
  if (!isDeepStrictEqual(await readCatalogs(db), before)) return false
  const tables = [...new Set([...(await filledTables(db)), ...Object.keys(rows)])]
  await db.transaction(async tx => {
    // Triggers would note that rows have gone.
    await tx.script('set local session_replication_role = replica')
    await tx.script(`truncate ${tables.join(', ')} cascade`)
    await tx.query(`select setval(format('%I.%I', schemaname, sequencename)::regclass, start_value, false) from pg_sequences
      where last_value is not null`)
    for (const [table, json] of Object.entries(rows))
      await tx.query(`insert into ${table} select * from json_populate_recordset(null::${table}, $1)`, [json])
  })
  await db.script(`unlisten *; reset all; ${sessionSettings}; select pg_advisory_unlock_all(); discard temp`)
  return true
}

async function filledTables(db: Db): Promise<string[]> {
  const tables = await db.query<{ name: string }>(
    `select format('%I.%I', nspname, relname) as name from pg_class c join pg_namespace n on n.oid = relnamespace
     where relkind = 'r' and ${notSystem} and pg_relation_size(c.oid) > 0`
  )
  return tables.map(({ name }) => name)
}

async function readCatalogs(db: Db): Promise<object> {
  const summaries = catalogs
    .filter(name => db.kind === 'pglite' || !shared.includes(name))
    .map(name => `(select count(*) || ' ' || max(xmin::text::bigint) from ${name}) as ${name}`)
  // A truncated table gets another file, and with it a new row here.
  const relations = `(select md5(string_agg(concat_ws(' ', oid, relname, relkind, relowner, relnatts, relchecks, relhastriggers,
    relrowsecurity, relforcerowsecurity, reloptions, relacl), ',' order by oid)) from pg_class) as relations`
  const [found] = await db.query(`select ${[...summaries, relations].join(', ')}`)
  return found ?? {}
}
