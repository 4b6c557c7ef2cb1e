import { isUtf8 } from 'node:buffer'
import type { FastifyInstance } from 'fastify'
import { AppError, type FieldErrors, InputError } from '../../contract/errors.ts'
import { textFault } from '../../text-rules.ts'

/** Deeper JSON than any body here needs. */
const deepest = 32

/** Replaces Fastify's parsers: JSON only, its bytes checked, and an empty body counts as none. Plugins add their own in their scope. */
export function addJsonParser(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    try {
      refuseCharset(request.headers['content-type'] ?? '')
      done(null, parseJson(body as Buffer))
    } catch (error) {
      done(error as Error)
    }
  })
}

/** JSON is UTF-8 (RFC 8259 §8.1): text announced as anything else would be read wrongly. */
function refuseCharset(contentType: string): void {
  const charset = /;\s*charset\s*=\s*"?([^\s;"]*)/i.exec(contentType)?.[1]
  if (charset === undefined || charset.toLowerCase() === 'utf-8') return
  throw new AppError(
    'UNSUPPORTED_MEDIA_TYPE',
    `The charset ${JSON.stringify(charset)} is not accepted: send JSON as UTF-8.`
  )
}

function parseJson(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined
  if (!isUtf8(bytes)) throw new InputError({ body: 'is not valid UTF-8' })
  let value: unknown
  try {
    value = JSON.parse(bytes.toString('utf8'))
  } catch (error) {
    throw new InputError({ body: `is not valid JSON: ${(error as Error).message.replaceAll('\0', '\\0')}` })
  }
  return value
}

/** Faults of texts and structure that no schema states, by dotted path; empty when there are none. */
export function textFaults(value: unknown): FieldErrors {
  // Nothing inherited: fields may have the name of anything.
  const faults: Record<string, string> = Object.create(null)
  collect(value, [], faults)
  return faults
}

function collect(value: unknown, path: readonly string[], faults: Record<string, string>): void {
  const here = path.length === 0 ? 'body' : path.map(printable).join('.')
  if (typeof value === 'string') {
    const fault = textFault(value)
    if (fault !== undefined) faults[here] = fault
    return
  }
  // Such as 1e999, which would be stored as null.
  if (typeof value === 'number' && !Number.isFinite(value))
    faults[here] = 'must be a number within the range of a double'
  if (typeof value !== 'object' || value === null || Buffer.isBuffer(value)) return
  if (path.length >= deepest) {
    faults.body = `is nested more than ${deepest} levels deep`
    return
  }
  for (const [key, each] of Object.entries(value)) {
    const fault = textFault(key)
    if (isPoisonous(key, each)) faults[[...path, key].map(printable).join('.')] = 'is not a known field'
    else if (fault !== undefined) faults[here] = `has a field whose name ${fault}`
    else collect(each, [...path, key], faults)
  }
}

/** Copied carelessly, such a field would change what every object inherits. */
function isPoisonous(key: string, value: unknown): boolean {
  return (
    key === '__proto__' ||
    (key === 'constructor' && typeof value === 'object' && value !== null && Object.hasOwn(value, 'prototype'))
  )
}

/** Field names come from the caller: what is echoed is bounded. */
function printable(key: string): string {
  return key.length > 100 ? `${key.slice(0, 100)}…` : key
}
