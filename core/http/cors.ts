import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { splitList } from './settings.ts'

const preflightHeaders = {
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
  'access-control-allow-headers': 'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, X-Request-ID',
  'access-control-max-age': '600'
}
const exposed =
  'ETag, Idempotency-Replayed, Link, Location, RateLimit-Limit, RateLimit-Policy, RateLimit-Remaining, RateLimit-Reset, Retry-After, WWW-Authenticate, X-Request-ID'

/** Lets pages of the origins in the setting call the API. Tokens travel in a header: cookies are never involved. */
export function addCors(app: FastifyInstance, origins: () => string): void {
  app.addHook('onRequest', (request, reply, done) => {
    const allowed = origins()
    if (allowed === '') return done()
    const isPreflight = allow(request, reply, allowed)
    if (isPreflight) reply.code(204).headers(preflightHeaders).send()
    else done()
  })
}

/** Sets the headers of an allowed origin; true for a preflight request of one. */
function allow(request: FastifyRequest, reply: FastifyReply, allowed: string): boolean {
  const list = splitList(allowed)
  const isForAll = list.includes('*')
  // Caches on the way must not give one origin's answer to another.
  if (!isForAll) reply.header('vary', 'Origin')
  const { origin } = request.headers
  if (origin === undefined || !(isForAll || list.includes(origin))) return false
  reply.header('access-control-allow-origin', isForAll ? '*' : origin)
  reply.header('access-control-expose-headers', exposed)
  return request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined
}
