import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Catalogue } from '../core/command-catalogue.ts'
import type { Config } from '../core/config.ts'
import type { Db } from '../core/db/db.ts'
import { codeRoot, packageRoot, pluginsConfigPath } from '../core/paths.ts'

/** The catalogue that the build wrote; null from sources, and when other plugins than the package's are configured. */
export function readBuiltCatalogue(configPath: string): Catalogue | null {
  if (codeRoot === packageRoot || configPath !== path.join(packageRoot, 'plugins.config.json')) return null
  return JSON.parse(readFileSync(path.join(codeRoot, 'command-catalogue.json'), 'utf8')) as Catalogue
}

/** Describes every command by wiring the plugins without a database or a home: help works before `setup`. */
export async function describeAll(env: NodeJS.ProcessEnv, cwd: string): Promise<Catalogue> {
  const [{ describeProgram }, { boot }, { loadPlugins }, { createLog }, { kernelProgram, localProgram }] =
    await Promise.all([
      import('../core/command-catalogue.ts'),
      import('../core/kernel.ts'),
      import('../core/loader.ts'),
      import('../core/log.ts'),
      import('./program.ts')
    ])
  const config = placeholderConfig(pluginsConfigPath(env.GALLEY_PLUGINS, cwd))
  const kernel = boot({
    config,
    db: closedDb,
    log: createLog('silent'),
    plugins: await loadPlugins(config.pluginsConfigPath)
  })
  return describeProgram({ ...localProgram(env), ...kernelProgram(kernel, config) })
}

export const placeholderConfig = (pluginsConfigPath: string): Config => ({
  home: '',
  databaseUrl: undefined,
  secretKey: Buffer.alloc(32).toString('base64'),
  jwtSecret: '',
  host: '127.0.0.1',
  port: 0,
  logLevel: 'silent',
  pluginsConfigPath
})

const refuse = (): never => {
  throw new TypeError('A command is described without a database: it must not use one before it runs.')
}

export const closedDb: Db = {
  kind: 'pglite',
  query: refuse,
  script: refuse,
  transaction: refuse,
  listen: refuse,
  pool: () => ({ size: 0, idle: 0 }),
  close: async () => {}
}
