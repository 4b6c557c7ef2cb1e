import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { splitList } from './settings.ts'

const preflightHeaders = {
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
  'access-control-allow-headers':
    'Authorization, Content-Type, Idempotency-Key, If-Match, If-Modified-Since, If-None-Match, If-Range, If-Unmodified-Since, Range, X-Request-ID',
  'access-control-max-age': '600'
}
const exposed =
  'Accept-Ranges, Content-Range, ETag, Idempotency-Replayed, Link, Location, RateLimit-Limit, RateLimit-Policy, RateLimit-Remaining, RateLimit-Reset, Retry-After, WWW-Authenticate, X-Request-ID'

/** Of routes with `cors: 'any'`. They do not depend on the request: caches on the way need no `Vary`. */
export const anyOriginHeaders: Readonly<Record<string, string>> = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': exposed
}

/**
 * Lets pages of the origins in the setting call the API, and pages of every origin the routes that say so. Tokens travel in a
 * header: cookies are never involved.
 */
export function addCors(app: FastifyInstance, origins: () => string): void {
  app.addHook('onRoute', ({ method, url, config }) => {
    // A preflight request is answered by the config of the route that it finds.
    if ((method !== 'GET' && method !== 'POST') || config?.cors !== 'any') return
    const { access, cors } = config
    app.options(url, { config: { access, cors }, schema: { hide: true } }, (_request, reply) => reply.code(204).send())
  })
  app.addHook('onRequest', (request, reply, done) => {
    const allowed = origins()
    const isForAll = request.routeOptions.config.cors === 'any'
    if (isForAll) reply.headers(anyOriginHeaders)
    else if (allowed === '' || !allow(request, reply, allowed)) return done()
    const isPreflight = request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined
    if (isPreflight) reply.code(204).headers(preflightHeaders).send()
    else done()
  })
}

/** Sets the headers of an allowed origin; true for a request of one. */
function allow(request: FastifyRequest, reply: FastifyReply, allowed: string): boolean {
  const list = splitList(allowed)
  const isForAll = list.includes('*')
  // Caches on the way must not give one origin's answer to another.
  if (!isForAll) reply.header('vary', 'Origin')
  const { origin } = request.headers
  if (origin === undefined || !(isForAll || list.includes(origin))) return false
  reply.header('access-control-allow-origin', isForAll ? '*' : origin)
  reply.header('access-control-expose-headers', exposed)
  return true
}
