import { setTimeout as wait } from 'node:timers/promises'
import { UnavailableError } from '#core'
import { TransientError } from './errors.ts'

/** Backoff starts here and doubles. */
const firstDelayMs = 500
/** No wait is longer, whatever Retry-After says: the job queue is the place for longer ones. */
const maxDelayMs = 60_000

/** What a test replaces to run without waiting. */
export interface RetryTimer {
  sleep(ms: number, signal: AbortSignal): Promise<void>
  /** 0 to below 1. */
  random(): number
}

export const realRetryTimer: RetryTimer = {
  sleep: async (ms, signal) => {
    await wait(ms, undefined, { signal }).catch(() => signal.throwIfAborted())
  },
  random: Math.random
}

/**
 * Calls `request` again after a TransientError, at most `maxRetries` times.
 * @throws UnavailableError with the last failure's words when the retries are used up; any other error at once.
 */
export async function withRetries<T>(
  request: () => Promise<T>,
  maxRetries: number,
  retryTimer: RetryTimer,
  signal: AbortSignal
): Promise<T> {
  for (let tried = 0; ; tried++) {
    signal.throwIfAborted()
    try {
      return await request()
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof TransientError)) throw error
      if (tried >= maxRetries) throw usedUp(error, tried + 1)
      await retryTimer.sleep(delayMs(tried, error.retryAfterMs, retryTimer.random()), signal)
    }
  }
}

const remedy = 'check that the endpoint of llm_base_url runs, or raise llm_timeout_seconds or llm_max_retries.'

/** The number is left out where it is one: a caller that asks for one request counts its own. */
const usedUp = (cause: TransientError, requests: number): UnavailableError =>
  new UnavailableError(requests === 1 ? cause.message : `${cause.message}, after ${requests} requests`, {
    cause,
    remedy
  })

/** Half of the delay is random, so that many tasks that failed together do not come back together. */
function delayMs(tried: number, retryAfterMs: number | null, random: number): number {
  const backoff = firstDelayMs * 2 ** tried * (0.5 + random / 2)
  return Math.round(Math.min(maxDelayMs, retryAfterMs ?? backoff))
}
