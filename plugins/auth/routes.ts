import formbody from '@fastify/formbody'
import type { FastifyError, FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { type AppError, access, allScopes, type Installation, Type } from '#core'
import { type Clients, scopeNames } from './clients.ts'
import { Metadata, OAuthErrorBody, RevocationRequest, TokenRequest, TokenResponse } from './schemas.ts'
import { clientCredentials, formOf, OAuthError, refusalOf, type TokenForm } from './token-request.ts'
import type { Tokens } from './tokens.ts'

const config = { access: access.public }

interface AuthRoutes {
  clients: Clients
  tokens: Tokens
  installation: Installation
}

export const authRoutes =
  (deps: AuthRoutes): FastifyPluginAsync =>
  async app => {
    metadataRoute(app, deps.installation)
    // Only these routes read forms, and answer errors as RFC 6749 §5.2 says.
    await app.register(async scope => {
      scope.removeAllContentTypeParsers()
      await scope.register(formbody, { bodyLimit: 16_384 })
      scope.setErrorHandler(sendOAuthError)
      tokenRoute(scope, deps)
      revokeRoute(scope, deps)
    })
  }

const refusals = { 400: OAuthErrorBody, 401: OAuthErrorBody, 413: OAuthErrorBody }
/** The client's credentials, as form fields or as HTTP Basic. */
const security: readonly Record<string, readonly string[]>[] = [{}, { client: [] }]

const tokenSchema = {
  operationId: 'token',
  tags: ['auth'],
  summary: 'Get an access token by the client-credentials grant',
  description: 'Credentials as form fields or HTTP Basic. Errors have the body of RFC 6749 §5.2.',
  consumes: ['application/x-www-form-urlencoded'],
  body: TokenRequest,
  security,
  response: { 200: TokenResponse, ...refusals }
}

function tokenRoute(app: FastifyInstance, { clients, tokens }: AuthRoutes): void {
  app.post(
    '/token',
    { config: { ...config, cost: 'light', rateLimit: 'token' }, schema: tokenSchema, attachValidation: true },
    async (request, reply) => {
      const form = formOf(request.body)
      if (form.grant_type === undefined)
        throw new OAuthError('invalid_request', 'grant_type is required: send client_credentials.')
      if (form.grant_type !== 'client_credentials')
        throw new OAuthError('unsupported_grant_type', 'The only grant type is client_credentials.')
      const client = await authenticateClient(clients, request, form)
      return noStore(reply).send(await tokens.mint(client.client_id, narrowScope(client.scope, form.scope)))
    }
  )
}

const revokeSchema = {
  operationId: 'revokeToken',
  tags: ['auth'],
  summary: 'Revoke an access token (RFC 7009)',
  consumes: ['application/x-www-form-urlencoded'],
  body: RevocationRequest,
  security,
  response: { 200: Type.Object({}), ...refusals }
}

function revokeRoute(app: FastifyInstance, { clients, tokens }: AuthRoutes): void {
  app.post('/revoke', { config, schema: revokeSchema, attachValidation: true }, async (request, reply) => {
    const form = formOf(request.body)
    if (form.token === undefined) throw new OAuthError('invalid_request', 'token is required.')
    const client = await authenticateClient(clients, request, form)
    await tokens.revoke(form.token, client.client_id)
    return noStore(reply).send({})
  })
}

function metadataRoute(app: FastifyInstance, installation: Installation): void {
  const schema = {
    operationId: 'oauthMetadata',
    tags: ['auth'],
    summary: 'Where tokens come from (RFC 8414)',
    response: { 200: Metadata }
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

async function authenticateClient(clients: Clients, request: FastifyRequest, form: TokenForm) {
  const { client_id, client_secret } = clientCredentials(request.headers.authorization, form)
  const client = await clients.verify(client_id, client_secret)
  if (client === undefined) throw new OAuthError('invalid_client', 'The client is unknown, or the secret is wrong.')
  return client
}

function narrowScope(granted: string, wanted: string | undefined): string {
  if (wanted === undefined) return granted
  const allowed = granted.split(' ')
  const names = scopeNames(wanted)
  if (names.length === 0 || !names.every(name => allowed.includes(name)))
    throw new OAuthError('invalid_scope', `The client may have: ${granted}.`)
  return allowed.filter(scope => names.includes(scope)).join(' ')
}

const noStore = (reply: FastifyReply): FastifyReply =>
  reply.header('cache-control', 'no-store').header('pragma', 'no-cache')

/** Answers errors of the request as RFC 6749 §5.2 says. Others go to the service's error handler. */
function sendOAuthError(
  error: FastifyError | AppError | OAuthError,
  request: FastifyRequest,
  reply: FastifyReply
): void {
  const refusal = refusalOf(error)
  if (refusal === undefined) throw error
  if (refusal.status === 401) reply.header('www-authenticate', 'Basic realm="galley"')
  noStore(reply).code(refusal.status).send({ error: refusal.error, error_description: refusal.message })
  request.log.info({ error: refusal.error }, 'a token request was refused')
}
