import { AppError, type FieldErrors, InputError } from '#core'
import { maxSlotMs } from '#plugins/posts'
import {
  type CalendarDuration,
  durationHint,
  isRelative,
  parseCalendarDuration,
  parseDurationMs,
  parseSignedDuration,
  parseWhen,
  whenForm
} from '#time'
import { parseQuietHours, type QuietHours, quietHoursForm } from './quiet-hours.ts'

/** Slots are ahead of the database's clock, so `now` is the second after it. */
const minLeadMs = 1_000
const dayMs = 86_400_000

/** Where and when a time is read. */
export interface Clock {
  now: Date
  /** IANA name. */
  timeZone: string
  /** The operator's zone is not known: a time that depends on it is not refused as past. */
  isRough?: boolean
}

/** A time in the contract's grammar, under either name, or a duration from now: one of the two. */
export interface SlotRequest {
  when?: string | undefined
  publish_at?: string | undefined
  in?: string | undefined
}

/** Every text by which slots are asked for, under its field's name. */
export interface ScheduleTexts extends SlotRequest {
  start?: string | undefined
  interval?: string | undefined
  /** Moves slots: may be negative. */
  by?: string | undefined
  quiet_hours?: string | undefined
}

/** For texts that are checked before the zone is known: an ISO time that has passed by this clock has passed in every zone. */
export const earliestClock = (now: Date): Clock => ({
  now: new Date(now.getTime() - dayMs),
  timeZone: 'UTC',
  isRough: true
})

/** What is wrong with the texts that are given, each by itself. */
export function faultsOf(texts: ScheduleTexts, clock: Clock): FieldErrors {
  const time = (text: string) => timeFault(text, clock)
  const faults: Record<keyof ScheduleTexts, (text: string) => string | null> = {
    when: time,
    publish_at: time,
    start: time,
    in: durationFault,
    interval: durationFault,
    by: signedFault,
    quiet_hours: quietFault
  }
  const given: Readonly<Record<string, string | undefined>> = { ...texts }
  const found = Object.entries(faults).map(([field, fault]) => {
    const text = given[field]
    return [field, text === undefined ? null : fault(text)]
  })
  return Object.fromEntries(found.filter(([, fault]) => fault !== null))
}

function timeFault(text: string, { now, timeZone, isRough = false }: Clock): string | null {
  const at = parseWhen(text, now, timeZone)
  if (at === null) return `is not a time: give ${whenForm}`
  if (isRough && isRelative(text)) return null
  // Until the zone is known, which instant it is cannot be said.
  if (at < now) return `must be in the future: ${isRough ? text : at.toISOString()} has passed`
  return at.getTime() >= maxSlotMs ? 'must be before the year 9999' : null
}

const durationFault = (text: string) => (parseDurationMs(text) === null ? `must be ${durationHint}` : null)
const signedFault = (text: string) =>
  parseSignedDuration(text) === null ? `must be ${durationHint}, or the same with a leading -` : null
const quietFault = (text: string) =>
  text === 'none' || parseQuietHours(text) !== null ? null : `must be ${quietHoursForm}, or none`

/** @throws InputError naming every fault. */
function refuse(faults: FieldErrors): void {
  if (Object.keys(faults).length > 0) throw new InputError(faults)
}

/** The slot asked for, seen from `now`. @throws InputError */
export function readSlot(request: SlotRequest, clock: Clock): Date {
  const when = request.when ?? request.publish_at
  if (when === undefined && request.in === undefined) throw new InputError({ when: 'is required, or in' })
  if (when !== undefined && request.in !== undefined)
    throw new InputError({
      [request.when === undefined ? 'publish_at' : 'when']: 'cannot be combined with in: give one of them'
    })
  refuse(faultsOf(request, clock))
  if (when !== undefined) return readAhead(when, clock)
  return new Date(clock.now.getTime() + (parseDurationMs(request.in ?? '') ?? 0))
}

/** Reads a time that was checked before. `now` becomes one second later: a slot must be in the future. */
function readAhead(text: string, { now, timeZone }: Clock): Date {
  const at = parseWhen(text, now, timeZone) ?? now
  return at > now ? at : new Date(now.getTime() + minLeadMs)
}

/** By how much a shift moves. @throws InputError */
export function readShift(by: string): CalendarDuration {
  const duration = parseSignedDuration(by)
  if (duration === null) throw new InputError({ by: signedFault(by) ?? '' })
  return duration
}

interface BatchPlan {
  /** Since 1970. */
  startMs: number
  interval: CalendarDuration
  quiet: QuietHours | null
}

/** A batch's texts, and the setting `publish_quiet_hours` as it is stored. @throws InputError naming every fault; `readQuietHours` */
export function readPlan(
  { start, interval, quiet_hours }: { start: string; interval: string; quiet_hours?: string | undefined },
  setting: string,
  clock: Clock
): BatchPlan {
  refuse(faultsOf({ start, interval, quiet_hours }, clock))
  const quiet = readQuietHours(quiet_hours, setting)
  return {
    startMs: readAhead(start, clock).getTime(),
    interval: parseCalendarDuration(interval) ?? { days: 0, ms: 0 },
    quiet
  }
}

/** The window of the request, else of the setting; null for none. @throws AppError for a bad setting: it is never ignored */
function readQuietHours(requested: string | undefined, setting: string): QuietHours | null {
  const text = requested ?? setting
  if (text === (requested === undefined ? '' : 'none')) return null
  const quiet = parseQuietHours(text)
  if (quiet !== null) return quiet
  const fault = `must be ${quietHoursForm}, not ${JSON.stringify(text)}`
  throw new AppError('CONFLICT', `The setting publish_quiet_hours ${fault}: set it anew, or give quiet hours.`, {
    fields: { publish_quiet_hours: fault }
  })
}
