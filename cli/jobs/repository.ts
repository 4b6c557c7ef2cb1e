import type { Queryable } from '../../core/contract/database.ts'

/** A job whose last retry has failed. It is kept for 30 days. */
export interface DeadLetterJob {
  id: string
  queue: string
  data: unknown
  error: string | null
  attempts: number
  created_at: string
  parked_at: string
}

/** Which parked jobs; `queue` null: of every queue. */
export interface DeadLetterPage {
  queue?: string | null | undefined
  limit?: number
  offset?: number
}

const deadLetterColumns = `id, name as queue, data, coalesce(output->>'message', output->'value'->>'message') as error,
  retry_count + 1 as attempts, created_on as created_at, completed_on as parked_at`

/** Newest first. */
export async function listDeadLetters(
  db: Queryable,
  { queue = null, limit = 100, offset = 0 }: DeadLetterPage = {}
): Promise<DeadLetterJob[]> {
  return db.query(
    `select ${deadLetterColumns} from jobs.job
     where state = 'failed' and ($1::text is null or name = $1)
     order by completed_on desc, id
     limit $2 offset $3`,
    [queue, limit, offset]
  )
}

export async function countDeadLetters(db: Queryable, queue: string | null = null): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select count(*)::int as count from jobs.job where state = 'failed' and ($1::text is null or name = $1)`,
    [queue]
  )
  return row?.count ?? 0
}

/** Which parked jobs to retry: the one of this id, those of a queue, or all. */
export interface DeadLetterFilter {
  id?: string | null
  queue?: string | null | undefined
}

/** Starts parked jobs again with all their retries, but those of the queues `without`. Returns them as they were. */
export async function retryDeadLetters(
  db: Queryable,
  { id = null, queue = null }: DeadLetterFilter,
  without: readonly string[] = []
): Promise<DeadLetterJob[]> {
  return db.query(
    `with parked as (
       select ${deadLetterColumns} from jobs.job
       where state = 'failed' and ($1::uuid is null or id = $1) and ($2::text is null or name = $2)
         and name <> all($3::text[])
       for update
     ), retried as (
       update jobs.job set state = 'retry', retry_count = 0, start_after = now(), started_on = null, output = null,
         retry_limit = (select retry_limit from jobs.queue where name = parked.queue),
         completed_on = null, keep_until = now() + interval '1 year'
       from parked where job.name = parked.queue and job.id = parked.id
     )
     select * from parked order by parked_at desc, id`,
    [id, queue, without]
  )
}

/** Deletes the oldest parked job of these queues, but none of the ids `without`. Undefined: there is none, or another takes it. */
export async function takeDeadLetter(
  tx: Queryable,
  { id = null, queue = null }: DeadLetterFilter,
  queues: readonly string[],
  without: readonly string[]
): Promise<DeadLetterJob | undefined> {
  const [job] = await tx.query<DeadLetterJob>(
    `select ${deadLetterColumns} from jobs.job
     where state = 'failed' and ($1::uuid is null or id = $1) and ($2::text is null or name = $2) and name = any($3::text[])
       and id <> all($4::uuid[])
     order by completed_on, id limit 1 for update skip locked`,
    [id, queue, queues, without]
  )
  if (job !== undefined) await tx.query('delete from jobs.job where name = $1 and id = $2', [job.queue, job.id])
  return job
}

/** Whether a worker has looked at the schedules, which each does every half minute, or said that a job lives, in the last two minutes. */
export async function hasWorker(db: Queryable): Promise<boolean> {
  const [row] = await db.query<{ seen: boolean }>(
    `select greatest((select max(heartbeat_on) from jobs.job where state = 'active'), (select max(cron_on) from jobs.version))
       > now() - interval '2 minutes' as seen`
  )
  return row?.seen === true
}
