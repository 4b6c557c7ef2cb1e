import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { BootProblem } from '../core/contract/boot-error.ts'
import { AppError } from '../core/contract/errors.ts'
import type { Plugin } from '../core/contract/plugin.ts'
import { codeRoot, packageRoot } from '../core/paths.ts'
import { messageOf } from '../core/unknown.ts'
import { pluginsConfigPath } from './config/plugins-config.ts'
import type { Catalogue, Program } from './framework/catalogue.ts'

/** The catalogue that the build wrote; null from sources, and when other plugins than the package's are configured. */
export function readBuiltCatalogue(configPath: string): Catalogue | null {
  if (codeRoot === packageRoot || configPath !== path.join(packageRoot, 'plugins.config.json')) return null
  const catalogue: Catalogue = JSON.parse(readFileSync(path.join(codeRoot, 'command-catalogue.json'), 'utf8'))
  return catalogue
}

/** Which plugins to describe, and the commands that need none of them. */
interface Described {
  env: NodeJS.ProcessEnv
  cwd: string
  local: Program
}

/**
 * Describes every command, or the entries `names`, by wiring the plugins without a database or a home: help works before `setup`.
 * @throws BootError when a plugin does not start.
 */
export async function describeAll({ env, cwd, local }: Described, names?: readonly string[]): Promise<Catalogue> {
  const [{ describeProgram }, { loadPlugins }] = await Promise.all([
    import('./framework/catalogue.ts'),
    import('../core/kernel/load.ts')
  ])
  const configPath = pluginsConfigPath(env.GALLEY_PLUGINS, cwd)
  return describeProgram({ ...local, ...(await wireProgram(configPath, await loadPlugins(configPath))) }, names)
}

/** The same with the plugins that start, and what is wrong with the others. Only the entries `names` (default: all) have their commands. */
export async function describeWithoutBroken(
  { env, cwd, local }: Described,
  names?: readonly string[]
): Promise<{ catalogue: Catalogue; problems: readonly BootProblem[] }> {
  const [{ describeProgram }, { startWithoutBroken }] = await Promise.all([
    import('./framework/catalogue.ts'),
    import('./plugins/without-broken.ts')
  ])
  const configPath = pluginsConfigPath(env.GALLEY_PLUGINS, cwd)
  const { value, problems } = await startWithoutBroken(configPath, plugins => wireProgram(configPath, plugins))
  const unread: BootProblem[] = []
  const onFailure = (name: string, error: unknown) => unread.push(unreadable(name, error))
  const catalogue = await describeProgram({ ...local, ...value }, names, onFailure)
  return { catalogue, problems: [...problems, ...unread] }
}

const unreadable = (name: string, error: unknown): BootProblem => ({
  plugin: name,
  cause: `its commands cannot be read (${error instanceof AppError ? error.summary : messageOf(error)})`,
  remedy:
    (error instanceof AppError ? error.remedy : undefined) ?? 'Install another release of the plugin that brings them.'
})

async function wireProgram(configPath: string, plugins: readonly Plugin[]): Promise<Program> {
  const [{ bootService }, { createLog }, { kernelProgram }, { closedDb, placeholderConfig }] = await Promise.all([
    import('./boot.ts'),
    import('./log/json-log.ts'),
    import('./kernel-program.ts'),
    import('./database/closed.ts')
  ])
  const config = placeholderConfig(configPath)
  const kernel = await bootService({ config, db: closedDb, log: createLog('silent'), plugins })
  return kernelProgram(kernel, config)
}
