import { existsSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { BootError, type BootProblem } from '../contract/boot-error.ts'
import type { Plugin } from '../contract/plugin.ts'
import { StartTimeoutError } from '../isolation/deadline.ts'
import { importThirdParty, type PluginModule } from '../isolation/import.ts'
import { shareOwnModules } from '../isolation/own-imports.ts'
import { nameFaultsOf } from '../isolation/plugin-faults.ts'
import { type StartStep, tookTooLong } from '../isolation/steps.ts'
import { isObject, messageOf } from '../unknown.ts'
import { fileOfEntry } from './entries.ts'
import { checkManifests } from './manifest-rules.ts'
import { isOwnCode, setLoadedFrom } from './origin.ts'
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
  const results = await importAll(entries, folder)
  const plugins = results.filter(isPlugin)
  const failed = results.filter((result): result is BootProblem => !isPlugin(result))
  const problems = [...repeated(entries, folder), ...failed]
  // With a plugin missing, others' needs cannot be judged; everything else is reported at once.
  if (problems.length > 0) throw new BootError([...problems, ...checkManifests([...new Set(plugins)]).problems])
  return plugins
}

async function importAll(entries: readonly string[], folder: string): Promise<(Plugin | BootProblem)[]> {
  const isOwn = (entry: string) => isOwnCode(fileOfEntry(entry, folder) ?? '')
  const own = new Map(
    await Promise.all(entries.filter(isOwn).map(async entry => [entry, await loadEntry(entry, folder)] as const))
  )
  // After ours, with which they share modules: a module cannot be read synchronously while it is being imported.
  const results: (Plugin | BootProblem)[] = []
  for (const entry of entries) results.push(own.get(entry) ?? (await loadEntry(entry, folder)))
  return results
}

/** The same entry, or another way to name the same file, such as a link to it. */
function repeated(entries: readonly string[], folder: string): BootProblem[] {
  const named = entries.map(entry => ({ entry, file: resolveLinks(fileOfEntry(entry, folder) ?? entry) }))
  return named.flatMap(item => {
    const first = named.find(({ file }) => file === item.file) ?? item
    if (first === item) return []
    const cause = first.entry === item.entry ? 'it is named twice' : `it is the plugin that ${first.entry} names`
    return [{ plugin: item.entry, cause, remedy: 'Name it once in the list.' }]
  })
}

const resolveLinks = (file: string): string => (existsSync(file) ? realpathSync(file) : file)

async function loadEntry(entry: string, folder: string): Promise<Plugin | BootProblem> {
  const wrong = (cause: string, remedy: string) => ({ plugin: entry, cause, remedy })
  const file = fileOfEntry(entry, folder)
  if (file === null)
    return wrong(
      'it was not found as a package, or as a folder with plugin.js',
      `Install it in ${folder}, or remove it.`
    )
  try {
    const { default: plugin } = await importPlugin(file, importOf(entry))
    if (!isPlugin(plugin))
      return wrong(
        'its default export is not a plugin',
        'Export definePlugin({ name, contract, setup, … }) as default.'
      )
    setLoadedFrom(plugin, { entry, file })
    if (!isOwnCode(file)) nameFaultsOf(plugin.name, file)
    return plugin
  } catch (error) {
    if (error instanceof StartTimeoutError) return tookTooLong(importOf(entry))
    return wrong(`it cannot be imported (${messageOf(error)})`, 'Repair or remove it.')
  }
}

async function importPlugin(file: string, step: StartStep): Promise<PluginModule> {
  if (isOwnCode(file)) return import(pathToFileURL(file).href)
  shareOwnModules()
  return importThirdParty(file, step)
}

const importOf = (plugin: string): StartStep => ({
  plugin,
  what: 'importing it',
  remedy: 'Let its modules only declare things, without waiting for anything, or remove it.'
})

function isPlugin(value: unknown): value is Plugin {
  const { name, contract, setup } = isObject(value) ? value : {}
  return typeof name === 'string' && typeof contract === 'number' && typeof setup === 'function'
}
