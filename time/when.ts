import { parseDurationMs } from './duration.ts'
import { parseInstant, zoneOffsetMs } from './instant.ts'

/** The accepted forms, for the message about a text that is no time. */
export const whenForm =
  'ISO 8601 such as 2027-01-31 09:00, now, today 23:00, 9pm, tomorrow [clock], monday [clock], next <weekday> [clock] or in 2h, where a clock is 9, 9am, 9:30pm or 14:00'

const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
const clockPattern = /^(\d{1,2})(?::([0-5]\d))?(am|pm)?$/

/**
 * The instant an operator means at `now`, in their zone; null for anything else. A day without a clock begins at 00:00.
 * `next <weekday>` is the first such day after today; `<weekday>` and a clock alone are the first such time ahead, which may
 * be today's. `in` counts hours, not days of a calendar. A time that the clocks skip or repeat is read as `parseInstant` does.
 */
export function parseWhen(text: string, now: Date, timeZone: string): Date | null {
  const words = text.trim().toLowerCase().split(/\s+/)
  if (words.length === 1 && words[0] === 'now') return now
  if (words[0] === 'in') return after(now, words.slice(1))
  const today = new Date(now.getTime() + zoneOffsetMs(now.getTime(), timeZone))
  const days = readDays(words, today)
  if (days === null) return parseInstant(text, timeZone)
  const clock = readClockTime(days.rest)
  if (clock === null) return null
  const times = days.dates.map(date => parseInstant(`${date}T${clock}`, timeZone))
  return times.find(at => at !== null && at > now) ?? times.at(-1) ?? null
}

/** Whether a text is read against the clock and the zone of whoever says it: `tomorrow 9am`, not `2027-01-31 09:00`. */
export const isRelative = (text: string): boolean => parseInstant(text, 'UTC') === null

interface Days {
  /** One of them is meant: the first on which the clock is still ahead. */
  dates: string[]
  /** The words after the day. */
  rest: readonly string[]
}

/** The days that the first words may name, seen from the local date. */
function readDays([first = '', second, ...others]: readonly string[], today: Date): Days | null {
  const rest = second === undefined ? [] : [second, ...others]
  const days = (...counts: number[]) => counts.map(count => dayAfter(today, count))
  if (first === 'today') return rest.length === 0 ? null : { dates: days(0), rest }
  if (first === 'tomorrow') return { dates: days(1), rest }
  if (weekdays.includes(first)) {
    const ahead = daysUntil(first, today)
    return { dates: days(ahead, ahead + 7), rest }
  }
  if (first === 'next' && second !== undefined && weekdays.includes(second)) {
    // One day to seven: a day's own name means the week after.
    return { dates: days(daysUntil(second, today) || 7), rest: others }
  }
  // A bare number is no clock without a day: it may be anything.
  const isClock = clockPattern.test(first) && !/^\d+$/.test(first)
  return isClock && rest.length === 0 ? { dates: days(0, 1), rest: [first] } : null
}

/** 0 for today's own name. */
const daysUntil = (weekday: string, today: Date): number => (weekdays.indexOf(weekday) - today.getUTCDay() + 7) % 7

const dayAfter = (today: Date, days: number): string =>
  new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth(), today.getUTCDate() + days)).toISOString().slice(0, 10)

/** `in 2h`, `in 1h 30m`. */
function after(now: Date, words: readonly string[]): Date | null {
  const isWhole = words.every(word => parseDurationMs(word) !== null)
  const ms = isWhole ? parseDurationMs(words.join('')) : null
  return ms === null ? null : new Date(now.getTime() + ms)
}

/** `HH:MM` of the words after the day. */
function readClockTime(words: readonly string[]): string | null {
  if (words.length === 0) return '00:00'
  const match = words.length === 1 ? clockPattern.exec(words[0] ?? '') : null
  if (match === null) return null
  const hour = hourOf(Number(match[1]), match[3])
  return hour === null ? null : `${String(hour).padStart(2, '0')}:${match[2] ?? '00'}`
}

function hourOf(hour: number, meridiem: string | undefined): number | null {
  if (meridiem === undefined) return hour < 24 ? hour : null
  if (hour < 1 || hour > 12) return null
  return (hour % 12) + (meridiem === 'pm' ? 12 : 0)
}
