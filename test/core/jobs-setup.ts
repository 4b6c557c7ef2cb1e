import { createLog } from '../../cli/log/json-log.ts'
import type { Db } from '../../core/contract/database.ts'
import type { Job, Subscription } from '../../core/contract/jobs.ts'
import { createJobs, type Jobs } from '../../core/jobs/jobs.ts'

export interface Line {
  level: number
  msg: string
  queue?: string
}

/** A process, as far as jobs are concerned: installed and working, with what it logged. */
export interface TestProcess extends Jobs {
  lines: Line[]
}

interface Plugin {
  plugin?: string
  jobs?: readonly Job[]
  subscriptions?: readonly Subscription[]
}

const running = new Set<Jobs>()

export function createProcess(db: Db, ...plugins: Plugin[]): TestProcess {
  const lines: Line[] = []
  const log = createLog('info', { write: line => void lines.push(JSON.parse(line)) })
  const jobs = createJobs({ db, log })
  for (const { plugin = 'test', jobs: own = [], subscriptions = [] } of plugins)
    jobs.register(plugin, own, subscriptions)
  return { ...jobs, lines }
}

export async function startProcess(db: Db, ...plugins: Plugin[]): Promise<TestProcess> {
  const jobs = createProcess(db, ...plugins)
  await jobs.install()
  await jobs.start()
  running.add(jobs)
  return jobs
}

export async function stopProcesses(): Promise<void> {
  const all = [...running]
  running.clear()
  await Promise.all(all.map(jobs => jobs.stop(0)))
}

/** Makes jobs that wait for their backoff due now, and has them looked for. */
export async function skipBackoff(db: Db): Promise<void> {
  await db.query(
    `with due as (
       update jobs.job set start_after = now() where state = 'retry' and start_after > now() returning name
     )
     select pg_notify('galley_jobs', name) from due`
  )
}

/** What is left of a process that was killed while it ran the waiting jobs of a queue. */
export async function loseWaiting(db: Db, queue: string, retryCount: number): Promise<void> {
  await db.query(
    `update jobs.job set state = 'active', started_on = now(), heartbeat_on = now() - interval '11 s', retry_count = $2
     where name = $1 and state = 'created'`,
    [queue, retryCount]
  )
}
