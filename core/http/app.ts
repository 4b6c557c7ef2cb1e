import type { IncomingMessage } from 'node:http'
import fastify, { type FastifyError, type FastifyInstance, type FastifyPluginAsync, LogController } from 'fastify'
import type { Db } from '../db/db.ts'
import { AppError, InputError } from '../errors.ts'
import { healthRoutes } from '../health/routes.ts'
import { childOnUse, type Log } from '../log.ts'
import { BootError, type BootProblem } from '../order.ts'
import type { Changes, Installation, Settings } from '../plugin.ts'
import { inTime, runInTime, startSeconds } from '../start-deadline.ts'
import { watchStep } from '../start-steps.ts'
import type { Authenticator } from './access.ts'
import { type AllowedMethods, createAllowedMethods } from './allowed-methods.ts'
import { addAnswerHooks } from './answer-hooks.ts'
import { addAuthentication } from './authentication.ts'
import { createAnswerCache } from './cache.ts'
import { addCors } from './cors.ts'
import { addDocumentPage } from './document-page.ts'
import { handleClientError, handleError, nothingAt, refuseConnect } from './error-handler.ts'
import { createFastPath } from './fast-path.ts'
import { addIdempotency } from './idempotency.ts'
import { addMetricsRoute, createMetrics, type HttpMetrics, type PluginMetric } from './metrics.ts'
import { createServer } from './node-http.ts'
import { addOpenApi, documentRoutes } from './openapi.ts'
import { createRateLimit } from './rate-limit.ts'
import { messageOf, nameReadyHooks, problemOf } from './ready-hooks.ts'
import { requestIdOf } from './request-id.ts'
import { createRouteRules, type RouteRules } from './route-rules.ts'
import { securityHeaders } from './security-headers.ts'
import type { httpSettings } from './settings.ts'
import { addShutdown } from './shutdown.ts'
import { addJsonParser } from './strict-input.ts'
import { createTrustedProxies } from './trusted-proxies.ts'
import { ajvOptions } from './validation.ts'

const bodyLimitBytes = 1_048_576
/** Preview tokens are part of the path. */
const longestParameter = 2_000
// Node's own refusal of a request without Host has no body: a hook refuses it instead.
const serverOptions = {
  requireHostHeader: false,
  keepAliveTimeout: 72_000,
  requestTimeout: 60_000,
  headersTimeout: 30_000
}

export interface AppDeps {
  /** Each plugin's routes, mounted in a scope of their own. */
  parts: readonly { name: string; isForeign?: boolean; routes: FastifyPluginAsync }[]
  /** What the groups of the API document are about, by tag. */
  tags?: Readonly<Record<string, string>>
  authenticator: Authenticator | undefined
  settings: Settings<typeof httpSettings>
  /** Calls back whenever settings changed elsewhere are in effect here: an answer made since the change was told used the old ones. */
  onSettingsRead?(drop: () => void): void
  changes: Changes
  db: Db
  installation: Installation
  version: string
  log: Log
  now: () => Date
  /** True from the moment the process was asked to stop. */
  isDraining(): boolean
  /** Whether every plugin can do its part; default: yes. */
  isReady?(): Promise<boolean>
  /** Figures of the plugins. */
  metrics?: readonly PluginMetric[]
  /** Told of each route as it is added, such as `GET /api/posts`, and of who brings it. */
  onRoute?(plugin: string, route: string): void
}

/**
 * The HTTP app, ready and not listening.
 * @throws BootError naming every route that breaks a rule of the house.
 */
export async function createApp(deps: AppDeps): Promise<FastifyInstance> {
  const { settings, changes, db, log, now, isDraining } = deps
  const cache = createAnswerCache({ changes, maxBytes: () => settings.get('http_cache_mb') * 1_048_576, now })
  deps.onSettingsRead?.(() => cache.drop('settings'))
  const metrics = createMetrics({ db, cacheSize: cache.size, plugins: deps.metrics ?? [], log })
  const answerFast = createFastPath({ cache, settings, metrics, log, isDraining })
  const app = createFastify(deps, (request, response) => answerFast(request, response))
  const allowed = createAllowedMethods()
  const rules = createRouteRules({
    hasAuthenticator: deps.authenticator !== undefined,
    onRoute: deps.onRoute,
    cache,
    allowed
  })

  addBasics(app, { metrics, log, origins: () => settings.get('cors_origins') })
  addShutdown(app, isDraining)
  addAuthentication(app, {
    authenticator: deps.authenticator,
    rateLimit: createRateLimit({ limit: () => settings.get('rate_limit_per_minute'), now })
  })
  addNoRoute(app, allowed)
  addAnswerHooks(app, { cache, metrics })
  addIdempotency(app, { db, log, now })
  addOpenApi(app, deps.version, { operation: 'How the service is, and what it describes.', ...deps.tags })
  const own: FastifyPluginAsync = async scope => {
    await healthRoutes(deps)(scope, {})
    addMetricsRoute(scope, metrics)
    await documentRoutes(deps.installation)(scope, {})
  }
  addDocumentPage(app, rules)
  for (const part of [{ name: 'core', routes: own }, ...deps.parts]) mount(app, rules, part)
  const unmade = await app.ready().then(
    () => [],
    error => [wrongSchema(error, rules)]
  )
  const problems = [...metrics.problems, ...rules.problems, ...unmade]
  if (problems.length > 0) throw new BootError(problems)
  return app
}

type Listener = Parameters<typeof createServer>[1] & {}

