import { zoneOffsetMs } from '#time'

const dayMs = 86_400_000

/** The calendar day of a moment in an IANA zone, as `2026-11-30`. */
export const dayAt = (moment: Date, timeZone: string): string =>
  new Date(moment.getTime() + zoneOffsetMs(moment.getTime(), timeZone)).toISOString().slice(0, 10)

/** `count` days that end with `last`, oldest first. */
export const daysUntil = (last: string, count: number): string[] =>
  Array.from({ length: count }, (_, at) =>
    new Date(Date.parse(last) - (count - 1 - at) * dayMs).toISOString().slice(0, 10)
  )
