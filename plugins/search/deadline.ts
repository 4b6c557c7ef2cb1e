/** How long a query may take: then it is answered with what was found so far. */
export interface Deadline {
  hasPassed(): boolean
  /** Aborted when a statement under way is to be cancelled: the client is gone, or it takes several times as long. */
  readonly signal: AbortSignal
}

/** A statement is ended by then: what can be divided is asked for in parts that take far less. */
const cancelFactor = 4

export function createDeadline(ms: number, clientSignal?: AbortSignal): Deadline {
  const end = performance.now() + ms
  const late = AbortSignal.timeout(ms * cancelFactor)
  return {
    hasPassed: () => performance.now() >= end,
    signal: clientSignal === undefined ? late : AbortSignal.any([late, clientSignal])
  }
}

/** What the work answers; undefined when the deadline's signal is aborted first. */
export async function untilAborted<T>({ signal }: Deadline, work: Promise<T | undefined>): Promise<T | undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  const giveUp = () => resolve(undefined)
  if (signal.aborted) giveUp()
  signal.addEventListener('abort', giveUp, { once: true })
  // Nobody waits for its failure any more.
  work.catch(() => undefined)
  return Promise.race([work, promise]).finally(() => signal.removeEventListener('abort', giveUp))
}
