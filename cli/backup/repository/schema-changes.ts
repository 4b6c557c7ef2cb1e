import type { Tx } from '../../../core/contract/database.ts'
import { lockMigrations } from '../../migrations/repository.ts'
import { isOwn, quoteName } from './tables.ts'

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

/** Keeps everybody from changing these tables until the transaction ends, and from migrating. Comes before any query. */
export async function freezeTables(tx: Tx, names: readonly string[]): Promise<void> {
  await tx.script(`set local lock_timeout = '10s'`)
  await tx.script(`lock table ${names.map(quoteName).join(', ')} in share mode`)
  await lockMigrations(tx)
}
