import type { Kind } from './kinds.ts'
import type { Claim } from './repository.ts'

/** One attempt at a job, claimed by this process. */
export interface Attempt {
  readonly claim: Claim
  readonly claimedAt: number
  /** Resolves when the end of the attempt has been recorded, or it was abandoned. */
  readonly ended: Promise<void>
  readonly isAbandoned: boolean
  readonly hasReturned: boolean
  /** Runs the handler; answers the error it failed with, undefined for success. Never rejects. */
  run(kind: Kind): Promise<Error | undefined>
  /** Aborts the handler's signal; whatever it still does counts for nothing. */
  abandon(reason: Error): void
  end(): void
}

export const isUnfinished = (attempt: Attempt): boolean => !attempt.isAbandoned && !attempt.hasReturned

export function createAttempt(claim: Claim, data: unknown): Attempt {
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
    run: async kind => {
      const error = await runWithin(kind, claim, data, controller)
      hasReturned = true
      return error
    },
    abandon: reason => {
      isAbandoned = true
      controller.abort(reason)
    }
  }
}

/** A handler that ignores its signal is left behind: its slot is free again, and its outcome is not looked at. */
async function runWithin(kind: Kind, { id, retryCount }: Claim, data: unknown, controller: AbortController) {
  const { signal } = controller
  const timeout = setTimeout(() => {
    controller.abort(new Error(`The job ${kind.queue} ${id} took longer than its timeout of ${kind.timeout} s.`))
  }, kind.timeout * 1000)
  const aborted = Promise.withResolvers<never>()
  signal.addEventListener('abort', () => aborted.reject(signal.reason), { once: true })
  try {
    await Promise.race([kind.handle(data, { id, attempt: retryCount + 1, signal }), aborted.promise])
    return undefined
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  } finally {
    clearTimeout(timeout)
  }
}
