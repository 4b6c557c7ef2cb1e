import swagger, { type FastifyDynamicSwaggerOptions } from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import fastify, { type FastifyInstance } from 'fastify'
import { type Access, type ApiDescription, isObject, type Scope } from '#core'
import { completeDocument, type DocumentedRoute } from './document.ts'
import type { Document } from './types.ts'

const title = 'galley'
const description =
  'A content-publishing service. Every failure answers `{error_code, message, errors, request_id}`; lists answer `{items, total, limit, offset, next_cursor}`; unknown parameters and fields are refused.'

const scopes = {
  'api:read': 'Read',
  'api:write': 'Change',
  'api:admin': "Change settings of the operator's machine, with api:write"
} satisfies Record<Scope, string>

type SecuritySchemes = NonNullable<
  NonNullable<FastifyDynamicSwaggerOptions['openapi']>['components']
>['securitySchemes']

/** Of a service at this address: the secret of a client must not go to what answers at the root of its host. */
const securitySchemesAt = (url: string): SecuritySchemes => ({
  bearer: {
    type: 'oauth2',
    description: 'A short-lived token of the client-credentials grant.',
    flows: { clientCredentials: { tokenUrl: `${url}/token`, scopes } }
  },
  client: { type: 'http', scheme: 'basic', description: "The client's client_id and client_secret." }
})

const contentSecurityPolicy =
  "default-src 'self'; base-uri 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; object-src 'none'; frame-ancestors 'none'"

/** An app beside the service's. It has the same routes without their handlers, for the libraries to read. */
export interface DocumentApp {
  /** The document of the service at this address. */
  document(url: string): object
  /** Serves the page at `/docs`. */
  readonly page: FastifyInstance
}

export async function createDocumentApp(api: ApiDescription, version: string): Promise<DocumentApp> {
  const app = fastify({ exposeHeadRoutes: false })
  // Nothing is validated or serialized here: compiling every schema again would be in vain.
  app.setValidatorCompiler(() => () => true)
  app.setSerializerCompiler(() => JSON.stringify)
  await addSwagger(app, api, version)
  for (const schema of api.sharedSchemas()) app.addSchema(schema)
  for (const { method, url, schema, config } of api.routes) {
    // A route without a schema is in the document, too.
    app.route({ method, url, schema: schema ?? {}, config: config ?? {}, handler: async () => undefined })
  }
  // Relative: a proxy may put a path before it.
  await app.register(swaggerUi, { routePrefix: '/docs', indexPrefix: '.', staticCSP: contentSecurityPolicy })
  await app.ready()
  return {
    document(url) {
      const document = documentOf(app.swagger())
      const components = { ...document.components, securitySchemes: securitySchemesAt(url) }
      return { ...document, components, servers: [{ url }] }
    },
    page: app
  }
}

async function addSwagger(app: FastifyInstance, api: ApiDescription, version: string): Promise<void> {
  const routes = new Map<string, DocumentedRoute>()
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title,
        description,
        version,
        license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' }
      },
      components: { securitySchemes: securitySchemesAt('') }
    },
    transform: ({ schema, url, route }) => {
      const { config = {} } = route
      routes.set(schema?.operationId ?? url, { config, responses: isObject(schema?.response) ? schema.response : {} })
      const security = config.access === undefined ? {} : securityOf(config.access)
      return { url, schema: { ...security, ...schema } }
    },
    transformObject: document => {
      if (!('openapiObject' in document)) return document.swaggerObject
      // The library passes on what it is given: its type knows no references in some places.
      return completeDocument(documentOf(document.openapiObject), routes, api) as never
    }
  })
}

function documentOf(made: object): Document {
  if (!isDocument(made)) throw new TypeError('@fastify/swagger made no document with paths and components.')
  return made
}

const isDocument = (made: object): made is Document =>
  'paths' in made && isObject(made.paths) && 'components' in made && isObject(made.components)

function securityOf(rule: Access): { security: Record<string, string[]>[] } {
  const required = { bearer: 'scope' in rule ? [rule.scope] : [] }
  if (rule.kind === 'bearer') return { security: [required] }
  if (rule.kind === 'optional') return { security: [{}, required] }
  return { security: [] }
}
