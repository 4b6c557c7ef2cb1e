import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { etagOf, matchesNone } from '../etag.ts'
import type { HttpMetrics } from '../metrics.ts'
import { type Bytes, bufferOf, bytesFrom, type Form, formNamed, leastGzipBytes } from './cached-response.ts'
import { chooseForm } from './fast-path.ts'
import type { AnswerCache, Filling } from './response-cache.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** What the cache knew when the request began; null when its answer is not to be kept. */
    filling: Filling | null
  }
}

const revalidated = 'public, max-age=0, must-revalidate'

/** Serves cached routes from their ready bytes, keeps new answers, and gives public reads their ETag and their 304. */
export function addAnswerHooks(app: FastifyInstance, deps: { cache: AnswerCache; metrics: HttpMetrics }): void {
  const { cache, metrics } = deps
  app.decorateRequest('filling', null)
  app.addHook('onRequest', (request, reply, done) => {
    const { cache: ofRoute, access } = request.routeOptions.config
    // A public route does not look at a token: whoever sends one gets what everybody gets.
    const isForAll = request.headers.authorization === undefined || access?.kind === 'public'
    const rule = isForAll ? ofRoute : undefined
    if (rule === undefined) return done()
    const kept = cache.find(request.url)
    if (kept !== undefined) {
      metrics.reuse()
      const { 'if-none-match': asked, 'accept-encoding': accepted } = request.headers
      sendForm(reply, formNamed(kept, asked) ?? chooseForm(cache, kept, accepted))
      return
    }
    metrics.miss()
    if (request.method !== 'GET') return done()
    const begin = () => {
      request.filling = cache.begin(rule) ?? null
      done()
    }
    const learning = rule.learn?.()
    if (learning === undefined) begin()
    else learning.then(begin, done)
  })
  app.addHook<unknown>('onSend', (request, reply, payload, done) => {
    const isRead = isPublicRead(request, reply)
    if (isRead && (typeof payload === 'string' || Buffer.isBuffer(payload)))
      return done(null, finishRead(cache, request, reply, payload))
    // Streams of public routes say themselves how long they stay fresh.
    if (!isRead && !reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
    done(null, payload)
  })
}

function sendForm(reply: FastifyReply, { head, body }: Form): void {
  for (let at = 0; at < head.length - 2; at += 2) reply.header(head[at] as string, head[at + 1])
  reply.send(bufferOf(body))
}

function isPublicRead(request: FastifyRequest, reply: FastifyReply): boolean {
  const kind = request.routeOptions.config.access?.kind
  const isAnonymous = request.principal === null && (kind === 'public' || kind === 'optional')
  return isAnonymous && reply.statusCode === 200 && (request.method === 'GET' || request.method === 'HEAD')
}

function finishRead(
  cache: AnswerCache,
  request: FastifyRequest,
  reply: FastifyReply,
  body: string | Buffer
): string | Buffer | Readable | null {
  const mayBeKept = isKept(reply)
  if (!reply.hasHeader('cache-control')) reply.header('cache-control', revalidated)
  if (mayBeKept && !reply.hasHeader('etag')) reply.header('etag', etagOf(body))
  if (request.routeOptions.config.cache !== undefined) {
    const bytes = bytesFrom(body)
    if (bytes.length > leastGzipBytes) addVary(reply, 'Accept-Encoding')
    if (request.filling !== null && mayBeKept) keep(cache, request.filling, { request, reply, bytes })
  }
  const etag = reply.getHeader('etag')
  const asked = request.headers['if-none-match']
  if (typeof etag !== 'string' || asked === undefined || !matchesNone(asked, etag)) return body
  for (const header of ['content-type', 'content-length', 'content-encoding']) reply.removeHeader(header)
  reply.code(304)
  // Fastify measures what a HEAD route sends: only a stream keeps it from stating the length 0 for a body that has another.
  return request.method === 'HEAD' ? Readable.from([]) : null
}

/** False for what its route forbids to store. */
function isKept(reply: FastifyReply): boolean {
  const rule = reply.getHeader('cache-control')
  return (rule === undefined || !/no-store|private/.test(String(rule))) && !reply.hasHeader('set-cookie')
}

function keep(
  cache: AnswerCache,
  filling: Filling,
  { request, reply, bytes }: { request: FastifyRequest; reply: FastifyReply; bytes: Bytes }
): void {
  const headers = reply.getHeaders()
  const route = request.routeOptions.url as string
  cache.keep(filling, { url: request.url, route, etag: headers.etag as string, headers, body: bytes })
}

function addVary(reply: FastifyReply, name: string): void {
  const present = reply.getHeader('vary')
  reply.header('vary', present === undefined ? name : `${String(present)}, ${name}`)
}
