import { withTimeout } from '#core'

/** The time limit of a query. When it has passed, the query returns what was found so far. */
export interface Deadline {
  /** @param share of the time; default: all of it. */
  hasPassed(share?: number): boolean
  /** Milliseconds until that; 0 and less: it has passed. */
  leftMs(share?: number): number
  /** Aborted when running statements must stop: the client is gone, or several times the limit has passed. Made when it is first asked for. */
  readonly signal: AbortSignal
}

/** A single statement is cancelled after this many times the limit. Larger reads are divided into shorter statements. */
const cancelFactor = 4

/** Who waits for the answer, and for how long already. */
export interface ReaderRequest {
  /** Milliseconds since the request arrived: they count. */
  elapsedMs?: number | undefined
  clientSignal?: AbortSignal | undefined
}

export function createDeadline(ms: number, { elapsedMs = 0, clientSignal }: ReaderRequest = {}): Deadline {
  const now = performance.now()
  const begin = now - elapsedMs
  let signal: AbortSignal | undefined
  // Few searches run what has to be stopped. A timer for each of them would live many times as long as the search.
  const signalOf = () => (signal ??= stopSignal(now + ms * cancelFactor - performance.now(), clientSignal))
  return deadlineOf(signalOf, share => begin + share * ms)
}

function stopSignal(ms: number, clientSignal: AbortSignal | undefined): AbortSignal {
  const late = AbortSignal.timeout(Math.max(0, Math.ceil(ms)))
  return clientSignal === undefined ? late : AbortSignal.any([late, clientSignal])
}

/** `endOf`: when a share of the time has passed, as `performance.now()` tells. */
export function deadlineOf(signalOf: () => AbortSignal, endOf: (share: number) => number): Deadline {
  const leftMs = (share = 1) => endOf(share) - performance.now()
  return {
    get signal() {
      return signalOf()
    },
    leftMs,
    hasPassed: share => leftMs(share) <= 0
  }
}

/** The result of the work; undefined when the deadline passes first. The work may go on behind. */
export async function untilPassed<T>(deadline: Deadline, work: () => Promise<T | undefined>): Promise<T | undefined> {
  const ms = deadline.leftMs()
  return ms <= 0 ? undefined : await withTimeout(ms, work(), () => undefined)
}
