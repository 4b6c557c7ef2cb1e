const windowMs = 60_000
/** More callers than this in one minute are not counted apart: the memory stays bounded. */
const mostCallers = 100_000

/** Counts requests per caller and minute. */
export interface RateLimit {
  isOn(): boolean
  /** Counts one request; answers the seconds to wait when it is one too many, else 0. */
  take(caller: string): number
}

/** Windows are fixed minutes, so that a caller costs one number; a burst over a window's edge may reach twice the limit. */
export function createRateLimit({ limit, now }: { limit: () => number; now: () => Date }): RateLimit {
  let openedAt = 0
  const counts = new Map<string, number>()
  return {
    isOn: () => limit() > 0,
    take(caller) {
      const at = now().getTime()
      if (at - openedAt >= windowMs || at < openedAt || counts.size > mostCallers) {
        counts.clear()
        openedAt = at - (at % windowMs)
      }
      const count = (counts.get(caller) ?? 0) + 1
      counts.set(caller, count)
      return count <= limit() ? 0 : Math.max(1, Math.ceil((openedAt + windowMs - at) / 1_000))
    }
  }
}
