import { parseInstant, zoneOffset } from '#core'

/** Said where a text is no time. */
export const whenForm =
  'ISO 8601 such as 2027-01-31 09:00, now, tomorrow [clock] or next <weekday> [clock], where a clock is 9, 9am, 9:30pm or 14:00'

const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
const clockPattern = /^(\d{1,2})(?::([0-5]\d))?(am|pm)?$/

/**
 * The instant an operator means at `now`, in their zone; null for anything else. A day without a clock begins at 00:00.
 * `next <weekday>` is the first such day after today. A time that the clocks skip or repeat is read as `parseInstant` does.
 */
export function parseWhen(text: string, now: Date, timeZone: string): Date | null {
  const words = text.trim().toLowerCase().split(/\s+/)
  if (words.length === 1 && words[0] === 'now') return now
  const day = readDay(words, new Date(now.getTime() + zoneOffset(now.getTime(), timeZone)))
  if (day === null) return parseInstant(text, timeZone)
  const clock = readClock(day.rest)
  if (clock === null) return null
  return parseInstant(`${day.date}T${clock}`, timeZone)
}

/** The day that the first words name, seen from the local date, and the words after it. */
function readDay([first, second, ...others]: readonly string[], today: Date) {
  if (first === 'tomorrow') return { date: dayAfter(today, 1), rest: second === undefined ? [] : [second, ...others] }
  const weekday = first === 'next' && second !== undefined ? weekdays.indexOf(second) : -1
  if (weekday === -1) return null
  // One day to seven: a day's own name means the week after.
  return { date: dayAfter(today, ((weekday - today.getUTCDay() + 6) % 7) + 1), rest: others }
}

const dayAfter = (today: Date, days: number): string =>
  new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth(), today.getUTCDate() + days)).toISOString().slice(0, 10)

/** `HH:MM` of the words after the day. */
function readClock(words: readonly string[]): string | null {
  if (words.length === 0) return '00:00'
  const match = words.length === 1 ? clockPattern.exec(words[0] ?? '') : null
  if (match === null) return null
  const hour = hourOf(Number(match[1]), match[3])
  return hour === null ? null : `${String(hour).padStart(2, '0')}:${match[2] ?? '00'}`
}

function hourOf(hour: number, half: string | undefined): number | null {
  if (half === undefined) return hour < 24 ? hour : null
  if (hour < 1 || hour > 12) return null
  return (hour % 12) + (half === 'pm' ? 12 : 0)
}
