import type { Queryable, Tx } from '../../core/db/db.ts'

/** A table with its stored columns, in order; generated ones are left out. */
export interface BackupTable {
  /** With its schema, as in `public.posts`. */
  name: string
  columns: { name: string; type: string }[]
  /** What its rows are ordered by: the primary key. */
  key: string[]
}

export interface SequenceState {
  name: string
  last_value: string
  is_called: boolean
}

/** The schemas an installation fills: its own and the job queue's. */
export const schemas = ['public', 'jobs'] as const

/** Objects of an extension are not the installation's: they come with `create extension`. */
const isOwn = (oid: string, catalogue: string) =>
  `not exists (select from pg_depend where classid = '${catalogue}'::regclass and objid = ${oid} and deptype = 'e')`

export async function beginSnapshot(tx: Tx): Promise<void> {
  await tx.query('set transaction isolation level repeatable read, read only')
  await tx.query('set local statement_timeout = 0')
}

export async function liftTimeouts(tx: Tx): Promise<void> {
  await tx.query('set local statement_timeout = 0')
}

/** Tables of a schema, by name; a partitioned one stands for its partitions. */
export async function listTables(db: Queryable, schema: string): Promise<BackupTable[]> {
  return db.query<BackupTable>(
    `select n.nspname || '.' || c.relname as name,
       (select jsonb_agg(jsonb_build_object('name', attname, 'type', format_type(atttypid, atttypmod)) order by attnum)
        from pg_attribute where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns,
       coalesce((select jsonb_agg(a.attname order by array_position(i.indkey::int2[], a.attnum))
        from pg_index i join pg_attribute a on a.attrelid = c.oid and a.attnum = any(i.indkey)
        where i.indrelid = c.oid and i.indisprimary), '[]') as key
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = $1 and c.relkind in ('r', 'p') and not c.relispartition and ${isOwn('c.oid', 'pg_class')}
     order by 1`,
    [schema]
  )
}

export async function listSequences(db: Queryable): Promise<SequenceState[]> {
  const names = await db.query<{ name: string }>(
    `select 'public.' || quote_ident(c.relname) as name from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'S' and ${isOwn('c.oid', 'pg_class')}
     order by c.relname`
  )
  const states: SequenceState[] = []
  for (const { name } of names) {
    const [state] = await db.query<Omit<SequenceState, 'name'>>(
      `select last_value::text as last_value, is_called from ${name}`
    )
    if (state !== undefined) states.push({ name, ...state })
  }
  return states
}

export async function restoreSequence(tx: Tx, { name, last_value, is_called }: SequenceState): Promise<void> {
  await tx.query('select setval($1::regclass, $2::bigint, $3)', [name, last_value, is_called])
}

/** `select` of a table's rows as lines: a JSON list of each column's text, as every PostgreSQL reads and writes it. */
export interface RowQuery {
  /** What is selected instead of a column. */
  replace?: Readonly<Record<string, string>>
  where?: string
}

export function lineQuery({ name, columns, key }: BackupTable, { replace = {}, where = 'true' }: RowQuery): string {
  const values = columns.map(column => `(${replace[column.name] ?? quote(column.name)})::text`)
  // Texts are put in the order of their bytes: collations differ between servers.
  const order = (key.length > 0 ? key : columns.map(column => column.name)).map(column =>
    isText(columns, column) || key.length === 0 ? `${quote(column)}::text collate "C"` : quote(column)
  )
  return `select json_build_array(${values.join(', ')})::text as line from ${quoteName(name)} where ${where} order by ${order.join(', ')}`
}

const isText = (columns: BackupTable['columns'], name: string) =>
  columns.some(column => column.name === name && /^(text|character|varchar|jobs\.)/.test(column.type))

/** Rows fetched at once, by how long they are: a few texts of megabytes, or some hundred short rows. */
const fetchSizes = [1, 8, 64, 512]
const wantedCharacters = 1024 * 1024

/** Runs a query through a cursor, so that about a megabyte is held. */
export async function* eachLine(tx: Tx, sql: string): AsyncGenerator<string[]> {
  await tx.query(`declare backup_rows no scroll cursor for ${sql}`)
  for (let size = 8; ; ) {
    const rows = await tx.query<{ line: string }>(`fetch ${size} from backup_rows`)
    if (rows.length === 0) break
    yield rows.map(({ line }) => line)
    const longest = Math.max(...rows.map(({ line }) => line.length))
    size = fetchSizes.findLast(count => count * longest <= wantedCharacters) ?? 1
  }
  await tx.query('close backup_rows')
}

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

/**
 * Inserts rows that come as a JSON list of lists of texts. The table and its columns are as `listTables` found them here;
 * `index` is where in a row the column's text is. The queue's library may have put rows of its own there already.
 */
