import { AppError, durationForm, InputError, parseDuration } from '#core'
import { parseQuietHours, type QuietHours, quietHoursForm } from './quiet-hours.ts'
import { latestSlot } from './slots.ts'
import { parseWhen, whenForm } from './when.ts'

/** Slots are ahead of the database's clock, so `now` is the second after it. */
const soonestMs = 1_000

/** A time in the contract's grammar, or a duration from now: one of the two. */
export interface SlotRequest {
  when?: string | undefined
  in?: string | undefined
}

/** The slot asked for, seen from `now`. @throws InputError */
export function readSlot(request: SlotRequest, now: Date, timeZone: string): Date {
  if ((request.when === undefined) === (request.in === undefined)) {
    throw new InputError({ when: 'give a time, or a duration from now (in): one of the two' })
  }
  if (request.in === undefined) return readAhead('when', request.when ?? '', now, timeZone)
  const ms = parseDuration(request.in)
  if (ms === null) throw new InputError({ in: `must be ${durationForm}` })
  return new Date(now.getTime() + ms)
}

/** A time in the contract's grammar that lies ahead. @throws InputError naming `field` */
export function readAhead(field: string, text: string, now: Date, timeZone: string): Date {
  const at = parseWhen(text, now, timeZone)
  if (at === null) throw new InputError({ [field]: `must be ${whenForm}` })
  if (at === now) return new Date(now.getTime() + soonestMs)
  if (at < now) throw new InputError({ [field]: `must be in the future: ${at.toISOString()} has passed` })
  if (at.getTime() >= latestSlot) throw new InputError({ [field]: 'must be before the year 9999' })
  return at
}

/** The window of the request, else of the setting; null for none. A bad one is an error, wherever it stands. */
export function readQuietHours(requested: string | undefined, setting: string): QuietHours | null {
  const text = requested ?? setting
  if (text === (requested === undefined ? '' : 'none')) return null
  const quiet = parseQuietHours(text)
  if (quiet !== null) return quiet
  const fault = `must be ${quietHoursForm}, not ${JSON.stringify(text)}`
  if (requested !== undefined) throw new InputError({ quiet_hours: fault })
  throw new AppError('CONFLICT', `The setting publish_quiet_hours ${fault}: set it anew, or give quiet hours.`, {
    fields: { publish_quiet_hours: fault }
  })
}
