import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Access, type Authenticator, type Scope, ScopeError } from '../contract/access.ts'
import { type AppError, AuthError } from '../contract/errors.ts'
import { isForwarded } from './rate-limit/callers.ts'
import type { RequestLimits } from './rate-limit/rate-limit.ts'

const bearer = /^Bearer +([^\s]+) *$/i

/** Establishes who asks, and whether the route and the rate limit let them, before anything of the body is read. */
export function addAuthentication(
  app: FastifyInstance,
  deps: { authenticator: Authenticator; limits: RequestLimits }
): void {
  const { authenticator, limits } = deps
  app.decorateRequest('principal', null)
  app.addHook('onRequest', (request, reply, done) => {
    const needed = scopeNeeded(request)
    if (needed === undefined) {
      const error = limits.count(request, reply)
      return error === undefined ? done() : done(error)
    }
    admit(authenticator, request, needed)
      .then(
        () => undefined,
        (error: Error) => error
      )
      // Counted after the check, so that a client has one allowance over all its addresses; failed checks count by address.
      .then(refused => limits.count(request, reply) ?? refused)
      .then(error => (error === undefined ? done() : done(error)))
  })
}

/** The scope the request's token has to have; undefined when no token is looked at. */
function scopeNeeded(request: FastifyRequest): Scope | undefined {
  const rule: Access | undefined = request.routeOptions.config.access
  if (rule?.kind === 'bearer') return rule.scope
  return rule?.kind === 'optional' && request.headers.authorization !== undefined ? rule.scope : undefined
}

async function admit(authenticator: Authenticator, request: FastifyRequest, scope: Scope): Promise<void> {
  const { authorization } = request.headers
  if (authorization === undefined) throw new AuthError(`A valid bearer token is required: ${authenticator.remedy}.`)
  const token = bearer.exec(authorization)?.[1]
  if (token === undefined)
    throw new AuthError(`The Authorization header is not of the form "Bearer <token>": ${authenticator.remedy}.`)
  const principal = await authenticator.authenticate(token, { isForwarded: isForwarded(request), host: request.host })
  if (!principal.scopes.has(scope)) throw new ScopeError(scope)
  request.principal = principal
}

/** The `WWW-Authenticate` header of a refusal (RFC 6750 §3). */
export function challengeFor(request: FastifyRequest, error: AppError): string | undefined {
  const rule = request.routeOptions.config.access
  if (error.code === 'INSUFFICIENT_SCOPE') {
    const ofRoute = rule?.kind === 'bearer' || rule?.kind === 'optional' ? rule.scope : undefined
    const scope = error instanceof ScopeError ? error.scope : ofRoute
    return `Bearer realm="galley", error="insufficient_scope"${scope === undefined ? '' : `, scope="${scope}"`}`
  }
  if (error.code !== 'UNAUTHORIZED') return undefined
  if (rule?.kind === 'signed') return 'Signature realm="galley"'
  const isGiven = request.headers.authorization !== undefined
  return isGiven ? 'Bearer realm="galley", error="invalid_token"' : 'Bearer realm="galley"'
}
