import type { EmbeddingRequestError, EmbeddingsEndpoint } from './openai-answers.ts'

/** Waits so many milliseconds, or until the signal is aborted. */
export type Pause = (ms: number, signal: AbortSignal) => Promise<unknown>

/** How long an endpoint still wants to be left alone, and what it said. */
interface RateLimit {
  ms: number
  refusal: EmbeddingRequestError | null
}

export interface RateLimits {
  of(endpoint: EmbeddingsEndpoint): RateLimit
  /** Notes the `Retry-After` of a refusal. */
  record(endpoint: EmbeddingsEndpoint, refusal: EmbeddingRequestError): void
}

/**
 * A `Retry-After` binds every call of the process to the same address and key, for whichever model, until another model is
 * chosen: that one may have a limit of its own.
 */
export function createRateLimits(now: () => Date, chosenModel: () => string): RateLimits {
  const known = new Map<string, { until: number; refusal: EmbeddingRequestError }>()
  const keyOf = ({ url, apiKey }: EmbeddingsEndpoint) => `${chosenModel()} ${url} ${apiKey}`
  return {
    of(endpoint) {
      const limited = known.get(keyOf(endpoint))
      const ms = (limited?.until ?? 0) - now().getTime()
      return limited === undefined || ms <= 0 ? { ms: 0, refusal: null } : { ms, refusal: limited.refusal }
    },
    record(endpoint, refusal) {
      const ms = refusal.retryAfterMs ?? 0
      if (ms > this.of(endpoint).ms) known.set(keyOf(endpoint), { until: now().getTime() + ms, refusal })
    }
  }
}

/** Lets requests pass one by one, as far apart as a limit a minute asks for; 0 is no limit. */
export function createRequestPacing(
  perMinute: () => number,
  pause: Pause,
  now: () => Date
): (signal: AbortSignal) => Promise<void> {
  let next = 0
  return async signal => {
    const limit = perMinute()
    if (limit === 0) return
    const nowMs = now().getTime()
    const at = Math.max(nowMs, next)
    next = at + 60_000 / limit
    if (at > nowMs) await pause(at - nowMs, signal)
  }
}
