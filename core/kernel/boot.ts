import type { Config } from '../config.ts'
import type { Db } from '../contract/database.ts'
import type { Plugin } from '../contract/plugin.ts'
import { schemaSources } from '../db/migrations/schema.ts'
import { createDatabaseGuard } from '../isolation/database-guard.ts'
import type { Log } from '../log.ts'
import type { ReservedNames } from './contribution-rules.ts'
import { createCoreComponents } from './core-components.ts'
import { graphqlModulesOf } from './graphql-modules.ts'
import type { Kernel } from './kernel.ts'
import { createLifecycle } from './lifecycle.ts'
import { orderPlugins } from './order.ts'
import { serviceIn, wirePlugins } from './wire.ts'

export interface KernelDeps {
  config: Config
  db: Db
  log: Log
  plugins: readonly Plugin[]
  now?: () => Date
  /** Names that no plugin may take. */
  reserved?: ReservedNames
}

/** Orders and wires the plugins. @throws BootError naming every plugin that is wrong, with the cause and the remedy. */
export function boot(deps: KernelDeps): Kernel {
  const { config, db, log, plugins, now = () => new Date(), reserved = { commands: [], checks: [] } } = deps
  const core = createCoreComponents({ config, db, log })
  const guard = createDatabaseGuard(db)
  const ordered = orderPlugins([core.plugin, ...plugins])
  core.registerManifests(ordered)
  const { loaded, services } = wirePlugins(ordered, { core, guard, log, now, reserved })
  core.graphqlModules.push(...graphqlModulesOf(loaded))
  const migrations = schemaSources(ordered)
  return {
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
    setListenAddress: core.setListenAddress,
    ...createLifecycle({ core, services, loaded, guard, migrations, db, log, now })
  }
}
