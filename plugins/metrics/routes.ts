import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import { AuthError, access, type Db, isForwarded, type Log } from '#core'
import { createResponseCounts } from './response-counts.ts'
import { serviceMetrics } from './service-metrics.ts'

const schema = {
  operationId: 'getMetrics',
  tags: ['operation'],
  summary: 'Prometheus metrics',
  response: { 200: { content: { 'text/plain': { schema: { type: 'string' }, example: 'db_pool_size 2' } } } }
}

/**
 * `GET /metrics`, in Prometheus' text form: for a scraper on the same machine, or with a token from anywhere.
 * A request that a proxy forwarded does not count as local.
 */
export const metricsRoutes =
  ({ db, log }: { db: Pick<Db, 'pool'>; log: Log }): FastifyPluginAsync =>
  async app => {
    // Only a server needs the library.
    const { createRegistry } = await import('./registry.ts')
    const { telemetry } = app
    const counts = createResponseCounts()
    telemetry.onResponse(counts.add)
    const registry = createRegistry({
      own: [...counts.metrics, ...serviceMetrics(telemetry, db)],
      others: telemetry.metrics,
      log
    })
    const config = { access: access.optional('api:read'), documentation: { isNeverStored: true } }
    app.get('/metrics', { config, schema }, async (request, reply) => {
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
  return !isForwarded(request) && /^(127\.|::1$|::ffff:127\.)/.test(peer)
}
