import type { Db } from '../../core/contract/database.ts'
import { ConflictError, NotFoundError } from '../../core/contract/errors.ts'
import { notify } from '../../core/db/notify.ts'
import type { Jobs } from '../../core/jobs/jobs.ts'
import { hasQueues, jobsChannel } from '../../core/jobs/repository.ts'
import { messageOf } from '../../core/unknown.ts'
import {
  countDeadLetters,
  type DeadLetterFilter,
  type DeadLetterJob,
  type DeadLetterPage,
  listDeadLetters,
  retryDeadLetters,
  takeDeadLetter
} from './repository.ts'

/** A parked job there was nothing left to do for: it is deleted. */
interface DroppedJob extends DeadLetterJob {
  reason: string
}

/** What became of parked jobs that were to be retried, each as it was. */
export interface RetriedJobs {
  retried: DeadLetterJob[]
  dropped: DroppedJob[]
}

/** A parked job that could not be retried, and why. */
interface StuckJob {
  job: DeadLetterJob
  error: unknown
}

/** Jobs whose last retry has failed, and how to start them again. */
export interface DeadLetterJobs {
  /** Newest first, by default 100 at most; `total` counts all of them. */
  list(page?: DeadLetterPage): Promise<{ items: DeadLetterJob[]; total: number }>
  /** Starts a parked job again with all its retries, or what it was for. @throws NotFoundError */
  retry(id: string, actor: string): Promise<RetriedJobs>
  /** The same with every parked job, or those of one queue. */
  retryAll(queue: string | undefined, actor: string): Promise<RetriedJobs>
}

interface DeadLetterDeps {
  db: Db
  jobs: Pick<Jobs, 'handlers'>
}

export function createDeadLetterJobs({ db, jobs: { handlers } }: DeadLetterDeps): DeadLetterJobs {
  return {
    list: async (page = {}) => {
      if (!(await hasQueues(db))) return { items: [], total: 0 }
      return { items: await listDeadLetters(db, page), total: await countDeadLetters(db, page.queue) }
    },
    retry: async (id, actor) => {
      const result = await retryFitting(db, handlers, { id }, actor)
      if (result.retried.length + result.dropped.length === 0)
        throw new NotFoundError(`There is no parked job ${id}: "galley jobs list" shows those there are.`)
      return result
    },
    retryAll: (queue, actor) => retryFitting(db, handlers, { queue }, actor)
  }
}

/**
 * Retries parked jobs: those whose job has `onRetry` one by one, the others in one statement. One that fails stays parked and
 * keeps no other from it.
 * @throws what its `onRetry` threw; a ConflictError with that message when other jobs were retried or dropped.
 */
async function retryFitting(db: Db, handlers: Handlers, filter: DeadLetterFilter, actor: string): Promise<RetriedJobs> {
  const result: RetriedJobs = { retried: [], dropped: [] }
  if (!(await hasQueues(db))) return result
  const queues = handlers.all().flatMap(({ queue, onRetry }) => (onRetry === undefined ? [] : [queue]))
  const stuck: StuckJob[] = []
  const next = () => retryNext({ db, handlers, queues, filter, actor }, result, stuck)
  while (await next());
  const others = await retryDeadLetters(db, filter, queues)
  await notify(db, jobsChannel, [...new Set(others.map(({ queue }) => queue))])
  result.retried.push(...others)
  if (stuck.length > 0) throw stuckError(stuck, result)
  return result
}

type Handlers = Jobs['handlers']

interface Retrying {
  db: Db
  handlers: Handlers
  queues: readonly string[]
  filter: DeadLetterFilter
  actor: string
}

/** One dead letter by its job's `onRetry`. A failure leaves it parked. False when there is none. */
async function retryNext(
  { db, handlers, queues, filter, actor }: Retrying,
  { retried, dropped }: RetriedJobs,
  stuck: StuckJob[]
): Promise<boolean> {
  const without = stuck.map(({ job }) => job.id)
  let job: DeadLetterJob | undefined
  try {
    const reason = await db.transaction(async tx => {
      job = await takeDeadLetter(tx, filter, queues, without)
      return job === undefined ? null : ((await handlers.find(job.queue)?.onRetry?.(tx, job.data, actor)) ?? null)
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
  const message = messageOf(error)
  const stay = stuck.length === 1 ? '1 job stays' : `${stuck.length} jobs stay`
  return new ConflictError(
    `${stay} parked, the first ${job.id} (${job.queue}): ${message} Started again: ${retried.length}, dropped: ${dropped.length}.`
  )
}
