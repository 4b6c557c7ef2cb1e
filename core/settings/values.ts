import { Value } from 'typebox/value'
import type { Setting } from '../plugin.ts'

/** A setting's value as it is stored and shown: always text. */
export function toText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/**
 * Reads stored text as the setting's type. Text that the schema refuses is told, not thrown,
 * because a stored value may be older than the bounds.
 */
export function parseValue(definition: Setting, text: string): { value: unknown } | { fault: string } {
  const value = fromText(definition, text)
  if (value !== undefined && Value.Check(definition.schema, value)) return { value }
  return { fault: explainFault(definition, value) }
}

function fromText(definition: Setting, text: string): unknown {
  const { type } = definition.schema as { type?: string }
  if (type === 'string' || type === undefined) return text
  if (type === 'number' || type === 'integer') return /^-?\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : undefined
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function explainFault(definition: Setting, value: unknown): string {
  const schema = definition.schema as {
    type?: string
    anyOf?: { const?: unknown }[]
    enum?: unknown[]
    minimum?: number
    maximum?: number
  }
  const choices = schema.enum ?? schema.anyOf?.map(option => option.const)
  if (choices !== undefined) return `must be one of: ${choices.join(', ')}`
  if (schema.minimum !== undefined || schema.maximum !== undefined) {
    return `must be ${schema.type === 'integer' ? 'a whole number' : 'a number'} from ${schema.minimum ?? '-∞'} to ${schema.maximum ?? '∞'}`
  }
  if (schema.type === 'boolean') return 'must be true or false'
  if (value === undefined) return `must be a ${schema.type}`
  const [fault] = Value.Errors(definition.schema, value)
  return fault?.message ?? `must be a ${schema.type}`
}
