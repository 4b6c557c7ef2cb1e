import { ConflictError, NotFoundError } from '../../core/contract/errors.ts'
import type { Db } from '../../core/db/db.ts'
import { notify } from '../../core/db/notify.ts'
import type { Jobs } from '../../core/jobs/jobs.ts'
import { channel, hasQueues } from '../../core/jobs/repository.ts'
import {
  countParked,
  listParked,
  type ParkedFilter,
  type ParkedJob,
  type ParkedPage,
  retryParked,
  takeParked
} from './repository.ts'

/** A parked job there was nothing left to do for: it is deleted. */
export interface DroppedJob extends ParkedJob {
  reason: string
}

/** What became of parked jobs that were to be retried, each as it was. */
export interface RetriedJobs {
  retried: ParkedJob[]
  dropped: DroppedJob[]
}

/** A parked job that could not be retried, and why. */
interface StuckJob {
  job: ParkedJob
  error: unknown
}

/** Jobs whose last retry has failed, and how to start them again. */
export interface ParkedJobs {
  /** Newest first, by default 100 at most; `total` counts all of them. */
  list(page?: ParkedPage): Promise<{ items: ParkedJob[]; total: number }>
  /** Starts a parked job again with all its retries, or what it was for. @throws NotFoundError */
  retry(id: string, actor: string): Promise<RetriedJobs>
  /** The same with every parked job, or those of one queue. */
  retryAll(queue: string | undefined, actor: string): Promise<RetriedJobs>
}

interface ParkedDeps {
  db: Db
  jobs: Pick<Jobs, 'kinds'>
}

export function createParkedJobs({ db, jobs: { kinds } }: ParkedDeps): ParkedJobs {
  return {
    list: async (page = {}) => {
      if (!(await hasQueues(db))) return { items: [], total: 0 }
      return { items: await listParked(db, page), total: await countParked(db, page.queue) }
    },
    retry: async (id, actor) => {
      const result = await retryFitting(db, kinds, { id }, actor)
      if (result.retried.length + result.dropped.length === 0)
        throw new NotFoundError(`There is no parked job ${id}: "galley jobs list" shows those there are.`)
      return result
    },
    retryAll: (queue, actor) => retryFitting(db, kinds, { queue }, actor)
  }
}

/**
 * Retries parked jobs: those of kinds with `onRetry` one by one, the others in one statement. One that fails stays parked and
 * keeps no other from it.
 * @throws what its `onRetry` threw; a ConflictError with that message when other jobs were retried or dropped.
 */
async function retryFitting(db: Db, kinds: Kinds, filter: ParkedFilter, actor: string): Promise<RetriedJobs> {
  const result: RetriedJobs = { retried: [], dropped: [] }
  if (!(await hasQueues(db))) return result
  const queues = kinds.all().flatMap(({ queue, onRetry }) => (onRetry === undefined ? [] : [queue]))
  const stuck: StuckJob[] = []
  const next = () => retryNext({ db, kinds, queues, filter, actor }, result, stuck)
  while (await next());
  const others = await retryParked(db, filter, queues)
  await notify(db, channel, [...new Set(others.map(({ queue }) => queue))])
  result.retried.push(...others)
  if (stuck.length > 0) throw stuckError(stuck, result)
  return result
}

type Kinds = Jobs['kinds']

interface Retrying {
  db: Db
  kinds: Kinds
  queues: readonly string[]
  filter: ParkedFilter
  actor: string
}

/** One job by its kind's `onRetry`. A failure leaves it parked. False when there is none. */
async function retryNext(
  { db, kinds, queues, filter, actor }: Retrying,
  { retried, dropped }: RetriedJobs,
  stuck: StuckJob[]
): Promise<boolean> {
  const without = stuck.map(({ job }) => job.id)
  let job: ParkedJob | undefined
  try {
    const reason = await db.transaction(async tx => {
      job = await takeParked(tx, filter, queues, without)
      return job === undefined ? null : ((await kinds.find(job.queue)?.onRetry?.(tx, job.data, actor)) ?? null)
    })
    if (job === undefined) return false
    if (reason === null) retried.push(job)
    else dropped.push({ ...job, reason })
  } catch (error) {
    if (job === undefined) throw error
    stuck.push({ job, error })
  }
  return true
}

function stuckError(stuck: readonly StuckJob[], { retried, dropped }: RetriedJobs): unknown {
  const [first] = stuck
  if (first === undefined || stuck.length + retried.length + dropped.length === 1) return first?.error
  const { job, error } = first
  const message = error instanceof Error ? error.message : String(error)
  const stay = stuck.length === 1 ? '1 job stays' : `${stuck.length} jobs stay`
  return new ConflictError(
    `${stay} parked, the first ${job.id} (${job.queue}): ${message} Started anew: ${retried.length}, dropped: ${dropped.length}.`
  )
}
