import type { ArgDefinition } from '../../core/contract/command.ts'
import { type Catalogue, type CatalogueCommand, commandsOf } from '../framework/catalogue.ts'

/** A word that may stand next, with its line of help. */
export interface Word {
  word: string
  describe: string
}

/** A flag, as shells complete it. */
export interface Flag extends Word {
  alias: string | undefined
  /** What follows; `none`: nothing. */
  value: 'none' | Value
}

/** One of these words, a file's path, or text that cannot be guessed. */
export type Value = readonly string[] | 'file' | 'text'

/** A command as shells complete it. */
export interface Completion {
  /** `posts list`, or `serve`. */
  path: string
  flags: readonly Flag[]
  /** What its arguments may be, in their order. */
  words: readonly Value[]
}

/** What there is to complete: first words, second words by group, then each command's own. */
export interface Completions {
  first: readonly Word[]
  second: Readonly<Record<string, readonly Word[]>>
  commands: readonly Completion[]
}

export function completionsOf(catalogue: Catalogue): Completions {
  const entries = Object.entries(catalogue)
  const groups = entries.flatMap(([name, entry]) => ('commands' in entry ? [[name, entry.commands] as const] : []))
  return {
    first: describedWords(catalogue),
    second: Object.fromEntries(groups.map(([name, commands]) => [name, describedWords(commands)])),
    commands: commandsOf(catalogue).map(({ path, command }) => completionOf(path, command))
  }
}

const describedWords = (entries: Readonly<Record<string, { describe: string }>>): Word[] =>
  Object.entries(entries).map(([word, { describe }]) => ({ word, describe }))

const everywhere: readonly Flag[] = [
  { word: '--json', describe: 'Print the result as JSON', alias: undefined, value: 'none' },
  { word: '--json-output', describe: 'The same as --json', alias: undefined, value: 'none' },
  { word: '--help', describe: 'Show help', alias: 'h', value: 'none' }
]

function completionOf(path: string, { args }: CatalogueCommand): Completion {
  const definitions = Object.entries(args)
  return {
    path,
    flags: [
      ...definitions.flatMap(([name, definition]) =>
        definition.type === 'positional' ? [] : [flagOf(name, definition)]
      ),
      ...everywhere
    ],
    words: definitions.flatMap(([, definition]) => (definition.type === 'positional' ? [valueFor(definition)] : []))
  }
}

const flagOf = (name: string, definition: ArgDefinition): Flag => ({
  word: `--${name}`,
  describe: definition.describe,
  alias: definition.alias,
  value: definition.type === 'boolean' ? 'none' : valueFor(definition)
})

const valueFor = ({ options, suggestions, completes }: ArgDefinition): Value =>
  options ?? suggestions ?? completes ?? 'text'
