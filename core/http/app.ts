import type { FastifyInstance } from 'fastify'
import type { Authenticator } from '../contract/access.ts'
import { BootError } from '../contract/boot-error.ts'
import type { Changes } from '../contract/changes.ts'
import type { Db } from '../contract/database.ts'
import { coreErrors, type ErrorDefinitions } from '../contract/error-codes.ts'
import type { ErrorPages } from '../contract/error-pages.ts'
import type { FormerAddresses } from '../contract/former-addresses.ts'
import type { Settings } from '../contract/settings.ts'
import { healthRoutes } from '../health/routes.ts'
import type { Log } from '../log.ts'
import { addAuthentication } from './authentication.ts'
import { addCors } from './cors.ts'
import { createErrorHandler } from './errors/error-handler.ts'
import { addIdempotency } from './idempotency/idempotency.ts'
import { addJsonParser } from './input/json-body.ts'
import { createRouteShare } from './load/route-share.ts'
import { createTrustedProxies } from './rate-limit/callers.ts'
import { createRequestLimits, type RequestLimits } from './rate-limit/rate-limit.ts'
import { createProxyRecorder } from './rate-limit/undeclared-proxies.ts'
import { requestFault } from './request-faults.ts'
import { createResponseCache, type ResponseCache } from './response-cache/response-cache.ts'
import { type AllowedMethods, createAllowedMethods } from './routes/allowed-methods.ts'
import { addApiDescription } from './routes/api-description.ts'
import { addCompilers } from './routes/compilers.ts'
import { mount, type PluginRoutes } from './routes/mount.ts'
import { addNoRoute } from './routes/no-route.ts'
import { createRouteRules } from './routes/route-rules.ts'
import { securityHeaders } from './security-headers.ts'
import { createFastify } from './server.ts'
import type { httpSettings } from './settings.ts'
import { addShutdown } from './shutdown.ts'
import { createTelemetry, type PluginMetric, type ResponseObserver } from './telemetry.ts'

export interface AppDeps {
  /** Each plugin's routes, mounted in a scope of their own. */
  pluginRoutes: readonly PluginRoutes[]
  /** What the groups of the API document are about, by tag. */
  tags?: Readonly<Record<string, string>>
  /** Every error code there is; default: the kernel's. */
  errors?: ErrorDefinitions
  authenticator: Authenticator
  /** Shows failures to readers who want pages; absent: all get JSON. */
  errorPages?: ErrorPages | undefined
  /** Asked where no route is. */
  formerAddresses?: FormerAddresses | undefined
  settings: Settings<typeof httpSettings>
  /** Calls back whenever settings were read, at the start and after each change: responses made before used the old ones. */
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
  /** Metrics of the plugins. */
  metrics?: readonly PluginMetric[]
  /** Called with each route as it is added, such as `GET /api/posts`, and the plugin that brings it. */
  onRoute?: ((plugin: string, route: string) => void) | undefined
}

/** The HTTP app, ready and not listening. @throws BootError naming every route that breaks a rule. */
export async function createApp(deps: AppDeps): Promise<FastifyInstance> {
  const { settings, changes, log, now, isDraining, errors = coreErrors } = deps
  const handleError = createErrorHandler(errors, deps.errorPages)
  const telemetry = createTelemetry({ metrics: deps.metrics ?? [], responseCache: () => cache.stats() })
  const { responded } = telemetry
  const cache = createResponseCache({ changes, settings, responded, log, now, isDraining })
  deps.onSettingsRead?.(() => cache.invalidate('settings'))
  const isTrusted = createTrustedProxies(() => settings.get('trusted_proxies'))
  const limits = createRequestLimits({ settings, isTrusted, onUndeclaredProxy: createProxyRecorder(deps), now })
  const app = createFastify({ log, cache, limits, isTrusted, handleError })
  const allowed = createAllowedMethods()
  const rules = createRouteRules({
    onRoute: deps.onRoute,
    share: createRouteShare(),
    allowed
  })
  const pluginRoutes = [{ name: 'core', origin: 'built-in' as const, routes: healthRoutes(deps) }, ...deps.pluginRoutes]
  const builtIn = new Set(pluginRoutes.filter(({ origin }) => origin === 'built-in').map(({ name }) => name))

  app.setErrorHandler(handleError)
  app.decorate('telemetry', telemetry)
  app.decorate('countSearches', limits.countSearches)
  addJsonParser(app)
  addCompilers(app, {
    isChecked: (method, url) => !builtIn.has(rules.ownerOf(method, url) ?? ''),
    onFault: (method, url, fault) => rules.report(rules.ownerOf(method, url) ?? 'core', { method, url }, [fault])
  })
  addHooks(app, { ...deps, responded, limits, allowed, cache })
  addApiDescription(app, { operation: 'How the service is, and what it describes.', ...deps.tags }, errors)
  for (const routes of pluginRoutes) mount(app, rules, routes)
  await app.ready()
  if (rules.problems.length > 0) throw new BootError(rules.problems)
  return app
}

interface HookDeps extends AppDeps {
  responded: ResponseObserver
  limits: RequestLimits
  allowed: AllowedMethods
  cache: ResponseCache
}

/** In the order in which a request passes them. */
function addHooks(app: FastifyInstance, deps: HookDeps): void {
  addHeaders(app)
  addCors(app, () => deps.settings.get('cors_origins'))
  addResponseLog(app, deps)
  addShutdown(app, deps.isDraining)
  addAuthentication(app, deps)
  // After the rate limit: what is malformed counts, too.
  app.addHook('onRequest', (request, _reply, done) => done(requestFault(request)))
  addNoRoute(app, deps.allowed, deps.formerAddresses)
  deps.cache.addTo(app)
  addIdempotency(app, deps)
}

function addHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(securityHeaders).header('x-request-id', request.id)
    done()
  })
}

function addResponseLog(app: FastifyInstance, { responded, log }: Pick<HookDeps, 'responded' | 'log'>): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { method, routeOptions } = request
    const { statusCode: status, elapsedTime: ms } = reply
    responded(method, routeOptions.url ?? 'unknown', status, ms / 1_000)
    if (log.isLevelEnabled('debug'))
      request.log.debug({ method, route: routeOptions.url, status, ms: Math.round(ms) }, 'answered')
    done()
  })
}
