const unitMs = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1_000 } as const
type Unit = keyof typeof unitMs

const whole = /^(?:\d{1,9}[smhdw])+$/
const part = /(\d+)([smhdw])/g

/** Ten years: longer is a slip of the keyboard. */
const maxDurationMs = 3_660 * unitMs.d

/** Said where a text is not one. */
export const durationHint = 'a duration such as 30m, 2h, 1d, 1w or 1h30m, longer than 0 and at most ten years'

/** A duration whose days may be counted on a calendar, where one has 23 or 25 hours when the clocks change. */
export interface CalendarDuration {
  /** Negative, as `ms`, for one that goes back. */
  days: number
  ms: number
}

/** The parts of a text such as `30m`, `2h`, `1d`, `1w` or `1h30m`; null for anything else. A week is seven days. */
export function parseCalendarDuration(text: string): CalendarDuration | null {
  if (!whole.test(text)) return null
  let days = 0
  let ms = 0
  for (const [, amount, unit] of text.matchAll(part)) {
    if (unit === 'w') days += Number(amount) * 7
    else if (unit === 'd') days += Number(amount)
    else ms += Number(amount) * unitMs[unit as Unit]
  }
  const total = days * unitMs.d + ms
  return total > 0 && total <= maxDurationMs ? { days, ms } : null
}

/** The same, backwards with a leading `-`. */
export function parseSignedDuration(text: string): CalendarDuration | null {
  const read = parseCalendarDuration(text.replace(/^[+-]/, ''))
  return read !== null && text.startsWith('-') ? { days: -read.days, ms: -read.ms } : read
}

/** Its milliseconds, where a day is 24 hours. */
export const durationMs = ({ days, ms }: CalendarDuration): number => days * unitMs.d + ms

/** Milliseconds of a text such as `30m`, `2h`, `1d`, `1w` or `1h30m`; null for anything else. A day is 24 hours. */
export function parseDurationMs(text: string): number | null {
  const read = parseCalendarDuration(text)
  return read && durationMs(read)
}

/** Whole seconds as `parseSignedDuration` reads them: `1h30m`, `-2d`. */
export function formatDuration(ms: number): string {
  let rest = Math.abs(ms)
  let text = ''
  for (const [unit, length] of Object.entries(unitMs)) {
    const amount = Math.floor(rest / length)
    if (amount > 0) text += `${amount}${unit}`
    rest -= amount * length
  }
  return text === '' ? '0s' : `${ms < 0 ? '-' : ''}${text}`
}
