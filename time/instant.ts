import type { CalendarDuration } from './duration.ts'

// Years before 1000 are refused: nothing here is that old, and Date.UTC reads 0 to 99 as 1900 to 1999.
const pattern = /^([1-9]\d{3})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(Z|[+-]\d\d(?::?\d\d)?)?$/i

/**
 * Reads an ISO 8601 date and time; one without an offset is local to `timeZone` (IANA name).
 * Null for anything else, dates that do not exist included. A local time skipped by a clock change is read
 * with the offset before it; a repeated one is its first occurrence.
 */
export function parseInstant(text: string, timeZone: string): Date | null {
  const match = pattern.exec(text.trim())
  if (match === null) return null
  const [year, month, day, hour, minute] = match.slice(1, 6).map(Number) as [number, number, number, number, number]
  const second = Number(match[6] ?? 0)
  const millisecond = Number((match[7] ?? '0').padEnd(3, '0').slice(0, 3))
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month) || hour > 23 || minute > 59 || second > 59)
    return null
  const wall = Date.UTC(year, month - 1, day, hour, minute, second, millisecond)
  const offset = match[8] === undefined ? localOffset(wall, timeZone) : fixedOffset(match[8])
  return offset === null ? null : new Date(wall - offset)
}

const daysIn = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate()

/** No zone is further from UTC than the Line Islands, 14 hours. */
const maxOffsetMinutes = 14 * 60

function fixedOffset(text: string): number | null {
  if (text.toUpperCase() === 'Z') return 0
  const hours = Number(text.slice(1, 3))
  const minutes = Number(text.slice(3).replace(':', ''))
  const total = hours * 60 + minutes
  if (minutes > 59 || total > maxOffsetMinutes) return null
  return (text.startsWith('-') ? -1 : 1) * total * 60_000
}

/** The instant at which the local clock shows `wall`, its time taken for UTC; skipped and repeated ones as `parseInstant`. */
export const localInstant = (wall: number, timeZone: string): number => wall - localOffset(wall, timeZone)

/**
 * An instant moved on, or back: by days of the calendar, so that the local clock shows the same time although it was
 * changed in between, and then by the rest.
 */
export function moveBy(instant: number, { days, ms }: CalendarDuration, timeZone: string): number {
  if (days === 0) return instant + ms
  return localInstant(instant + zoneOffsetMs(instant, timeZone) + days * 86_400_000, timeZone) + ms
}

// A wall time stands for the instant whose own offset leads back to it; around a clock change the offset before it is tried first.
function localOffset(wall: number, timeZone: string): number {
  const before = zoneOffsetMs(wall - 86_400_000, timeZone)
  const after = zoneOffsetMs(wall + 86_400_000, timeZone)
  return [before, after].find(offset => zoneOffsetMs(wall - offset, timeZone) === offset) ?? before
}

/** Milliseconds that `timeZone` is ahead of UTC at an instant. */
export function zoneOffsetMs(instant: number, timeZone: string): number {
  const parts = formatter(timeZone).formatToParts(instant)
  const part = (type: string) => Number(parts.find(item => item.type === type)?.value)
  const local = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'))
  return local - Math.floor(instant / 1000) * 1000
}

/**
 * An instant as people read it, to the minute, in a zone: `2026-11-21 15:05+01:00`, or with `Z` for UTC.
 * Commands that take a time take this form too.
 */
export function formatInstant(instant: string | Date, timeZone: string): string {
  const at = new Date(instant).getTime()
  const offset = zoneOffsetMs(at, timeZone)
  // A year after 9999 has a sign and six digits.
  const [date = '', clock = ''] = new Date(at + offset).toISOString().split('T')
  return `${date} ${clock.slice(0, 5)}${offsetText(offset)}`
}

/** Not those that begin a quotation: so a person gave them. */
const instants = /(?<!")\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?Z/g

/** A sentence with the instants in it, as the API writes them, as people in a zone read them. */
export const localizeInstants = (text: string, timeZone: string): string =>
  text.replace(instants, found => (Number.isNaN(Date.parse(found)) ? found : formatInstant(found, timeZone)))

function offsetText(offset: number): string {
  const minutes = Math.abs(Math.round(offset / 60_000))
  if (minutes === 0) return 'Z'
  const two = (value: number) => String(value).padStart(2, '0')
  return `${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}

const formatters = new Map<string, Intl.DateTimeFormat>()

// Making one costs 50 µs and there are few zones.
function formatter(timeZone: string): Intl.DateTimeFormat {
  const known = formatters.get(timeZone)
  if (known !== undefined) return known
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric'
  })
  formatters.set(timeZone, made)
  return made
}
