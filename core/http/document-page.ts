import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import { access } from '../contract/access.ts'
import { nothingAt } from './error-handler.ts'
import type { RouteRules } from './route-rules.ts'

const csp =
  "default-src 'self'; base-uri 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; object-src 'none'; frame-ancestors 'none'"

/**
 * The API document as a page for people, at `/docs`. The library stands behind an app of its own, made by the first reader: it
 * takes longer to load than any plugin.
 */
export function addDocumentPage(app: FastifyInstance, rules: RouteRules): void {
  let made: Promise<FastifyInstance> | undefined
  const pageOnDemand = () => (made ??= createPage(app))
  app.register(async scope => {
    rules.applyTo(scope, 'core')
    const options = { config: { access: access.public }, schema: { hide: true } }
    for (const url of ['/docs', '/docs/*'])
      scope.get(url, options, async (request, reply) => passOn(await pageOnDemand(), request, reply))
  })
}

async function passOn(page: FastifyInstance, { url, headers }: FastifyRequest, reply: FastifyReply): Promise<Buffer> {
  const answer = await page.inject({ method: 'GET', url, headers: headers as never })
  // The library forbids a path that leaves its folder; for us there is nothing at it.
  if (answer.statusCode === 403 || answer.statusCode === 404) throw nothingAt(url)
  const ofTheConnection = ['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding']
  const own = Object.entries(answer.headers).filter(([name]) => !ofTheConnection.includes(name))
  reply.code(answer.statusCode).headers(Object.fromEntries(own))
  return answer.rawPayload
}

async function createPage(app: FastifyInstance): Promise<FastifyInstance> {
  const { default: swaggerUi } = await import('@fastify/swagger-ui')
  const page = fastify()
  // What the page reads is the document of the app that has the routes.
  const document = fastifyPlugin(
    async scope => {
      scope.decorate('swagger', ((options: never) => app.swagger(options)) as never)
    },
    { name: '@fastify/swagger' }
  )
  await page.register(document)
  await page.register(swaggerUi, { routePrefix: '/docs', staticCSP: csp })
  await page.ready()
  return page as unknown as FastifyInstance
}
