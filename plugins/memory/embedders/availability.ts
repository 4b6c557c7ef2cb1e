import { UnavailableError, withAbort } from '#core'
import { type Embedder, TextsRefusedError } from '../index.ts'

/** An embedder that failed this recently is not asked by anybody who waits: each would wait as long in vain. */
const unavailableMs = 15_000

/** What vectors are for: texts that are stored may be large or at fault, which says nothing about queries. */
export type Use = 'query' | 'stored'

/** Which embedders have failed lately. */
interface Availability {
  /** Waits for an embedder, and records its failure. */
  answerOf<T>(embedder: Embedder, answer: Promise<T>, signal: AbortSignal, use: Use): Promise<T>
  isUnavailable(embedder: Embedder): boolean
  isUnavailableForStored(embedder: Embedder): boolean
}

export function createAvailability(now: () => Date): Availability {
  const failedAt = { query: new WeakMap<Embedder, number>(), stored: new WeakMap<Embedder, number>() }
  const hasFailed = (embedder: Embedder, use: Use) =>
    now().getTime() - (failedAt[use].get(embedder) ?? Number.NEGATIVE_INFINITY) < unavailableMs
  const isUnavailable = (embedder: Embedder) => embedder.isRateLimited === true || hasFailed(embedder, 'query')
  return {
    async answerOf(embedder, answer, signal, use) {
      try {
        // Also of an embedder that ignores the signal.
        const answered = await withAbort(signal, answer, (): never => {
          throw signal.reason
        })
        failedAt.query.delete(embedder)
        failedAt.stored.delete(embedder)
        return answered
      } catch (error) {
        // `Retry-After` says itself how long.
        if (!(error instanceof TextsRefusedError) && !embedder.isRateLimited)
          failedAt[use].set(embedder, now().getTime())
        throw asUnavailable(error, signal)
      }
    },
    isUnavailable,
    isUnavailableForStored: embedder => isUnavailable(embedder) || hasFailed(embedder, 'stored')
  }
}

/** Running out of time is an UnavailableError; an embedder's bug stays what it is. */
function asUnavailable(error: unknown, signal: AbortSignal): unknown {
  if (!signal.aborted || error instanceof UnavailableError) return error
  return new UnavailableError('The embedder did not answer in time (embedder_timeout_seconds).', { cause: error })
}
