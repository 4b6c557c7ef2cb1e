import formbody from '@fastify/formbody'
import type { FastifyError, FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { AppError, access, type Installation, UnavailableError } from '#core'
import { allScopes, type Clients, parseScope } from './clients.ts'
import { clientCredentials, OAuthError, type TokenForm } from './token-request.ts'
import type { Tokens } from './tokens.ts'

const config = { access: access.public }

export interface AuthRoutes {
  clients: Clients
  tokens: Tokens
  installation: Installation
}

export const authRoutes =
  (deps: AuthRoutes): FastifyPluginAsync =>
  async app => {
    metadataRoute(app, deps.installation)
    // Only here are forms read, and refused the way RFC 6749 §5.2 says.
    await app.register(async scope => {
      await scope.register(formbody, { bodyLimit: 16_384 })
      scope.setErrorHandler(sendOAuthError)
      tokenRoute(scope, deps)
      revokeRoute(scope, deps)
    })
  }

const TokenReply = Type.Object({
  access_token: Type.String(),
  token_type: Type.Literal('Bearer'),
  expires_in: Type.Integer({ description: 'Seconds.' }),
  scope: Type.String()
})

const tokenSchema = {
  operationId: 'token',
  tags: ['auth'],
  summary: 'Get an access token by the client-credentials grant',
  description: 'Credentials as form fields or HTTP Basic. Errors have the body of RFC 6749 §5.2.',
  consumes: ['application/x-www-form-urlencoded'],
  body: Type.Object({
    grant_type: Type.String({ description: 'client_credentials' }),
    client_id: Type.Optional(Type.String()),
    client_secret: Type.Optional(Type.String()),
    scope: Type.Optional(Type.String({ description: 'Narrows the client’s scope.' }))
  }),
  response: { 200: TokenReply }
}

function tokenRoute(app: FastifyInstance, { clients, tokens }: AuthRoutes): void {
  app.post('/token', { config, schema: tokenSchema, attachValidation: true }, async (request, reply) => {
    const form = formOf(request)
    const { client_id, client_secret } = clientCredentials(request.headers.authorization, form)
    if (form.grant_type === undefined)
      throw new OAuthError('invalid_request', 'grant_type is required: send client_credentials.')
    if (form.grant_type !== 'client_credentials')
      throw new OAuthError('unsupported_grant_type', 'The only grant type is client_credentials.')
    const client = await clients.verify(client_id, client_secret)
    if (client === undefined)
      throw new OAuthError('invalid_client', 'The client is unknown, or the secret is not its own.')
    return noStore(reply).send(await tokens.mint(client.client_id, narrowed(client.scope, form.scope)))
  })
}

const revokeSchema = {
  operationId: 'revokeToken',
  tags: ['auth'],
  summary: 'Revoke an access token (RFC 7009)',
  consumes: ['application/x-www-form-urlencoded'],
  body: Type.Object({
    token: Type.String(),
    token_type_hint: Type.Optional(Type.String()),
    client_id: Type.Optional(Type.String()),
    client_secret: Type.Optional(Type.String())
  }),
  response: { 200: Type.Object({}) }
}

function revokeRoute(app: FastifyInstance, { clients, tokens }: AuthRoutes): void {
  app.post('/revoke', { config, schema: revokeSchema, attachValidation: true }, async (request, reply) => {
    const form = formOf(request)
    const { client_id, client_secret } = clientCredentials(request.headers.authorization, form)
    const client = await clients.verify(client_id, client_secret)
    if (client === undefined)
      throw new OAuthError('invalid_client', 'The client is unknown, or the secret is not its own.')
    if (form.token === undefined) throw new OAuthError('invalid_request', 'token is required.')
    await tokens.revoke(form.token, client.client_id)
    return noStore(reply).send({})
  })
}

function metadataRoute(app: FastifyInstance, installation: Installation): void {
  const schema = {
    operationId: 'oauthMetadata',
    tags: ['auth'],
    summary: 'Where tokens come from (RFC 8414)',
    response: { 200: Type.Unknown() }
  }
  app.get('/.well-known/oauth-authorization-server', { config, schema }, async () => {
    const issuer = installation.baseUrl()
    const methods = ['client_secret_post', 'client_secret_basic']
    return {
      issuer,
      token_endpoint: `${issuer}/token`,
      revocation_endpoint: `${issuer}/revoke`,
      grant_types_supported: ['client_credentials'],
      response_types_supported: [],
      scopes_supported: allScopes,
      token_endpoint_auth_methods_supported: methods,
      revocation_endpoint_auth_methods_supported: methods
    }
  })
}

function formOf(request: FastifyRequest): TokenForm {
  const form = request.body
  if (typeof form !== 'object' || form === null)
    throw new OAuthError('invalid_request', 'Send the fields as application/x-www-form-urlencoded.')
  const repeated = Object.entries(form).find(([, value]) => typeof value !== 'string')
  if (repeated !== undefined) throw new OAuthError('invalid_request', `${repeated[0]} must be given once, as text.`)
  return form as TokenForm
}

function narrowed(granted: string, wanted: string | undefined): string {
  if (wanted === undefined || wanted.trim() === '') return granted
  const refused = new OAuthError('invalid_scope', `The client may have: ${granted}.`)
  try {
    const scopes = parseScope(wanted)
    if (scopes.every(scope => granted.split(' ').includes(scope))) return scopes.join(' ')
  } catch {
    throw refused
  }
  throw refused
}

const noStore = (reply: FastifyReply): FastifyReply =>
  reply.header('cache-control', 'no-store').header('pragma', 'no-cache')

function sendOAuthError(error: FastifyError | OAuthError, request: FastifyRequest, reply: FastifyReply): void {
  if (error instanceof UnavailableError || (error instanceof AppError && error.code === 'RATE_LIMITED')) throw error
  const status = error instanceof OAuthError ? error.status : (error.statusCode ?? 500)
  if (status >= 500) throw error
  if (status === 401) reply.header('www-authenticate', 'Basic realm="galley"')
  const code = error instanceof OAuthError ? error.error : 'invalid_request'
  noStore(reply)
    .code(status === 401 ? 401 : 400)
    .send({ error: code, error_description: error.message })
  request.log.info({ error: code }, 'a token request was refused')
}
