import path from 'node:path'
import { BootError, type BootProblem } from '../../core/contract/boot-error.ts'
import type { Plugin } from '../../core/contract/plugin.ts'
import { loadEntries } from '../../core/kernel/load.ts'
import { originOf } from '../../core/kernel/origin.ts'
import { readPluginConfig } from '../../core/kernel/plugin-config.ts'
import { findPlugin } from './find-plugin.ts'

/** What comes of the plugins that start, and what is wrong with those that do not. */
export interface Started<T> {
  value: T
  problems: readonly BootProblem[]
}

/** Starts what a configuration names, for telling of it. Where plugins do not start, tries without them. */
export async function startWithoutBroken<T>(
  configPath: string,
  start: (plugins: readonly Plugin[]) => T | Promise<T>
): Promise<Started<T>> {
  try {
    const { plugins } = await readPluginConfig(configPath)
    return await startEntriesWithoutBroken(plugins, configPath, start)
  } catch (error) {
    if (!(error instanceof BootError)) throw error
    return { value: await start([]), problems: error.problems }
  }
}

/** The same for given entries. */
export async function startEntriesWithoutBroken<T>(
  entries: readonly string[],
  configPath: string,
  start: (plugins: readonly Plugin[]) => T | Promise<T>
): Promise<Started<T>> {
  const folder = path.dirname(configPath)
  const problems: BootProblem[] = []
  for (let left = entries; ; ) {
    try {
      return { value: await start(await loadEntries(left, folder)), problems }
    } catch (error) {
      if (!(error instanceof BootError)) throw error
      problems.push(...(problems.length === 0 ? error.problems : error.problems.map(followUp)))
      if (left.length === 0) throw new BootError(problems)
      left = await without(error.problems, left, folder)
    }
  }
}

/** It may be at fault for nothing but the absence of what was left out. */
const followUp = ({ plugin, cause }: BootProblem): BootProblem => ({
  plugin,
  cause,
  remedy: 'Fix the problems above, then check again.'
})

/** Problems name a plugin by its entry, or, once it is loaded, by its name; those of a cycle together. */
async function without(problems: readonly BootProblem[], entries: readonly string[], folder: string) {
  const named = new Set(problems.flatMap(({ plugin, plugins = [] }) => [plugin, ...plugins]))
  const others = entries.filter(entry => !named.has(entry))
  const found: { entry: string; plugin: Plugin }[] = []
  for (const entry of others) {
    const plugin = await findPlugin(entry, folder)
    if (plugin !== undefined && named.has(plugin.name)) found.push({ entry, plugin })
  }
  // Of two with one name, ours stays.
  const brokenPlugins = found.filter(
    ({ plugin }) =>
      isThirdParty(plugin) || !found.some(other => other.plugin.name === plugin.name && isThirdParty(other.plugin))
  )
  const left = others.filter(entry => !brokenPlugins.some(each => each.entry === entry))
  return left.length === entries.length ? [] : left
}

const isThirdParty = (plugin: Plugin): boolean => originOf(plugin) === 'third-party'
