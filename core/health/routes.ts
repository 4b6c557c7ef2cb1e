import type { FastifyPluginAsync } from 'fastify'
import { Type } from 'typebox'
import type { Db } from '../db/db.ts'
import { access } from '../http/access.ts'
import { createDatabaseCheck } from './database-check.ts'

const Health = Type.Object({
  status: Type.String({ description: 'healthy, unhealthy, or draining while the process shuts down.' }),
  service: Type.String(),
  version: Type.String(),
  timestamp: Type.String({ format: 'date-time' }),
  components: Type.Object({
    database: Type.String({ description: 'healthy or unhealthy.' }),
    connection_pool: Type.Object({ size: Type.Integer(), idle: Type.Integer() })
  })
})

/** `GET /api/health` tells how the service is; `GET /health` also answers 503 while it shuts down, for load balancers. */
export function healthRoutes(deps: {
  db: Db
  version: string
  now: () => Date
  isDraining: () => boolean
}): FastifyPluginAsync {
  const { db, version, now, isDraining } = deps
  const isDatabaseUp = createDatabaseCheck(db)
  const payload = async (isLeaving: boolean) => {
    const database = (await isDatabaseUp()) ? 'healthy' : 'unhealthy'
    const status = isLeaving && database === 'healthy' ? 'draining' : database
    return {
      status,
      service: 'galley',
      version,
      timestamp: now().toISOString(),
      components: { database, connection_pool: db.pool() }
    }
  }
  const routes = [
    { url: '/api/health', operationId: 'getHealth', isLeaving: () => false },
    { url: '/health', operationId: 'getReadiness', isLeaving: isDraining }
  ]
  return async app => {
    for (const { url, operationId, isLeaving } of routes) {
      const schema = {
        operationId,
        tags: ['operation'],
        summary: 'How the service is',
        response: { 200: Health, 503: Health }
      }
      app.get(url, { config: { access: access.public, unlimited: true }, schema }, async (_request, reply) => {
        const health = await payload(isLeaving())
        reply.header('cache-control', 'no-store')
        if (health.status !== 'healthy') reply.code(503).header('retry-after', '1')
        return health
      })
    }
  }
}
