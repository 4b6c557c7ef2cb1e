import { readFile } from 'node:fs/promises'
import { BootError } from '../contract/boot-error.ts'
import { messageOf } from '../unknown.ts'

/** What a `plugins.config.json` says. An entry is a folder with a `plugin` module, or a package. */
export interface PluginConfig {
  readonly plugins: readonly string[]
  /** Entries that are switched off, and stay in the file so that they can be switched on again. */
  readonly disabled: readonly string[]
}

/** @throws BootError when the file is not `{ "plugins": ["…"] }`. */
export async function readPluginConfig(configPath: string): Promise<PluginConfig> {
  const refuse = (cause: string) =>
    new BootError([{ plugin: configPath, cause, remedy: 'Write { "plugins": ["./plugins/auth", …] }.' }])
  let config: { plugins?: unknown; disabled?: unknown } | null
  try {
    config = JSON.parse(await readFile(configPath, 'utf8'))
  } catch (error) {
    throw refuse(`the file cannot be read as JSON (${messageOf(error)})`)
  }
  const { plugins, disabled = [] } = config ?? {}
  if (!isListOfTexts(plugins)) throw refuse('"plugins" is not a list of strings')
  if (!isListOfTexts(disabled)) throw refuse('"disabled" is not a list of strings')
  return { plugins, disabled }
}

const isListOfTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every(entry => typeof entry === 'string' && entry !== '')
