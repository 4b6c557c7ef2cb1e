import { readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { ConflictError, NotFoundError } from '../../core/contract/errors.ts'
import { loadedFrom } from '../../core/kernel/origin.ts'
import { type PluginConfig, readPluginConfig } from '../../core/kernel/plugin-config.ts'
import { packageRoot } from '../../core/paths.ts'
import { checkPluginEntries } from './check-plugins.ts'
import { findPlugin } from './find-plugin.ts'

/** The result of switching a plugin on or off. */
export interface Switched {
  name: string
  entry: string
  enabled: boolean
  config: string
}

/**
 * Moves a plugin's entry to `disabled` in the configuration that counts in a folder.
 * @throws NotFoundError, ConflictError naming what would miss it; nothing is changed then.
 */
export async function disablePlugin(name: string, configPath: string, cwd: string): Promise<Switched> {
  refusePackaged(configPath, cwd)
  const config = await readPluginConfig(configPath)
  const entry = await entryOf(name, config.plugins, configPath, { enabled: false, others: config.disabled })
  const left = config.plugins.filter(each => each !== entry)
  await refuseNewProblems(`Without ${name}`, config.plugins, left, configPath)
  await writePluginConfig(configPath, { plugins: left, disabled: [...config.disabled, entry] })
  return { name, entry, enabled: false, config: configPath }
}

/** Moves it back. @throws NotFoundError, ConflictError naming what is wrong with it; nothing is changed then. */
export async function enablePlugin(name: string, configPath: string, cwd: string): Promise<Switched> {
  refusePackaged(configPath, cwd)
  const config = await readPluginConfig(configPath)
  const entry = await entryOf(name, config.disabled, configPath, { enabled: true, others: config.plugins })
  const all = [...config.plugins, entry]
  await refuseNewProblems(`With ${name}`, config.plugins, all, configPath)
  await writePluginConfig(configPath, { plugins: all, disabled: config.disabled.filter(each => each !== entry) })
  return { name, entry, enabled: true, config: configPath }
}

/** A plugin that cannot be loaded is called by its entry, or by the last part of it. */
async function entryOf(
  name: string,
  entries: readonly string[],
  configPath: string,
  { enabled, others }: { enabled: boolean; others: readonly string[] }
): Promise<string> {
  const found = await findEntry(name, entries, configPath)
  if (found !== undefined) return found
  if (entryCalled(name, others) !== undefined)
    throw new ConflictError(`${name} is ${enabled ? 'enabled' : 'disabled'} already. Nothing was changed.`)
  throw new NotFoundError(noSuchPlugin(name, configPath))
}

export const noSuchPlugin = (name: string, configPath: string): string =>
  `There is no plugin ${name} in ${configPath}: "galley plugins list" shows those there are.`

/** By the entry itself, or by the package's name: a disabled plugin is not loaded to learn its name. */
export const entryCalled = (name: string, entries: readonly string[]): string | undefined =>
  entries.find(entry => [entry, path.basename(entry), path.basename(entry).replace(/^galley-/, '')].includes(name))

async function findEntry(name: string, entries: readonly string[], configPath: string): Promise<string | undefined> {
  for (const entry of entries) {
    if (entry === name) return entry
    const plugin = await findPlugin(entry, path.dirname(configPath))
    if ((plugin?.name ?? path.basename(entry)) !== name) continue
    return (plugin && loadedFrom(plugin)?.entry) ?? entry
  }
  return undefined
}

/** What was wrong before may stay so: switching off one of two broken plugins is a way to repair the rest. */
async function refuseNewProblems(
  what: string,
  before: readonly string[],
  after: readonly string[],
  configPath: string
): Promise<void> {
  const { problems } = await checkPluginEntries(after, configPath)
  if (problems.length === 0 || (await checkPluginEntries(before, configPath)).problems.length > 0) return
  const found = problems.map(({ plugin, cause }) => `${plugin}: ${cause}`).join('; ')
  throw new ConflictError(`${what} the service would not boot (${found}). Nothing was changed.`)
}

/** The package's own configuration is replaced with the package, and is that of every folder without one. */
function refusePackaged(configPath: string, cwd: string): void {
  const isInstalled = packageRoot.split(path.sep).includes('node_modules')
  if (path.dirname(configPath) !== packageRoot || (cwd === packageRoot && !isInstalled)) return
  throw new ConflictError(
    `${configPath} belongs to the package: copy it into the folder that galley is started in, and change the copy there. If GALLEY_PLUGINS names it, let it name the copy. Nothing was changed.`
  )
}

/** Replaces the file in one step, and keeps what else stands in it. */
async function writePluginConfig(configPath: string, { plugins, disabled }: PluginConfig): Promise<void> {
  const { disabled: _, ...rest }: Record<string, unknown> = JSON.parse(await readFile(configPath, 'utf8'))
  const config = { ...rest, plugins, ...(disabled.length === 0 ? {} : { disabled }) }
  await writeFile(`${configPath}.new`, `${JSON.stringify(config, null, 2)}\n`)
  await rename(`${configPath}.new`, configPath)
}
