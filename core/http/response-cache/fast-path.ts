import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Settings } from '../../contract/settings.ts'
import type { Log } from '../../log.ts'
import { anyOriginHeaders } from '../cors.ts'
import { requestIdOf } from '../request-id.ts'
import { securityHeaders } from '../security-headers.ts'
import type { httpSettings } from '../settings.ts'
import type { ResponseObserver } from '../telemetry.ts'
import { type CachedResponse, negotiate, type Representation, representationNamed } from './cached-response.ts'
import type { FastRoutes, FoundResponse } from './fast-routes.ts'
import { knownLines, writeLines } from './head.ts'
import type { CacheCounts, ResponseStore } from './response-store.ts'

export interface FastPathDeps {
  settings: Settings<typeof httpSettings>
  responded: ResponseObserver
  log: Log
  isDraining(): boolean
}

/** Answers a request, or calls `next`. */
export type Respond = (request: IncomingMessage, response: ServerResponse, next: () => void) => void

/**
 * Sends a cached response, or that of a route's own fast path, before Fastify sees the request. What makes a response depend on
 * the caller (a token, an origin, a rate limit) or on the log always goes through Fastify.
 */
export function createFastPath(
  store: ResponseStore,
  routes: FastRoutes,
  deps: FastPathDeps & { counts: CacheCounts }
): Respond {
  const { settings, responded, counts, log, isDraining } = deps
  const isOpen = () => settings.get('rate_limit_per_minute') === 0 && !isDraining() && !log.isLevelEnabled('debug')
  return (request, response, next) => {
    const { url = '', headers } = request
    if (!isAnonymousRead(request) || !isOpen()) return next()
    const found = routes.mayHave(url) ? routes.find(url, request, dependsOnOrigin(request)) : undefined
    if (found !== undefined) return respondFast(found)
    const cached = store.find(url)
    if (cached === undefined || (!cached.sent.isForAnyOrigin && isOfOrigin(request))) return next()
    respondCached(cached)

    function respondCached(known: CachedResponse): void {
      const named = representationNamed(known, headers['if-none-match'])
      const requestId = requestIdOf(request)
      if (named !== undefined) response.writeHead(304, { ...named.notModifiedHeaders, 'x-request-id': requestId }).end()
      else sendCached(response, negotiate(known, headers['accept-encoding'], store.compress), requestId)
      counts.hits += 1
      responded(request.method ?? '', known.sent.route, response.statusCode)
    }
    function respondFast(fast: FoundResponse): void {
      const { body: content, status } = fast.response
      const send = (body?: Buffer) => {
        sendFast(response, fast, { body, requestId: requestIdOf(request) })
        responded(request.method ?? '', fast.route, status)
      }
      if (request.method === 'HEAD') send()
      else if (typeof content === 'function') content().then(send, next)
      else send(content)
    }
  }

  function isOfOrigin({ headers }: IncomingMessage): boolean {
    return headers.origin !== undefined && settings.get('cors_origins') !== ''
  }
  /** A cached response has its `Vary`; another gets it from Fastify's hooks. */
  function dependsOnOrigin(request: IncomingMessage): boolean {
    return isOfOrigin(request) || !['', '*'].includes(settings.get('cors_origins'))
  }
}

function isAnonymousRead({ method, headers }: IncomingMessage): boolean {
  if ((method !== 'GET' && method !== 'HEAD') || headers.authorization !== undefined) return false
  return headers['content-length'] === undefined && headers['transfer-encoding'] === undefined
}

function sendCached(response: ServerResponse, { lines, body }: Representation, requestId: string): void {
  writeLines(response, 200, `${lines}x-request-id: ${requestId}\r\n`, body.length)
  // Node leaves it out for HEAD.
  response.end(body, 'latin1')
}

const everyOriginHeaders = { ...securityHeaders, ...anyOriginHeaders }

function sendFast(
  response: ServerResponse,
  { response: { status, headers, ownHeaders, onSent }, lines, isForAnyOrigin }: FoundResponse,
  { body, requestId }: { body: Buffer | undefined; requestId: string }
): void {
  const length = (ownHeaders ?? headers)['content-length']
  const every = isForAnyOrigin ? everyOriginHeaders : securityHeaders
  if (length === undefined)
    response.writeHead(status, { ...every, ...headers, ...ownHeaders, 'x-request-id': requestId })
  else writeLines(response, status, `${knownLines(every)}${lines}x-request-id: ${requestId}\r\n`, length)
  if (body !== undefined && onSent !== undefined) response.once('finish', onSent)
  // Not in one piece with the head: that would be a copy of the body.
  response.end(body)
}
