import { afterQuiet, type QuietHours } from './quiet-hours.ts'

/** Slots end here: later years need more than four digits. */
export const latestSlot = Date.UTC(9999, 0, 1)

/**
 * Slots from `start` on, one `intervalMs` after the other. One that lies in quiet hours moves to the end of the window, and
 * the next one counts from there. Fewer than `count` when they would pass `latestSlot`.
 */
export function batchSlots(plan: {
  start: number
  count: number
  intervalMs: number
  quiet: QuietHours | null
  timeZone: string
}): number[] {
  const { start, count, intervalMs, quiet, timeZone } = plan
  const slots: number[] = []
  for (let at = start; slots.length < count && at < latestSlot; ) {
    if (quiet !== null) at = afterQuiet(at, quiet, timeZone)
    slots.push(at)
    at += intervalMs
  }
  return slots
}
