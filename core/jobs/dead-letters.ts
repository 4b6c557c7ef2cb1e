import type { Db } from '../contract/database.ts'
import type { Emit } from '../contract/jobs.ts'
import { event } from '../contract/plugin.ts'
import type { Log } from '../log.ts'
import type { QueueHandler, QueueHandlers } from './queue-handlers.ts'
import { deadLetterQueue, findDeadLetter } from './repository.ts'

/** A job used up its retries: it is a dead letter until somebody retries it. Not emitted for a job with `onDeadLetter`, unless that throws. */
export const JobDeadLettered = event<{
  /** The same however often the event is delivered; another when the job becomes a dead letter again. */
  id: string
  queue: string
  job_id: string
  attempts: number
  /** Why the last delivery failed. */
  error: string
}>('jobs.parked')

/**
 * Works the dead letters: calls the queue's `onDeadLetter`, or emits `JobDeadLettered`. It is a job itself, so that it also happens when
 * the last delivery was lost with its process, and in one process only.
 */
export function createDeadLetterHandler(db: Db, log: Log, handlers: QueueHandlers, emit: Emit): QueueHandler {
  return {
    queue: deadLetterQueue,
    plugin: 'core',
    concurrency: 1,
    retries: 10,
    retryDelaySeconds: 5,
    timeoutSeconds: 900,
    maxDeaths: 2,
    handle: async (data, { id, deliveryCount }) => {
      const letter = await findDeadLetter(db, id)
      if (letter === undefined) return
      const { queue, job_id, deliveries: attempts } = letter
      const error = toError(letter.error)
      if (deliveryCount === 1)
        log.error({ err: error, queue, job_id, attempts }, 'a job used up its retries and is parked')
      const announce = () =>
        db.transaction(tx => emit(tx, JobDeadLettered, { id, queue, job_id, attempts, error: error.message }))
      const onDeadLetter = handlers.find(queue)?.onDeadLetter
      // A subscriber of this event that used up its own would be announced to itself for ever.
      if (onDeadLetter === undefined) return queue.startsWith(`${JobDeadLettered.id}/`) ? undefined : announce()
      try {
        await onDeadLetter(data, error)
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
