import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Db } from '../db/db.ts'
import { AuthError } from '../errors.ts'
import { access } from './access.ts'
import type { AnswerCache } from './cache.ts'

/** Counts what the service does, for `/metrics`. */
export interface HttpMetrics {
  readonly registry: Registry
  /** An answer from the ready bytes, before Fastify. */
  hit(method: string, route: string, isNotModified: boolean): void
  /** An answer from the ready bytes, by way of Fastify. */
  reuse(): void
  /** A request of a cached route that had to be answered anew. */
  miss(): void
  /** An answered request; `seconds` from its first byte to its last. */
  answered(request: FastifyRequest, status: number, seconds: number): void
}

const labelNames = ['method', 'route', 'status'] as const

export function createMetrics(deps: { db: Db; cacheSize: AnswerCache['size'] }): HttpMetrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const hits = new Map<string, Hits>()
  const requests: Counter<(typeof labelNames)[number]> = new Counter({
    name: 'http_requests_total',
    help: 'Requests answered, ready answers included.',
    labelNames,
    registers: [registry],
    collect: () => foldHits(hits, requests, cacheHits)
  })
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time to answer, of requests that were not answered from the ready bytes.',
    labelNames,
    buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry]
  })
  const cacheHits = new Counter({
    name: 'http_cache_hits_total',
    help: 'Requests answered from the ready bytes.',
    registers: [registry]
  })
  const misses = new Counter({
    name: 'http_cache_misses_total',
    help: 'Requests of cached routes answered anew.',
    registers: [registry]
  })
  addGauges(registry, deps)
  return {
    registry,
    hit: (method, route, isNotModified) => countHit(hits, method, route, isNotModified),
    reuse: () => cacheHits.inc(),
    miss: () => misses.inc(),
    answered(request, status, seconds) {
      const labels = {
        method: request.method,
        route: request.routeOptions.url ?? 'unknown',
        status: statusClass(status)
      }
      requests.inc(labels)
      durations.observe(labels, seconds)
    }
  }
}

interface Hits {
  readonly labels: { method: string; route: string; status: string }
  count: number
}

// A labelled counter costs a tenth of a ready answer: hits are plain numbers until somebody looks.
function countHit(hits: Map<string, Hits>, method: string, route: string, isNotModified: boolean): void {
  const key = method + (isNotModified ? 3 : 2) + route
  const known = hits.get(key)
  if (known !== undefined) known.count++
  else hits.set(key, { labels: { method, route, status: isNotModified ? '3xx' : '2xx' }, count: 1 })
}

function foldHits(hits: Map<string, Hits>, requests: Counter<(typeof labelNames)[number]>, cacheHits: Counter): void {
  for (const { labels, count } of hits.values()) {
    requests.inc(labels, count)
    cacheHits.inc(count)
  }
  hits.clear()
}

function addGauges(registry: Registry, { db, cacheSize }: { db: Db; cacheSize: AnswerCache['size'] }): void {
  const gauge = (name: string, help: string, value: () => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(value())
      }
    })
  gauge('http_cache_bytes', 'Memory taken by answers kept ready.', () => cacheSize().bytes)
  gauge('http_cache_entries', 'Answers kept ready.', () => cacheSize().entries)
  gauge('db_pool_size', 'Database connections open.', () => db.pool().size)
  gauge('db_pool_idle', 'Database connections open and unused.', () => db.pool().idle)
}

function statusClass(status: number): string {
  return `${Math.floor(status / 100)}xx`
}

/**
 * `GET /metrics`, in Prometheus' text form: for a scraper on the same machine, or with a token from anywhere.
 * A request that a proxy forwarded does not count as local.
 */
export function addMetricsRoute(app: FastifyInstance, { registry }: HttpMetrics): void {
  const schema = {
    operationId: 'getMetrics',
    tags: ['operation'],
    summary: 'Prometheus metrics',
    produces: ['text/plain']
  }
  app.get('/metrics', { config: { access: access.optional('api:read') }, schema }, async (request, reply) => {
    if (request.principal === null && !isLocal(request)) {
      throw new AuthError(
        'Metrics are open to this machine only: from elsewhere, send a bearer token with the scope api:read.'
      )
    }
    return reply
      .header('content-type', registry.contentType)
      .header('cache-control', 'no-store')
      .send(await registry.metrics())
  })
}

function isLocal(request: FastifyRequest): boolean {
  const peer = request.raw.socket.remoteAddress ?? ''
  const isForwarded = request.headers['x-forwarded-for'] !== undefined || request.headers.forwarded !== undefined
  return !isForwarded && /^(127\.|::1$|::ffff:127\.)/.test(peer)
}
