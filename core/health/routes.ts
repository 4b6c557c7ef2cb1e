import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import { type Static, Type } from 'typebox'
import { access } from '../contract/access.ts'
import type { Db } from '../contract/database.ts'
import { createSharedCheck } from './database-check.ts'
import { ping } from './repository.ts'

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

interface HealthDeps {
  db: Db
  version: string
  now: () => Date
  isDraining: () => boolean
  isReady?: () => Promise<boolean>
}

/**
 * `GET /api/health` tells how the service is. `GET /health` also answers 503 while it shuts down and while a plugin
 * cannot do its part, such as when a publish slot was missed: for what watches the service.
 */
export function healthRoutes(deps: HealthDeps): FastifyPluginAsync {
  const { isDraining, isReady = async () => true } = deps
  const readHealth = createHealth(deps)
  const isEveryoneReady = createSharedCheck(isReady)
  const readiness = async () => (isDraining() ? 'draining' : (await isEveryoneReady()) ? 'healthy' : 'unready')
  return async app => {
    addRoute(app, '/api/health', 'getHealth', () => readHealth(async () => 'healthy'))
    addRoute(app, '/health', 'getReadiness', () => readHealth(readiness))
  }
}

/** Reads how the service is; `statusWhileUp` is asked while the database answers. */
function createHealth({ db, version, now }: HealthDeps) {
  const isDatabaseUp = createSharedCheck(() => ping(db).then(() => true))
  return async (statusWhileUp: () => Promise<string>): Promise<Static<typeof Health>> => {
    const database = (await isDatabaseUp()) ? 'healthy' : 'unhealthy'
    return {
      status: database === 'healthy' ? await statusWhileUp() : database,
      service: 'galley',
      version,
      timestamp: now().toISOString(),
      components: { database, connection_pool: db.pool() }
    }
  }
}

function addRoute(
  app: FastifyInstance,
  url: string,
  operationId: string,
  read: () => Promise<Static<typeof Health>>
): void {
  const schema = {
    operationId,
    tags: ['operation'],
    summary: 'How the service is',
    response: { 200: Health, 503: Health }
  }
  const config = { access: access.public, isRateLimitExempt: true, documentation: { isNeverStored: true } }
  app.get(url, { config, schema }, async (_request, reply) => {
    const health = await read()
    reply.header('cache-control', 'no-store')
    if (health.status !== 'healthy') reply.code(503).header('retry-after', '1')
    return health
  })
}
