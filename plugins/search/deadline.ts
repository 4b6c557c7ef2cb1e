import { withAbort } from '#core'

/** The time limit of a query. When it has passed, the query returns what was found so far. */
export interface Deadline {
  /** @param share of the time; default: all of it. */
  hasPassed(share?: number): boolean
  /** Aborted when running statements must stop: the client is gone, or several times the limit has passed. */
  readonly signal: AbortSignal
}

/** A single statement is cancelled after this many times the limit. Larger reads are divided into shorter statements. */
const cancelFactor = 4

export function createDeadline(ms: number, clientSignal?: AbortSignal): Deadline {
  const begin = performance.now()
  const late = AbortSignal.timeout(ms * cancelFactor)
  return {
    hasPassed: (share = 1) => performance.now() >= begin + share * ms,
    signal: clientSignal === undefined ? late : AbortSignal.any([late, clientSignal])
  }
}

/** The result of the work; undefined when the deadline's signal is aborted first. */
export const untilAborted = <T>({ signal }: Deadline, work: Promise<T | undefined>): Promise<T | undefined> =>
  withAbort(signal, work, () => undefined)
