import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { types } from 'node:util'
import type { Plugin } from '../contract/plugin.ts'
import { inTime, OutOfTime, runInTime } from '../isolation/deadline.ts'
import { shareOwnModules } from '../isolation/own-imports.ts'
import { tellFaultsOf } from '../isolation/plugin-faults.ts'
import { runStep, type Step, tookTooLong, watched } from '../isolation/steps.ts'
import { codeExtension, codeRoot, packageRoot } from '../paths.ts'
import { BootError, type BootProblem, conflictsOf } from './order.ts'
import { findPackageEntry } from './package-entry.ts'
import { readPluginConfig } from './plugin-config.ts'

/**
 * Imports the plugins that a `plugins.config.json` names: `{ "plugins": ["./plugins/auth", "@acme/galley-reactions"] }`.
 * A relative entry is a folder with a `plugin` module; any other is a package whose default export is the plugin.
 * @throws BootError naming every entry that is missing, named twice, or not a plugin, and what is wrong with the others.
 */
export async function loadPlugins(configPath: string): Promise<Plugin[]> {
  const { plugins: entries } = await readPluginConfig(configPath)
  return loadEntries(entries, path.dirname(configPath))
}

/** The same for entries as a configuration in `folder` names them. */
export async function loadEntries(entries: readonly string[], folder: string): Promise<Plugin[]> {
  const ours = new Map(
    await Promise.all(
      entries
        .filter(entry => isOwnEntry(entry, folder))
        .map(async entry => [entry, await loadEntry(entry, folder)] as const)
    )
  )
  // After ours, with which they share modules: a module cannot be read at once while it is being imported.
  const results: (Plugin | BootProblem)[] = []
  for (const entry of entries) results.push(ours.get(entry) ?? (await loadEntry(entry, folder)))
  const plugins = results.flatMap(result => ('cause' in result ? [] : [result]))
  const problems = [...repeated(entries), ...results.flatMap(result => ('cause' in result ? [result] : []))]
  // With a plugin missing, others' needs cannot be judged; everything else is told in one go.
  if (problems.length > 0)
    throw new BootError([...problems, ...conflictsOf(ownFirst([...new Set(plugins)], each => each))])
  return plugins
}

/** Where a plugin came from. */
export interface Origin {
  /** As the configuration names it. */
  readonly entry: string
  readonly file: string
}
const origins = new WeakMap<Plugin, Origin>()

/** Where a loaded plugin came from; undefined for the kernel's own. */
export const originOf = (plugin: Plugin): Origin | undefined => origins.get(plugin)

/** Whether a plugin is neither the kernel's own nor one of the package's. */
export function isForeign(plugin: Plugin): boolean {
  const origin = originOf(plugin)
  return origin !== undefined && !isOwnCode(origin.file)
}

/** Others' last: of two that bring the same thing, the one that is not ours is the one to name. */
export const ownFirst = <T>(items: readonly T[], pluginOf: (item: T) => Plugin): T[] =>
  items.toSorted((a, b) => Number(isForeign(pluginOf(a))) - Number(isForeign(pluginOf(b))))

const repeated = (entries: readonly string[]): BootProblem[] =>
  entries
    .filter((entry, index) => entries.indexOf(entry) !== index)
    .map(plugin => ({ plugin, cause: 'it is named twice', remedy: 'Name it once in plugins.config.json.' }))

async function loadEntry(entry: string, folder: string): Promise<Plugin | BootProblem> {
  const file = resolveEntry(entry, folder)
  const wrong = (cause: string, remedy: string) => ({ plugin: entry, cause, remedy })
  if (file === null)
    return wrong(
      'it was not found',
      `Install it beside ${path.join(folder, 'plugins.config.json')}, or remove the entry.`
    )
  if (!isOwnCode(file)) shareOwnModules()
  try {
    const module = await importPlugin(file, importStep(entry))
    if (!isPlugin(module.default))
      return wrong(
        'its default export is not a plugin',
        'Export definePlugin({ name, contract, setup, … }) as default.'
      )
    origins.set(module.default, { entry, file })
    if (!isOwnCode(file)) tellFaultsOf(module.default.name, file)
    return module.default
  } catch (error) {
    if (error instanceof OutOfTime) return tookTooLong(importStep(entry))
    return wrong(`it cannot be imported (${messageOf(error)})`, 'Repair or remove it.')
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const importStep = (plugin: string): Step => ({
  plugin,
  what: 'importing it',
  remedy: 'Let its modules only declare things, without waiting for anything, or remove it.'
})

interface PluginModule {
  default?: unknown
}

const require = createRequire(import.meta.url)
/** The engine has no second try at a module that it ended: a start that reads its plugins twice would not know why. */
const endless = new Set<string>()

/** Another's module that loops would hold up this thread for ever: read at once, the engine can end it. */
async function importPlugin(file: string, step: Step): Promise<PluginModule> {
  if (isOwnCode(file)) return import(pathToFileURL(file).href)
  if (endless.has(file)) throw new OutOfTime()
  try {
    return await importInTime(file, step)
  } catch (error) {
    if (error instanceof OutOfTime) endless.add(file)
    throw error
  }
}

async function importInTime(file: string, step: Step): Promise<PluginModule> {
  try {
    const module: unknown = runStep(step, () => runInTime(() => require(file)))
    return types.isModuleNamespaceObject(module) ? (module as PluginModule) : { default: module }
  } catch (error) {
    if (!mustBeAwaited(error)) throw error
    return watched(step, () => inTime(import(pathToFileURL(file).href) as Promise<PluginModule>))
  }
}

/** It awaits something itself, or is being imported at this moment. */
const mustBeAwaited = (error: unknown): boolean =>
  String((error as NodeJS.ErrnoException | null)?.code).startsWith('ERR_REQUIRE_')

const isOwnEntry = (entry: string, folder: string): boolean => {
  const file = resolveEntry(entry, folder)
  return file !== null && isOwnCode(file)
}

const isOwnCode = (file: string): boolean => /^(plugins|core)[\\/]/.test(path.relative(codeRoot, file))

function resolveEntry(entry: string, folder: string): string | null {
  if (!entry.startsWith('.') && !path.isAbsolute(entry)) return findPackageEntry(entry, folder)
  const target = path.resolve(folder, entry)
  const own = path.relative(path.join(packageRoot, 'plugins'), target)
  // Our own plugins run from the code that runs now: a second copy would have its own error classes and states.
  const isOwn = !own.startsWith('..') && !path.isAbsolute(own)
  const candidates = isOwn ? [ownPlugin(path.join('plugins', own))] : pluginFiles(target)
  const found = candidates.find(existsSync)
  if (found !== undefined || isOwn) return found ?? null
  // An operator's own folder names the built-in plugins as the package's configuration does.
  const builtIn = ownPlugin(path.normalize(entry))
  return existsSync(builtIn) ? builtIn : null
}

const ownPlugin = (relative: string): string => path.join(codeRoot, relative, `plugin${codeExtension}`)

const pluginFiles = (target: string): string[] =>
  /\.[cm]?[jt]s$/.test(target)
    ? [target]
    : ['js', 'mjs', 'ts'].map(extension => path.join(target, `plugin.${extension}`))

function isPlugin(value: unknown): value is Plugin {
  const plugin = value as Partial<Plugin> | null | undefined
  return (
    typeof plugin === 'object' &&
    plugin !== null &&
    typeof plugin.name === 'string' &&
    typeof plugin.contract === 'number' &&
    typeof plugin.setup === 'function'
  )
}
