import { parseArgs } from 'node:util'
import type { ArgDefinition, ArgDefinitions } from '../../core/contract/command.ts'
import type { FieldErrors } from '../../core/contract/errors.ts'
import { readValue } from './argument-value.ts'
import { argumentFaults, argumentLabel, fieldOf, withGiven } from './input-faults.ts'
import { nearest } from './nearest.ts'
import { type LineFault, UsageError } from './usage-error.ts'

export interface ParsedArguments {
  /** By the definitions' names; every boolean is there. */
  args: Record<string, string | number | boolean | undefined>
  /** True with `--json` or `--json-output`, which every command takes. */
  json: boolean
}

const jsonFlags = ['json', 'json-output']

/** Flags of every command: an argument of a command cannot have such a name. */
export const commonFlags: readonly string[] = [...jsonFlags, 'help']

/** What stands before `--`: after it everything is an argument. */
export function beforeDashes(argv: readonly string[]): readonly string[] {
  const end = argv.indexOf('--')
  return end === -1 ? argv : argv.slice(0, end)
}

export const wantsJson = (argv: readonly string[]): boolean => beforeDashes(argv).some(isJsonFlag)

export const isJsonFlag = (word: string): boolean => jsonFlags.some(name => word === `--${name}`)

/** The command, or the group of commands, that a line names; empty where it names none. */
export const firstWord = (argv: readonly string[]): string => argv.find(word => !isJsonFlag(word)) ?? ''

interface OptionToken {
  /** The word it stands in. */
  word: string
  name: string
  rawName: string
  value: string | undefined
  inlineValue: boolean | undefined
}

/** What has been read of a command line. */
interface Reading {
  readonly definitions: ArgDefinitions
  /** Of what could be read. */
  readonly values: Map<string, string | number | boolean>
  /** Given, whether it could be read or not. */
  readonly given: Set<string>
  readonly faults: LineFault[]
}

/**
 * Reads a command's arguments strictly: what the definitions do not declare is refused, never ignored. `validate` tells what
 * else is wrong with the values.
 * @throws UsageError naming every fault, an unknown flag with the nearest ones that exist.
 */
export function parseArguments(
  definitions: ArgDefinitions,
  argv: readonly string[],
  validate?: (args: ParsedArguments['args']) => FieldErrors
): ParsedArguments {
  const { flags, positionals } = tokenize(definitions, argv)
  const reading: Reading = { definitions, values: new Map(), given: new Set(), faults: [] }
  const { faults } = reading
  let json = false
  for (const flag of flags) {
    const name = flag.name
    if (!jsonFlags.includes(name)) takeFlag(reading, flag)
    else if (flag.value === undefined) json = true
    else addFault(reading, name, 'takes no value')
  }
  // The words after an unknown flag may be its value: calling them unexpected as well would only confuse.
  const isCertain = !faults.some(({ isUnknownFlag }) => isUnknownFlag)
  takePositionals(reading, positionals, isCertain)
  faults.push(...missing(reading, isCertain))
  const args = argumentsOf(reading)
  // What has a fault already, or may be missing only because of one, has no other.
  const isReported = (field: string) => !isCertain || faults.some(each => each.field === field)
  const others = argumentFaults(validate?.(args) ?? {}, definitions, args).filter(({ field }) => !isReported(field))
  faults.push(...others)
  if (faults.length > 0) throw new UsageError(faults)
  return { args, json }
}

function argumentsOf({ definitions, values, given }: Reading): ParsedArguments['args'] {
  const args = Object.entries(definitions).map(([name, { type, default: fallback }]) => {
    // The default does not stand for what could not be read.
    const absent = given.has(name) ? undefined : fallback
    return [name, values.get(name) ?? absent ?? (type === 'boolean' ? false : undefined)]
  })
  return Object.fromEntries(args)
}

function tokenize(definitions: ArgDefinitions, argv: readonly string[]) {
  const options: Record<string, { type: 'string' | 'boolean'; short?: string }> = {}
  for (const name of jsonFlags) options[name] = { type: 'boolean' }
  for (const [name, { type, alias }] of Object.entries(definitions)) {
    if (type === 'positional') continue
    options[name] = {
      type: type === 'boolean' ? 'boolean' : 'string',
      ...(alias === undefined ? {} : { short: alias })
    }
  }
  const args = argv.map(word => (negative.test(word) ? mark + word : word))
  const { tokens } = parseArgs({ args, options, strict: false, allowPositionals: true, tokens: true })
  const flags: OptionToken[] = tokens.flatMap(token =>
    token.kind === 'option'
      ? { ...token, word: argv[token.index] ?? token.rawName, value: token.value && unmarked(token.value) }
      : []
  )
  return { flags, positionals: tokens.flatMap(token => (token.kind === 'positional' ? unmarked(token.value) : [])) }
}

