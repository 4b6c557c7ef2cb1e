import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Settings } from '../../contract/plugin.ts'
import type { Log } from '../../log.ts'
import type { HttpMetrics } from '../metrics.ts'
import { requestIdOf } from '../request-id.ts'
import type { httpSettings } from '../settings.ts'
import { acceptsGzip, type Form, formNamed, type Kept, plainOf } from './cached-response.ts'
import type { AnswerCache } from './response-cache.ts'

export interface FastPathDeps {
  cache: AnswerCache
  settings: Settings<typeof httpSettings>
  metrics: HttpMetrics
  log: Log
  isDraining: () => boolean
}

/**
 * Answers a request from the kept bytes before Fastify sees it; false when it has to go the whole way.
 * What makes an answer depend on the caller (a token, an origin, a rate limit) or on the log always goes the whole way.
 */
export function createFastPath(deps: FastPathDeps): (request: IncomingMessage, response: ServerResponse) => boolean {
  const { cache, settings, metrics, log, isDraining } = deps
  const isOpen = () => settings.get('rate_limit_per_minute') === 0 && !isDraining() && !log.isLevelEnabled('debug')
  return (request, response) => {
    const { method, headers } = request
    if ((method !== 'GET' && method !== 'HEAD') || headers.authorization !== undefined) return false
    if (headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined) return false
    const kept = cache.find(request.url as string)
    if (kept === undefined || !isOpen()) return false
    if (headers.origin !== undefined && settings.get('cors_origins') !== '') return false
    const known = formNamed(kept, headers['if-none-match'])
    const isKnown = known !== undefined
    const form = known ?? chooseForm(cache, kept, headers['accept-encoding'])
    write(response, form, { isKnown, isHead: method === 'HEAD', requestId: requestIdOf(request) })
    metrics.hit(method, kept.route, isKnown)
    return true
  }
}

/** The compressed form when the reader takes it and it is ready; it is made in the background when first wanted. */
export function chooseForm(cache: AnswerCache, kept: Kept, acceptEncoding: string | undefined): Form {
  if (!acceptsGzip(acceptEncoding)) return plainOf(kept)
  if (kept.gzip === undefined) cache.compress(kept)
  return kept.gzip ?? plainOf(kept)
}

function write(
  response: ServerResponse,
  form: Form,
  answer: { isKnown: boolean; isHead: boolean; requestId: string }
): void {
  const head = answer.isKnown ? form.notModifiedHead : form.head
  // Node reads the array before writeHead returns: one array serves all requests.
  head[head.length - 1] = answer.requestId
  response.writeHead(answer.isKnown ? 304 : 200, head)
  if (answer.isKnown || answer.isHead) response.end()
  else response.end(form.body, 'latin1')
}
