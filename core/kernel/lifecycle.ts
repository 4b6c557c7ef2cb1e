import { setFlagsFromString } from 'node:v8'
import type { Config } from '../config.ts'
import type { Db } from '../contract/database.ts'
import type { Plugin } from '../contract/plugin.ts'
import { checkSchema, schemaSources } from '../db/migrations/schema.ts'
import { createDatabaseGuard } from '../isolation/database-guard.ts'
import type { Log } from '../log.ts'
import type { ReservedNames } from './contribution-rules.ts'
import { createCoreParts } from './core-parts.ts'
import { graphqlPartsOf } from './graphql-parts.ts'
import { createHttpApp, type WiredPlugins } from './http-app.ts'
import type { Kernel } from './kernel.ts'
import { orderPlugins } from './order.ts'
import { isThirdParty, thirdPartiesLast } from './origin.ts'
import { serviceIn, wirePlugins } from './wire.ts'

/** The exit itself, with handing back and closing the database, comes within 10 s. */
const drainSeconds = 8

export interface KernelDeps {
  config: Config
  db: Db
  log: Log
  plugins: readonly Plugin[]
  now?: () => Date
  /** Names that no plugin may take. */
  reserved?: ReservedNames
}

/**
 * Orders and wires the plugins.
 * @throws BootError naming every plugin that is wrong, with the cause and the remedy.
 */
export function boot(deps: KernelDeps): Kernel {
  const { config, db, log, plugins, now = () => new Date(), reserved = { commands: [], checks: [] } } = deps
  const core = createCoreParts({ config, db, log })
  const guard = createDatabaseGuard(db)
  const ordered = orderPlugins([core.plugin, ...thirdPartiesLast(plugins, each => each)], isThirdParty)
  core.declare(ordered)
  const { loaded, services } = wirePlugins(ordered, { core, guard, log, now, reserved })
  core.graphqlParts.push(...graphqlPartsOf(loaded))
  const migrations = schemaSources(ordered)
  const kernel: Kernel = {
    plugins: loaded,
    commands: Object.assign({}, ...loaded.map(({ contribution }) => contribution.commands ?? {})),
    settings: core.settings,
    keys: core.keys,
    errors: core.errors,
    jobs: core.jobs,
    migrations,
    db,
    log,
    service: token => serviceIn(services, token),
    listensAt: core.listensAt,
    ...createLifecycle({ core, services, loaded, guard, migrations, db, log, now })
  }
  return kernel
}

/** What touches the database or the network, in the order in which a process calls it. */
function createLifecycle(
  wired: WiredPlugins & Pick<Kernel, 'migrations'>
): Pick<Kernel, 'open' | 'start' | 'createApp' | 'stop'> {
  const { core, guard, migrations, db } = wired
  const { changes, jobs, settings } = core
  let isDraining = false
  return {
    async open({ willStart = false } = {}) {
      await checkSchema(db, migrations)
      await settings.load()
      if (!willStart) guard.end()
    },
    async start({ worker }) {
      guard.end()
      await changes.start()
      // Read again: a change between `open` and the first notification would go unseen.
      await settings.load()
      if (worker) await jobs.start()
      setDefaultHeapGrowth()
    },
    createApp: ({ onRoute } = {}) => createHttpApp(wired, { isDraining: () => isDraining, onRoute }),
    async stop() {
      isDraining = true
      try {
        await jobs.stop(drainSeconds)
      } finally {
        await changes.stop()
      }
    }
  }
}

/** The launcher limits the young heap while the code loads. Under load a small one is collected too often. 2 is V8's default. */
const setDefaultHeapGrowth = () => setFlagsFromString('--semi-space-growth-factor=2')
