import type { Socket } from 'node:net'
import fastify, { type FastifyError, type FastifyInstance, type FastifyPluginAsync, LogController } from 'fastify'
import type { Authenticator } from '../contract/access.ts'
import type { Changes } from '../contract/changes.ts'
import { coreErrors, type ErrorDefinitions } from '../contract/error-codes.ts'
import { AppError } from '../contract/errors.ts'
import type { Settings } from '../contract/settings.ts'
import type { Db } from '../db/db.ts'
import { healthRoutes } from '../health/routes.ts'
import { inTime, runInTime, startSeconds } from '../isolation/deadline.ts'
import { nameReadyHooks, problemOf } from '../isolation/ready-hooks.ts'
import { watchStep } from '../isolation/steps.ts'
import { BootError, type BootProblem, messageOf } from '../kernel/boot-error.ts'
import { childOnUse, type Log } from '../log.ts'
import { type AllowedMethods, createAllowedMethods } from './allowed-methods.ts'
import { addApiDescription } from './api-description.ts'
import { addAuthentication } from './authentication.ts'
import { addCors } from './cors.ts'
import { createErrorHandler, type ErrorHandler, handleClientError, nothingAt, refuseConnect } from './error-handler.ts'
import { addIdempotency } from './idempotency.ts'
import { addMetricsRoute, createMetrics, type HttpMetrics, type PluginMetric } from './metrics.ts'
import { createServer } from './node-http.ts'
import { createProxyNotes } from './proxy-notes.ts'
import { hostFault, requestFault } from './request-faults.ts'
import { requestIdOf } from './request-id.ts'
import { createRequestLimits, type RequestLimits } from './request-limits.ts'
import { createResponseCache, type ResponseCache } from './response-cache/response-cache.ts'
import { createRouteRules, type RouteRules } from './route-rules.ts'
import { createRouteShare } from './route-share.ts'
import { securityHeaders } from './security-headers.ts'
import type { httpSettings } from './settings.ts'
import { addShutdown } from './shutdown.ts'
import { countQueued, guardSockets, isQueued, socketLimits } from './sockets.ts'
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
  headersTimeout: 15_000,
  // How often Node looks for those that are late.
  connectionsCheckingInterval: 5_000
}

export interface AppDeps {
  /** Each plugin's routes, mounted in a scope of their own. */
  parts: readonly { name: string; isThirdParty?: boolean; routes: FastifyPluginAsync }[]
  /** What the groups of the API document are about, by tag. */
  tags?: Readonly<Record<string, string>>
  /** Every error code there is; default: the kernel's. */
  errors?: ErrorDefinitions
  authenticator: Authenticator | undefined
  settings: Settings<typeof httpSettings>
  /** Calls back whenever settings changed elsewhere are in effect here: a response made since the change was announced used the old ones. */
  onSettingsRead?(invalidate: () => void): void
  changes: Changes
  db: Db
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
  onRoute?: ((plugin: string, route: string) => void) | undefined
}

/**
 * The HTTP app, ready and not listening.
 * @throws BootError naming every route that breaks a rule of the house.
 */
export async function createApp(deps: AppDeps): Promise<FastifyInstance> {
  const { settings, changes, db, log, now, isDraining, errors = coreErrors } = deps
  const handleError = createErrorHandler(errors)
  const metrics = createMetrics({ db, cacheSize: () => cache.size(), plugins: deps.metrics ?? [], log })
  const cache = createResponseCache({ changes, settings, metrics, log, now, isDraining })
  deps.onSettingsRead?.(() => cache.invalidate('settings'))
  const isTrusted = createTrustedProxies(() => settings.get('trusted_proxies'))
  const onUndeclaredProxy = createProxyNotes({ db, log, now })
  const limits = createRequestLimits({ settings, isTrusted, onUndeclaredProxy, now })
  const app = createFastify(deps, { cache, limits, isTrusted, handleError })
  const allowed = createAllowedMethods()
  const rules = createRouteRules({
    hasAuthenticator: deps.authenticator !== undefined,
    onRoute: deps.onRoute,
    share: createRouteShare(),
    allowed
  })

  addBasics(app, { metrics, log, handleError, origins: () => settings.get('cors_origins') })
  addShutdown(app, isDraining)
  addAuthentication(app, { authenticator: deps.authenticator, limits })
  addRequestFaults(app)
  addNoRoute(app, allowed)
  cache.addTo(app)
  addIdempotency(app, { db, log, now })
  addApiDescription(app, { operation: 'How the service is, and what it describes.', ...deps.tags }, errors)
  const own: FastifyPluginAsync = async scope => {
    await healthRoutes(deps)(scope, {})
    addMetricsRoute(scope, metrics)
  }
  for (const part of [{ name: 'core', routes: own }, ...deps.parts]) mount(app, rules, part)
  const unmade = await app.ready().then(
    () => [],
    error => [wrongSchema(error, rules)]
  )
  const problems = [...metrics.problems, ...rules.problems, ...unmade]
  if (problems.length > 0) throw new BootError(problems)
  return app
}

