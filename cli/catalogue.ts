import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Config } from '../core/config.ts'
import type { Plugin } from '../core/contract/plugin.ts'
import type { Db } from '../core/db/db.ts'
import type { BootProblem } from '../core/kernel/boot-error.ts'
import { codeRoot, packageRoot, pluginsConfigPath } from '../core/paths.ts'
import type { Catalogue, Program } from './framework/catalogue.ts'
import { reservedNames } from './reserved-names.ts'

/** The catalogue that the build wrote; null from sources, and when other plugins than the package's are configured. */
export function readBuiltCatalogue(configPath: string): Catalogue | null {
  if (codeRoot === packageRoot || configPath !== path.join(packageRoot, 'plugins.config.json')) return null
  return JSON.parse(readFileSync(path.join(codeRoot, 'command-catalogue.json'), 'utf8')) as Catalogue
}

/**
 * Describes every command by wiring the plugins without a database or a home: help works before `setup`.
 * @throws BootError when a plugin does not start.
 */
export async function describeAll(env: NodeJS.ProcessEnv, cwd: string): Promise<Catalogue> {
  const [{ describeProgram }, { loadPlugins }] = await Promise.all([
    import('./framework/catalogue.ts'),
    import('../core/kernel/load.ts')
  ])
  const configPath = pluginsConfigPath(env.GALLEY_PLUGINS, cwd)
  return describeProgram(await wireProgram(env, configPath, await loadPlugins(configPath)))
}

/** The same with the plugins that start, and what is wrong with the others. Only the entries `names` (default: all) have their commands. */
export async function describeSound(
  env: NodeJS.ProcessEnv,
  cwd: string,
  names?: readonly string[]
): Promise<{ catalogue: Catalogue; problems: readonly BootProblem[] }> {
  const [{ describeProgram }, { startSound }] = await Promise.all([
    import('./framework/catalogue.ts'),
    import('./plugins/loadable.ts')
  ])
  const configPath = pluginsConfigPath(env.GALLEY_PLUGINS, cwd)
  const { value: program, problems } = await startSound(configPath, plugins => wireProgram(env, configPath, plugins))
  const unread: BootProblem[] = []
  const catalogue = await describeProgram(program, names, (name, error) => unread.push(unreadable(name, error)))
  return { catalogue, problems: [...problems, ...unread] }
}

const unreadable = (name: string, error: unknown): BootProblem => ({
  plugin: name,
  cause: `its commands cannot be read (${(error as Error).message})`,
  remedy: 'Install another release of the plugin that brings them.'
})

async function wireProgram(env: NodeJS.ProcessEnv, configPath: string, plugins: readonly Plugin[]): Promise<Program> {
  const [{ boot }, { createLog }, { kernelProgram, localProgram }] = await Promise.all([
    import('../core/kernel/lifecycle.ts'),
    import('../core/log.ts'),
    import('./program.ts')
  ])
  const config = placeholderConfig(configPath)
  const kernel = boot({ config, db: closedDb, log: createLog('silent'), plugins, reserved: reservedNames })
  return { ...localProgram(env), ...kernelProgram(kernel, config) }
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
