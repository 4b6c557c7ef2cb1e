import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Settings } from '../../contract/settings.ts'
import type { Log } from '../../log.ts'
import { requestIdOf } from '../request-id.ts'
import type { httpSettings } from '../settings.ts'
import type { ResponseObserver } from '../telemetry.ts'
import { negotiate, type Representation, representationNamed } from './cached-response.ts'
import type { CacheCounts, ResponseStore } from './response-store.ts'

export interface FastPathDeps {
  settings: Settings<typeof httpSettings>
  responded: ResponseObserver
  log: Log
  isDraining(): boolean
}

/**
 * Sends a cached response before Fastify sees the request; false when it has to go through Fastify. What makes a response depend
 * on the caller (a token, an origin, a rate limit) or on the log always goes through Fastify.
 */
export function createFastPath(
  store: ResponseStore,
  deps: FastPathDeps & { counts: CacheCounts }
): (request: IncomingMessage, response: ServerResponse) => boolean {
  const { settings, responded, counts, log, isDraining } = deps
  const isOpen = () => settings.get('rate_limit_per_minute') === 0 && !isDraining() && !log.isLevelEnabled('debug')
  return (request, response) => {
    const { method, url = '', headers } = request
    if ((method !== 'GET' && method !== 'HEAD') || headers.authorization !== undefined) return false
    if (headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined) return false
    const cached = store.find(url)
    if (cached === undefined || !isOpen()) return false
    if (headers.origin !== undefined && settings.get('cors_origins') !== '') return false
    const named = representationNamed(cached, headers['if-none-match'])
    const isNotModified = named !== undefined
    const representation = named ?? negotiate(cached, headers['accept-encoding'], store.compress)
    send(response, representation, { isNotModified, isHead: method === 'HEAD', requestId: requestIdOf(request) })
    counts.hits += 1
    responded(method, cached.sent.route, isNotModified ? 304 : 200)
    return true
  }
}

function send(
  response: ServerResponse,
  { head: fullHead, notModifiedHead, body }: Representation,
  { isNotModified, isHead, requestId }: { isNotModified: boolean; isHead: boolean; requestId: string }
): void {
  const head = isNotModified ? notModifiedHead : fullHead
  // Node reads the array before writeHead returns: one array serves all requests.
  head[head.length - 1] = requestId
  response.writeHead(isNotModified ? 304 : 200, head)
  if (isNotModified || isHead) response.end()
  else response.end(body, 'latin1')
}
