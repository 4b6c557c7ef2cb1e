import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Settings } from '../../contract/settings.ts'
import type { Log } from '../../log.ts'
import { anyOriginHeaders } from '../cors.ts'
import { requestIdOf } from '../request-id.ts'
import type { httpSettings } from '../settings.ts'
import type { ResponseObserver } from '../telemetry.ts'
import { type CachedResponse, negotiate, representationNamed } from './cached-response.ts'
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
    if (!isAnonymousRead(request) || !isOpen()) return next()
    const found = routes.find(url, request, dependsOnOrigin)
    if (found !== undefined) return respondFast(found)
    const cached = store.find(url)
    if (cached === undefined || (!cached.sent.isForAnyOrigin && isOfOrigin(request))) return next()
    respondCached(cached)

    function respondCached(known: CachedResponse): void {
      const named = representationNamed(known, headers['if-none-match'])
      const { lines, notModifiedLines, body } = named ?? negotiate(known, headers['accept-encoding'], store.compress)
      if (named === undefined) writeLines(response, 200, lines + idLine(request), body.length)
      else writeLines(response, 304, notModifiedLines + idLine(request))
      // Node leaves it out of a 304, and of what HEAD gets.
      response.end(body, 'latin1')
      counts.hits += 1
      responded(request.method ?? '', known.sent.route, response.statusCode)
    }
    function respondFast({ route, response: fast, lines, length, isForAnyOrigin }: FoundResponse): void {
      const { body: content, status, onSent } = fast
      const send = (body?: Buffer) => {
        writeLines(response, status, (isForAnyOrigin ? anyOriginLines : '') + lines + idLine(request), length)
        if (body !== undefined && onSent !== undefined) response.once('finish', onSent)
        // Not in one piece with the head: that would be a copy of the body.
        response.end(body)
        responded(request.method ?? '', route, status)
      }
      if (request.method === 'HEAD') send()
      else if (typeof content === 'function') content().then(send, next)
      else send(content)
    }
  }

  function isOfOrigin({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
    return headers.origin !== undefined && settings.get('cors_origins') !== ''
  }
  /** A cached response has its `Vary`; another gets it from Fastify's hooks. */
  function dependsOnOrigin(request: Pick<IncomingMessage, 'headers'>): boolean {
    return isOfOrigin(request) || !['', '*'].includes(settings.get('cors_origins'))
  }
}

function isAnonymousRead({ method, headers }: IncomingMessage): boolean {
  if ((method !== 'GET' && method !== 'HEAD') || headers.authorization !== undefined) return false
  return headers['content-length'] === undefined && headers['transfer-encoding'] === undefined
}

const idLine = (request: IncomingMessage): string => `x-request-id: ${requestIdOf(request)}\r\n`
const anyOriginLines = headerLines(anyOriginHeaders)
