import { readScalar } from '../../scalar-text.ts'

type Schema = Readonly<Record<string, unknown>>

export const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * A copy of an input schema in which every object that lists its properties admits no others, unless it says so itself.
 * The parts of an intersection stay open: each would refuse the fields of the others.
 */
export function forbidUnknownFields(schema: unknown): unknown {
  if (!isSchema(schema)) return schema
  const copy: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(schema)) copy[key] = closedAt(key, value)
  if (copy.type === 'object' && isSchema(copy.properties) && copy.additionalProperties === undefined)
    copy.additionalProperties = false
  return copy
}

function closedAt(key: string, value: unknown): unknown {
  if (key === 'properties' || key === 'patternProperties') {
    return isSchema(value)
      ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, forbidUnknownFields(each)]))
      : value
  }
  if (key === 'items' || key === 'additionalProperties') return forbidUnknownFields(value)
  if ((key === 'anyOf' || key === 'oneOf') && Array.isArray(value)) return value.map(forbidUnknownFields)
  return value
}

/** Converts the texts of a path or a query into what their schema asks for. A text that is no such value stays: the schema then refuses it. */
export function coerce(values: unknown, schema: unknown): void {
  if (!isSchema(values) || !isSchema(schema) || !isSchema(schema.properties)) return
  for (const [name, property] of Object.entries(schema.properties)) {
    if (Object.hasOwn(values, name)) Object.assign(values, { [name]: coerced(values[name], property) })
  }
}

function coerced(value: unknown, schema: unknown): unknown {
  if (!isSchema(schema)) return value
  if (schema.type === 'array') return [value].flat().map(each => coerced(each, schema.items))
  if (typeof value !== 'string') return value
  return (typeof schema.type === 'string' ? readScalar(schema.type, value) : undefined) ?? value
}
