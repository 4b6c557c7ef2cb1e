import { UnavailableError } from '#core'

/** An endpoint that is asked before its Retry-After is over refuses again, and may block the key. */
const waitMs = { min: 10_000, max: 3_600_000 }
/** One after the other without anything made in between. Then the tries of the job count. */
const maxWaits = 5

/** An endpoint that says when it is to be asked again. */
export interface RetryAfterWait {
  startAt: Date
  /** How often its job has waited by then: a field of the job's data. */
  waits: number
}

/** When to ask again after an error of an endpoint that said so; null where it did not, or has said so too often. */
export function retryAfterWait(error: unknown, waits: number, now: Date): RetryAfterWait | null {
  const asked = error instanceof UnavailableError && 'retryAfterMs' in error ? Number(error.retryAfterMs) : 0
  if (!(asked > 0) || waits >= maxWaits) return null
  const ms = Math.min(Math.max(asked, waitMs.min), waitMs.max)
  return { startAt: new Date(now.getTime() + ms), waits: waits + 1 }
}
