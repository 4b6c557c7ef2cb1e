import type { Queryable } from '../contract/database.ts'

/** Carries the name of a queue that has something to do now. */
export const jobsChannel = 'galley_jobs'
/** Sent on the channel instead of a name: a job for a later time was queued. It may be due before the next look. */
export const delayedJobPayload = '*'
/** pg-boss's dead letter queue: a row for each job whose last retry has failed, whoever noticed it. The databases hold the name. */
export const deadLetterQueue = 'dead-letters'
/** Where pg-boss puts the schedules that are due. */
export const dueSchedulesQueue = '__pgboss__send-it'

/**
 * Rows of one queue, as they are now. `retrying`: have failed and wait for their next delivery. `later`: are for a later
 * time. `oldest_seconds`: how long the oldest ready job has been waiting; null for none.
 */
export interface QueueStats {
  queue: string
  ready: number
  active: number
  retrying: number
  later: number
  parked: number
  oldest_seconds: number | null
}

/** Which delivery of which job. */
export interface Claim {
  readonly id: string
  readonly retryCount: number
}

/** Maintenance, statistics and the search for lost jobs read active rows; pg-boss has no index of them. */
export const createActiveIndex = (db: Queryable): Promise<object[]> =>
  db.query(`create index if not exists job_active on jobs.job (name) where state = 'active'`)

/**
 * Pulls the waiting job of this key forward to `startAt` (null: now) if that is sooner. It locks the row: a worker
 * that would start the job now, and not see what the caller has changed, passes it over until the caller commits.
 * Returns false when no such job is waiting.
 */
export async function bringForward(db: Queryable, queue: string, key: string, startAt: Date | null): Promise<boolean> {
  const rows = await db.query(
    `update jobs.job set start_after = least(start_after, coalesce($3::timestamptz, now()))
     where name = $1 and singleton_key = $2 and state = 'created'
     returning 1`,
    [queue, key, startAt]
  )
  return rows.length > 0
}

/** Those of `queues` that have a job whose time comes within `withinMs`, and in how many milliseconds: 0 when it has come. */
export function findDue(
  db: Queryable,
  queues: readonly string[],
  withinMs: number
): Promise<{ queue: string; in_ms: number }[]> {
  return db.query(
    `select queue, greatest(0, ceil(extract(epoch from next.start_after - clock_timestamp()) * 1000))::int as in_ms
     from unnest($1::text[]) queue cross join lateral (
       select start_after from jobs.job
       where name = queue and state < 'active' and not blocked and start_after <= now() + $2 * interval '1 ms'
       order by start_after limit 1
     ) next`,
    [queues, withinMs]
  )
}

const isSilent = `heartbeat_on + heartbeat_seconds * interval '1 s' < now()`
const isTooLong = `started_on + expire_seconds * interval '1 s' < now()`

/** Which of `repairTimesAfterClockChange` and `reclaimLost` has anything to do. Both rarely have, and take long to parse. */
export const findFaults = (db: Queryable) =>
  db.query<{ fault: 'clock_went_back' | 'overdue' }>(
    `select 'clock_went_back' as fault from jobs.version where cron_on > now() + interval '1 minute' union all
     select 'overdue' where exists (select from jobs.job where state = 'active' and (${isSilent} or ${isTooLong}))`
  )

/**
 * After the database's clock was set back, times that were written as `now()` lie in the future: schedules would not run, and
 * jobs would wait until the clock reaches them. The first worker that sees such a time sets them all to now.
 */
export async function repairTimesAfterClockChange(db: Queryable): Promise<void> {
  await db.query(
    `with back as (
       update jobs.version set cron_on = null where cron_on > now() + interval '1 minute' returning 1
     ), repeated as (
       delete from jobs.job where name = '${dueSchedulesQueue}' and state > 'active' and exists (select from back)
     )
     update jobs.job set
       start_after = case when state < 'active' then now() else start_after end,
       heartbeat_on = case when state = 'active' then now() else heartbeat_on end
     where exists (select from back) and (
       (state = 'created' and start_after = created_on and created_on > now())
       or (state = 'retry' and start_after > now())
       or (state = 'active' and heartbeat_on > now()))`
  )
}

/** What became of jobs whose process sends no heartbeat any more, or that took too long. Only a lost one has an `id`. */
type LostJob =
  | { found: 'reclaimed' | 'expired'; queue: string; id: null; retryCount: null; deaths: null }
  | { found: 'lost'; queue: string; id: string; retryCount: number; deaths: number }

/**
 * Makes jobs ready again whose process sends no heartbeat any more, at once rather than after the backoff. A job may have
 * killed its process: each is marked, and from then on is marked again when it starts. One that as many processes as
 * `maxDeaths` (by queue) died of after it had started is lost, as is one without retries left, where two are the most: these
 * are returned, for the caller to fail them. A job that had only been claimed is not counted. From the third death on it
 * waits longer each time. Jobs of `endlessQueues` always run while a process does: its death says nothing.
 */
