/** Spreads mails over time. */
export interface Pace {
  /** Milliseconds to wait before the next mail, which counts from now on. */
  reserve(): number
  /** False when the day's mails are used up. */
  hasRoom(): boolean
}

/** `perSecond` and `perDay`: 0 for no limit; `usedToday`: mails of the last 24 hours; `clockMs` grows evenly. */
export function createPace(
  limits: { perSecond: number; perDay: number },
  usedToday: number,
  clockMs: () => number
): Pace {
  let used = usedToday
  let nextAt = 0
  return {
    reserve() {
      used += 1
      if (limits.perSecond === 0) return 0
      const now = clockMs()
      const at = Math.max(now, nextAt)
      nextAt = at + 1000 / limits.perSecond
      return at - now
    },
    hasRoom: () => limits.perDay === 0 || used < limits.perDay
  }
}
