import type { Queryable, Tx } from '../../core/contract/database.ts'
import { allowIdle } from './session/idle-watch.ts'

/** Whether there is a table of this name, which may begin with its schema. */
export async function hasTable(db: Queryable, name: string): Promise<boolean> {
  const [row] = await db.query<{ exists: boolean }>('select to_regclass($1) is not null as exists', [name])
  return row?.exists === true
}

/** For a transaction that takes as long as it takes, and may do other work between its statements. */
export async function liftTimeLimits(tx: Tx): Promise<void> {
  allowIdle(tx)
  await tx.script('set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0')
}

interface Encoding {
  database: string
  encoding: string
  /** Name for another one beside it, as SQL writes it; PostgreSQL cuts what is longer than 63 bytes. */
  other_name: string
}

/** The database by name, and how it writes texts. */
export async function readEncoding(db: Queryable): Promise<Encoding> {
  const [row] = await db.query<Encoding>(
    `select current_database() as database, current_setting('server_encoding') as encoding,
       quote_ident(left(current_database(), 58) || '_utf8') as other_name`
  )
  if (row === undefined) throw new TypeError('A select without a table answered no row.')
  return row
}

/** Drops the databases that new ones are copied from: an embedded one has no other. They are two thirds of its files. */
export async function dropTemplateDatabases(db: Queryable): Promise<void> {
  await db.script('update pg_database set datistemplate = false')
  for (const name of ['template0', 'template1']) await db.script(`drop database ${name}`)
  await db.script('checkpoint')
}

/** How many sessions the service has in this database; a command's own is called otherwise. */
export async function countSessions(db: Queryable): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity
     where datname = current_database() and application_name = 'galley'`
  )
  return row?.count ?? 0
}

/**
 * Writes the sequences that this transaction made again as they are, at its end. A minimal write-ahead log, as that of the embedded
 * database, has none of the first 32 numbers that they gave in it: after a crash they would be given once more. Others are left alone:
 * a number that somebody takes from one meanwhile would be given twice.
 */
export async function rewriteSequences(tx: Tx): Promise<void> {
  await tx.query(
    `with made as materialized (
       select seqrelid from pg_sequence join pg_class on pg_class.oid = seqrelid
       where pg_class.xmin = pg_current_xact_id()::xid
     )
     select setval(seqrelid::regclass, pg_sequence_last_value(seqrelid)) from made`
  )
}
