import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { access, type ErrorDefinitions, InputError, isObject, type Static, type TSchema, Type } from '#core'
import type { Engine } from './engine.ts'
import { graphqlType, jsonType, mediaTypeFor } from './media-type.ts'
import type { GraphqlRequest } from './request.ts'

/** Enough for large variables. Tokens and lengths have limits of their own. */
const maxBodyBytes = 131_072
const config = {
  access: access.optional('api:read'),
  bodyLimit: maxBodyBytes,
  cost: 'heavy',
  // An unknown hash, and an operation that a GET may not send.
  documentation: { errors: ['NOT_FOUND', 'METHOD_NOT_ALLOWED'] }
} as const
const tags = ['graphql']
const summary = 'A GraphQL query; docs/graphql.md has the schema'

const nullable = <T>(type: string) => Type.Unsafe<T | null>({ type: [type, 'null'] })
const Body = Type.Object({
  query: Type.Optional(Type.String({ description: 'The document. May be absent when its hash is known.' })),
  operationName: Type.Optional(nullable<string>('string')),
  variables: Type.Optional(nullable<Readonly<Record<string, unknown>>>('object')),
  extensions: Type.Optional(nullable<Readonly<Record<string, unknown>>>('object'))
})
const Parameters = Type.Object({
  query: Type.Optional(Type.String({ description: 'The document.' })),
  operationName: Type.Optional(Type.String()),
  variables: Type.Optional(Type.String({ description: 'A JSON object.' })),
  extensions: Type.Optional(Type.String({ description: 'A JSON object.' }))
})
const faultOf = (errors: ErrorDefinitions) =>
  Type.Object(
    {
      message: Type.String({ examples: ['Cannot query field "titel" on type "Post".'] }),
      locations: Type.Optional(
        Type.Array(Type.Object({ line: Type.Integer({ minimum: 1 }), column: Type.Integer({ minimum: 1 }) }))
      ),
      path: Type.Optional(
        Type.Array(Type.Union([Type.String(), Type.Integer()]), { description: 'The failed field.' })
      ),
      extensions: Type.Object({
        code: Type.Enum(Object.keys(errors)),
        errors: Type.Record(Type.String(), Type.String(), { description: 'Faulty arguments.' }),
        request_id: Type.String({ format: 'uuid' })
      })
    },
    { title: 'GraphqlError' }
  )
const responseOf = (description: string, schema: TSchema) => ({
  description,
  content: { [graphqlType]: { schema }, [jsonType]: { schema } }
})
const responsesOf = (errors: ErrorDefinitions) => {
  const Fault = faultOf(errors)
  const Result = Type.Object({ data: Type.Optional(Type.Unknown()), errors: Type.Optional(Type.Array(Fault)) })
  const Refusal = Type.Object({ errors: Type.Array(Fault) }, { title: 'GraphqlRefusal' })
  return {
    200: responseOf('The result. A failed field is null, with its cause in errors.', Result),
    400: responseOf('GraphQL refuses the document, its variables or its cost.', Refusal),
    401: responseOf('The query asks for a field that needs a token.', Refusal),
    403: responseOf('The query asks for a field of another scope.', Refusal),
    404: responseOf('The hash of the document is not known here.', Refusal),
    405: responseOf('The document is not a query, and a GET only reads.', Refusal),
    429: responseOf('The query asks for more searches than an anonymous client has left in this minute.', Refusal)
  }
}

/** Adds `/graphql`. The first request creates the engine. */
export function addGraphql(app: FastifyInstance, engine: () => Promise<Engine>): void {
  const response = responsesOf(app.apiDescription.errors)
  app.get<{ Querystring: Static<typeof Parameters> }>(
    '/graphql',
    { config, schema: { operationId: 'queryGraphqlByUrl', tags, summary, querystring: Parameters, response } },
    (request, reply) => answer(engine, request, reply, fromUrl)
  )
  app.post<{ Body: Static<typeof Body> }>(
    '/graphql',
    { config, schema: { operationId: 'queryGraphql', tags, summary, body: Body, response } },
    (request, reply) => answer(engine, request, reply, () => request.body)
  )
}

type RequestBody = Static<typeof Body>

/** In a URL an empty parameter counts as absent. */
function fromUrl(request: FastifyRequest<{ Querystring: Static<typeof Parameters> }>): RequestBody {
  const { query, operationName, variables, extensions } = request.query
  return {
    query,
    operationName: operationName || null,
    variables: parseObject('variables', variables),
    extensions: parseObject('extensions', extensions)
  }
}

function parseObject(name: string, text: string | undefined): Readonly<Record<string, unknown>> | null {
  if (text === undefined || text === '') return null
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new InputError({ [name]: 'is not JSON' })
  }
  if (value === null) return null
  if (!isObject(value) || Array.isArray(value)) throw new InputError({ [name]: 'must be a JSON object' })
  return value
}

async function answer<R extends FastifyRequest>(
  engine: () => Promise<Engine>,
  request: R,
  reply: FastifyReply,
  read: (request: R) => RequestBody
): Promise<FastifyReply> {
  const type = mediaTypeFor(request.headers.accept)
  const query = queryOf(request, reply, read(request), type === jsonType)
  const { status, json, hasErrors } = await (await engine()).execute(query)
  if (status === 401) reply.header('www-authenticate', 'Bearer realm="galley"')
  if (status === 405) reply.header('allow', 'POST')
  if (hasErrors) reply.header('cache-control', 'no-store')
  // Where pages of some origins may ask, the kernel has named Origin.
  const vary = [reply.getHeader('vary') ?? [], 'Accept'].flat().join(', ')
  return reply.code(status).header('vary', vary).type(`${type}; charset=utf-8`).send(json)
}

function queryOf(
  request: FastifyRequest,
  reply: FastifyReply,
  { query: text, operationName, variables, extensions }: RequestBody,
  isPlainJson: boolean
): GraphqlRequest {
  const hash = hashIn(extensions)
  if (text === undefined && hash === undefined) throw new InputError({ query: 'is required' })
  return {
    id: request.id,
    log: request.log,
    method: request.method === 'POST' ? 'POST' : 'GET',
    principal: request.principal,
    operationName: operationName ?? null,
    variables: variables ?? {},
    isPlainJson,
    errors: request.server.apiDescription.errors,
    countSearches: searches => request.server.countSearches(request, reply, searches),
    text,
    hash
  }
}

/** The hash of a persisted query, as clients send it. */
function hashIn(extensions: RequestBody['extensions']): string | undefined {
  const persisted = extensions?.persistedQuery
  if (persisted == null) return undefined
  const { version, sha256Hash } = isObject(persisted) ? persisted : {}
  if (version === 1 && typeof sha256Hash === 'string' && /^[0-9a-f]{64}$/.test(sha256Hash)) return sha256Hash
  throw new InputError({ extensions: 'persistedQuery must be {"version": 1, "sha256Hash": 64 lower-case hex digits}' })
}
