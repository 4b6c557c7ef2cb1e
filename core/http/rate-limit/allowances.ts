export const windowSeconds = 60
const windowMs = windowSeconds * 1_000
/** More callers than this in one minute are not counted apart, so that the memory stays bounded: they share an allowance. */
const mostCallers = 100_000
const everybodyElse = 'everybody else'
/** What many share has so many times the allowance of one. */
export const sharedFactor = 20

/** What is left of an allowance after a request. */
export interface Allowance {
  readonly limit: number
  readonly remaining: number
  /** Until the next minute begins. */
  readonly seconds: number
  /** The request is one too many. */
  readonly isOver: boolean
}

/** Counts requests per caller and minute. */
export interface RateLimit {
  /** Counts one request. `isShared`: many share the caller's allowance, which is wide then. */
  take(caller: string, limit: number, isShared?: boolean): Allowance
}

/** Windows are fixed minutes, so that a caller costs one number; a burst over a window's edge may reach twice the limit. */
export function createRateLimit({ now, most = mostCallers }: { now: () => Date; most?: number }): RateLimit {
  let openedAt = 0
  const counts = new Map<string, number>()
  return {
    take(caller, limit, isShared = false) {
      const at = now().getTime()
      if (at - openedAt >= windowMs || at < openedAt) {
        counts.clear()
        openedAt = at - (at % windowMs)
      }
      const isCounted = counts.size < most || counts.has(caller)
      const key = isCounted ? caller : everybodyElse
      const allowed = isShared || !isCounted ? limit * sharedFactor : limit
      const count = (counts.get(key) ?? 0) + 1
      counts.set(key, count)
      const seconds = Math.max(1, Math.ceil((openedAt + windowMs - at) / 1_000))
      return { limit: allowed, remaining: Math.max(0, allowed - count), seconds, isOver: count > allowed }
    }
  }
}
