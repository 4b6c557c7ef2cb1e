import { zoneOffsetMs } from '#time'

/** A window of the local day in which no batch slot may lie: from `startMs` of the day until before `endMs`. */
export interface QuietHours {
  readonly startMs: number
  /** Less than `startMs` when the window crosses midnight. */
  readonly endMs: number
}

/** Said where a text is no window. */
export const quietHoursForm = 'a window HH:MM-HH:MM such as 22:00-07:00, with two different times'

const dayMs = 86_400_000
const pattern = /^([01]\d|2[0-3]):([0-5]\d)-([01]\d|2[0-3]):([0-5]\d)$/

/** Reads `HH:MM-HH:MM`; null for anything else. Equal times could mean no window or the whole day: they are refused. */
export function parseQuietHours(text: string): QuietHours | null {
  const match = pattern.exec(text)
  if (match === null) return null
  const [startHour = 0, startMinute = 0, endHour = 0, endMinute = 0] = match.slice(1).map(Number)
  const startMs = (startHour * 60 + startMinute) * 60_000
  const endMs = (endHour * 60 + endMinute) * 60_000
  return startMs === endMs ? null : { startMs, endMs }
}

/** Whether the local clock shows a time within the window. */
export function isQuiet(instant: number, quiet: QuietHours, timeZone: string): boolean {
  const time = timeOfDay(localTime(instant, timeZone))
  const isPastStart = time >= quiet.startMs
  const isBeforeEnd = time < quiet.endMs
  return quiet.startMs < quiet.endMs ? isPastStart && isBeforeEnd : isPastStart || isBeforeEnd
}

/** The instant itself, or the end of the window that it lies in. */
export function afterQuiet(instant: number, quiet: QuietHours, timeZone: string): number {
  let at = instant
  // The clocks may skip the end of a window and land in the next one.
  while (isQuiet(at, quiet, timeZone)) {
    const wall = localTime(at, timeZone)
    const time = timeOfDay(wall)
    const end = wall - time + quiet.endMs + (time < quiet.endMs ? 0 : dayMs)
    at = firstInstantAt(end, at, timeZone)
  }
  return at
}

const localTime = (instant: number, timeZone: string): number => instant + zoneOffsetMs(instant, timeZone)
const timeOfDay = (wall: number): number => ((wall % dayMs) + dayMs) % dayMs

/** The first instant from `from` on at which the local clock shows `wall`, or a later time when it skips that one. */
function firstInstantAt(wall: number, from: number, timeZone: string): number {
  const before = zoneOffsetMs(wall - dayMs, timeZone)
  const after = zoneOffsetMs(wall + dayMs, timeZone)
  const shown = [wall - before, wall - after].filter(at => at >= from && localTime(at, timeZone) === wall)
  return shown.length > 0 ? Math.min(...shown) : endOfSkip(wall - after, wall - before, after, timeZone)
}

/** The instant between two at which the zone's offset becomes `offset`. */
function endOfSkip(earliest: number, latest: number, offset: number, timeZone: string): number {
  let low = earliest
  let high = latest
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (zoneOffsetMs(middle, timeZone) === offset) high = middle
    else low = middle
  }
  return high
}
