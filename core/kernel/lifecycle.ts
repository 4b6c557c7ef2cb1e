import { setFlagsFromString } from 'node:v8'
import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import type { EventLogRegistry } from '../audit/event-logs.ts'
import type { Config } from '../config.ts'
import { type Authenticator, AuthenticatorService } from '../contract/access.ts'
import type { GraphqlPart, NamedGraphqlPart } from '../contract/graphql.ts'
import type { Commands, Plugin, Service } from '../contract/plugin.ts'
import type { Db } from '../db/db.ts'
import type { Migrator } from '../db/migrate.ts'
import { checkSchema, createSchemaMigrator } from '../db/schema.ts'
import { type Examination, kernelHeartbeat } from '../health/heartbeat.ts'
import { createWiring, type Wiring } from '../isolation/database-guard.ts'
import { inTime, runInTime } from '../isolation/deadline.ts'
import { withoutBrokenSamples } from '../isolation/metric-faults.ts'
import { watched } from '../isolation/steps.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { Log } from '../log.ts'
import type { KeyRotation } from '../settings/key-rotation.ts'
import type { SettingsRegistry } from '../settings/store.ts'
import { version } from '../version.ts'
import { type CoreParts, createCoreParts } from './core-parts.ts'
import { isForeign, ownFirst } from './load.ts'
import { orderPlugins } from './order.ts'
import { resolveNeeds, type Services } from './services.ts'
import { type LoadedPlugin, setUpPlugins } from './wire.ts'

/** A wired service. Nothing has touched the database until `open`. */
export interface Kernel {
  readonly plugins: readonly LoadedPlugin[]
  /** CLI command groups by name. */
  readonly commands: Readonly<Record<string, Commands>>
  readonly settings: SettingsRegistry
  readonly keys: KeyRotation
  readonly jobs: Jobs
  /** The histories that `galley events` shows. */
  readonly events: EventLogRegistry
  /** Over the service's and the plugins' migrations; works before `open`. */
  readonly migrator: Migrator
  readonly db: Db
  readonly log: Log
  /** A service by its token; undefined when no plugin provides it. */
  service<T>(token: Service<T>): T | undefined
  /**
   * Checks the schema and reads the settings. Plugins may use the database from here on; those of a process that
   * `willStart`, from its start on. @throws AppError when the database does not fit this release.
   */
  open(options?: { willStart?: boolean }): Promise<void>
  /** Follows changes made by other processes and, as a worker, runs jobs. */
  start(role: { worker: boolean }): Promise<void>
  /** The HTTP app, not yet listening. `onRoute` is told who brings which route. */
  createApp(options?: { onRoute?(plugin: string, route: string): void }): Promise<FastifyInstance>
  /** Tells where the app listens, once it does. */
  listensAt(url: string): void
  /** Finishes or hands back running jobs, within 9 s. The database stays open. */
  stop(): Promise<void>
}

/** The exit itself, with handing back and closing the database, comes within 10 s. */
const drainSeconds = 8

interface KernelDeps {
  config: Config
  db: Db
  log: Log
  plugins: readonly Plugin[]
  now?: () => Date
  /** What its worker looks at every part of the service with, now and then. Without it there is no heartbeat. */
  examine?: (kernel: Kernel) => Promise<Examination>
}

/**
 * Wires the plugins: order → setup → collect.
 * @throws BootError naming every plugin that is wrong, with the cause and the remedy.
 */
export function boot({ config, db, log, plugins, now = () => new Date(), examine }: KernelDeps): Kernel {
  const core = createCoreParts({ config, db, log })
  const ordered = orderPlugins([...core.builtIns, ...ownFirst(plugins, each => each)], isForeign)
  core.declare(ordered)
  const services: Services = new Map()
  const { jobs, settings, changes, installation } = core
  const wiring = createWiring()
  const guarded = wiring.guard(db)
  const contextOf = (plugin: Plugin) => ({
    needs: resolveNeeds(services, plugin.needs ?? {}),
    settings: settings.reader(plugin.settings ?? {}),
    log: log.child({ plugin: plugin.name }),
    emit: jobs.emit,
    emitMany: jobs.emitMany,
    tellNow: jobs.tellNow,
    enqueue: jobs.enqueue,
    db: guarded,
    changes,
    installation,
    now
  })
  if (examine !== undefined)
    jobs.register('health', [kernelHeartbeat(() => kernel, { settings: core.coreSettings, examine })], [])
  const loaded = setUpPlugins(ordered, { services, jobs, contextOf, wire: wiring.run })
  core.graphqlParts.push(...graphqlPartsOf(loaded))
  const migrator = createSchemaMigrator(db, log, ordered)
  const kernel: Kernel = {
    plugins: loaded,
    commands: collectCommands(loaded),
    settings,
    keys: core.keys,
    events: core.events,
    jobs,
    migrator,
    db,
    log,
    service: <T>(token: Service<T>) => services.get(token.id) as T | undefined,
    listensAt: core.listensAt,
    ...lifecycle({ core, services, loaded, wiring, migrator, db, log, now })
  }
  return kernel
}

