import { UnavailableError } from '#core'

/** What is asked before the endpoint wants it is refused again, and may be held against the operator. */
const waitMs = { min: 10_000, max: 3_600_000 }
/** One after the other without anything made in between. Then the tries of the job count. */
const maxWaits = 5

/** An endpoint that says when it is to be asked again. */
export interface AskedWait {
  startAt: Date
  /** How often its job has waited by then: a field of the job's data. */
  waits: number
}

/** When to ask again after an error of an endpoint that said so; null where it did not, or has said so too often. */
export function askedWait(error: unknown, waits: number, now: Date): AskedWait | null {
  const asked = error instanceof UnavailableError && 'retryAfterMs' in error ? Number(error.retryAfterMs) : 0
  if (!(asked > 0) || waits >= maxWaits) return null
  const ms = Math.min(Math.max(asked, waitMs.min), waitMs.max)
  return { startAt: new Date(now.getTime() + ms), waits: waits + 1 }
}
