import type { Queryable } from '#core'

export function countTasks(db: Queryable): Promise<{ status: string; tasks: number }[]> {
  return db.query('select status, count(*) as tasks from tasks group by status order by status')
}

/** Of all workers together. */
export interface WorkerRow {
  state: 'running' | 'idle' | 'stopped'
  /** Jobs under way. */
  active_jobs: number
  /** When a worker last looked at the schedules or said that its job lives; ISO 8601, null for never. */
  last_seen_at: string | null
}

/** A worker looks at the schedules every half minute, and says every three seconds that its jobs live. */
export async function readWorker(db: Queryable): Promise<WorkerRow> {
  const [row] = await db.query<WorkerRow>(
    `select case when active_jobs > 0 then 'running' when seen > now() - interval '2 minutes' then 'idle' else 'stopped' end
         as state,
       active_jobs, seen::timestamptz(3) as last_seen_at
     from (
       select count(*) filter (where heartbeat_on > now() - interval '15 seconds') as active_jobs,
         greatest(max(heartbeat_on), (select max(cron_on) from jobs.version)) as seen
       from jobs.job where state = 'active'
     ) now_active`
  )
  return row ?? { state: 'stopped', active_jobs: 0, last_seen_at: null }
}