interface Wired {
  core: CoreParts
  services: Services
  loaded: readonly LoadedPlugin[]
  wiring: Wiring
  migrator: Migrator
  db: Db
  log: Log
  now: () => Date
}

/** What touches the database or the network, in the order a process calls it. */
function lifecycle({
  core,
  services,
  loaded,
  wiring,
  migrator,
  db,
  log,
  now
}: Wired): Pick<Kernel, 'open' | 'start' | 'createApp' | 'stop'> {
  const { changes, jobs, settings, keys } = core
  let isDraining = false
  return {
    async open({ willStart = false } = {}) {
      await checkSchema(db, migrator)
      await settings.load()
      await keys.settle()
      if (!willStart) wiring.end()
    },
    async start({ worker }) {
      wiring.end()
      await changes.start()
      // Read again: a change between `open` and the first notification would go unseen.
      await settings.load()
      if (worker) await jobs.start()
      letYoungHeapGrow()
    },
    async createApp({ onRoute } = {}) {
      // Commands need no HTTP: the library and its schemas load only for a server.
      const { createApp } = await import('../http/app.ts')
      const wired =
        (name: string, routes: FastifyPluginAsync): FastifyPluginAsync =>
        (scope, options) =>
          wiring.run(name, () => routes(scope, options))
      const inTurn = ownFirst(loaded, ({ plugin }) => plugin)
      const parts = inTurn.flatMap(({ plugin, contribution: { routes } }) =>
        routes === undefined
          ? []
          : [{ name: plugin.name, isForeign: isForeign(plugin), routes: wired(plugin.name, routes) }]
      )
      return createApp({
        parts,
        tags: tagsOf(loaded),
        authenticator: services.get(AuthenticatorService.id) as Authenticator | undefined,
        settings: core.coreSettings,
        onSettingsRead: settings.onRead,
        isDraining: () => isDraining,
        isReady: everyoneReady(loaded),
        metrics: inTurn.flatMap(({ plugin: { name }, contribution: { metrics = [] } }) =>
          metrics.map(metric => ({ ...withoutBrokenSamples(metric, name, log), plugin: name }))
        ),
        ...(onRoute === undefined ? {} : { onRoute }),
        changes,
        db,
        version,
        log,
        now
      })
    },
    async stop() {
      isDraining = true
      await jobs.stop(drainSeconds)
      await changes.stop()
    }
  }
}

/** Routes are grouped under the name of their plugin, or of one of its groups of commands. */
const tagsOf = (loaded: readonly LoadedPlugin[]): Record<string, string> =>
  Object.fromEntries(
    loaded.flatMap(({ plugin, contribution: { commands = {} } }) => [
      ...Object.entries(commands).map(([name, { describe }]) => [name, `${describe}.`]),
      [plugin.name, `${plugin.describe.replace(/\.$/, '')}.`]
    ])
  )

const everyoneReady = (loaded: readonly LoadedPlugin[]) => async (): Promise<boolean> =>
  (await Promise.all(loaded.map(({ contribution }) => contribution.isReady?.() ?? true))).every(Boolean)

/** The launcher holds it while the code loads; under load a small one would be swept too often. 2 is V8's default. */
const letYoungHeapGrow = () => setFlagsFromString('--semi-space-growth-factor=2')

const graphqlPartsOf = (loaded: readonly LoadedPlugin[]): NamedGraphqlPart[] =>
  ownFirst(loaded, ({ plugin }) => plugin).flatMap(({ plugin, contribution: { graphql } }) =>
    graphql === undefined ? [] : [{ plugin: plugin.name, load: () => loadPart(plugin, graphql) }]
  )

async function loadPart(plugin: Plugin, load: () => Promise<GraphqlPart>): Promise<GraphqlPart> {
  const run = () => inTime(Promise.resolve(runInTime(load)))
  return isForeign(plugin) ? await watched({ plugin: plugin.name, what: 'its GraphQL part' }, run) : await run()
}

const collectCommands = (loaded: readonly LoadedPlugin[]): Record<string, Commands> =>
  Object.assign({}, ...loaded.map(({ contribution }) => contribution.commands ?? {}))
