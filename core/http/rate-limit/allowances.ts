export const windowSeconds = 60
const windowMs = windowSeconds * 1_000
/** So that the memory stays bounded: callers beyond this number in one minute share an allowance. */
const defaultMaxCallers = 100_000
const overflowKey = 'everybody else'
/** A shared allowance is so many times that of one caller. */
const sharedFactor = 20

/** What is left of an allowance after a request. */
export interface Allowance {
  readonly limit: number
  readonly remaining: number
  /** Until the next minute begins. */
  readonly seconds: number
  /** The request is one too many. */
  readonly isExceeded: boolean
}

/** Counts requests per caller and minute. */
export interface RateLimit {
  /** Counts one request, or so many. `isShared`: many share the caller's allowance, which is wide then. */
  take(caller: string, limit: number, isShared?: boolean, requests?: number): Allowance
}

/** Windows are fixed minutes, so that a caller costs one number; a burst over a window's edge may reach twice the limit. */
export function createRateLimit({
  now,
  maxCallers = defaultMaxCallers
}: {
  now: () => Date
  maxCallers?: number
}): RateLimit {
  let openedAt = 0
  const counts = new Map<string, number>()
  return {
    take(caller, limit, isShared = false, requests = 1) {
      const at = now().getTime()
      if (at - openedAt >= windowMs || at < openedAt) {
        counts.clear()
        openedAt = at - (at % windowMs)
      }
      const isCounted = counts.size < maxCallers || counts.has(caller)
      const key = isCounted ? caller : overflowKey
      const allowed = isShared || !isCounted ? limit * sharedFactor : limit
      const count = (counts.get(key) ?? 0) + requests
      counts.set(key, count)
      const seconds = Math.max(1, Math.ceil((openedAt + windowMs - at) / 1_000))
      return { limit: allowed, remaining: Math.max(0, allowed - count), seconds, isExceeded: count > allowed }
    }
  }
}
