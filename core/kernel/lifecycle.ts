import { setFlagsFromString } from 'node:v8'
import type { FastifyInstance } from 'fastify'
import type { EventLogRegistry } from '../audit/event-logs.ts'
import type { Config } from '../config.ts'
import type { ErrorDefinitions } from '../contract/error-codes.ts'
import type { Commands, Plugin } from '../contract/plugin.ts'
import type { Service } from '../contract/types.ts'
import type { Db } from '../db/db.ts'
import type { MigrationSource } from '../db/migrations/files.ts'
import { checkSchema, schemaSources } from '../db/migrations/schema.ts'
import { type Examination, kernelHeartbeat } from '../health/heartbeat.ts'
import { createDatabaseGuard } from '../isolation/database-guard.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { Log } from '../log.ts'
import { finishRotation, type KeyParts } from '../settings/key-rotation.ts'
import type { SettingsRegistry } from '../settings/store.ts'
import type { LoadedPlugin, ReservedNames } from './contribution-rules.ts'
import { createCoreParts } from './core-parts.ts'
import { graphqlPartsOf } from './graphql-parts.ts'
import { createHttpApp, type Wired } from './http-app.ts'
import { orderPlugins } from './order.ts'
import { isThirdParty, thirdPartiesLast } from './origin.ts'
import { wirePlugins } from './wire.ts'

/** A wired service. Nothing has touched the database until `open`. */
export interface Kernel {
  readonly plugins: readonly LoadedPlugin[]
  /** CLI command groups by name. */
  readonly commands: Readonly<Record<string, Commands>>
  readonly settings: SettingsRegistry
  readonly keys: KeyParts
  readonly jobs: Jobs
  /** The histories that `galley events` shows. */
  readonly events: EventLogRegistry
  /** Every error code there is. */
  readonly errors: ErrorDefinitions
  /** Where the migrations of the service and its plugins are, in the order they run. */
  readonly migrations: readonly MigrationSource[]
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
  /** Names that no plugin may take. */
  reserved?: ReservedNames
}

const nothingReserved: ReservedNames = { commands: [], checks: [] }

/**
 * Orders and wires the plugins.
 * @throws BootError naming every plugin that is wrong, with the cause and the remedy.
 */
export function boot(deps: KernelDeps): Kernel {
  const { config, db, log, plugins, now = () => new Date(), examine, reserved = nothingReserved } = deps
  const core = createCoreParts({ config, db, log })
  const guard = createDatabaseGuard(db)
  const ordered = orderPlugins([...core.builtIns, ...thirdPartiesLast(plugins, each => each)], isThirdParty)
  core.declare(ordered)
  if (examine !== undefined)
    core.jobs.register(
      'health',
      [kernelHeartbeat({ db, settings: core.coreSettings, examine: () => examine(kernel) })],
      []
    )
  const { loaded, services } = wirePlugins(ordered, { core, guard, log, now, reserved })
  core.graphqlParts.push(...graphqlPartsOf(loaded))
  const migrations = schemaSources(ordered)
  const { settings, keys, events, errors, jobs, listensAt } = core
  const kernel: Kernel = {
    plugins: loaded,
    commands: Object.assign({}, ...loaded.map(({ contribution }) => contribution.commands ?? {})),
    settings,
    keys,
    events,
    errors,
    jobs,
    migrations,
    db,
    log,
    service: <T>(token: Service<T>) => services.get(token.id) as T | undefined,
    listensAt,
    ...createLifecycle({ core, services, loaded, guard, migrations, db, log, now })
  }
  return kernel
}

/** What touches the database or the network, in the order in which a process calls it. */
function createLifecycle(
  wired: Wired & Pick<Kernel, 'migrations'>
): Pick<Kernel, 'open' | 'start' | 'createApp' | 'stop'> {
  const { core, guard, migrations, db } = wired
  const { changes, jobs, settings, keys } = core
  let isDraining = false
  return {
    async open({ willStart = false } = {}) {
      await checkSchema(db, migrations)
      await settings.load()
      await finishRotation(keys)
      if (!willStart) guard.end()
    },
    async start({ worker }) {
      guard.end()
      await changes.start()
      // Read again: a change between `open` and the first notification would go unseen.
      await settings.load()
      if (worker) await jobs.start()
      letYoungHeapGrow()
    },
    createApp: ({ onRoute } = {}) => createHttpApp(wired, { isDraining: () => isDraining, onRoute }),
    async stop() {
      isDraining = true
      await jobs.stop(drainSeconds)
      await changes.stop()
    }
  }
}

/** The launcher holds it while the code loads; under load a small one would be swept too often. 2 is V8's default. */
const letYoungHeapGrow = () => setFlagsFromString('--semi-space-growth-factor=2')
