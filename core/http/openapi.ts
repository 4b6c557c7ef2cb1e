import swagger from '@fastify/swagger'
import type { FastifyContextConfig, FastifyInstance, FastifyPluginAsync } from 'fastify'
import { type Access, access, type Scope } from '../contract/access.ts'
import type { Installation } from '../contract/plugin.ts'
import { completeDocument, type Document } from './document.ts'

const title = 'galley'
const description =
  'A content-publishing service. Every failure answers `{error_code, message, errors, request_id}`; lists answer `{items, total, limit, offset, next_cursor}`; unknown parameters and fields are refused.'

const scopes = {
  'api:read': 'Read',
  'api:write': 'Change',
  'api:admin': "Change settings of the operator's machine, with api:write"
} satisfies Record<Scope, string>

const securitySchemes = {
  bearer: {
    type: 'oauth2',
    description: 'A short-lived token of the client-credentials grant.',
    flows: { clientCredentials: { tokenUrl: '/token', scopes } }
  },
  client: { type: 'http', scheme: 'basic', description: "The client's client_id and client_secret." }
} as const

/** Collects all routes for the API document, which is made when it is first asked for. Register before any route. */
export function addOpenApi(app: FastifyInstance, version: string, tags: Readonly<Record<string, string>>): void {
  const configs = new Map<string, FastifyContextConfig>()
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
      const { config = {} } = route
      configs.set(schema?.operationId ?? url, config)
      const security = config.access === undefined ? {} : securityOf(config.access)
      return { url, schema: { ...security, ...schema } as typeof schema }
    },
    transformObject: document => {
      if (!('openapiObject' in document)) return document.swaggerObject
      return completeDocument(document.openapiObject as unknown as Document, configs, tags) as never
    }
  })
}

function securityOf(rule: Access): object {
  const required = { bearer: 'scope' in rule ? [rule.scope] : [] }
  if (rule.kind === 'bearer') return { security: [required] }
  if (rule.kind === 'optional') return { security: [{}, required] }
  return { security: [] }
}

/** `GET /openapi.json`. */
export function documentRoutes({ baseUrl }: Pick<Installation, 'baseUrl'>): FastifyPluginAsync {
  const anyObject = { content: { 'application/json': { schema: { type: 'object', additionalProperties: true } } } }
  const schema = {
    operationId: 'getOpenApiDocument',
    tags: ['operation'],
    summary: 'This document, OpenAPI 3.1',
    response: { 200: anyObject }
  }
  const config = { access: access.public, cache: { topics: ['settings'] } }
  let made = { url: '', text: '' }
  return async app => {
    app.get('/openapi.json', { config, schema }, async (_request, reply) => {
      const url = baseUrl()
      // Half a megabyte: to write it anew for each request would take the time of a hundred others.
      if (made.url !== url) made = { url, text: JSON.stringify({ ...app.swagger(), servers: [{ url }] }) }
      return reply.type('application/json; charset=utf-8').send(made.text)
    })
  }
}
