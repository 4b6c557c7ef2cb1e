import { maxSlotMs } from '#plugins/posts'
import { type CalendarDuration, moveBy } from '#time'
import { afterQuiet, type QuietHours } from './quiet-hours.ts'

/**
 * Slots from `startMs` on, one `interval` after the other. One that lies in quiet hours moves to the end of the window, and
 * the next one counts from there. Fewer than `count` when they would pass `maxSlotMs`.
 */
export function batchSlots(plan: {
  /** Since 1970. */
  startMs: number
  count: number
  interval: CalendarDuration
  quiet: QuietHours | null
  timeZone: string
}): number[] {
  const { startMs, count, interval, quiet, timeZone } = plan
  const slots: number[] = []
  // Counted from where the row began: a day on which the clocks skip the time must not change that of all days after it.
  let from = startMs
  let steps = 0
  while (slots.length < count) {
    const next = moveBy(from, { days: interval.days * steps, ms: interval.ms * steps }, timeZone)
    if (next >= maxSlotMs) break
    const at = quiet === null ? next : afterQuiet(next, quiet, timeZone)
    if (at !== next) [from, steps] = [at, 0]
    slots.push(at)
    steps++
  }
  return slots
}
