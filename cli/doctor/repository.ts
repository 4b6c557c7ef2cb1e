import type { Queryable } from '../../core/db/db.ts'
import { hasQueues } from '../../core/jobs/repository.ts'

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

/** The data of jobs of these queues that are to be done or under way. */
export async function listUnfinished<Data>(db: Queryable, queues: readonly string[]): Promise<Data[]> {
  if (!(await hasQueues(db))) return []
  const rows = await db.query<{ data: Data }>(
    `select data from jobs.job where name = any($1::text[]) and state in ('created', 'retry', 'active')`,
    [queues]
  )
  return rows.map(({ data }) => data)
}
