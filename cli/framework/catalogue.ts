import type { ArgDefinition, ArgDefinitions, Command, Commands, SingleCommand } from '../../core/contract/command.ts'
import type { FieldErrors } from '../../core/contract/errors.ts'
import type { ParsedArguments } from './arguments.ts'

/** What can be called: groups of commands, and single ones, by name. */
export type Program = Readonly<Record<string, Commands | SingleCommand>>

/** A command as data: all that help and the checking of a command line need. */
export interface CatalogueCommand {
  readonly describe: string
  readonly args: ArgDefinitions
  readonly returns?: string
  readonly exitStatuses?: Readonly<Record<number, string>>
  /** The command has a `validate` function. It is missing from the catalogue that the build writes. */
  readonly isChecked?: true
  readonly validate?: (args: ParsedArguments['args']) => FieldErrors
}
export interface CatalogueGroup {
  readonly describe: string
  readonly commands: Readonly<Record<string, CatalogueCommand>>
}
/** The program as data. The build writes it, so that help needs no plugin. */
export type Catalogue = Readonly<Record<string, CatalogueGroup | CatalogueCommand>>

/** Every command with its words, as in `posts list`: the single ones first. */
export function commandsOf(catalogue: Catalogue): { path: string; command: CatalogueCommand }[] {
  const entries = Object.entries(catalogue)
  const single = entries.flatMap(([path, entry]) => ('args' in entry ? [{ path, command: entry }] : []))
  const grouped = entries.flatMap(([group, entry]) =>
    'args' in entry
      ? []
      : Object.entries(entry.commands).map(([name, command]) => ({ path: `${group} ${name}`, command }))
  )
  return [...single, ...grouped]
}

/**
 * Loads the entries named (default: all) and describes them; the others keep their line, without commands, and so does one
 * that cannot be loaded when there is an `onFailure` to report it to.
 */
export async function describeProgram(
  program: Program,
  names: readonly string[] = Object.keys(program),
  onFailure?: (name: string, error: unknown) => void
): Promise<Catalogue> {
  const entries = Object.entries(program).map(async ([name, entry]) => {
    const described = describeEntry(entry, names.includes(name)).catch(error => {
      if (onFailure === undefined) throw error
      onFailure(name, error)
      return describeEntry(entry, false)
    })
    return [name, await described]
  })
  return Object.fromEntries(await Promise.all(entries))
}

async function describeEntry(
  entry: Commands | SingleCommand,
  isLoaded: boolean
): Promise<CatalogueGroup | CatalogueCommand> {
  const { describe } = entry
  if ('loadCommand' in entry)
    return isLoaded ? { ...describeCommand(await entry.loadCommand()), describe } : { describe, args: {} }
  const group = isLoaded ? await entry.load() : {}
  const commands = Object.entries(group).map(([name, command]) => [name, describeCommand(command)])
  return { describe, commands: Object.fromEntries(commands) }
}

const yes: ArgDefinition = { type: 'boolean', alias: 'y', describe: 'Do not ask first' }

// biome-ignore lint/suspicious/noExplicitAny: commands have different arguments and results
function describeCommand(command: Command<any, any>): CatalogueCommand {
  const { describe, args, confirm, returns, exitStatuses, validate } = command
  return {
    describe,
    args: confirm === undefined ? args : { yes, ...args },
    ...(returns === undefined ? {} : { returns }),
    ...(exitStatuses === undefined ? {} : { exitStatuses }),
    ...(validate === undefined ? {} : { isChecked: true, validate })
  }
}