export async function reclaimLost(
  db: Queryable,
  endlessQueues: readonly string[],
  maxDeaths: Readonly<Record<string, number>>
): Promise<LostJob[]> {
  return db.query(
    `with lost as (
       select name, id, retry_count, retry_count < retry_limit as has_retries,
         coalesce(output ? 'process_died' and name <> all($1::text[]), false) as is_suspect,
         coalesce(output ? 'has_begun', false) as has_begun,
         coalesce((output ->> 'deaths')::int, 1) as deaths_before, coalesce(($2::jsonb ->> name)::int, 2) as max_deaths
       from jobs.job
       where state = 'active' and ${isSilent}
       for update skip locked
     ), counted as (
       select *, case when is_suspect then deaths_before + has_begun::int else 1 end as deaths from lost
     ), judged as (
       select *, case when is_suspect then not has_begun or deaths < max_deaths else has_retries or max_deaths > 2 or name = any($1::text[]) end as goes_on
       from counted
     ), reclaimed as (
       update jobs.job set state = 'retry', heartbeat_on = null,
         start_after = now() + case when deaths > 2 then least(600, 10 * 2 ^ (deaths - 3)) else 0 end * interval '1 s',
         output = case when deaths > 1 then jsonb_build_object('process_died', true, 'deaths', deaths) else '{"process_died": true}' end,
         started_on = case when has_retries and not is_suspect then started_on end
       from judged where goes_on and job.name = judged.name and job.id = judged.id
     ), ended as (
       update jobs.job set retry_limit = judged.retry_count
       from judged where not goes_on and job.name = judged.name and job.id = judged.id
     )
     select distinct 'reclaimed' as found, name as queue, null::uuid as id, null::int as "retryCount", null::int as deaths
     from judged where goes_on
     union all
     select 'lost', name, id, retry_count, deaths from judged where not goes_on
     union all
     select distinct 'expired', name, null::uuid, null::int, null::int from jobs.job
     where state = 'active' and ${isTooLong}`,
    [endlessQueues, JSON.stringify(maxDeaths)]
  )
}

const isClaimed = `name = $1 and state = 'active' and id = any($2::uuid[]) and id::text || ':' || retry_count = any($3::text[])`

/** The parameters of `isClaimed`. */
function ofClaims(queue: string, claims: readonly Claim[]) {
  return [queue, claims.map(({ id }) => id), claims.map(({ id, retryCount }) => `${id}:${retryCount}`)] as const
}

/** Records that the process running these jobs is alive. Returns the ids of those that it still holds. */
export async function recordHeartbeat(db: Queryable, queue: string, claims: readonly Claim[]): Promise<string[]> {
  const sql = `update jobs.job set heartbeat_on = now() where ${isClaimed} returning id`
  return (await db.query<{ id: string }>(sql, ofClaims(queue, claims))).map(({ id }) => id)
}

/** Records that a claimed job starts, if a process died while running it before. Returns whether one did. */
export async function markStarted(db: Queryable, queue: string, claim: Claim): Promise<boolean> {
  const rows = await db.query(
    `update jobs.job set output = output || '{"has_begun": true}' where ${isClaimed} and output ? 'process_died' returning 1`,
    ofClaims(queue, [claim])
  )
  return rows.length > 0
}

/** What processes died of a job before counts no more. */
export async function forgetDeaths(db: Queryable, queue: string, claim: Claim): Promise<void> {
  await db.query(
    `update jobs.job set output = output - 'deaths' where ${isClaimed} and output ? 'deaths'`,
    ofClaims(queue, [claim])
  )
}

/**
 * Releases claimed jobs unfinished, to be started by any process now. The delivery does not count. They become
 * `retry`, not `created`: another job of the same key may be waiting by now.
 */
export async function releaseJobs(db: Queryable, queue: string, claims: readonly Claim[]): Promise<void> {
  await db.query(
    `with returned as (
       update jobs.job set state = 'retry', start_after = now(), started_on = null, heartbeat_on = null,
         output = case when output ? 'has_begun' then output - 'has_begun' else output end
       where ${isClaimed}
       returning 1
     )
     select pg_notify($4, $1) from returned limit 1`,
    [...ofClaims(queue, claims), jobsChannel]
  )
}

export async function readQueueStats(db: Queryable): Promise<QueueStats[]> {
  return db.query(
    `select queue.name as queue,
       count(*) filter (where job.state < 'active' and job.start_after <= now()) as ready,
       count(*) filter (where job.state = 'active') as active,
       count(*) filter (where job.state = 'retry' and job.start_after > now()) as retrying,
       count(*) filter (where job.state = 'created' and job.start_after > now()) as later,
       count(*) filter (where job.state = 'failed') as parked,
       extract(epoch from now() - min(job.start_after)
         filter (where job.state < 'active' and job.start_after <= now()))::int as oldest_seconds
     from jobs.queue left join jobs.job on job.name = queue.name
     where queue.name not like '\\_\\_pgboss%'
     group by queue.name
     order by queue.name`
  )
}

/** Whether the tables of the queues are there: the first setup or start makes them. */
export const hasQueues = async (db: Queryable): Promise<boolean> =>
  (await db.query(`select 1 as found where to_regclass('jobs.job') is not null`)).length > 0

/** What pg-boss notes of a job that used up its retries. */
interface DeadLetter {
  queue: string
  job_id: string
  deliveries: number
  error: { name?: string; message?: string }
}

export async function findDeadLetter(db: Queryable, id: string): Promise<DeadLetter | undefined> {
  const rows = await db.query<DeadLetter>(
    `select source_name as queue, source_id as job_id, source_retry_count + 1 as deliveries,
       coalesce(source_output->'value', source_output, '{}') as error
     from jobs.job where name = $1 and id = $2`,
    [deadLetterQueue, id]
  )
  return rows[0]
}
