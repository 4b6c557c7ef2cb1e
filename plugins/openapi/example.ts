import { isObject } from '#core'

type Schema = Readonly<Record<string, unknown>>

const formats: Readonly<Record<string, string>> = {
  uuid: '3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d',
  'date-time': '2026-11-21T10:00:00.000Z'
}

/** A value that fits a schema: its own example where it has one, else the plainest there is. */
export function exampleOf(schema: unknown): unknown {
  // Whatever is not an object has no keywords; of the others the routes' own check has read each.
  return isObject(schema) ? exampleOfKeywords(schema as Keywords) : {}
}

function exampleOfKeywords(schema: Keywords): unknown {
  const { examples, default: fallback, enum: values, const: constant, anyOf, oneOf, allOf } = schema
  if (examples !== undefined) return examples[0]
  if (constant !== undefined) return constant
  if (fallback !== undefined) return fallback
  if (values !== undefined) return values[0]
  const branches = anyOf ?? oneOf
  if (branches !== undefined) return exampleOf(branches.find(({ type }) => type !== 'null') ?? branches[0])
  if (allOf !== undefined) return Object.assign({}, ...allOf.map(exampleOf))
  return exampleOfType(schema)
}

function exampleOfType(schema: Keywords): unknown {
  switch ([schema.type].flat().find(type => type !== 'null')) {
    case 'object':
      return Object.fromEntries(Object.entries(schema.properties ?? {}).map(([name, each]) => [name, exampleOf(each)]))
    case 'array':
      return [exampleOf(schema.items)]
    case 'integer':
    case 'number':
      return schema.minimum ?? 0
    case 'boolean':
      return true
    case 'string':
      return formats[schema.format ?? ''] ?? 'text'
    default:
      return schema.type === 'null' ? null : {}
  }
}

interface Keywords {
  type?: string | string[]
  examples?: unknown[]
  default?: unknown
  const?: unknown
  enum?: unknown[]
  anyOf?: Keywords[]
  oneOf?: Keywords[]
  allOf?: Keywords[]
  properties?: Record<string, Schema>
  items?: Schema
  minimum?: number
  format?: string
}
