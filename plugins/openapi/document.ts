import type { FastifyContextConfig } from 'fastify'
import { type ApiDescription, type ErrorCode, type ErrorDefinitions, isObject } from '#core'
import { besideErrors, codesOf, defined, errorBodyOf, errorResponses, sharedErrors } from './error-responses.ts'
import { exampleOf } from './example.ts'
import { answersNotModified, requestHeaders, requestHeadersOf, responseHeaders, responseHeadersOf } from './headers.ts'
import type { Content, Document, Json, Operation, Parameter, Response, RouteFacts } from './types.ts'

/** Completes a document that has the routes' own schemas: failures, headers, examples, shared schemas. */
export function completeDocument(
  document: Document,
  configs: ReadonlyMap<string, FastifyContextConfig>,
  { tags, errors }: Pick<ApiDescription, 'tags' | 'errors'>
): Document {
  const used = new Set<ErrorCode>()
  const schemas = new Map<string, Json>()
  const paths: Document['paths'] = {}
  for (const [url, operations] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      const route = factsOf(method, url, operation, configs.get(operation.operationId) ?? {})
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

function factsOf(method: string, url: string, operation: Operation, config: FastifyContextConfig): RouteFacts {
  const properties = operation.responses['200']?.content?.['application/json']?.schema?.properties
  const hasCursor = (operation.parameters ?? []).some(({ name }) => name === 'cursor')
  return {
    method,
    url,
    config,
    isList: hasCursor && isObject(properties) && properties.items !== undefined,
    answersOwnRefusals: operation.responses['400'] !== undefined && config.documentation?.errors === undefined
  }
}

const phrases: Readonly<Record<string, string>> = {
  200: 'Done',
  201: 'Made',
  202: 'Taken',
  204: 'Done; there is nothing to say',
  206: 'The part asked for'
}

function complete(
  operation: Operation,
  route: RouteFacts & { errors: ErrorDefinitions },
  codes: readonly ErrorCode[]
): Operation {
  const { config } = route
  const own = Object.fromEntries(
    Object.entries(operation.responses).map(([status, response]) => [status, completeResponse(response, route, status)])
  )
  const notModified: Record<string, Response> = answersNotModified(route)
    ? { 304: completeResponse(unchanged, route, '304') }
    : {}
  const read = Object.entries(config.documentation?.requestHeaders ?? {}).map(([name, description]) => ({
    name,
    in: 'header',
    required: false,
    description,
    schema: { type: 'string' }
  }))
  const shared = requestHeadersOf(route).map(name => ({ $ref: `#/components/parameters/${name}` }))
  const body = operation.requestBody ?? (config.access?.kind === 'signed' ? signedBody : undefined)
  return {
    ...operation,
    'x-access': config.access?.kind,
    parameters: [...(operation.parameters ?? []).map(withExample), ...read, ...shared],
    ...(body === undefined ? {} : { requestBody: { ...body, content: withExamples(body.content) } }),
    responses: {
      ...errorResponses(codes, route.errors),
      ...notModified,
      ...(config.documentation?.errors === undefined ? own : besideErrors(own, codes, route.errors))
    }
  }
}

const unchanged: Response = { description: 'The reader has this version.' }
const signedBody = {
  required: true,
  content: {
    'application/json': { schema: { type: 'object', additionalProperties: true, examples: [{ type: 'example' }] } }
  }
}

function completeResponse(response: Response, route: RouteFacts, status: string): Response {
  const { description, headers, content } = response
  const own = Object.entries(Number(status) < 300 ? (route.config.documentation?.responseHeaders ?? {}) : {})
  const shared = responseHeadersOf(route, Number(status)).map(name => [name, { $ref: `#/components/headers/${name}` }])
  return {
    ...response,
    description: description === 'Default Response' ? `${phrases[status] ?? 'Answered'}.` : description,
    headers: {
      ...Object.fromEntries(shared),
      ...Object.fromEntries(own.map(([name, meaning]) => [name, { description: meaning, schema: { type: 'string' } }])),
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
  const text = JSON.stringify(paths)
  const shared = sharedErrors(used, errors)
  const names = Object.keys(shared)
  return used
    .filter((_, index) => text.includes(`"#/components/responses/${names[index]}"`))
    .sort((a, b) => defined(errors, a).status - defined(errors, b).status)
}

/** The components that something in `users` refers to. */
function onlyUsed(all: Readonly<Record<string, object>>, kind: string, users: object): Json {
  const text = JSON.stringify(users)
  return Object.fromEntries(Object.entries(all).filter(([name]) => text.includes(`"#/components/${kind}/${name}"`)))
}
