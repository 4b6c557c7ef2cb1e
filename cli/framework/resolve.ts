import { beforeDashes, isJsonFlag, type ParsedArguments, parseArguments } from './arguments.ts'
import type { Catalogue, CatalogueCommand, CatalogueGroup } from './catalogue.ts'
import { commandHelp, groupHelp, type HelpOptions, programHelp, usageLine } from './help.ts'
import { nearest } from './nearest.ts'
import { UsageError } from './usage-error.ts'

/** What a command line asks for: a text to print, or a command to run. */
export type Request = { kind: 'text'; text: string } | ({ kind: 'run'; path: readonly string[] } & ParsedArguments)

/**
 * Reads a command line against the catalogue, without running anything. Help and version win over everything else
 * on the line, so that no command ever runs with `--help` among its arguments.
 * @throws UsageError
 */
export async function resolveLine(
  catalogue: Catalogue,
  argv: readonly string[],
  options: HelpOptions
): Promise<Request> {
  const flags = beforeDashes(argv)
  const words = moveJsonBehind(argv)
  if (flags.includes('--version') || flags[0] === '-v') return { kind: 'text', text: options.version }
  const isHelp = flags.includes('--help') || flags.includes('-h')
  if (words.length === 0) return { kind: 'text', text: await programHelp(catalogue, options) }
  const named = isHelp ? words.filter(word => !word.startsWith('-')) : words
  const [first, second] = named
  if (first === undefined) return { kind: 'text', text: await programHelp(catalogue, options) }
  const entry = find(catalogue, first, options.name, 'command')
  if ('args' in entry) return isHelp ? helpOf([first], entry, options) : run([first], entry, words.slice(1), options)
  if (second === undefined || isJsonFlag(second))
    return isHelp ? groupText(first, entry, options) : refuseGroup(first, entry, options)
  const command = find(entry.commands, second, `${options.name} ${first}`, `${first} command`)
  const path = [first, second]
  return isHelp ? helpOf(path, command, options) : run(path, command, words.slice(2), options)
}

/** `galley --json posts list` is as good as `galley posts list --json`. */
function moveJsonBehind(argv: readonly string[]): readonly string[] {
  const start = argv.findIndex(word => !isJsonFlag(word))
  if (start <= 0) return start === -1 ? [] : argv
  const words = argv.slice(start)
  // Behind the command's name, which is one word or two: never between a flag and its value.
  const name = words[1]?.startsWith('-') ? 1 : 2
  return [...words.slice(0, name), '--json', ...words.slice(name)]
}

function find<Entry>(entries: Readonly<Record<string, Entry>>, word: string, path: string, what: string): Entry {
  const entry = Object.hasOwn(entries, word) ? entries[word] : undefined
  if (entry !== undefined) return entry
  const kind = word.startsWith('-') ? 'flag' : what
  const guesses = kind === 'flag' ? [] : nearest(word, Object.keys(entries))
  const hint = guesses.length === 0 ? '' : `; did you mean ${guesses.join(', ')}?`
  const text = `unknown ${kind} ${JSON.stringify(word)}${hint}`
  throw new UsageError([{ field: 'command', fault: text, text }], `run "${path} --help" for the list`)
}

function refuseGroup(name: string, group: CatalogueGroup, options: HelpOptions): never {
  const names = Object.keys(group.commands).join(', ')
  const text = `${name} needs a command: ${names}`
  throw new UsageError([{ field: 'command', fault: text, text }], `usage: ${options.name} ${name} <command>`)
}

async function groupText(name: string, group: CatalogueGroup, options: HelpOptions): Promise<Request> {
  return { kind: 'text', text: await groupHelp(`${options.name} ${name}`, group, options) }
}

async function helpOf(path: readonly string[], command: CatalogueCommand, options: HelpOptions): Promise<Request> {
  return { kind: 'text', text: await commandHelp([options.name, ...path].join(' '), command, options) }
}

function run(
  path: readonly string[],
  command: CatalogueCommand,
  argv: readonly string[],
  options: HelpOptions
): Request {
  try {
    return { kind: 'run', path, ...parseArguments(command.args, argv, command.validate) }
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    throw new UsageError(error.faults, usageLine([options.name, ...path].join(' '), command.args), {
      isPartial: command.isChecked === true && command.validate === undefined
    })
  }
}
