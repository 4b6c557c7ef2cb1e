import path from 'node:path'
import { reservedNames } from '../../cli/reserved-names.ts'
import type { Config } from '../../core/config.ts'
import type { Plugin } from '../../core/contract/plugin.ts'
import type { Db } from '../../core/db/db.ts'
import { boot, type Kernel } from '../../core/kernel/lifecycle.ts'
import { loadPlugins } from '../../core/kernel/load.ts'
import { createLog } from '../../core/log.ts'
import { packageRoot, pluginsConfigPath } from '../../core/paths.ts'
import { untouchable } from '../../testing/contract.ts'
import { testConfig } from '../../testing/service.ts'

/** The plugins the package's configuration names. */
export const loadConfigured = (): Promise<Plugin[]> =>
  loadPlugins(pluginsConfigPath(process.env.GALLEY_PLUGINS, packageRoot))

export const fixture = (name: string): string => path.join(packageRoot, 'test/fixtures/plugins', name)

/** Boots plugins, without opening anything unless a database is given. */
export function bootPlugins(plugins: readonly Plugin[], options: { db?: Db; config?: Partial<Config> } = {}): Kernel {
  const { db = untouchable } = options
  return boot({
    config: { ...testConfig, ...options.config },
    db,
    log: createLog('silent'),
    plugins,
    reserved: reservedNames
  })
}
