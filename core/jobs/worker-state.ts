import type { Queryable } from '../contract/database.ts'

/** The state of all workers as one. */
export interface WorkerState {
  state: 'running' | 'idle' | 'stopped'
  /** Running jobs. */
  active_jobs: number
  /** The last sign of life of any worker, ISO 8601; null for never. */
  last_seen_at: string | null
}

/** A worker checks the schedules every 30 s and sends a heartbeat for its jobs every 3 s. */
export async function readWorkerState(db: Queryable): Promise<WorkerState> {
  const [row] = await db.query<WorkerState>(
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
