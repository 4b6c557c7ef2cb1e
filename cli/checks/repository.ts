import type { Queryable, Tx } from '../../core/contract/database.ts'
import { hasQueues } from '../../core/jobs/repository.ts'
import { isOwn, schemas } from '../backup/repository/tables.ts'

const maxRows = 20

/** The addresses that the newest audit rows of a type hold, each once. */
export async function listAddresses(db: Queryable, event_type: string, since: Date): Promise<string[]> {
  const rows = await db.query<{ address: string }>(
    `select details->>'address' as address from audit_log where event_type = $1 and at >= $2
     order by at desc, id desc limit $3`,
    [event_type, since, maxRows]
  )
  return [...new Set(rows.map(({ address }) => address))]
}

/** The database's own time, as ISO 8601. */
export async function readClock(db: Queryable): Promise<string> {
  const [row] = await db.query<{ at: string }>('select clock_timestamp() as at')
  return row?.at ?? ''
}

/** A table that the login may not change, as SQL writes it, and what it lacks there. */
interface DeniedTable {
  login: string
  name: string
  rights: string[]
}

/**
 * Tables of the installation on which the login lacks a right to change rows, by name. They have the owner of the list of
 * migrations; another program may have tables beside them.
 */
export function listDeniedTables(db: Queryable): Promise<DeniedTable[]> {
  return db.query<DeniedTable>(
    `select quote_ident(current_user) as login, c.oid::regclass::text as name, array_agg(needed order by needed) as rights
     from pg_class c, unnest(array['INSERT', 'UPDATE', 'DELETE']) needed
     where c.relnamespace in (select oid from pg_namespace where nspname = any($1::text[])) and c.relkind in ('r', 'p')
       and c.relowner = (select relowner from pg_class where oid = to_regclass('public.schema_migrations'))
       and not has_table_privilege(c.oid, needed) and ${isOwn('c.oid', 'pg_class')}
     group by c.oid order by 2`,
    [schemas]
  )
}

/** The data of jobs of these queues that are to be done or under way. */
export async function listUnfinished<Data>(db: Queryable, queues: readonly string[]): Promise<Data[]> {
  if (!(await hasQueues(db))) return []
  const rows = await db.query<{ data: Data }>(
    `select data from jobs.job where name = any($1::text[]) and state in ('created', 'retry', 'active')`,
    [queues]
  )
  return rows.map(({ data }) => data)
}

/** Whether a heartbeat was written in the last `seconds`. */
export async function hasHeartbeatSince(db: Pick<Queryable, 'query'>, type: string, seconds: number): Promise<boolean> {
  const rows = await db.query(
    `select from audit_log where event_type = $1 and at > now() - $2 * interval '1 second' limit 1`,
    [type, seconds]
  )
  return rows.length > 0
}

/** Lets one process write at a time, until the transaction ends. */
export async function lockHeartbeat(tx: Tx): Promise<void> {
  await tx.query("select pg_advisory_xact_lock(hashtextextended('galley.heartbeat', 0))")
}
