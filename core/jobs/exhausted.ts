import { type Emit, event } from '../contract/plugin.ts'
import type { Db } from '../db/db.ts'
import type { Log } from '../log.ts'
import { exhaustedQueue } from './install.ts'
import type { Kind, Kinds } from './kinds.ts'
import { findExhausted } from './parked-repository.ts'

/** A job used up its retries and stays parked until somebody starts it anew. One with an `onExhausted` tells of it itself, unless that throws. */
export const JobParked = event<{
  /** Stable however often it is told; another when the job is parked again. */
  id: string
  queue: string
  job_id: string
  attempts: number
  /** Why the last attempt failed. */
  error: string
}>('jobs.parked')

/**
 * Tells the log, and the kind's `onExhausted` or whoever follows `jobs.parked`, that a job has used up its retries. It is
 * a job itself, so that it also happens when the last attempt was lost with its process, and in one process only.
 */
export function createExhaustedKind(db: Db, log: Log, kinds: Kinds, emit: Emit): Kind {
  return {
    queue: exhaustedQueue,
    plugin: 'core',
    concurrency: 1,
    retries: 10,
    retryDelay: 5,
    timeout: 900,
    handle: async (data, { id, attempt }) => {
      const exhausted = await findExhausted(db, id)
      if (exhausted === undefined) return
      const { queue, job_id, attempts } = exhausted
      const error = toError(exhausted.error)
      if (attempt === 1) log.error({ err: error, queue, job_id, attempts }, 'a job used up its retries and is parked')
      const tell = () =>
        db.transaction(tx => emit(tx, JobParked, { id, queue, job_id, attempts, error: error.message }))
      const kind = kinds.find(queue)
      if (kind?.onExhausted !== undefined) await kind.onExhausted(data, error).catch(failure => told(tell, failure))
      // Of a subscriber to this event it would be told for ever.
      else if (!queue.startsWith(`${JobParked.id}/`)) await tell()
    }
  }
}

/** One that cannot tell of its job itself is tried again; meanwhile the job is told of like others. */
async function told(tell: () => Promise<void>, failure: unknown): Promise<never> {
  await tell()
  throw failure
}

function toError({ name, message }: { name?: string; message?: string }): Error {
  const error = new Error(message ?? 'The job failed without saying why.')
  if (name !== undefined) error.name = name
  return error
}
