import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { BootError, type BootProblem, conflictsOf } from './order.ts'
import { shareOwnModules } from './own-imports.ts'
import { findPackageEntry } from './package-entry.ts'
import { codeExtension, codeRoot, packageRoot } from './paths.ts'
import type { Plugin } from './plugin.ts'

/**
 * Imports the plugins that a `plugins.config.json` names: `{ "plugins": ["./plugins/auth", "@acme/galley-reactions"] }`.
 * A relative entry is a folder with a `plugin` module; any other is a package whose default export is the plugin.
 * @throws BootError naming every entry that is missing, named twice, or not a plugin, and what is wrong with the others.
 */
export async function loadPlugins(configPath: string): Promise<Plugin[]> {
  const entries = await readEntries(configPath)
  const results = await Promise.all(entries.map(entry => loadEntry(entry, path.dirname(configPath))))
  const plugins = results.flatMap(result => ('cause' in result ? [] : [result]))
  const problems = [...repeated(entries), ...results.flatMap(result => ('cause' in result ? [result] : []))]
  // With a plugin missing, others' needs cannot be judged; everything else is told in one go.
  if (problems.length > 0) throw new BootError([...problems, ...conflictsOf([...new Set(plugins)])])
  return plugins
}

async function readEntries(configPath: string): Promise<string[]> {
  const refuse = (cause: string) =>
    new BootError([{ plugin: configPath, cause, remedy: 'Write { "plugins": ["./plugins/auth", …] }.' }])
  let config: unknown
  try {
    config = JSON.parse(await readFile(configPath, 'utf8'))
  } catch (error) {
    throw refuse(`the file cannot be read as JSON (${(error as Error).message})`)
  }
  const entries = (config as { plugins?: unknown } | null)?.plugins
  if (!Array.isArray(entries) || !entries.every(entry => typeof entry === 'string' && entry !== '')) {
    throw refuse('"plugins" is not a list of strings')
  }
  return entries
}

const repeated = (entries: string[]): BootProblem[] =>
  entries
    .filter((entry, index) => entries.indexOf(entry) !== index)
    .map(plugin => ({ plugin, cause: 'it is named twice', remedy: 'Name it once in plugins.config.json.' }))

async function loadEntry(entry: string, folder: string): Promise<Plugin | BootProblem> {
  const file = resolveEntry(entry, folder)
  if (file === null) {
    return {
      plugin: entry,
      cause: 'it was not found',
      remedy: `Install it beside ${path.join(folder, 'plugins.config.json')}, or remove the entry.`
    }
  }
  if (path.relative(codeRoot, file).startsWith('..') || file.includes('node_modules')) shareOwnModules()
  try {
    const module = (await import(pathToFileURL(file).href)) as { default?: unknown }
    return isPlugin(module.default)
      ? module.default
      : {
          plugin: entry,
          cause: 'its default export is not a plugin',
          remedy: 'Export definePlugin({ name, contract, setup, … }) as default.'
        }
  } catch (error) {
    return {
      plugin: entry,
      cause: `it cannot be imported (${(error as Error).message})`,
      remedy: 'Repair or remove it.'
    }
  }
}

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
