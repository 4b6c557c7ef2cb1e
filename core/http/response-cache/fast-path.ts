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
import { headerLines, writeLines } from './head.ts'
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
    if (!isAnonymousRead(request)) return next()
    const cached = store.find(url)
    if (cached !== undefined) {
      const isForReader = cached.sent.isForAnyOrigin || !isOfOrigin(request)
      return isOpen() && isForReader ? respondCached(cached) : next()
    }
    const found = isOpen() ? routes.find(url, request, dependsOnOrigin(request)) : undefined
    return found === undefined ? next() : respondFast(found)

    function respondCached(known: CachedResponse): void {
      const named = representationNamed(known, headers['if-none-match'])
      const isNotModified = named !== undefined
      const representation = named ?? negotiate(known, headers['accept-encoding'], store.compress)
      sendCached(response, representation, {
        isNotModified,
        isHead: request.method === 'HEAD',
        requestId: requestIdOf(request)
      })
      counts.hits += 1
      responded(request.method ?? '', known.sent.route, isNotModified ? 304 : 200)
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

function sendCached(
  response: ServerResponse,
  { lines, notModifiedHeaders, body }: Representation,
  { isNotModified, isHead, requestId }: { isNotModified: boolean; isHead: boolean; requestId: string }
): void {
  if (isNotModified) {
    response.writeHead(304, { ...notModifiedHeaders, 'x-request-id': requestId }).end()
    return
  }
  writeLines(response, 200, `${lines}x-request-id: ${requestId}\r\n`, body.length)
  if (isHead) response.end()
  else response.end(body, 'latin1')
}

const everyOriginHeaders = { ...securityHeaders, ...anyOriginHeaders }
const everyLines = headerLines(securityHeaders)
const everyOriginLines = headerLines(everyOriginHeaders)

function sendFast(
  response: ServerResponse,
  { response: { status, headers, onSent }, lines, isForAnyOrigin }: FoundResponse,
  { body, requestId }: { body: Buffer | undefined; requestId: string }
): void {
  const length = headers['content-length']
  if (length === undefined) {
    const every = isForAnyOrigin ? everyOriginHeaders : securityHeaders
    response.writeHead(status, { ...every, ...headers, 'x-request-id': requestId })
  } else {
    const every = isForAnyOrigin ? everyOriginLines : everyLines
    writeLines(response, status, `${every}${lines}x-request-id: ${requestId}\r\n`, length)
  }
  if (body !== undefined && onSent !== undefined) response.once('finish', onSent)
  // Not in one piece with the head: that would be a copy of the body.
  response.end(body)
}
