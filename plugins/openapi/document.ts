import type { FastifyContextConfig } from 'fastify'
import { type ApiDescription, type ErrorCode, type ErrorDefinitions, isObject } from '#core'
import {
  codesOf,
  definitionOf,
  errorBodyOf,
  errorResponses,
  errorTitles,
  mergeErrorResponses,
  sharedErrors
} from './error-responses.ts'
import { exampleOf } from './example.ts'
import { requestHeaders, requestHeadersOf, responseHeaders, responseHeadersOf } from './headers.ts'
import { hasEtag } from './route-features.ts'
import type { Content, Document, Json, Operation, Parameter, Response, RouteFacts } from './types.ts'

/** Completes a document that has the routes' own schemas: failures, headers, examples, shared schemas. */
export function completeDocument(
  document: Document,
  routes: ReadonlyMap<string, DocumentedRoute>,
  { tags, errors }: Pick<ApiDescription, 'tags' | 'errors'>
): Document {
  const used = new Set<ErrorCode>()
  const schemas = new Map<string, Json>()
  const paths: Document['paths'] = {}
  for (const [url, operations] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      const route = factsOf(method, url, operation, routes.get(operation.operationId) ?? { config: {}, responses: {} })
      const codes = codesOf(route, errors)
      for (const code of codes) used.add(code)
      const completed = complete(operation, { ...route, errors }, codes)
      // An operation has no title of its own: it stays one.
      addTo(paths, route, withSharedSchemas(completed, schemas) as Operation)
    }
  }
  const names = new Set(Object.values(paths).flatMap(path => Object.values(path).flatMap(({ tags }) => tags ?? [])))
  const responses = sharedErrors(singleCodes(paths, [...used], errors), errors)
  return {
    ...document,
    tags: [...names].sort().map(name => ({ name, ...(tags[name] === undefined ? {} : { description: tags[name] }) })),
    paths,
    components: {
      ...document.components,
      schemas: {
        ...document.components.schemas,
        ...Object.fromEntries([...schemas].sort()),
        ErrorBody: errorBodyOf(errors)
      },
      responses,
      headers: onlyUsed(responseHeaders, 'headers', [paths, responses]),
      parameters: onlyUsed(requestHeaders, 'parameters', paths)
    }
  }
}

/** A route as the service has it. `responses` are the schemas of its answers, by status. */
export interface DocumentedRoute {
  readonly config: FastifyContextConfig
  readonly responses: Json
}

function factsOf(
  method: string,
  url: string,
  operation: Operation,
  { config, responses }: DocumentedRoute
): RouteFacts {
  return {
    method,
    url,
    config,
    describedStatuses: new Set(Object.keys(responses).filter(status => isDescribed(responses[status]))),
    isList: (operation.parameters ?? []).some(({ name }) => name === 'cursor'),
    hasOwnErrorFormat: operation.responses['400'] !== undefined && config.documentation?.errors === undefined
  }
}

const isDescribed = (schema: unknown): boolean =>
  isObject(schema) && (schema.description !== undefined || schema['x-response-description'] !== undefined)

const phrases: Readonly<Record<string, string>> = {
  200: 'OK',
  201: 'Created',
  202: 'Accepted',
  204: 'No content',
  206: 'The requested range'
}

function complete(
  operation: Operation,
  route: RouteFacts & { errors: ErrorDefinitions },
  codes: readonly ErrorCode[]
): Operation {
  const { config } = route
  const own = Object.fromEntries(
    Object.entries(operation.responses).map(([status, response]) => [
      status,
      completeResponse({ ...response, description: descriptionOf(response, route, status) }, route, status)
    ])
  )
  const notModified: Record<string, Response> = hasEtag(route) ? { 304: completeResponse(unchanged, route, '304') } : {}
  const described = operation.requestBody && { ...operation.requestBody, required: isRequired(operation.requestBody) }
  const body = described ?? (config.access?.kind === 'signed' ? signedBody : undefined)
  return {
    ...operation,
    'x-access': config.access?.kind,
    parameters: [...(operation.parameters ?? []).map(withExample), ...headerParametersOf(route)],
    ...(body === undefined ? {} : { requestBody: { ...body, content: withExamples(body.content) } }),
    responses: {
      ...errorResponses(codes, route.errors),
      ...notModified,
      ...(config.documentation?.errors === undefined ? own : mergeErrorResponses(own, codes, route.errors))
    }
  }
}

/** The request headers that a route reads: its own, and those that many read, by reference. */
function headerParametersOf(route: RouteFacts): (Parameter | { $ref: string })[] {
  const own = Object.entries(route.config.documentation?.requestHeaders ?? {}).map(([name, description]) => ({
    name,
    in: 'header',
    required: false,
    description,
    schema: { type: 'string' }
  }))
  return [...own, ...requestHeadersOf(route).map(name => ({ $ref: `#/components/parameters/${name}` }))]
}

/** A route that takes an empty object, as one of its examples, takes no body for it. */
const isRequired = ({ content }: NonNullable<Operation['requestBody']>): boolean =>
  !Object.values(content)
    .flatMap(({ examples }) => Object.values(examples ?? {}))
    .some(({ value }) => isObject(value) && Object.keys(value).length === 0)

