import type { Queryable } from '#core'
import type { ExportReport } from '../export-report.ts'

/** A rebuild that goes on as a job. Times are ISO 8601. */
export interface RebuildRow {
  job_id: string
  state: 'running' | 'done' | 'failed'
  posts: number
  report: ExportReport | null
  error: string | null
  started_at: string
  updated_at: string
}

/** Adds one, and deletes those of a week ago. */
export async function insertRebuild(db: Queryable, job_id: string): Promise<void> {
  await db.query("delete from export_rebuilds where seen_at < now() - interval '7 days'")
  await db.query('insert into export_rebuilds (job_id) values ($1)', [job_id])
}

/** Stores the progress, which also shows that the process lives. */
export async function recordRebuildProgress(db: Queryable, job_id: string, posts: number): Promise<void> {
  await db.query("update export_rebuilds set posts = $2, seen_at = now() where job_id = $1 and state = 'running'", [
    job_id,
    posts
  ])
}

export async function endRebuild(
  db: Queryable,
  job_id: string,
  { state, posts, report, error }: Pick<RebuildRow, 'state' | 'posts' | 'report' | 'error'>
): Promise<void> {
  await db.query(
    'update export_rebuilds set state = $2, posts = $3, report = $4::jsonb, error = $5, seen_at = now() where job_id = $1',
    [job_id, state, posts, report === null ? null : JSON.stringify(report), error]
  )
}

/** A rebuild without progress notes for `lostAfterSeconds` has failed with its process. */
export async function findRebuild(
  db: Queryable,
  job_id: string,
  lostAfterSeconds: number
): Promise<RebuildRow | undefined> {
  const [row] = await db.query<RebuildRow & { is_lost: boolean }>(
    `select job_id, state, posts, report, error, started_at, seen_at as updated_at,
       state = 'running' and seen_at < now() - make_interval(secs => $2) as is_lost
     from export_rebuilds where job_id = $1`,
    [job_id, lostAfterSeconds]
  )
  if (row === undefined) return undefined
  const { is_lost, ...job } = row
  return is_lost ? { ...job, state: 'failed', error: 'Its process ended. The next refresh goes on with it.' } : job
}
