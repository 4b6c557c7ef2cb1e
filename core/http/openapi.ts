import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyError, FastifyInstance, FastifyPluginAsync } from 'fastify'
import { errorCodes } from '../errors.ts'
import type { Installation } from '../plugin.ts'
import { type Access, access } from './access.ts'
import { handleError, nothingAt } from './error-handler.ts'
import type { RouteRules } from './route-rules.ts'

const title = 'galley'
const description =
  'A content-publishing service. Every failure answers `{error_code, message, errors, request_id}`; lists answer `{items, total, limit, offset, next_cursor}`; unknown parameters and fields are refused.'

const errorBody = {
  type: 'object',
  required: ['error_code', 'message', 'errors', 'request_id'],
  properties: {
    error_code: { type: 'string', enum: Object.keys(errorCodes) },
    message: { type: 'string', description: 'What happened and what to do.' },
    errors: {
      type: 'object',
      additionalProperties: { type: 'string' },
      description: 'Faulty fields by dotted path; `body` for the whole body.'
    },
    request_id: { type: 'string', format: 'uuid' }
  }
}

const errorTexts: Readonly<Record<string, string>> = {
  400: 'The request is not valid',
  401: 'No valid token',
  403: 'The token lacks the scope',
  404: 'Not found',
  409: 'The state does not allow it, or an Idempotency-Key is in use',
  413: 'The body is too large',
  415: 'The content type is not accepted',
  429: 'Too many requests',
  500: 'The service failed',
  503: 'A part of the service does not answer'
}

const securitySchemes = {
  bearer: {
    type: 'oauth2',
    description: 'A short-lived token of the client-credentials grant.',
    flows: { clientCredentials: { tokenUrl: '/token', scopes: { 'api:read': 'Read', 'api:write': 'Change' } } }
  }
} as const

/** Collects all routes for the API document. Register before any route. */
export function addOpenApi(app: FastifyInstance, version: string): void {
  app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title,
        description,
        version,
        license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' }
      },
      components: { securitySchemes: securitySchemes as never }
    },
    // The HEAD routes beside every GET would double the document.
    hideUntagged: false,
    transform: ({ schema, url, route }) => {
      const rule = route.config?.access
      return { url, schema: { ...schema, ...(rule === undefined ? {} : securityOf(rule)) } as typeof schema }
    },
    transformObject: document => {
      if (!('openapiObject' in document)) return document.swaggerObject
      return withErrors(document.openapiObject as never) as never
    }
  })
}

function securityOf(rule: Access): object {
  const required = { bearer: 'scope' in rule ? [rule.scope] : [] }
  if (rule.kind === 'bearer') return { security: [required] }
  if (rule.kind === 'optional') return { security: [{}, required] }
  return { security: [] }
}

interface Operation {
  security?: Record<string, string[]>[]
  requestBody?: unknown
  parameters?: unknown[]
  responses: Record<string, unknown>
}
interface Document {
  paths: Record<string, Record<string, Operation>>
  components: { schemas?: Record<string, unknown>; responses?: Record<string, unknown> }
}

/** Adds the failures that each operation can answer with, as references to shared responses. */
function withErrors(document: Document): Document {
  const responses = Object.entries(errorTexts).map(([status, text]) => [
    `Error${status}`,
    { description: text, content: { 'application/json': { schema: { $ref: '#/components/schemas/ErrorBody' } } } }
  ])
  const paths = Object.entries(document.paths).map(([path, operations]) => [
    path,
    Object.fromEntries(
      Object.entries(operations).map(([method, operation]) => [method, withErrorsOf(operation, method, path)])
    )
  ])
  return {
    ...document,
    paths: Object.fromEntries(paths),
    components: {
      ...document.components,
      schemas: { ...document.components.schemas, ErrorBody: errorBody },
      responses: { ...document.components.responses, ...Object.fromEntries(responses) }
    }
  }
}

function withErrorsOf(operation: Operation, method: string, path: string): Operation {
  const isProtected = (operation.security ?? []).length > 0
  const statuses = ['400', '429', '500', '503']
  if (isProtected) statuses.push('401', '403')
  if (path.includes('{')) statuses.push('404')
  if (method !== 'get') statuses.push('409')
  if (operation.requestBody !== undefined) statuses.push('413', '415')
  const errors = statuses.map(status => [status, { $ref: `#/components/responses/Error${status}` }])
  return { ...operation, responses: { ...Object.fromEntries(errors), ...operation.responses } }
}

/** `GET /openapi.json`. */
export function documentRoutes({ baseUrl }: Pick<Installation, 'baseUrl'>): FastifyPluginAsync {
  const schema = { operationId: 'getOpenApiDocument', tags: ['operation'], summary: 'This document, OpenAPI 3.1' }
  const config = { access: access.public, cache: { topics: ['settings'] } }
  return async app => {
    app.get('/openapi.json', { config, schema }, async () => ({ ...app.swagger(), servers: [{ url: baseUrl() }] }))
  }
}

const pageCsp =
  "default-src 'self'; base-uri 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; object-src 'none'; frame-ancestors 'none'"

/** The document as a page for people, at `/docs`. The library's routes state no access: they get it here, before the rules look. */
export function addDocumentPage(app: FastifyInstance, rules: RouteRules): void {
  app.register(async scope => {
    scope.addHook('onRoute', route => {
      route.config = { ...route.config, access: access.public }
      route.schema = { ...route.schema, hide: true }
    })
    // The library forbids a path that leaves its folder; for us there is nothing at it.
    scope.setErrorHandler<FastifyError>((error, request, reply) =>
      handleError(error.statusCode === 403 ? nothingAt(request.url) : error, request, reply)
    )
    rules.applyTo(scope, 'core')
    await scope.register(swaggerUi, { routePrefix: '/docs', staticCSP: pageCsp })
  })
}
