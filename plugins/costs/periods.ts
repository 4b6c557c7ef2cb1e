import { localInstant, zoneOffsetMs } from '#time'

/** The month and the day of a moment, in the time zone of the operator. */
export interface PeriodNames {
  /** `2026-11`. */
  month: string
  /** `2026-11-23`. */
  day: string
}

export function periodNames(at: Date, timeZone: string): PeriodNames {
  const day = localTime(at, timeZone).toISOString().slice(0, 10)
  return { month: day.slice(0, 7), day }
}

/** When a month ends and begins, in milliseconds since 1970, and how many whole days follow today. */
export function monthOf(at: Date, timeZone: string): { begins: number; ends: number; daysRemaining: number } {
  const local = localTime(at, timeZone)
  const year = local.getUTCFullYear()
  const month = local.getUTCMonth()
  const days = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  return {
    begins: localInstant(Date.UTC(year, month, 1), timeZone),
    ends: localInstant(Date.UTC(year, month + 1, 1), timeZone),
    daysRemaining: days - local.getUTCDate()
  }
}

/** When the next day begins. */
export function nextDay(at: Date, timeZone: string): Date {
  const local = localTime(at, timeZone)
  return new Date(localInstant(Date.UTC(local.getUTCFullYear(), local.getUTCMonth(), local.getUTCDate() + 1), timeZone))
}

/** A date whose UTC parts are what a clock on the wall shows. */
const localTime = (at: Date, timeZone: string): Date => new Date(at.getTime() + zoneOffsetMs(at.getTime(), timeZone))
