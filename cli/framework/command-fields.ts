import { BootError, type BootProblem } from '../../core/contract/boot-error.ts'
import type { ArgDefinition, Command, CommandGroup, Commands, SingleCommand } from '../../core/contract/command.ts'
import type { LoadedPlugin } from '../../core/kernel/contribution-rules.ts'
import { fieldProblems, type KnownFields } from '../../core/kernel/known-fields.ts'
import { isObject } from '../../core/unknown.ts'
import { commonFlags } from './arguments.ts'
import { commandsInTime } from './load-in-time.ts'

const commandFields: KnownFields<Command> = {
  describe: true,
  args: true,
  validate: true,
  run: true,
  text: true,
  exitStatus: true,
  confirm: true,
  returns: true,
  exitStatuses: true
}

const argumentFields: KnownFields<ArgDefinition> = {
  type: true,
  describe: true,
  required: true,
  default: true,
  options: true,
  minimum: true,
  maximum: true,
  acceptsEmpty: true,
  alias: true,
  suggestions: true,
  placeholder: true,
  completes: true,
  isSecret: true
}

/**
 * Loads the commands of plugins, and looks for fields that nobody reads: a misspelt `confirm` would destroy without a question. An
 * argument with the name of a flag of every command would never get its value.
 * @throws BootError naming them all
 */
export async function refuseMisspeltCommands(plugins: readonly LoadedPlugin[]): Promise<void> {
  const problems = await Promise.all(plugins.map(problemsOf))
  if (problems.flat().length > 0) throw new BootError(problems.flat())
}

async function problemsOf(loaded: LoadedPlugin): Promise<BootProblem[]> {
  const groups = Object.entries(commandsInTime(loaded)).map(async ([name, entry]) => {
    const group = await loadGroup(name, entry)
    return Object.entries(group).flatMap(([path, command]) => misspeltFields(loaded.plugin.name, path, command))
  })
  return (await Promise.all(groups)).flat()
}

/** Commands by the words that call them. Of a group that cannot be loaded, the first call of its commands says why. */
async function loadGroup(name: string, entry: Commands | SingleCommand): Promise<CommandGroup> {
  try {
    if ('loadCommand' in entry) return { [name]: await entry.loadCommand() }
    const group = Object.entries(await entry.load())
    return Object.fromEntries(group.map(([command, definition]) => [`${name} ${command}`, definition]))
  } catch {
    return {}
  }
}

function misspeltFields(plugin: string, path: string, command: CommandGroup[string]): BootProblem[] {
  const what = `its command ${path}`
  const args: unknown = isObject(command) ? command.args : undefined
  return [
    ...fieldProblems(plugin, { what, kind: 'a command', declared: command }, commandFields),
    ...Object.entries(isObject(args) ? args : {}).flatMap(([name, declared]) => [
      ...fieldProblems(plugin, { what: `${name} of ${what}`, kind: 'an argument', declared }, argumentFields),
      ...reservedFlag(plugin, name, what, declared)
    ])
  ]
}

function reservedFlag(plugin: string, name: string, what: string, declared: unknown): BootProblem[] {
  const isPositional = isObject(declared) && declared.type === 'positional'
  if (isPositional || !commonFlags.includes(name)) return []
  return [
    { plugin, cause: `${what} has the argument ${name}, a flag of every command`, remedy: 'Give it another name.' }
  ]
}
