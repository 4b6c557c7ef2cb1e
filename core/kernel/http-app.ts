import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import { AuthenticatorService } from '../contract/access.ts'
import { BootError, kernelName } from '../contract/boot-error.ts'
import type { Db } from '../contract/database.ts'
import { ErrorPagesService } from '../contract/error-pages.ts'
import { FormerAddressesService } from '../contract/former-addresses.ts'
import type { AppDeps } from '../http/app.ts'
import type { PluginMetric } from '../http/telemetry.ts'
import type { DatabaseGuard } from '../isolation/database-guard.ts'
import type { Log } from '../log.ts'
import { version } from '../version.ts'
import type { LoadedPlugin } from './contribution-rules.ts'
import type { CoreComponents } from './core-components.ts'
import { originOf } from './origin.ts'
import { type Services, serviceIn } from './wire.ts'

/** What wiring the plugins gave. */
export interface WiredPlugins {
  core: CoreComponents
  services: Services
  loaded: readonly LoadedPlugin[]
  guard: DatabaseGuard
  db: Db
  log: Log
  now: () => Date
}

interface AppOptions {
  isDraining(): boolean
  onRoute: ((plugin: string, route: string) => void) | undefined
}

export async function createHttpApp(
  wired: WiredPlugins,
  { isDraining, onRoute }: AppOptions
): Promise<FastifyInstance> {
  const { core, services, loaded, guard, db, log, now } = wired
  const authenticator = serviceIn(services, AuthenticatorService)
  if (authenticator === undefined) throw new BootError([noAuthenticator])
  // Commands need no HTTP: the library and its schemas load only for a server.
  const { createApp } = await import('../http/app.ts')
  return createApp({
    pluginRoutes: routesOf(loaded, guard),
    tags: tagsOf(loaded),
    errors: core.errors,
    metrics: metricsOf(loaded),
    authenticator,
    errorPages: serviceIn(services, ErrorPagesService),
    formerAddresses: serviceIn(services, FormerAddressesService),
    settings: core.kernelSettings,
    onSettingsRead: core.settings.onRead,
    changes: core.changes,
    isReady: () => areAllReady(loaded),
    isDraining,
    onRoute,
    db,
    version,
    log,
    now
  })
}

/** A service without an authenticator is a mistake, even if no route wants a token. */
const noAuthenticator = {
  plugin: kernelName,
  cause: 'no plugin checks tokens',
  remedy: 'Add a plugin that provides the service core.authenticator to plugins.config.json.'
}

type Loaded = readonly LoadedPlugin[]

/** The plugins' routes, each mounted in a scope of its own. */
const routesOf = (loaded: Loaded, guard: DatabaseGuard): AppDeps['pluginRoutes'] =>
  loaded.flatMap(({ plugin, contribution: { routes } }) => {
    if (routes === undefined) return []
    const guarded: FastifyPluginAsync = (scope, options) => guard.run(plugin.name, () => routes(scope, options))
    return [{ name: plugin.name, origin: originOf(plugin), routes: guarded }]
  })

const metricsOf = (loaded: Loaded): PluginMetric[] =>
  loaded.flatMap(({ plugin, contribution: { metrics = [] } }) =>
    metrics.map(metric => ({ ...metric, plugin: plugin.name, read: () => metric.read() }))
  )

/** Routes are grouped under the name of their plugin, or of one of its groups of commands. */
const tagsOf = (loaded: Loaded): Record<string, string> =>
  Object.fromEntries(
    loaded.flatMap(({ plugin, contribution: { commands = {} } }) => [
      ...Object.entries(commands).map(([name, { describe }]) => [name, `${describe}.`]),
      [plugin.name, `${plugin.describe.replace(/\.$/, '')}.`]
    ])
  )

async function areAllReady(loaded: Loaded): Promise<boolean> {
  const ready = await Promise.all(loaded.map(({ contribution }) => contribution.isReady?.() ?? true))
  return ready.every(Boolean)
}
