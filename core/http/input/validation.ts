import type { FastifyRequest, FastifySchemaValidationError } from 'fastify'
import type { TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { patternFault } from './patterns.ts'
import { maxFaults } from './text-faults.ts'
import { trimmedLength } from './trimmed-length.ts'

/** Options of the validator: every fault at once, nothing dropped, nothing turned into another type. */
export const ajvOptions = {
  customOptions: {
    allErrors: true,
    // Faults hold the value then, for messages that count.
    verbose: true,
    coerceTypes: false as const,
    removeAdditional: false as const,
    useDefaults: true,
    keywords: ['example', trimmedLength]
  }
}

type Fault = Pick<FastifySchemaValidationError, 'instancePath' | 'keyword' | 'message' | 'params'> & {
  data?: unknown
  parentSchema?: object
}

/** The parts of a route's schema, with the properties of a request that they describe. */
const parts = [
  ['params', 'params'],
  ['body', 'body'],
  ['querystring', 'query']
] as const

/**
 * Every fault of a request that failed its route's schemas: Fastify itself stops at the first faulty part. A route that has
 * checks of its own adds them to these (`attachValidation`).
 */
export function validationFields(request: FastifyRequest): Record<string, string> {
  // Nothing inherited: an unknown field may be named `constructor`.
  const fields: Record<string, string> = Object.create(null)
  for (const [part, property] of parts) {
    const validate = request.getValidationFunction(part)
    if (typeof validate !== 'function' || validate(request[property]) === true) continue
    for (const [path, message] of Object.entries(fieldsOf(validate.errors ?? [], part))) fields[path] ??= message
  }
  return fields
}

/** What is wrong with a value that came by another way than a request, in the same words. */
export const schemaFaults = (schema: TSchema, value: unknown): Record<string, string> =>
  fieldsOf(Value.Errors(schema, value), 'body')

/** A field has a few: one for each branch of a union, or for each item that is longer than it may be. */
const maxErrors = 30 * maxFaults

/** One message for each faulty path. */
function fieldsOf(faults: readonly Fault[], part: string): Record<string, string> {
  const byPath = [...Map.groupBy(faults.slice(0, maxErrors), pathOf)].slice(0, maxFaults)
  return Object.fromEntries(byPath.map(([path, group]) => [path, groupMessage(group, part)]))
}

function pathOf({ instancePath, keyword, params }: Fault): string {
  const path = instancePath.split('/').slice(1).map(unescapePointer)
  if (keyword === 'required') path.push(String(params.missingProperty))
  if (keyword === 'additionalProperties') path.push(String(params.additionalProperty).slice(0, 100))
  return path.length === 0 ? 'body' : path.join('.')
}

const unescapePointer = (step: string): string => step.replaceAll('~1', '/').replaceAll('~0', '~')

/** Of a union, the branches that fit the value's type say more than those that do not. */
function groupMessage(group: readonly Fault[], part: string): string {
  const isUnion = group.some(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf')
  const [first] = group
  if (part === 'querystring' && Array.isArray(first?.data) && !first.keyword.endsWith('Items'))
    return `is given ${first.data.length} times: give it once`
  if (!isUnion && first !== undefined) return describe(first, part)
  const branches = group.filter(({ keyword }) => keyword !== 'anyOf' && keyword !== 'oneOf')
  const precise = branches.find(({ keyword }) => keyword !== 'type' && keyword !== 'const')
  if (precise !== undefined) return describe(precise, part)
  const constants = branches
    .filter(({ keyword }) => keyword === 'const')
    .map(({ params }) => JSON.stringify(params.allowedValue))
  const types = branches.filter(({ keyword }) => keyword === 'type').map(({ params }) => typeName(params.type))
  const accepted = [...new Set([...constants, ...types])]
  return accepted.length === 0 ? 'has the wrong form' : `must be ${listed(accepted)}`
}

const plural = (count: unknown, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`

/** As the validator counts them: whole characters. */
const counted = (text: unknown) => (typeof text === 'string' ? `; it has ${[...text].length}` : '')

type Describe = (params: Record<string, unknown>, part: string, data: unknown, description?: string) => string
const messages: Record<string, Describe> = {
  required: () => 'is required',
  additionalProperties: (_, part) => (part === 'querystring' ? 'is not a known parameter' : 'is not a known field'),
  boolean: () => 'is not a known field',
  type: ({ type }) => `must be ${listed([type].flat().map(typeName))}`,
  minLength: ({ limit }) => (limit === 1 ? 'must not be empty' : `must have at least ${plural(limit, 'character')}`),
  maxLength: ({ limit }, _, data) => `must have at most ${plural(limit, 'character')}${counted(data)}`,
  minItems: ({ limit }) => `must have at least ${plural(limit, 'item')}`,
  maxItems: ({ limit }) => `must have at most ${plural(limit, 'item')}`,
  minProperties: ({ limit }) => `must have at least ${plural(limit, 'field')}`,
  maxProperties: ({ limit }) => `must have at most ${plural(limit, 'field')}`,
  minimum: ({ limit }) => `must be at least ${limit}`,
  maximum: ({ limit }) => `must be at most ${limit}`,
  exclusiveMinimum: ({ limit }) => `must be more than ${limit}`,
  exclusiveMaximum: ({ limit }) => `must be less than ${limit}`,
  multipleOf: ({ multipleOf }) => `must be a multiple of ${multipleOf}`,
  enum: ({ allowedValues }) =>
    `must be one of ${[allowedValues]
      .flat()
      .map(value => JSON.stringify(value))
      .join(', ')}`,
  const: ({ allowedValue }) => `must be ${JSON.stringify(allowedValue)}`,
  format: ({ format }) => `must be a valid ${format}`,
  trimmedLength: ({ minimum, maximum }) => `must be ${minimum} to ${maximum} characters after trimming`,
  pattern: ({ pattern }, _, __, description) => patternFault(String(pattern), description),
  uniqueItems: ({ i, j }) => `must not repeat an item: items ${j} and ${i} are equal`
}

const describe = ({ keyword, params, message, data, parentSchema }: Fault, part: string): string =>
  messages[keyword]?.(params, part, data, Object(parentSchema).description) ?? message ?? 'is not valid'

const typeName = (type: unknown): string =>
  type === 'null' ? 'null' : `${/^[aeio]/.test(String(type)) ? 'an' : 'a'} ${type}`

const listed = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`
