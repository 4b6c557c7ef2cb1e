import path from 'node:path'
import type { Plugin } from '../contract/plugin.ts'
import { codeRoot } from '../paths.ts'

/** Where a plugin came from. */
export interface Origin {
  /** As the configuration names it. */
  readonly entry: string
  readonly file: string
}

const origins = new WeakMap<Plugin, Origin>()

/** Where a loaded plugin came from; undefined for the kernel's own. */
export const originOf = (plugin: Plugin): Origin | undefined => origins.get(plugin)

export const setOrigin = (plugin: Plugin, origin: Origin): void => void origins.set(plugin, origin)

/** Whether a file belongs to the code of this package. */
export const isOwnCode = (file: string): boolean => /^(plugins|core)[\\/]/.test(path.relative(codeRoot, file))

/** Whether a plugin is neither the kernel's own nor one of the package's. */
export function isThirdParty(plugin: Plugin): boolean {
  const origin = originOf(plugin)
  return origin !== undefined && !isOwnCode(origin.file)
}

/** Whether a plugin is known to be one of the package's. */
export function isShipped(plugin: Plugin): boolean {
  const origin = originOf(plugin)
  return origin !== undefined && isOwnCode(origin.file)
}

/** Of two that bring the same thing, the second is named: third parties come last. */
export const thirdPartiesLast = <T>(items: readonly T[], pluginOf: (item: T) => Plugin): T[] =>
  items.toSorted((a, b) => Number(isThirdParty(pluginOf(a))) - Number(isThirdParty(pluginOf(b))))
