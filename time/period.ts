import { type FieldErrors, InputError, Type } from '#core'
import { durationHint, parseDurationMs } from './duration.ts'
import { parseInstant } from './instant.ts'

const instant = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 64, description, examples: ['2027-01-31T09:00:00Z'] }))

/** Query parameters of a list that can be cut to a period; spread into a route's query schema. */
export const periodParameters = {
  since: instant('Only from this time on: ISO 8601; without an offset it is read in `operator_timezone`.'),
  until: instant('Only before this time.')
}

interface PeriodQuery {
  since?: string | undefined
  until?: string | undefined
}

/** A period of time, its end excluded; null where it is open. */
export interface Period {
  since: Date | null
  until: Date | null
}

/** @throws InputError naming each end that is no time, and a period that ends before it begins. */
export function periodOf(query: PeriodQuery, timeZone: string): Period {
  const [since, until] = [query.since, query.until].map(text =>
    text === undefined ? null : parseInstant(text, timeZone)
  )
  const faults: FieldErrors = {
    ...(query.since !== undefined && since === null ? { since: noTime } : {}),
    ...(query.until !== undefined && until === null ? { until: noTime } : {})
  }
  if (Object.keys(faults).length > 0) throw new InputError(faults)
  if (since && until && since >= until) throw new InputError({ until: 'is not after since: nothing lies between them' })
  return { since: since ?? null, until: until ?? null }
}

/** What `--since` or `--until` of a command says: so long ago, or a moment. @throws InputError for what is neither. */
export function sinceOf(
  text: string | undefined,
  timeZone: string,
  now: Date,
  field: 'since' | 'until' = 'since'
): Date | undefined {
  if (text === undefined) return undefined
  const ago = parseDurationMs(text)
  const at = ago === null ? parseInstant(text, timeZone) : new Date(now.getTime() - ago)
  if (at === null) throw new InputError({ [field]: `must be ${durationHint}, or a time in ISO 8601` })
  return at
}

const noTime = 'is not a time in ISO 8601 such as 2027-01-31T09:00:00Z'
