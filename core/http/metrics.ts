import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { Db } from '../db/db.ts'
import { AuthError } from '../errors.ts'
import type { Metric } from '../health/metric.ts'
import type { Log } from '../log.ts'
import { access } from './access.ts'
import { createAnswerCounts } from './answer-counts.ts'
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

export function createMetrics(deps: {
  db: Db
  cacheSize: AnswerCache['size']
  plugins: readonly Metric[]
  log: Log
}): HttpMetrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const counts = createAnswerCounts(registry)
  let hits = 0
  let misses = 0
  const counter = (name: string, help: string, value: () => number) =>
    new Counter({
      name,
      help,
      registers: [registry],
      collect() {
        this.reset()
        this.inc(value())
      }
    })
  counter('http_cache_hits_total', 'Requests answered from the ready bytes.', () => hits)
  counter('http_cache_misses_total', 'Requests of cached routes answered anew.', () => misses)
  addGauges(registry, deps)
  for (const metric of deps.plugins) addMetric(registry, metric, deps.log)
  return {
    registry,
    hit(method, route, isNotModified) {
      hits += 1
      counts.add(method, route, isNotModified ? 304 : 200)
    },
    reuse() {
      hits += 1
    },
    miss() {
      misses += 1
    },
    answered: (request, status, seconds) =>
      counts.add(request.method, request.routeOptions.url ?? 'unknown', status, seconds)
  }
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

/** Prom-client keeps what it counts itself; what a plugin reads comes to its registry ready. */
function addMetric(registry: Registry, { name, help, type, read }: Metric, log: Log): void {
  const values = async () => {
    try {
      const samples = await read()
      return samples.map(({ part, labels = {}, value }) => ({
        value,
        labels,
        metricName: part === undefined ? name : `${name}_${part}`
      }))
    } catch (error) {
      log.warn({ err: error, metric: name }, 'a metric could not be read')
      return []
    }
  }
  const metric = { name, get: async () => ({ name, help, type, aggregator: 'first', values: await values() }) }
  registry.registerMetric(metric as unknown as Gauge)
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
    response: { 200: { content: { 'text/plain': { schema: { type: 'string' }, example: 'db_pool_size 2' } } } }
  }
  app.get(
    '/metrics',
    { config: { access: access.optional('api:read'), describe: { isNeverStored: true } }, schema },
    async (request, reply) => {
      if (request.principal === null && !isLocal(request)) {
        throw new AuthError(
          'Metrics are open to this machine only: from elsewhere, send a bearer token with the scope api:read.'
        )
      }
      return reply
        .header('content-type', registry.contentType)
        .header('cache-control', 'no-store')
        .send(await registry.metrics())
    }
  )
}

function isLocal(request: FastifyRequest): boolean {
  const peer = request.raw.socket.remoteAddress ?? ''
  const isForwarded = request.headers['x-forwarded-for'] !== undefined || request.headers.forwarded !== undefined
  return !isForwarded && /^(127\.|::1$|::ffff:127\.)/.test(peer)
}
