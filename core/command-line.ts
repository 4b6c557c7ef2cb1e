import { parseArgs } from 'node:util'
import type { ArgDefinition, ArgDefinitions } from './command.ts'
import { nearest } from './nearest.ts'

/** The command line itself is at fault: exit status 2. `problems` names every fault at once. */
export class UsageError extends Error {
  readonly problems: readonly string[]
  readonly usage: string | undefined

  constructor(problems: readonly string[], usage?: string) {
    super(problems.join('; '))
    this.name = 'UsageError'
    this.problems = problems
    this.usage = usage
  }
}

export interface ParsedArguments {
  /** By the definitions' names; every boolean is there. */
  args: Record<string, string | number | boolean | undefined>
  /** True with `--json` or `--json-output`, which every command takes. */
  json: boolean
}

const jsonFlags = ['json', 'json-output']

/** What stands before `--`: after it everything is an argument. */
export function beforeDashes(argv: readonly string[]): readonly string[] {
  const end = argv.indexOf('--')
  return end === -1 ? argv : argv.slice(0, end)
}

export const wantsJson = (argv: readonly string[]): boolean => beforeDashes(argv).some(isJsonFlag)

export const isJsonFlag = (word: string): boolean => jsonFlags.some(name => word === `--${name}`)

interface OptionToken {
  name: string
  rawName: string
  value: string | undefined
  inlineValue: boolean | undefined
}

/**
 * Reads a command's arguments strictly: what the definitions do not declare is refused, never ignored.
 * @throws UsageError naming every fault, an unknown flag with the nearest ones that exist.
 */
export function parseArguments(definitions: ArgDefinitions, argv: readonly string[]): ParsedArguments {
  const { flags, positionals } = tokenize(definitions, argv)
  const problems: string[] = []
  const values = new Map<string, string | number | boolean>()
  let json = false
  for (const flag of flags) {
    const name = flag.name
    if (jsonFlags.includes(name) && flag.value === undefined) json = true
    else takeFlag(definitions, flag, values, problems)
  }
  // The words after an unknown flag may be its value: calling them unexpected as well would only confuse.
  const isCertain = !problems.some(problem => problem.startsWith('unknown flag'))
  takePositionals(definitions, positionals, values, isCertain, problems)
  problems.push(...missing(definitions, values, isCertain))
  if (problems.length > 0) throw new UsageError(problems)
  const args = Object.entries(definitions).map(([name, { type, default: fallback }]) => [
    name,
    values.get(name) ?? fallback ?? (type === 'boolean' ? false : undefined)
  ])
  return { args: Object.fromEntries(args), json }
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
  const { tokens } = parseArgs({ args: [...argv], options, strict: false, allowPositionals: true, tokens: true })
  const flags: OptionToken[] = tokens.filter(token => token.kind === 'option')
  return { flags, positionals: tokens.filter(token => token.kind === 'positional').map(token => token.value) }
}

function takeFlag(
  definitions: ArgDefinitions,
  flag: OptionToken,
  values: Map<string, string | number | boolean>,
  problems: string[]
): void {
  const negated = flag.name.startsWith('no-') ? flag.name.slice(3) : undefined
  const isNegation =
    negated !== undefined && definitions[negated]?.type === 'boolean' && definitions[negated].default === true
  const name = isNegation ? negated : flag.name
  const definition = Object.hasOwn(definitions, name) ? definitions[name] : undefined
  if (definition === undefined || definition.type === 'positional') {
    problems.push(unknownFlag(definitions, flag))
  } else if (values.has(name)) {
    problems.push(`--${name} is given twice`)
  } else if (definition.type === 'boolean') {
    if (flag.value !== undefined) problems.push(`--${name} takes no value`)
    values.set(name, !isNegation)
  } else {
    takeValue(`--${name}`, name, definition, flag, values, problems)
  }
}

