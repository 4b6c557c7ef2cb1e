import { InputError, isObject } from '#core'

export type Fields = Readonly<Record<string, unknown>>

/** The fields of a value of any type; none of one that is no object. */
export const payloadFields = (value: unknown): Fields => (isObject(value) ? value : {})

/** Deeper than any sender's events, and within the limits of every database. */
const maxDepth = 64

/** A verified body as a JSON object that jsonb can store. @throws InputError (`body`) */
export function parsePayload(body: Buffer): Fields {
  const payload = parse(body)
  if (isObject(payload) && !Array.isArray(payload) && isStorable(payload, maxDepth)) return payload
  throw new InputError({
    body: `must be a JSON object in UTF-8, at most ${maxDepth} levels deep, without NUL, lone surrogates and numbers out of range`
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

/** jsonb stores numbers as written, within these bounds. */
const maxNumberLength = 1_000
const maxExponent = 308

/** @throws RangeError for a number that the database would refuse, though JavaScript reads it as 0. */
function refuseNumber(written: string): void {
  const exponent = /e(.*)/i.exec(written)?.[1] ?? '0'
  if (written.length > maxNumberLength || Math.abs(Number(exponent)) > maxExponent) throw new RangeError(written)
}

/** jsonb refuses NUL, lone surrogates and infinite numbers. */
function isStorable(value: unknown, levels: number): boolean {
  if (typeof value === 'string') return !value.includes('\0') && value.isWellFormed()
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object' || value === null) return true
  return levels > 0 && Object.entries(value).every(([key, each]) => isStorable(key, 0) && isStorable(each, levels - 1))
}
