import path from 'node:path'
import { pluginsConfigPath } from '../../cli/config/plugins-config.ts'
import { createLog } from '../../cli/log/json-log.ts'
import { reservedNames } from '../../cli/reserved-names.ts'
import type { Config } from '../../core/config.ts'
import type { CommandGroup } from '../../core/contract/command.ts'
import type { Db } from '../../core/contract/database.ts'
import type { Contribution, Plugin } from '../../core/contract/plugin.ts'
import type { Provides } from '../../core/contract/services.ts'
import { boot } from '../../core/kernel/boot.ts'
import type { Kernel } from '../../core/kernel/kernel.ts'
import { loadPlugins } from '../../core/kernel/load.ts'
import { packageRoot } from '../../core/paths.ts'
import { unusableDb } from '../../testing/contract.ts'
import { testConfig } from '../../testing/service.ts'

/** The plugins the package's configuration names. */
export const loadConfigured = (): Promise<Plugin[]> =>
  loadPlugins(pluginsConfigPath(process.env.GALLEY_PLUGINS, packageRoot))

export const fixture = (name: string): string => path.join(packageRoot, 'test/fixtures/plugins', name)

/** The commands of a group that a plugin or a whole service brings; none when there is no such group. */
export async function commandsOf(
  { commands = {} }: Pick<Contribution<Provides>, 'commands'>,
  group: string
): Promise<CommandGroup> {
  const entry = commands[group]
  return entry !== undefined && 'load' in entry ? await entry.load() : {}
}

/** Boots plugins, without opening anything unless a database is given. */
export function bootPlugins(plugins: readonly Plugin[], options: { db?: Db; config?: Partial<Config> } = {}): Kernel {
  const { db = unusableDb } = options
  return boot({
    config: { ...testConfig, ...options.config },
    db,
    log: createLog('silent'),
    plugins,
    reserved: reservedNames
  })
}
