import type { Queryable, Tx } from '../../../core/contract/database.ts'
import { liftTimeLimits } from '../../database/repository.ts'

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
export const isOwn = (oid: string, catalogue: string) =>
  `not exists (select from pg_depend where classid = '${catalogue}'::regclass and objid = ${oid} and deptype = 'e')`

export async function beginSnapshot(tx: Tx): Promise<void> {
  await tx.query('set transaction isolation level repeatable read, read only')
  await liftTimeLimits(tx)
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
       and exists (select from pg_attribute where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = '')
     order by 1`,
    [schema]
  )
}

/**
 * What `dropEverything` may take out of the schema: tables, views, sequences of their own, routines, and types: enums, domains,
 * ranges, and those whose routines go. Composite types, collations and what belongs to text search stay.
 */
export async function listNamedObjects(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ name: string }>(
    `select 'public.' || relname as name from pg_class c
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'S', 'f') and not relispartition
       and ${isOwn('c.oid', 'pg_class')}
       and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = c.oid and deptype in ('a', 'i')
         and relkind = 'S')
     union select 'public.' || proname || '()' from pg_proc p
     where pronamespace = 'public'::regnamespace and ${isOwn('p.oid', 'pg_proc')}
     union select 'public.' || typname from pg_type t
     where typnamespace = 'public'::regnamespace and typtype in ('b', 'e', 'd', 'r') and typcategory <> 'A' and ${isOwn('t.oid', 'pg_type')}
     order by name`
  )
  return rows.map(({ name }) => name)
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

export async function serverName(db: Queryable): Promise<string> {
  const [row] = await db.query<{ name: string }>(`select 'PostgreSQL ' || current_setting('server_version') as name`)
  return row?.name ?? ''
}

export const quoteIdentifier = (name: string): string => `"${name.replaceAll('"', '""')}"`
export const quoteName = (name: string): string => name.split('.').map(quoteIdentifier).join('.')
