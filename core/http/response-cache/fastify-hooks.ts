import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { CacheRule } from '../../contract/access.ts'
import { etagOf, matchesIfNoneMatch } from '../etag.ts'
import {
  bodyFrom,
  bufferOf,
  minPackedBytes,
  negotiate,
  type Representation,
  representationNamed,
  type SentResponse
} from './cached-response.ts'
import { createCoalescing } from './coalescing.ts'
import type { CacheCounts, ResponseStore } from './response-store.ts'
import type { SharedCaches } from './shared-caches.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Caches the response of this request; null when it must not be. */
    cacheResponse: ((response: SentResponse) => void) | null
    /** What a CDN purges the response by, where that is not the tags of its cache rule; null where it is. */
    purgeTags: readonly string[] | null
    /** Lets those go on that wait for the same response; null where none may. */
    endCoalescing: (() => void) | null
  }
}

interface HookDeps {
  store: ResponseStore
  counts: CacheCounts
  shared: SharedCaches
}

export function addCacheHooks(app: FastifyInstance, { store, counts, shared }: HookDeps): void {
  app.decorateRequest('cacheResponse', null)
  app.decorateRequest('purgeTags', null)
  app.decorateRequest('endCoalescing', null)
  const coalescing = createCoalescing()
  app.addHook('onRequest', (request, reply, done) => {
    const { cache: ofRoute, access } = request.routeOptions.config
    // A public route does not look at a token: whoever sends one gets what everybody gets.
    const isForAll = request.headers.authorization === undefined || access?.kind === 'public'
    const rule = isForAll ? ofRoute : undefined
    if (rule === undefined) return done()
    const key = keyOf(request.url, rule)
    const answer = () => {
      const cached = store.find(key)
      if (cached === undefined) return false
      counts.hits += 1
      const { 'if-none-match': condition, 'accept-encoding': encoding } = request.headers
      sendCached(reply, representationNamed(cached, condition) ?? negotiate(cached, encoding, store.compress))
      return true
    }
    const begin = () => {
      request.cacheResponse = store.begin(rule) ?? null
      done()
    }
    const make = () => {
      counts.misses += 1
      const preparing = rule.prepare?.()
      if (preparing === undefined) begin()
      else preparing.then(begin, done)
    }
    if (answer()) return
    if (request.method !== 'GET') {
      counts.misses += 1
      return done()
    }
    if (!coalescing.begin(key, () => void (answer() || make()))) return
    let isMade = false
    request.endCoalescing = () => {
      if (!isMade) coalescing.end(key)
      isMade = true
    }
    // Without a response, too.
    reply.raw.once('close', request.endCoalescing)
    make()
  })
  app.addHook<unknown>('onSend', (request, reply, payload, done) => {
    const isRead = isPublicRead(request, reply)
    const isWhole = isRead && (typeof payload === 'string' || Buffer.isBuffer(payload))
    const sent = isWhole ? finishRead(request, reply, payload, shared) : payload
    request.endCoalescing?.()
    if (isWhole) return done(null, sent)
    // Streams of public routes say themselves how long they stay fresh.
    if (!isRead && !reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
    done(null, payload)
  })
}

const keyOf = (url: string, rule: CacheRule | undefined): string =>
  rule?.ignoresQuery === true ? url.replace(/\?.*/s, '') : url

const sendCached = (reply: FastifyReply, { headers, body }: Representation): FastifyReply =>
  reply.headers(headers).send(bufferOf(body))

function isPublicRead(request: FastifyRequest, reply: FastifyReply): boolean {
  const kind = request.routeOptions.config.access?.kind
  const isAnonymous = request.principal === null && (kind === 'public' || kind === 'optional')
  return isAnonymous && reply.statusCode === 200 && (request.method === 'GET' || request.method === 'HEAD')
}

function finishRead(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: string | Buffer,
  shared: SharedCaches
): string | Buffer | Readable | null {
  const mayBeStored = !forbidsStoring(reply)
  const { cache: rule } = request.routeOptions.config
  if (!reply.hasHeader('cache-control')) reply.header('cache-control', shared.cacheControl(rule))
  const tagHeader = mayBeStored ? shared.tagHeader(request.purgeTags ?? rule?.tags ?? []) : null
  if (tagHeader !== null) reply.header(...tagHeader)
  if (mayBeStored && !reply.hasHeader('etag')) reply.header('etag', etagOf(payload))
  if (rule !== undefined) addToCache(request, reply, { payload, mayBeStored })
  const etag = reply.getHeader('etag')
  const condition = request.headers['if-none-match']
  if (typeof etag !== 'string' || condition === undefined || !matchesIfNoneMatch(condition, etag)) return payload
  for (const header of ['content-type', 'content-length', 'content-encoding']) reply.removeHeader(header)
  reply.code(304)
  // Fastify measures what a HEAD route sends: only a stream keeps it from stating the length 0 for a body that has another.
  return request.method === 'HEAD' ? Readable.from([]) : null
}

function forbidsStoring(reply: FastifyReply): boolean {
  const directives = reply.getHeader('cache-control')
  return (directives !== undefined && /no-store|private/.test(String(directives))) || reply.hasHeader('set-cookie')
}

function addToCache(
  request: FastifyRequest,
  reply: FastifyReply,
  { payload, mayBeStored }: { payload: string | Buffer; mayBeStored: boolean }
): void {
  const body = bodyFrom(payload)
  if (body.length > minPackedBytes) addVary(reply, 'Accept-Encoding')
  const { etag, ...headers } = reply.getHeaders()
  if (!mayBeStored || typeof etag !== 'string') return
  const { url: route = request.url, config } = request.routeOptions
  const url = keyOf(request.url, config.cache)
  request.cacheResponse?.({ url, route, etag, headers, body, isForAnyOrigin: config.cors === 'any' })
}

/** A cached response has the name already. */
function addVary(reply: FastifyReply, name: string): void {
  const present = reply.getHeader('vary')
  const names = present === undefined ? [] : String(present).split(/\s*,\s*/)
  const isPresent = names.some(each => each.toLowerCase() === name.toLowerCase())
  if (!isPresent) reply.header('vary', [...names, name].join(', '))
}
