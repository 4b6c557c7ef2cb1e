import type { CommandGroup } from '../../core/contract/command.ts'
import { AppError } from '../../core/contract/errors.ts'
import type { Plugin } from '../../core/contract/plugin.ts'
import { StartTimeoutError, startSeconds, withDeadline } from '../../core/isolation/deadline.ts'
import type { LoadedPlugin } from '../../core/kernel/contribution-rules.ts'
import { originOf } from '../../core/kernel/origin.ts'
import type { Program } from './catalogue.ts'

/** What did not load in time, by plugin. Who asks again does not wait again, until it is there. */
const pending = new WeakMap<Plugin, Set<string>>()

/**
 * The commands of a plugin. Of a third party one that never loads gives an error that names the plugin: Node.js would end the
 * process without a word.
 */
export function commandsInTime({ plugin, contribution: { commands = {} } }: LoadedPlugin): Program {
  if (originOf(plugin) !== 'third-party') return commands
  const entries = Object.entries(commands).map(([name, entry]): [string, Program[string]] => [
    name,
    'loadCommand' in entry
      ? { ...entry, loadCommand: () => loadInTime<CommandGroup[string]>(plugin, name, () => entry.loadCommand()) }
      : { ...entry, load: () => loadInTime<CommandGroup>(plugin, name, () => entry.load()) }
  ])
  return Object.fromEntries(entries)
}

async function loadInTime<T>(plugin: Plugin, name: string, load: () => Promise<T>): Promise<T> {
  const names = pending.get(plugin) ?? new Set()
  pending.set(plugin, names)
  if (names.has(name)) throw tookTooLong(plugin, name)
  const loading = Promise.resolve(load())
  try {
    return await withDeadline(loading)
  } catch (error) {
    if (!(error instanceof StartTimeoutError)) throw error
    names.add(name)
    const forget = () => names.delete(name)
    loading.then(forget, forget)
    throw tookTooLong(plugin, name)
  }
}

const tookTooLong = (plugin: Plugin, name: string): AppError =>
  new AppError(
    'INTERNAL_ERROR',
    `The command ${name} of the plugin ${plugin.name} did not load within ${startSeconds()} s`,
    {
      remedy: 'let it only import what it needs, or remove the plugin from plugins.config.json'
    }
  )