interface ServerParts {
  cache: ResponseCache
  limits: RequestLimits
  isTrusted: (address: string) => boolean
  handleError: ErrorHandler
}

function createFastify({ log }: AppDeps, { cache, limits, isTrusted, handleError }: ServerParts): FastifyInstance {
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
    trustProxy: isTrusted,
    // Draining, we answer what still arrives and close its connection.
    return503OnClosing: false,
    childLoggerFactory: childOnUse as never,
    // They pass no hook: what cannot be read counts here.
    frameworkErrors: (error, request, reply) => handleError(limits.count(request, reply) ?? error, request, reply),
    clientErrorHandler: ((error: Error & { code?: string }, socket: Socket) => {
      if (limits.countMalformed(socket)) socket.destroy()
      else handleClientError(error, socket)
    }) as never,
    serverFactory: handler => {
      const server = createServer(serverOptions, (request, response) => {
        const isOneTooMany = isQueued(response) && countQueued(request.socket, response)
        if (!isOneTooMany && hostFault(request) === undefined && cache.respond(request, response)) return
        handler(request, response)
      })
      guardSockets(server, socketLimits)
      // Node would answer 417 without a body.
      return server.on('connect', refuseConnect).on('checkExpectation', handler)
    }
  })
  return app as unknown as FastifyInstance
}

interface BasicDeps {
  metrics: HttpMetrics
  log: Log
  handleError: ErrorHandler
  origins(): string
}

function addBasics(app: FastifyInstance, deps: BasicDeps): void {
  addJsonParser(app)
  app.setErrorHandler(deps.handleError)
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(securityHeaders).header('x-request-id', request.id)
    done()
  })
  addCors(app, deps.origins)
  app.addHook('onResponse', (request, reply, done) => {
    const { statusCode: status, elapsedTime: ms } = reply
    deps.metrics.responded(request, status, ms / 1_000)
    if (deps.log.isLevelEnabled('debug')) {
      const { method, routeOptions } = request
      request.log.debug({ method, route: routeOptions.url, status, ms: Math.round(ms) }, 'answered')
    }
    done()
  })
}

/** After the rate limit: what is malformed counts, too. */
function addRequestFaults(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => done(requestFault(request)))
}

/** Before the body is read: a path that does not exist has no opinion on it. After the rate limit: guessing paths counts. */
function addNoRoute(app: FastifyInstance, allowed: AllowedMethods): void {
  // For a route that finds nothing to send, such as a file of the API page.
  app.setNotFoundHandler(request => {
    throw nothingAt(request.url, adviceFor(allowed, request.url))
  })
  app.addHook('onRequest', (request, reply, done) => {
    const isNone = request.is404 || lacksLastPart(request.url, request.routeOptions.url)
    done(isNone ? noRoute(allowed, request, reply) : undefined)
  })
}

function noRoute(
  allowed: AllowedMethods,
  request: { method: string; url: string },
  reply: { header(name: string, value: string): unknown }
): AppError {
  const path = request.url.split('?', 1)[0] as string
  const methods = allowed.at(path)
  if (methods.length === 0) return nothingAt(path, adviceFor(allowed, path))
  reply.header('allow', methods.join(', '))
  return new AppError(
    'METHOD_NOT_ALLOWED',
    `${request.method} is not possible at ${path}: ${methods.join(', ')} ${methods.length === 1 ? 'is' : 'are'}.`
  )
}

/** The router takes `/posts/` for `/posts/:slug` with an empty slug. */
function lacksLastPart(url: string, pattern = ''): boolean {
  return url.split('?', 1)[0]?.endsWith('/') === true && !/[/*]$/.test(pattern)
}

function adviceFor(allowed: AllowedMethods, path: string): string {
  const meant = withoutSlash(allowed, path)
  if (meant !== undefined) return `the address is ${meant}`
  return allowed.at('/docs').length > 0 ? 'see /docs for what there is' : 'check the address'
}

/** The address that was meant where only a slash at the end is too much. */
function withoutSlash(allowed: AllowedMethods, path: string): string | undefined {
  let end = path.length
  while (path[end - 1] === '/') end -= 1
  const shorter = path.slice(0, end)
  return shorter === path || allowed.at(shorter).length === 0 ? undefined : shorter
}

/** Our own routes may be made of what others bring, whose limit comes first and names them. */
const ownDeadlineFactor = 1.5

function mount(
  app: FastifyInstance,
  rules: RouteRules,
  { name, routes, isThirdParty = false }: AppDeps['parts'][number]
): void {
  let end: (() => void) | undefined
  app.register(async scope => {
    rules.applyTo(scope, name)
    nameReadyHooks(scope, { name, isThirdParty }, rules.problems)
    if (isThirdParty) end = watchStep({ plugin: name, what: 'adding its routes' })
    try {
      await inTime(Promise.resolve(runInTime(() => routes(scope, {}))), isThirdParty ? 1 : ownDeadlineFactor)
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
