import { Value } from 'typebox/value'
import type { Static, TSchema } from '#core'

/** Bounds that some servers' grammars refuse; the answer is held against them here in any case. */
const ownBounds: ReadonlySet<string> = new Set(['minLength', 'maxLength', 'minimum', 'maximum', 'pattern'])

/** The schema as it goes over the wire: shape only. */
export function wireSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(wireSchema)
  if (typeof schema !== 'object' || schema === null) return schema
  const sent = Object.entries(schema).filter(([key, value]) => !(ownBounds.has(key) && typeof value !== 'object'))
  return Object.fromEntries(sent.map(([key, value]) => [key, wireSchema(value)]))
}

/** What an answer holds, or what is wrong with it in words the model can act on. */
type ParsedAnswer<Content> = { value: Content } | { faults: string[] }

export function parseAnswer<S extends TSchema>(text: string, schema: S): ParsedAnswer<Static<S>> {
  const value = jsonIn(text)
  if (value === undefined) return { faults: ['the answer is not one JSON object'] }
  if (Value.Check(schema, value)) return { value }
  const errors = Value.Errors(schema, value)
  return { faults: [...errors].map(({ instancePath, message }) => `${instancePath || '/'}: ${message}`) }
}

/** Models without a grammar wrap the object in reasoning, a fence or a sentence. */
function jsonIn(text: string): unknown {
  const answer = text.replace(/^\s*<think>[\s\S]*?<\/think>/, '').trim()
  const inner = answer.slice(answer.indexOf('{'), answer.lastIndexOf('}') + 1)
  return parsed(answer) ?? parsed(inner)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
