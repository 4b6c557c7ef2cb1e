import { isDeepStrictEqual } from 'node:util'
import { Value } from 'typebox/value'
import type { Setting } from '../contract/settings.ts'
import { readScalar } from '../scalar-text.ts'

/** A setting's value as it is stored and shown: always text. */
export const toText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/**
 * Reads stored text as the setting's type. A fault of text that the schema refuses is returned, not thrown,
 * because a stored value may be older than the bounds.
 */
export function parseValue(definition: Setting, text: string): { value: unknown } | { fault: string } {
  const value = fromText(definition, text)
  if (value !== undefined && Value.Check(definition.schema, value)) return { value }
  return { fault: explainFault(definition, value) }
}

/** Why a setting's default is no value that an operator could give it as well; null for one that is. */
export function faultOfDefault(definition: Setting): string | null {
  const { schema, default: value } = definition
  const read = parseValue(definition, toText(value))
  if ('value' in read && isDeepStrictEqual(read.value, value)) return null
  return Value.Check(schema, value) ? 'must be a value that text can stand for' : explainFault(definition, value)
}

function fromText(definition: Setting, text: string): unknown {
  const { type } = definition.schema as { type?: string }
  if (type === 'string' || type === undefined) return text
  if (type === 'number' || type === 'integer' || type === 'boolean') return readScalar(type, text)
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const wanted: Readonly<Record<string, string>> = {
  integer: 'must be a whole number',
  number: 'must be a number',
  boolean: 'must be true or false',
  array: 'must be a list in JSON, such as ["one", "two"]',
  object: 'must be an object in JSON'
}

function explainFault(definition: Setting, value: unknown): string {
  const schema = definition.schema as Bounds
  const allowedValues = schema.enum ?? schema.anyOf?.map(option => option.const)
  if (allowedValues !== undefined) return `must be one of: ${allowedValues.join(', ')}`
  const form = wanted[schema.type ?? '']
  if (schema.type === 'integer' || schema.type === 'number') return `${form}${boundsOf(schema)}`
  if (value === undefined) return form ?? 'must be given'
  const [fault] = Value.Errors(definition.schema, value)
  if (fault?.keyword === 'pattern' && fault.instancePath === '')
    return `must match its description: ${definition.describe.replace(/\.$/, '')}`
  const place = fault?.instancePath ? `item ${fault.instancePath.slice(1).replaceAll('/', '.')} ` : ''
  if (fault === undefined) return form ?? 'is not valid'
  return place + (fault.keyword === 'boolean' ? 'is not a known field' : fault.message)
}

/** What a value may be, in a few words; null where any text is one. */
export function describeBounds(definition: Setting): string | null {
  const { type, anyOf, enum: values, minimum, maximum, maxLength } = definition.schema as Bounds
  const allowedValues = values ?? anyOf?.map(option => option.const)
  if (allowedValues !== undefined) return allowedValues.join(' | ')
  if (type === 'boolean') return 'true | false'
  if (type === 'integer' || type === 'number') {
    if (minimum === undefined && maximum === undefined) return type
    return `${minimum ?? ''}…${maximum ?? ''}`
  }
  if (type === 'array' || type === 'object') return `JSON ${type}`
  return maxLength === undefined ? null : `at most ${maxLength} characters`
}

interface Bounds {
  type?: string
  anyOf?: { const?: unknown }[]
  enum?: unknown[]
  minimum?: number
  maximum?: number
  maxLength?: number
}

function boundsOf({ minimum, maximum }: { minimum?: number; maximum?: number }): string {
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`
  if (minimum !== undefined) return `, ${minimum} or more`
  return maximum === undefined ? '' : `, ${maximum} or less`
}