const unchanged: Response = { description: 'The reader has this version.' }
const signedBody = {
  required: true,
  content: {
    'application/json': { schema: { type: 'object', additionalProperties: true, examples: [{ type: 'example' }] } }
  }
}

/** Where the route describes none, the library fills in words of its own. */
const descriptionOf = ({ description }: Response, { describedStatuses }: RouteFacts, status: string) =>
  describedStatuses.has(status) ? description : `${phrases[status] ?? errorTitles[Number(status)] ?? 'Response'}.`

function completeResponse(response: Response, route: RouteFacts, status: string): Response {
  const { headers, content } = response
  const own = Object.entries(Number(status) < 300 ? (route.config.documentation?.responseHeaders ?? {}) : {})
  const shared = responseHeadersOf(route, Number(status)).map(name => [name, { $ref: `#/components/headers/${name}` }])
  return {
    ...response,
    headers: {
      ...Object.fromEntries(shared),
      ...Object.fromEntries(own.map(([name, description]) => [name, { description, schema: { type: 'string' } }])),
      ...headers
    },
    ...(content === undefined ? {} : { content: withExamples(content) })
  }
}

function withExamples(content: Record<string, Content>): Record<string, Content> {
  return Object.fromEntries(
    Object.entries(content).map(([type, each]) => {
      const isBinary = each.schema?.format === 'binary' || each.schema === undefined
      return [type, isBinary || each.example !== undefined ? each : { ...each, example: exampleOf(each.schema) }]
    })
  )
}

function withExample(parameter: Parameter): Parameter {
  const { schema = {} } = parameter
  const has = schema.examples !== undefined || schema.default !== undefined || schema.enum !== undefined
  return has || parameter.in === 'path' ? { ...parameter, example: exampleOf(schema) } : parameter
}

/** Replaces every schema that has a title by a reference to the shared one, and leaves out keywords of our own. */
function withSharedSchemas(value: unknown, schemas: Map<string, Json>): unknown {
  if (Array.isArray(value)) return value.map(each => withSharedSchemas(each, schemas))
  if (!isObject(value)) return value
  const { trimmedLength, ...keywords } = value
  const copy: Json = Object.fromEntries(
    Object.entries(keywords).map(([key, each]) => [
      key,
      key.startsWith('example') ? each : withSharedSchemas(each, schemas)
    ])
  )
  if (isObject(trimmedLength)) copy.minLength = trimmedLength.minimum
  const { title } = copy
  if (copy.type !== 'object' || typeof title !== 'string' || !/^[A-Z]\w*$/.test(title)) return copy
  const { title: _, ...schema } = copy
  const present = schemas.get(title)
  if (present === undefined) schemas.set(title, schema)
  else if (JSON.stringify(present) !== JSON.stringify(schema)) return copy
  return { $ref: `#/components/schemas/${title}` }
}

/** Paths that differ in a parameter's name only are one path: the first route's names hold for all of its methods. */
function addTo(paths: Document['paths'], { url, method }: RouteFacts, operation: Operation): void {
  const form = formOf(url)
  const path = Object.keys(paths).find(each => formOf(each) === form) ?? url
  const names = [...path.matchAll(parameterPattern)].map(([, name = '']) => name)
  const renamed = new Map([...url.matchAll(parameterPattern)].map(([, name], index) => [name, names[index]]))
  const parameters = operation.parameters?.map(parameter => {
    const name = renamed.get(parameter.name ?? '')
    if (parameter.in !== 'path' || name === undefined || name === parameter.name) return parameter
    return { ...parameter, name, description: `Here the ${parameter.name}. ${parameter.description ?? ''}`.trim() }
  })
  paths[path] = { ...paths[path], [method]: { ...operation, ...(parameters === undefined ? {} : { parameters }) } }
}

const parameterPattern = /\{(\w+)\}/g
const formOf = (url: string): string => url.replace(parameterPattern, '{}')

/** Codes whose status has no other code somewhere: those have a shared response. */
function singleCodes(paths: Document['paths'], used: readonly ErrorCode[], errors: ErrorDefinitions): ErrorCode[] {
  const names = Object.keys(sharedErrors(used, errors))
  const references = referencesIn(paths)
  return used
    .filter((_, index) => references.has(`#/components/responses/${names[index]}`))
    .sort((a, b) => definitionOf(errors, a).status - definitionOf(errors, b).status)
}

/** The components that something in `users` refers to. */
function onlyUsed(all: Readonly<Record<string, object>>, kind: string, users: object): Json {
  const references = referencesIn(users)
  return Object.fromEntries(Object.entries(all).filter(([name]) => references.has(`#/components/${kind}/${name}`)))
}

/** Every `$ref` within a value. */
function referencesIn(value: unknown, found = new Set<string>()): ReadonlySet<string> {
  if (Array.isArray(value)) for (const each of value) referencesIn(each, found)
  else if (isObject(value)) {
    if (typeof value.$ref === 'string') found.add(value.$ref)
    for (const each of Object.values(value)) referencesIn(each, found)
  }
  return found
}
