import { aliases } from '../aliases.ts'
import { commandsOf } from '../framework/catalogue.ts'
import type { ApiDocument, DocumentedOperation, DocumentedParameter, Reference, Schema } from './api-document.ts'
import { graphqlLines } from './graphql-surface.ts'
import { codesIn } from './references.ts'
import type { ServiceDescription } from './service-description.ts'

/**
 * What clients and operators may rely on, one promise a line: a line that is gone is a promise broken. A demand is written
 * as its absence: a field of a request that becomes required loses its line `may be left out`.
 */
export function surfaceOf({ openapi, graphql, settings, commands }: ServiceDescription): string[] {
  const lines = [routeLines(openapi), graphqlLines(graphql), settingLines(settings), commandLines(commands)].flat()
  return [...new Set(lines)].sort()
}

/** Promises of `released` that `present` does not hold. */
export const missingFrom = (present: readonly string[], released: readonly string[]): string[] => {
  const presentLines = new Set(present)
  return released.filter(line => !presentLines.has(line))
}

function routeLines(document: ApiDocument): string[] {
  const codes = document.components.schemas?.ErrorBody?.properties?.error_code?.enum ?? []
  const routes = Object.entries(document.paths).flatMap(([url, operations]) =>
    Object.entries(operations).flatMap(([method, operation]) => {
      const name = `route ${method.toUpperCase()} ${url}`
      return [name, `${name} is called ${operation.operationId}`, ...operationLines(document, name, operation)]
    })
  )
  return [...codes.map(code => `error ${code}`), ...routes]
}

function operationLines(document: ApiDocument, name: string, operation: DocumentedOperation): string[] {
  const { parameters = [], requestBody, responses, security = [] } = operation
  const scopes = security.flatMap(each => each.bearer ?? [])
  return [
    ...(scopes.length === 0 ? [`${name} needs no token`] : scopes.map(scope => `${name} is allowed to ${scope}`)),
    ...parameters
      .map(each => parameterOf(document, each))
      .flatMap(({ name: parameter, in: place, required = false, schema }) => [
        `${name} takes ${place} ${parameter}`,
        ...(required ? [] : [`${name} takes ${place} ${parameter}, which may be left out`]),
        ...valueLines(document, `${name} takes ${place} ${parameter}`, schema)
      ]),
    ...Object.entries(requestBody?.content ?? {}).flatMap(([type, { schema }]) =>
      requestFieldLines(document, `${name} takes ${type}`, schema)
    ),
    ...Object.entries(responses).flatMap(([status, response]) => [
      `${name} answers ${status}`,
      ...codesIn(response).map(code => `${name} answers ${status} ${code}`),
      ...(Number(status) < 400 ? responseLines(document, `${name} answers ${status}`, response) : [])
    ])
  ]
}

function parameterOf({ components }: ApiDocument, given: DocumentedParameter | Reference): DocumentedParameter {
  if (!('$ref' in given)) return given
  const found = components.parameters?.[given.$ref.slice('#/components/parameters/'.length)]
  if (found === undefined) throw new TypeError(`The document lacks ${given.$ref}.`)
  return found
}

function responseLines(document: ApiDocument, name: string, { headers, content }: Response): string[] {
  return [
    ...Object.keys(headers ?? {}).map(header => `${name} header ${header}`),
    ...Object.entries(content ?? {}).flatMap(([type, { schema }]) => [
      `${name} ${type}`,
      ...responseFieldLines(document, name, schema)
    ])
  ]
}
type Response = DocumentedOperation['responses'][string]

/** Each field of an answer with its type; of a list, those of its items. */
function responseFieldLines(document: ApiDocument, name: string, given: Schema | undefined): string[] {
  const schema = resolve(document, given)
  const parts = [schema, ...(schema.anyOf ?? []).map(each => resolve(document, each))]
  return parts.flatMap(({ properties = {}, required = [], items }) => [
    ...Object.entries(properties).flatMap(([field, each]) => [
      `${name} ${field}: ${typeOf(document, each)}`,
      ...(required.includes(field) ? [`${name} ${field} always`] : []),
      ...responseFieldLines(document, `${name} ${field}`, each)
    ]),
    ...(items === undefined ? [] : responseFieldLines(document, `${name}[]`, items))
  ])
}

/** Each field a body may have, whether it may be left out, and the values it may take. */
function requestFieldLines(document: ApiDocument, name: string, given: Schema | undefined): string[] {
  const schema = resolve(document, given)
  const { properties = {}, required = [] } = schema
  return Object.entries(properties).flatMap(([field, each]) => [
    `${name} ${field}`,
    ...(required.includes(field) ? [] : [`${name} ${field}, which may be left out`]),
    ...valueLines(document, `${name} ${field}`, each)
  ])
}

function valueLines(document: ApiDocument, name: string, given: Schema | undefined): string[] {
  const schema = resolve(document, given)
  const types = typeOf(document, schema).split(' | ')
  return [...types.map(type => `${name} as ${type}`), ...(schema.enum ?? []).map(value => `${name} = ${String(value)}`)]
}

/** An enumeration of texts is text: an answer may have more values later. */
function typeOf(document: ApiDocument, given: Schema): string {
  const schema = resolve(document, given)
  if (schema.anyOf !== undefined) return [...new Set(schema.anyOf.map(each => typeOf(document, each)))].join(' | ')
  return [schema.type ?? (schema.enum === undefined ? 'any' : 'string')].flat().join(' | ')
}

function resolve(document: ApiDocument, schema: Schema | undefined): Schema {
  if (schema?.$ref === undefined) return schema ?? {}
  return document.components.schemas?.[schema.$ref.slice('#/components/schemas/'.length)] ?? {}
}

const settingLines = (settings: ServiceDescription['settings']): string[] =>
  settings.flatMap(({ key, is_secret }) => [`setting ${key}`, ...(is_secret ? [`setting ${key} is secret`] : [])])

function commandLines(catalogue: ServiceDescription['commands']): string[] {
  const lines = commandsOf(catalogue).flatMap(({ path, command }) => [
    `command ${path}`,
    ...Object.entries(command.args).flatMap(([argument, { type, required = false, options = [], alias }]) => {
      const word = type === 'positional' ? `<${argument}>` : `--${argument}`
      return [
        `command ${path} ${word}`,
        ...(required ? [] : [`command ${path} ${word}, which may be left out`]),
        ...(alias === undefined ? [] : [`command ${path} -${alias}`]),
        ...options.map(value => `command ${path} ${word} ${value}`)
      ]
    })
  ])
  return [...lines, ...Object.keys(aliases).map(old => `command ${old}, deprecated`)]
}