function createFastify(
  { log, settings }: AppDeps,
  answerFast: (...args: Parameters<Listener>) => boolean
): FastifyInstance {
  const app = fastify({
    loggerInstance: log,
    // Behind the limit on each plugin's routes, which names the plugin.
    pluginTimeout: startSeconds() * 2_000,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    genReqId: requestIdOf as never,
    requestIdHeader: false,
    bodyLimit: bodyLimitBytes,
    ajv: ajvOptions,
    routerOptions: { maxParamLength: longestParameter },
    trustProxy: createTrustedProxies(() => settings.get('trusted_proxies')),
    // Draining, we answer what still arrives and close its connection.
    return503OnClosing: false,
    childLoggerFactory: childOnUse as never,
    frameworkErrors: handleError,
    clientErrorHandler: handleClientError as never,
    serverFactory: handler =>
      createServer(serverOptions, (request, response) => {
        if (hostFault(request) !== undefined || !answerFast(request, response)) handler(request, response)
      }).on('connect', refuseConnect)
  })
  return app as unknown as FastifyInstance
}

/** What RFC 9112 §3.2 wants of the Host header and the request has not; the parser itself drops a second one. */
function hostFault({ headers, httpVersion, rawHeaders }: IncomingMessage): string | undefined {
  if (headers.host === undefined)
    return httpVersion === '1.1' ? 'is required: every HTTP/1.1 request has it' : undefined
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1
  }
  return count > 1 ? 'is given more than once' : undefined
}

/** What cannot be decoded would be looked for as it stands, and nothing found. */
function queryFault(url: string): string | undefined {
  const from = url.indexOf('?')
  if (from === -1 || !url.includes('%', from)) return undefined
  try {
    decodeURIComponent(url.slice(from))
    return undefined
  } catch {
    return 'is not well-formed: check its percent escapes, which are of UTF-8'
  }
}

function addBasics(app: FastifyInstance, deps: { metrics: HttpMetrics; log: Log; origins: () => string }): void {
  addJsonParser(app)
  app.setErrorHandler(handleError)
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(securityHeaders).header('x-request-id', request.id)
    const host = hostFault(request.raw)
    if (host !== undefined) return done(new InputError({ host }))
    const query = queryFault(request.url)
    done(query === undefined ? undefined : new InputError({ query }))
  })
  addCors(app, deps.origins)
  app.addHook('onResponse', (request, reply, done) => {
    const { statusCode: status, elapsedTime: ms } = reply
    deps.metrics.answered(request, status, ms / 1_000)
    if (deps.log.isLevelEnabled('debug')) {
      const { method, routeOptions } = request
      request.log.debug({ method, route: routeOptions.url, status, ms: Math.round(ms) }, 'answered')
    }
    done()
  })
}

/** Before the body is read: a path that does not exist has no opinion on it. After the rate limit: guessing paths counts. */
function addNoRoute(app: FastifyInstance, allowed: AllowedMethods): void {
  // For a route that finds nothing to send, such as a file of the API page.
  app.setNotFoundHandler(request => {
    throw nothingAt(request.url)
  })
  app.addHook('onRequest', (request, reply, done) => (request.is404 ? done(noRoute(allowed, request, reply)) : done()))
}

function noRoute(
  allowed: AllowedMethods,
  request: { method: string; url: string },
  reply: { header(name: string, value: string): unknown }
): AppError {
  const path = request.url.split('?', 1)[0] as string
  const methods = allowed.at(path)
  if (methods.length === 0) return nothingAt(path)
  reply.header('allow', methods.join(', '))
  return new AppError(
    'METHOD_NOT_ALLOWED',
    `${request.method} is not possible at ${path}: ${methods.join(', ')} ${methods.length === 1 ? 'is' : 'are'}.`
  )
}

/** Our own routes may be made of what others bring, whose limit comes first and names them. */
const ownPatience = 1.5

function mount(
  app: FastifyInstance,
  rules: RouteRules,
  { name, routes, isForeign = false }: AppDeps['parts'][number]
): void {
  let end: (() => void) | undefined
  app.register(async scope => {
    rules.applyTo(scope, name)
    nameReadyHooks(scope, { name, isForeign }, rules.problems)
    if (isForeign) end = watchStep({ plugin: name, what: 'adding its routes' })
    try {
      await inTime(Promise.resolve(runInTime(() => routes(scope, {}))), isForeign ? 1 : ownPatience)
    } catch (error) {
      rules.problems.push(...problemsOf(name, error))
    }
  })
  // With the scopes inside its own.
  app.after(error => {
    end?.()
    if (error) rules.problems.push(...problemsOf(name, error))
  })
}

/** The first route schema that cannot be compiled ends the app: Fastify tells of it by the route. @throws any other error */
function wrongSchema(error: FastifyError, { ownerOf }: RouteRules): BootProblem {
  const [, part, method = '', url = '', reason] =
    /^Failed building the (validation|serialization) schema for (\w+): (.*?), due to error (.*)$/s.exec(
      error.message
    ) ?? []
  const plugin = ownerOf(method, url)
  if (plugin === undefined) throw error
  return {
    plugin,
    cause: `a schema of its route ${method} ${url} cannot be compiled for ${part} (${reason})`,
    remedy: 'Make it a JSON Schema, as Type.Object({ … }) of typebox gives.'
  }
}

/** A plugin whose routes are made of what others bring names the one at fault. */
function problemsOf(plugin: string, error: unknown): readonly BootProblem[] {
  if (error instanceof BootError) return error.problems
  return [problemOf(plugin, `its routes could not be added (${messageOf(error)})`)]
}
