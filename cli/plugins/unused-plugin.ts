import { readdirSync } from 'node:fs'
import path from 'node:path'
import { fileOfEntry } from '../../core/kernel/entries.ts'
import { readPluginConfig } from '../../core/kernel/plugin-config.ts'
import { codeRoot, packageRoot } from '../../core/paths.ts'
import { UsageError } from '../framework/usage-error.ts'
import { checkPluginEntries } from './check-plugins.ts'

/**
 * Of a command that is unknown because one of galley's own plugins is not in use, says which, and how to use it. Any other
 * error is returned as it is. `word`: the first of the command line.
 */
export async function explainUnknown(error: unknown, word: string, configPath: string): Promise<unknown> {
  if (!(error instanceof UsageError) || !error.faults.some(({ field }) => field === 'command')) return error
  const config = await readPluginConfig(configPath).catch(() => null)
  if (config === null) return error
  const folder = path.dirname(configPath)
  const used = new Set(config.plugins.map(entry => fileOfEntry(entry, folder)))
  const own = ownEntries()
  if (own.every(entry => used.has(fileOfEntry(entry, packageRoot)))) return error
  const { plugins } = await checkPluginEntries(own, path.join(packageRoot, 'plugins.config.json'))
  const plugin = plugins.find(({ commands }) => commands.includes(word))
  if (plugin?.entry == null) return error
  const file = fileOfEntry(plugin.entry, packageRoot)
  if (used.has(file)) return error
  const isDisabled = config.disabled.some(entry => fileOfEntry(entry, folder) === file)
  const remedy = isDisabled
    ? `run "galley plugins enable ${plugin.name}"`
    : `add ${JSON.stringify(plugin.entry)} to "plugins" in ${configPath}`
  const text = `the command ${word} is of the plugin ${plugin.name}, which is not in use: ${remedy}`
  return new UsageError([{ field: 'command', fault: text, text }])
}

/** Galley's own plugins, as a configuration names them. */
const ownEntries = (): string[] =>
  readdirSync(path.join(codeRoot, 'plugins'))
    .map(name => `./plugins/${name}`)
    .filter(entry => fileOfEntry(entry, packageRoot) !== null)
