import type { FastifyPluginAsync } from 'fastify'
import { Type } from 'typebox'
import { access } from '../contract/access.ts'
import type { Db } from '../db/db.ts'
import { createDatabaseCheck, createSharedCheck } from './database-check.ts'

const Health = Type.Object(
  {
    status: Type.String({
      description: 'healthy or unhealthy; at /health also draining while the process shuts down, and unready.',
      examples: ['healthy']
    }),
    service: Type.String({ examples: ['galley'] }),
    version: Type.String({ examples: ['0.1.0'] }),
    timestamp: Type.String({ format: 'date-time' }),
    components: Type.Object({
      database: Type.String({ description: 'healthy or unhealthy.', examples: ['healthy'] }),
      connection_pool: Type.Object({ size: Type.Integer({ examples: [10] }), idle: Type.Integer({ examples: [9] }) })
    })
  },
  { title: 'Health' }
)

/**
 * `GET /api/health` tells how the service is. `GET /health` also answers 503 while it shuts down and while a plugin
 * cannot do its part, such as when a publish slot was missed: for what watches the service.
 */
export function healthRoutes(deps: {
  db: Db
  version: string
  now: () => Date
  isDraining: () => boolean
  isReady?: () => Promise<boolean>
}): FastifyPluginAsync {
  const { db, version, now, isDraining, isReady = async () => true } = deps
  const isDatabaseUp = createDatabaseCheck(db)
  const isEveryoneReady = createSharedCheck(isReady)
  const readiness = async () => (isDraining() ? 'draining' : (await isEveryoneReady()) ? 'healthy' : 'unready')
  const payload = async (statusWhileUp: () => Promise<string>) => {
    const database = (await isDatabaseUp()) ? 'healthy' : 'unhealthy'
    return {
      status: database === 'healthy' ? await statusWhileUp() : database,
      service: 'galley',
      version,
      timestamp: now().toISOString(),
      components: { database, connection_pool: db.pool() }
    }
  }
  const routes = [
    { url: '/api/health', operationId: 'getHealth', statusWhileUp: async () => 'healthy' },
    { url: '/health', operationId: 'getReadiness', statusWhileUp: readiness }
  ]
  return async app => {
    for (const { url, operationId, statusWhileUp } of routes) {
      const schema = {
        operationId,
        tags: ['operation'],
        summary: 'How the service is',
        response: { 200: Health, 503: Health }
      }
      app.get(
        url,
        { config: { access: access.public, isRateLimitExempt: true, documentation: { isNeverStored: true } }, schema },
        async (_request, reply) => {
          const health = await payload(statusWhileUp)
          reply.header('cache-control', 'no-store')
          if (health.status !== 'healthy') reply.code(503).header('retry-after', '1')
          return health
        }
      )
    }
  }
}
