import { InputError } from '#core'

/** Deeper than any sender's events, and shallow enough for every database. */
const deepest = 64

/** A verified body as a JSON object that the database can keep. @throws InputError (`body`) */
export function parsePayload(body: Buffer): Record<string, unknown> {
  const payload = parse(body)
  const isObject = typeof payload === 'object' && payload !== null && !Array.isArray(payload)
  if (isObject && isStorable(payload, deepest)) return payload as Record<string, unknown>
  throw new InputError({
    body: `must be a JSON object in UTF-8, at most ${deepest} levels deep, without NUL, lone surrogates and numbers out of range`
  })
}

function parse(body: Buffer): unknown {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body)
    return JSON.parse(text, (_, value: unknown, context?: { source?: string }) => {
      if (typeof value === 'number') refuseNumber(context?.source ?? '')
      return value
    })
  } catch {
    return undefined
  }
}

/** The database keeps numbers as they are written; beyond these it has no place for them. */
const longestNumber = 1_000
const mostExponent = 308

/** @throws RangeError for a number that the database would refuse, though JavaScript reads it as 0. */
function refuseNumber(written: string): void {
  const exponent = /e(.*)/i.exec(written)?.[1] ?? '0'
  if (written.length > longestNumber || Math.abs(Number(exponent)) > mostExponent) throw new RangeError(written)
}

/** jsonb has no place for NUL, half a character, and infinite numbers. */
function isStorable(value: unknown, levels: number): boolean {
  if (typeof value === 'string') return !value.includes('\0') && value.isWellFormed()
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object' || value === null) return true
  return levels > 0 && Object.entries(value).every(([key, each]) => isStorable(key, 0) && isStorable(each, levels - 1))
}
