import type { Emit } from '../contract/jobs.ts'
import { event } from '../contract/plugin.ts'
import type { Db } from '../db/db.ts'
import type { Log } from '../log.ts'
import { deadLetterQueue } from './install.ts'
import type { Kind, Kinds } from './kinds.ts'
import { findDeadLetter } from './repository.ts'

/** A job used up its retries and is parked until somebody retries it. Not emitted for a kind with `onParked`, unless that throws. */
export const JobParked = event<{
  /** The same however often the event is delivered; another when the job is parked again. */
  id: string
  queue: string
  job_id: string
  attempts: number
  /** Why the last attempt failed. */
  error: string
}>('jobs.parked')

/**
 * Works the dead letters: calls the kind's `onParked`, or emits `JobParked`. It is a job itself, so that it also happens when
 * the last attempt was lost with its process, and in one process only.
 */
export function createDeadLetterKind(db: Db, log: Log, kinds: Kinds, emit: Emit): Kind {
  return {
    queue: deadLetterQueue,
    plugin: 'core',
    concurrency: 1,
    retries: 10,
    retryDelay: 5,
    timeout: 900,
    handle: async (data, { id, attempt }) => {
      const letter = await findDeadLetter(db, id)
      if (letter === undefined) return
      const { queue, job_id, attempts } = letter
      const error = toError(letter.error)
      if (attempt === 1) log.error({ err: error, queue, job_id, attempts }, 'a job used up its retries and is parked')
      const announce = () =>
        db.transaction(tx => emit(tx, JobParked, { id, queue, job_id, attempts, error: error.message }))
      const onParked = kinds.find(queue)?.onParked
      // A parked subscriber of this event would be announced to itself for ever.
      if (onParked === undefined) return queue.startsWith(`${JobParked.id}/`) ? undefined : announce()
      try {
        await onParked(data, error)
      } catch (failure) {
        // It is tried again. Meanwhile the job is announced like others.
        await announce()
        throw failure
      }
    }
  }
}

function toError({ name, message }: { name?: string; message?: string }): Error {
  const error = new Error(message ?? 'The job failed without saying why.')
  if (name !== undefined) error.name = name
  return error
}