function takeValue(
  label: string,
  name: string,
  definition: ArgDefinition,
  { value, inlineValue }: { value: string | undefined; inlineValue?: boolean | undefined },
  values: Map<string, string | number | boolean>,
  problems: string[]
): void {
  if (value === undefined) {
    problems.push(`${label} needs a value`)
    values.set(name, '')
  } else if (inlineValue === false && /^--?[a-z]\S*$/i.test(value)) {
    problems.push(`${label} needs a value, but ${value} follows; write ${label}=${value} if that is the value`)
    values.set(name, '')
  } else {
    const result = readValue(definition, value)
    if ('fault' in result) problems.push(`${label} ${result.fault}`)
    values.set(name, 'fault' in result ? '' : result.value)
  }
}

function readValue(definition: ArgDefinition, text: string): { value: string | number } | { fault: string } {
  const { type, options, allowEmpty } = definition
  if (text === '' && !allowEmpty) return { fault: 'must not be empty' }
  if (type === 'integer' || type === 'number') return readNumber(definition, text)
  if (options === undefined || options.includes(text)) return { value: text }
  const [guess] = nearest(text, options)
  const hint = guess === undefined ? '' : `; did you mean ${guess}?`
  return { fault: `must be one of ${options.join(', ')}, not ${JSON.stringify(text)}${hint}` }
}

function readNumber({ type, minimum, maximum }: ArgDefinition, text: string): { value: number } | { fault: string } {
  const form = type === 'integer' ? /^[+-]?\d+$/ : /^[+-]?(\d+(\.\d+)?|\.\d+)$/
  const value = form.test(text) ? Number(text) : Number.NaN
  const isKept = type === 'integer' ? Number.isSafeInteger(value) : Number.isFinite(value)
  const isInside = value >= (minimum ?? -Infinity) && value <= (maximum ?? Infinity)
  if (isKept && isInside) return { value }
  return {
    fault: `must be ${type === 'integer' ? 'a whole number' : 'a number'}${boundsOf(minimum, maximum)}, not ${JSON.stringify(text)}`
  }
}

function boundsOf(minimum: number | undefined, maximum: number | undefined): string {
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`
  if (minimum !== undefined) return ` of at least ${minimum}`
  return maximum === undefined ? '' : ` of at most ${maximum}`
}

function takePositionals(
  definitions: ArgDefinitions,
  words: readonly string[],
  values: Map<string, string | number | boolean>,
  isCertain: boolean,
  problems: string[]
): void {
  const declared = Object.entries(definitions).filter(([, { type }]) => type === 'positional')
  for (const [index, [name, definition]] of declared.entries()) {
    const word = words[index]
    if (word !== undefined) takeValue(`<${name}>`, name, definition, { value: word }, values, problems)
  }
  if (!isCertain) return
  for (const word of words.slice(declared.length)) {
    problems.push(`unexpected argument ${JSON.stringify(word)}; quote a value that holds blanks`)
  }
}

function missing(definitions: ArgDefinitions, values: ReadonlyMap<string, unknown>, isCertain: boolean): string[] {
  return Object.entries(definitions)
    .filter(([name, { type, required }]) => required && !values.has(name) && (isCertain || type !== 'positional'))
    .map(([name, { type }]) => `${type === 'positional' ? `<${name}>` : `--${name}`} is required`)
}

function unknownFlag(definitions: ArgDefinitions, { name, rawName }: OptionToken): string {
  const flags = Object.keys(definitions).filter(key => definitions[key]?.type !== 'positional')
  const known = [...flags, ...jsonFlags, 'help']
  const [guess] = [...nearest(name, known), ...nearest(name.replace(/^no-/, ''), known)]
  if (/^-\d/.test(rawName)) return `unknown flag ${rawName}; write -- before a value that begins with a dash`
  const hint = guess === undefined ? '' : `; did you mean --${guess}?`
  return `unknown flag ${rawName}${hint}`
}
