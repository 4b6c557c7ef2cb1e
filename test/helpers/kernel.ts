import path from 'node:path'
import type { Config } from '../../core/config.ts'
import type { Db } from '../../core/db/db.ts'
import { boot, type Kernel } from '../../core/kernel.ts'
import { loadPlugins } from '../../core/loader.ts'
import { createLog } from '../../core/log.ts'
import { packageRoot, pluginsConfigPath } from '../../core/paths.ts'
import type { Plugin } from '../../core/plugin.ts'

/** The plugins the package's configuration names. */
export const loadConfigured = (): Promise<Plugin[]> =>
  loadPlugins(pluginsConfigPath(process.env.GALLEY_PLUGINS, packageRoot))

export const fixture = (name: string): string => path.join(packageRoot, 'test/fixtures/plugins', name)

/** A database that nothing may touch: what is wired must not reach out. */
export const untouchable = new Proxy({} as Db, {
  get(_target, name) {
    throw new Error(`the database was touched: ${String(name)}`)
  }
})

const config: Config = {
  home: '/nowhere',
  databaseUrl: undefined,
  secretKey: Buffer.alloc(32, 7).toString('base64'),
  jwtSecret: 'a secret of the test suite that is long enough',
  host: '127.0.0.1',
  port: 8000,
  logLevel: 'silent',
  pluginsConfigPath: ''
}

/** Boots plugins, without opening anything unless a database is given. */
export function bootPlugins(plugins: readonly Plugin[], options: { db?: Db; config?: Partial<Config> } = {}): Kernel {
  const { db = untouchable } = options
  return boot({ config: { ...config, ...options.config }, db, log: createLog('silent'), plugins })
}
