import path from 'node:path'
import type { Origin } from '../contract/origin.ts'
import type { Plugin } from '../contract/plugin.ts'
import { codeRoot } from '../paths.ts'

/** What a plugin was loaded from. */
export interface PluginSource {
  /** As the configuration names it. */
  readonly entry: string
  readonly file: string
}

const sources = new WeakMap<Plugin, PluginSource>()

export const setLoadedFrom = (plugin: Plugin, source: PluginSource): void => void sources.set(plugin, source)

/** What a plugin was loaded from; undefined for one that was not. */
export const loadedFrom = (plugin: Plugin): PluginSource | undefined => sources.get(plugin)

/** Whether a file belongs to the code of this package. */
export const isOwnCode = (file: string): boolean => /^(plugins|core)[\\/]/.test(path.relative(codeRoot, file))

export function originOf(plugin: Plugin): Origin {
  const source = loadedFrom(plugin)
  if (source === undefined) return 'in-process'
  return isOwnCode(source.file) ? 'built-in' : 'third-party'
}

/** Of two that bring the same thing the second is named. So third parties come last, else the order stays. */
export const thirdPartiesLast = <T>(items: readonly T[], pluginOf: (item: T) => Plugin): T[] => [
  ...items.filter(item => originOf(pluginOf(item)) !== 'third-party'),
  ...items.filter(item => originOf(pluginOf(item)) === 'third-party')
]
