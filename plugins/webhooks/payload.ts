import { InputError, isObject } from '#core'
import { cutText } from '#text/excerpts'

export type Fields = Readonly<Record<string, unknown>>

/** The fields of a value of any type; none of one that is no object. */
export const payloadFields = (value: unknown): Fields => (isObject(value) ? value : {})

/** A text that says something, trimmed and cut; null for any other value. */
export const payloadText = (value: unknown, maxLength = 500): string | null =>
  typeof value === 'string' && value.trim() !== '' ? cutText(value.trim(), maxLength) : null

/** Deeper than any sender's events, and within the limits of every database. */
const maxDepth = 64

/** A verified body as a JSON object that jsonb can store. @throws InputError (`body`) */
export function parsePayload(body: Buffer): Fields {
  const payload = parseStorable(body)
  if (isObject(payload) && !Array.isArray(payload)) return payload
  throw badBody('object')
}

/** The same as a list of objects, as senders of batches have it. @throws InputError (`body`) */
export function parsePayloads(body: Buffer, max: number): Fields[] {
  const payload = parseStorable(body)
  if (Array.isArray(payload) && payload.length <= max && payload.every(isObject)) return payload
  throw badBody(`list of at most ${max} objects`)
}

function badBody(what: string): InputError {
  return new InputError({
    body: `must be a JSON ${what} in UTF-8, at most ${maxDepth} levels deep, without NUL, lone surrogates and numbers out of range`
  })
}

/** The value with all numbers as the text they were written as: no amount is rounded. Undefined for what is not storable. */
function parseStorable(body: Buffer): unknown {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body)
    const value: unknown = JSON.parse(text, (_, each: unknown, context?: { source?: string }) =>
      typeof each === 'number' ? writtenNumber(each, context?.source ?? '') : each
    )
    return isStorable(value, maxDepth) ? value : undefined
  } catch {
    return undefined
  }
}

/** jsonb stores numbers as written, within these bounds. */
const maxNumberLength = 1_000
const maxExponent = 308

/** @throws RangeError for a number that the database would refuse, though JavaScript reads it as 0. */
function writtenNumber(value: number, written: string): string {
  const exponent = /e(.*)/i.exec(written)?.[1] ?? '0'
  if (!Number.isFinite(value) || written.length > maxNumberLength || Math.abs(Number(exponent)) > maxExponent)
    throw new RangeError(written)
  return written
}

/** jsonb refuses NUL and lone surrogates. */
function isStorable(value: unknown, levels: number): boolean {
  if (typeof value === 'string') return !value.includes('\0') && value.isWellFormed()
  if (typeof value !== 'object' || value === null) return true
  return levels > 0 && Object.entries(value).every(([key, each]) => isStorable(key, 0) && isStorable(each, levels - 1))
}