export async function insertRows(
  tx: Tx,
  { name, columns }: Pick<BackupTable, 'name'> & { columns: readonly { name: string; type: string; index: number }[] },
  json: string
): Promise<void> {
  const names = columns.map(column => quote(column.name)).join(', ')
  const values = columns.map(({ index, type }) => `(line->>${index})::${type}`).join(', ')
  await tx.query(
    `insert into ${quoteName(name)} (${names}) overriding system value
     select ${values} from jsonb_array_elements($1::jsonb) line${name.startsWith('jobs.') ? ' on conflict do nothing' : ''}`,
    [json]
  )
}

/** Foreign keys of the schema `public`: they are put back, and checked, once all rows are there. */
export async function dropForeignKeys(tx: Tx): Promise<{ table: string; name: string; definition: string }[]> {
  const keys = await tx.query<{ table: string; name: string; definition: string }>(
    `select conrelid::regclass::text as "table", quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace and conparentid = 0
     order by conname`
  )
  for (const { table, name } of keys) await tx.query(`alter table ${table} drop constraint ${name}`)
  return keys
}

export async function addForeignKeys(
  tx: Tx,
  keys: readonly { table: string; name: string; definition: string }[]
): Promise<void> {
  for (const { table, name, definition } of keys)
    await tx.query(`alter table ${table} add constraint ${name} ${definition}`)
}

/** Rows must arrive as they were stored, not as a trigger would have them. */
export async function switchTriggers(tx: Tx, isOn: boolean): Promise<void> {
  const tables = await tx.query<{ name: string }>(
    `select distinct tgrelid::regclass::text as name from pg_trigger t join pg_class c on c.oid = t.tgrelid
     where not tgisinternal and c.relnamespace = 'public'::regnamespace`
  )
  for (const { name } of tables) await tx.query(`alter table ${name} ${isOn ? 'enable' : 'disable'} trigger user`)
}

/** Takes away the rows that migrations have put into these tables. Foreign keys to them are gone by now, triggers off. */
export async function emptyTables(tx: Tx, names: readonly string[]): Promise<void> {
  if (names.length > 0) await tx.query(`truncate ${names.map(quoteName).join(', ')}`)
}

/** Takes everything out of the installation's schemas. */
export async function dropEverything(tx: Tx): Promise<void> {
  await tx.query('drop schema if exists jobs cascade')
  const objects = await tx.query<{ statement: string }>(
    `select format('drop %s if exists %s cascade',
       case relkind when 'v' then 'view' when 'm' then 'materialized view' when 'S' then 'sequence' else 'table' end,
       c.oid::regclass) as statement
     from pg_class c
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'S') and not relispartition
       and ${isOwn('c.oid', 'pg_class')}
       and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = c.oid and deptype in ('a', 'i')
         and relkind = 'S')
     union all
     select format('drop routine if exists %s cascade', p.oid::regprocedure) from pg_proc p
     where pronamespace = 'public'::regnamespace and ${isOwn('p.oid', 'pg_proc')}
     union all
     select format('drop type if exists %s cascade', t.oid::regtype) from pg_type t
     where typnamespace = 'public'::regnamespace and typtype in ('e', 'd', 'r') and ${isOwn('t.oid', 'pg_type')}`
  )
  for (const { statement } of objects) await tx.query(statement)
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
export async function listFilled(db: Queryable): Promise<string[]> {
  const filled: string[] = []
  for (const { name } of await listTables(db, 'public')) {
    const rows = await db.query(`select 1 from ${quoteName(name)} where not (${madeBySetup[name] ?? 'false'}) limit 1`)
    if (rows.length > 0) filled.push(name.slice('public.'.length))
  }
  return filled
}

export async function listStoredSecrets(db: Queryable): Promise<{ key: string; value: string }[]> {
  return db.query('select key, value from app_settings where is_secret order by key')
}

export async function hasTable(db: Queryable, name: string): Promise<boolean> {
  const [row] = await db.query<{ exists: boolean }>('select to_regclass($1) is not null as exists', [name])
  return row?.exists === true
}

export async function serverName(db: Queryable): Promise<string> {
  const [row] = await db.query<{ name: string }>(`select 'PostgreSQL ' || current_setting('server_version') as name`)
  return row?.name ?? ''
}

/** Keeps everybody from changing these tables until the transaction ends, and from migrating. Comes before any query. */
export async function freezeTables(tx: Tx, names: readonly string[]): Promise<void> {
  await tx.script(`set local lock_timeout = '10s'`)
  await tx.script(`lock table ${names.map(quoteName).join(', ')} in share mode`)
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('galley.schema_migrations', 0))`)
}

export async function noteRestore(tx: Tx, details: object): Promise<void> {
  await tx.query(`insert into audit_log (event_type, actor, details) values ('backup_restored', 'operator', $1)`, [
    JSON.stringify(details)
  ])
}

export async function wasRestored(db: Queryable, id: string): Promise<boolean> {
  const rows = await db.query(
    `select from audit_log where event_type = 'backup_restored' and details->>'restore_id' = $1`,
    [id]
  )
  return rows.length > 0
}

const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`
export const quoteName = (name: string): string => name.split('.').map(quote).join('.')
