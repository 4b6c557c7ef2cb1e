import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { access } from '../contract/access.ts'
import { AuthError } from '../contract/errors.ts'
import type { Db } from '../db/db.ts'
import type { Metric } from '../health/metric.ts'
import { type BootProblem, duplicateOf, kernelOwner } from '../kernel/boot-error.ts'
import type { Log } from '../log.ts'
import { isForwarded } from './callers.ts'
import { createResponseCounts } from './response-counts.ts'

/** A figure, and who brings it. */
export interface PluginMetric extends Metric {
  readonly plugin: string
}

type CacheSize = () => { entries: number; bytes: number }

/** Counts what the service does, for `/metrics`. */
export interface HttpMetrics {
  readonly registry: Registry
  /** Names that two plugins bring. */
  readonly problems: readonly BootProblem[]
  /** A cached response was sent, before Fastify saw the request. */
  cacheHit(method: string, route: string, isNotModified: boolean): void
  /** A cached response was sent through Fastify. */
  cacheHitInFastify(): void
  /** A route that caches its responses had none for the request. */
  cacheMiss(): void
  /** A response was sent; `seconds` from the first byte of the request to its last. */
  responded(request: FastifyRequest, status: number, seconds: number): void
}

export function createMetrics(deps: {
  db: Db
  cacheSize: CacheSize
  plugins: readonly PluginMetric[]
  log: Log
}): HttpMetrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const counts = createResponseCounts(registry)
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
  counter('http_cache_hits_total', 'Requests answered from the response cache.', () => hits)
  counter('http_cache_misses_total', 'Requests of cached routes that had no cached response.', () => misses)
  addGauges(registry, deps)
  const problems = addPluginMetrics(registry, deps)
  return {
    registry,
    problems,
    cacheHit(method, route, isNotModified) {
      hits += 1
      counts.add(method, route, isNotModified ? 304 : 200)
    },
    cacheHitInFastify() {
      hits += 1
    },
    cacheMiss() {
      misses += 1
    },
    responded: (request, status, seconds) =>
      counts.add(request.method, request.routeOptions.url ?? 'unknown', status, seconds)
  }
}

function addGauges(registry: Registry, { db, cacheSize }: { db: Db; cacheSize: CacheSize }): void {
  const gauge = (name: string, help: string, value: () => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(value())
      }
    })
  gauge('http_cache_bytes', 'Memory of the response cache.', () => cacheSize().bytes)
  gauge('http_cache_entries', 'Cached responses.', () => cacheSize().entries)
  gauge('db_pool_size', 'Database connections open.', () => db.pool().size)
  gauge('db_pool_idle', 'Database connections open and unused.', () => db.pool().idle)
}

/** A scraper gives up after 10 s: what one plugin cannot tell by then must not hide what the others tell. */
const readLimitMs = 2_000

function addPluginMetrics(
  registry: Registry,
  { plugins, log }: { plugins: readonly PluginMetric[]; log: Log }
): BootProblem[] {
  const owners = new Map<string, string>()
  const failures = new Counter({
    name: 'metrics_failed_total',
    help: 'Figures of plugins that could not be read, or not in time.',
    labelNames: ['plugin', 'metric'],
    registers: [registry]
  })
  return plugins.flatMap(metric => {
    const { name, plugin } = metric
    if (registry.getSingleMetric(name) !== undefined)
      return [duplicateOf(plugin, 'metric', name, owners.get(name) ?? kernelOwner)]
    owners.set(name, plugin)
    const failed = (err: unknown) => {
      failures.inc({ plugin, metric: name })
      log.warn({ err, plugin, metric: name }, 'a metric could not be read')
    }
    registry.registerMetric(readyMetric(metric, failed) as unknown as Gauge)
    return []
  })
}

/** Prom-client keeps what it counts itself; what a plugin reads comes to its registry ready. */
function readyMetric({ name, help, type, read }: Metric, failed: (error: unknown) => void) {
  const reading = shared(read)
  const values = async () => {
    try {
      const samples = await within(readLimitMs, reading())
      return samples.map(({ part, labels = {}, value }) => ({
        value,
        labels,
        metricName: part === undefined ? name : `${name}_${part}`
      }))
    } catch (error) {
      failed(error)
      return []
    }
  }
  return { name, help, type, get: async () => ({ name, help, type, aggregator: 'first', values: await values() }) }
}

/** While one reading goes on, whoever asks shares it: one that never ends is neither waited for nor begun again. */
function shared<T>(read: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined
  return () => {
    if (running === undefined) {
      const work = (async () => read())()
      const ended = () => {
        running = undefined
      }
      running = within(readLimitMs, work)
      work.then(ended, ended)
    }
    return running
  }
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const limit = Promise.withResolvers<never>()
  const timer = setTimeout(() => limit.reject(new Error(`It did not end within ${ms / 1_000} s.`)), ms)
  try {
    return await Promise.race([work, limit.promise])
  } finally {
    clearTimeout(timer)
  }
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
  return !isForwarded(request) && /^(127\.|::1$|::ffff:127\.)/.test(peer)
}
