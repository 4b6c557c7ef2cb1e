import type { Delivery } from '../contract/jobs.ts'
import { withAbort } from '../timeout.ts'
import { asError } from '../unknown.ts'
import type { QueueHandler } from './queue-handlers.ts'
import type { Claim } from './repository.ts'

/** One run of a job, claimed by this process. */
export interface JobRun {
  readonly claim: Claim
  readonly claimedAt: number
  /** Resolves when the end of the run has been recorded, or it was abandoned. */
  readonly ended: Promise<void>
  readonly isAbandoned: boolean
  readonly hasReturned: boolean
  /** Runs the handler; returns the error it failed with, undefined for success. Never rejects. */
  run(handler: QueueHandler, recordProgress: Delivery['recordProgress']): Promise<Error | undefined>
  /** Aborts the handler's signal; whatever it still does counts for nothing. */
  abandon(reason: Error): void
  end(): void
}

export const isUnfinished = (jobRun: JobRun): boolean => !jobRun.isAbandoned && !jobRun.hasReturned

export function createJobRun(claim: Claim, data: unknown): JobRun {
  const controller = new AbortController()
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  let isAbandoned = false
  let hasReturned = false
  return {
    claim,
    claimedAt: performance.now(),
    ended,
    end,
    get isAbandoned() {
      return isAbandoned
    },
    get hasReturned() {
      return hasReturned
    },
    run: async (handler, recordProgress) => {
      const delivery = { id: claim.id, deliveryCount: claim.retryCount + 1, signal: controller.signal, recordProgress }
      const error = await runWithin(handler, data, delivery, controller)
      hasReturned = true
      return error
    },
    abandon: reason => {
      isAbandoned = true
      controller.abort(reason)
    }
  }
}

/** A handler that ignores its signal is abandoned: another job may start, and its outcome is not looked at. */
async function runWithin(handler: QueueHandler, data: unknown, delivery: Delivery, controller: AbortController) {
  const { id, signal } = delivery
  const timeout = setTimeout(() => {
    controller.abort(
      new Error(`The job ${handler.queue} ${id} took longer than its timeout of ${handler.timeoutSeconds} s.`)
    )
  }, handler.timeoutSeconds * 1000)
  try {
    const work = handler.handle(data, delivery)
    await withAbort(signal, work, (): never => {
      throw signal.reason
    })
    return undefined
  } catch (error) {
    return asError(error)
  } finally {
    clearTimeout(timeout)
  }
}