/** `-5`, `-.5`, `-2h`: a value, as no flag begins with a digit. */
const negative = /^-\.?\d/
/** What no word of a command line holds hides such a value's dash from the parser. */
const mark = '\0'
const unmarked = (word: string): string => (word.startsWith(`${mark}-`) ? word.slice(mark.length) : word)

function takeFlag(reading: Reading, flag: OptionToken): void {
  const { definitions, given, values } = reading
  const negated = flag.name.startsWith('no-') ? flag.name.slice(3) : undefined
  const isNegation =
    negated !== undefined && definitions[negated]?.type === 'boolean' && definitions[negated].default === true
  const name = isNegation ? negated : flag.name
  const definition = Object.hasOwn(definitions, name) ? definitions[name] : undefined
  if (definition === undefined || definition.type === 'positional') {
    const unknown = unknownFlag(definitions, flag)
    // A word of several letters is one fault.
    if (!reading.faults.some(({ text }) => text === unknown.text)) reading.faults.push(unknown)
  } else if (given.has(name)) {
    addFault(reading, name, 'is given twice')
  } else if (definition.type === 'boolean') {
    given.add(name)
    if (flag.value !== undefined) addFault(reading, name, 'takes no value')
    values.set(name, !isNegation)
  } else {
    takeValue(reading, name, definition, flag)
  }
}

function takeValue(
  reading: Reading,
  name: string,
  definition: ArgDefinition,
  { value, inlineValue }: { value: string | undefined; inlineValue?: boolean | undefined }
): void {
  const label = argumentLabel(name, definition)
  reading.given.add(name)
  if (value === undefined) {
    addFault(reading, name, 'needs a value')
  } else if (inlineValue === false && /^--?[a-z]\S*$/i.test(value)) {
    const word = definition.isSecret ? '…' : value
    addFault(reading, name, `needs a value, but ${word} follows; write ${label}=${word} if that is the value`)
  } else {
    const result = readValue(definition, value)
    if ('fault' in result) addFault(reading, name, withGiven(result.fault, definition, value))
    else reading.values.set(name, result.value)
  }
}

function addFault({ definitions, faults }: Reading, name: string, fault: string): void {
  faults.push(faultOf(name, definitions[name], fault))
}

const faultOf = (name: string, definition: ArgDefinition | undefined, fault: string): LineFault => ({
  field: fieldOf(name),
  fault,
  text: `${argumentLabel(name, definition)} ${fault}`
})

function takePositionals(reading: Reading, words: readonly string[], isCertain: boolean): void {
  const declared = Object.entries(reading.definitions).filter(([, { type }]) => type === 'positional')
  for (const [index, [name, definition]] of declared.entries()) {
    const word = words[index]
    if (word !== undefined) takeValue(reading, name, definition, { value: word })
  }
  if (!isCertain) return
  for (const word of words.slice(declared.length)) {
    const fault = `unexpected argument ${JSON.stringify(word)}; quote a value that holds blanks`
    reading.faults.push({ field: 'arguments', fault, text: fault })
  }
}

function missing({ definitions, given }: Reading, isCertain: boolean): LineFault[] {
  return Object.entries(definitions)
    .filter(([name, { type, required }]) => required && !given.has(name) && (isCertain || type !== 'positional'))
    .map(([name, definition]) => faultOf(name, definition, 'is required'))
}

function unknownFlag(definitions: ArgDefinitions, { name, rawName, word }: OptionToken): LineFault {
  const isWord = /^-[^-].+$/.test(word) && Object.values(definitions).some(({ type }) => type === 'positional')
  const text = isWord
    ? `unknown flag ${word}; if it is no flag, write -- before it: -- ${word}`
    : unknownFlagText(definitions, { name, rawName })
  return { field: fieldOf(name), fault: text, text, isUnknownFlag: true }
}

function unknownFlagText(
  definitions: ArgDefinitions,
  { name, rawName }: Pick<OptionToken, 'name' | 'rawName'>
): string {
  const flags = Object.keys(definitions).filter(key => definitions[key]?.type !== 'positional')
  const known = [...flags, ...commonFlags]
  const [guess] = [...nearest(name, known), ...nearest(name.replace(/^no-/, ''), known)]
  const hint = guess === undefined ? '' : `; did you mean --${guess}?`
  return `unknown flag ${rawName}${hint}`
}
