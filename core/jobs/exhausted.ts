import type { Db } from '../db/db.ts'
import type { Log } from '../log.ts'
import { exhaustedQueue } from './install.ts'
import type { Kind, Kinds } from './kinds.ts'
import { findExhausted } from './repository.ts'

/**
 * Tells the log and the kind's `onExhausted` that a job has used up its retries. It is a job itself, so that it also
 * happens when the last attempt was lost with its process, and in one process only.
 */
export function createExhaustedKind(db: Db, log: Log, kinds: Kinds): Kind {
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
      await kinds.find(queue)?.onExhausted?.(data, error)
    }
  }
}

function toError({ name, message }: { name?: string; message?: string }): Error {
  const error = new Error(message ?? 'The job failed without saying why.')
  if (name !== undefined) error.name = name
  return error
}
