import { parse as parseToml, TomlDate, TomlError } from 'smol-toml'
import { parseAllDocuments, YAMLParseError } from 'yaml'

import { fieldsIn } from './fields.ts'

export {
  fieldsIn,
  flagField,
  knownFieldNames,
  listField,
  type PostFields,
  saidOfPost,
  textField
} from './fields.ts'

/** What stands above a text, as plain values: dates are texts as they were written. */
export interface FrontMatter {
  fields: Record<string, unknown>
  body: string
}

/** What is longer is no front matter of a post. */
const maxFrontMatterLength = 65_536

type Parse = (source: string) => unknown

const yamlFence = /^---[ \t]*\r?\n(?:([\s\S]*?)\r?\n)??(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/
const tomlFence = /^\+\+\+[ \t]*\r?\n(?:([\s\S]*?)\r?\n)??\+\+\+[ \t]*(?:\r?\n|$)/
/** With the name of its language, as Eleventy takes it. */
const namedFence = /^---[ \t]*([a-z][\w+.-]*)[ \t]*\r?\n(?:([\s\S]*?)\r?\n)??---[ \t]*(?:\r?\n|$)/i
/** As Hexo takes it, too: fields without a fence above, and without an empty line. */
const unfencedYaml = /^((?=[\w-]{1,40}:(?:[ \t]|\r?\n))(?:(?!---)[^\r\n]+\r?\n)+)---[ \t]*(?:\r?\n|$)/
/** Of Hexo: JSON without its braces. */
const hexoJson = /^;;;+[ \t]*\r?\n([\s\S]*?)\r?\n;;;+[ \t]*(?:\r?\n|$)/
/** Fields below a fence that nothing ends, or a language at it. */
const openFence =
  /^(?:---[a-z]|(?:---|\+\+\+|;;;)[ \t]*\r?\n(?:#[^\r\n]*\r?\n)*[\w"'-]+[ \t]*[:=]|\{\s*"[^"\r\n]*"\s*:)/i
/** What Hugo and Astro overlook above a fence. */
const blankStart = /^(?:[ \t]*\r?\n)+(?=---|\+\+\+|\{)/

export interface FrontMatterOptions {
  /** As any generator takes it: below empty lines, and without a fence above. Elsewhere that is a heading that is underlined. */
  isLenient: boolean
}

/**
 * Divides a file into its front matter, which is YAML, TOML or JSON as Hugo, Jekyll and Astro take it, and its text.
 * Runs in a child process: a file may come from anybody. @throws Error for front matter that cannot be read
 */
export function readFrontMatter(file: string, { isLenient }: FrontMatterOptions): FrontMatter {
  const whole = file.replace(/^\ufeff/, '')
  const text = isLenient ? whole.replace(blankStart, '') : whole
  for (const { fence, parse } of [...fences, ...(isLenient ? lenientFences : [])]) {
    const found = fence.exec(text)
    if (found !== null) return divided(text, found, parse)
  }
  const [named, language = '', source = ''] = namedFence.exec(text) ?? []
  if (named !== undefined) return divided(text, [named, source], parserOf(language))
  const read = /^\{\s*["}]/.test(text) ? readJson(text) : null
  if (read !== null) return read
  if (openFence.test(text))
    throw new SyntaxError('has front matter without an end: close it with the line it begins with')
  return { fields: {}, body: text }
}

/** By the name at a fence. @throws Error for one that is not read */
function parserOf(language: string): Parse {
  const name = language.toLowerCase()
  if (name === 'yaml' || name === 'yml') return readYaml
  if (name === 'toml') return readToml
  if (name === 'json') return source => (source.trim() === '' ? null : JSON.parse(source))
  throw new SyntaxError(`has front matter in ${JSON.stringify(language.slice(0, 20))}: write it as YAML, TOML or JSON`)
}

function divided(text: string, [whole = '', source = '']: readonly string[], parse: Parse): FrontMatter {
  if (source.length > maxFrontMatterLength)
    throw new RangeError(`has front matter of ${source.length} characters; at most ${maxFrontMatterLength} are taken`)
  return { fields: fieldsOf(parse(source)), body: text.slice(whole.length) }
}

/** Of several documents the first, as generators take it: a fence may stand below the last line, too. */
const readYaml = (source: string): unknown =>
  withPlainFaults(() => {
    const [document] = parseAllDocuments(source, { schema: 'core', uniqueKeys: false, merge: true })
    const [error] = document?.errors ?? []
    if (error !== undefined) throw error
    return document?.toJS()
  })

/** Those who parse show the lines around a fault, below what they say of it. */
function withPlainFaults(parse: () => unknown): unknown {
  try {
    return parse()
  } catch (error) {
    if (!(error instanceof YAMLParseError) && !(error instanceof TomlError)) throw error
    const [line = ''] = error.message.split('\n')
    throw new SyntaxError(line.replace(/:$/, ''), { cause: error })
  }
}

const readToml = (source: string): unknown => withPlainFaults(() => withTextDates(parseToml(source)))

const fences: readonly { fence: RegExp; parse: Parse }[] = [
  { fence: yamlFence, parse: readYaml },
  { fence: tomlFence, parse: readToml }
]
const lenientFences: typeof fences = [
  { fence: unfencedYaml, parse: readYaml },
  { fence: hexoJson, parse: source => JSON.parse(`{${source}}`) }
]

/** The fields of a file that has nothing else: JSON of another program may be a list, which has none. Runs in a child process. @throws Error for one that cannot be read */
export function readFields(file: string, form: 'yaml' | 'toml' | 'json'): Record<string, unknown> {
  const text = file.replace(/^\ufeff/, '')
  const parse = { yaml: readYaml, toml: readToml, json: (source: string) => fieldsIn(JSON.parse(source)) }[form]
  return fieldsOf(parse(text))
}

/** Hugo's third form: an object, and the text behind it. Null where the object does not end. */
function readJson(text: string): FrontMatter | null {
  const end = objectEnd(text)
  if (end === null) return null
  return { fields: fieldsOf(JSON.parse(text.slice(0, end))), body: text.slice(end).replace(/^\s*\n/, '') }
}

/** Where the object that a text begins with ends; null when it does not. */
function objectEnd(text: string): number | null {
  let depth = 0
  // A string, or a brace.
  for (const { 0: token, index } of text.slice(0, maxFrontMatterLength).matchAll(/"(?:[^"\\]|\\.)*"|[{}]/g)) {
    if (token === '{') depth += 1
    else if (token === '}') depth -= 1
    if (depth === 0) return index + 1
  }
  return null
}

function fieldsOf(value: unknown): Record<string, unknown> {
  if (value === null || value === undefined) return {}
  if (typeof value !== 'object' || Array.isArray(value)) throw new TypeError('its front matter is no list of fields')
  return fieldsIn(value)
}

/** TOML has a type for dates, which does not survive on its way to the parent process. */
function withTextDates(value: unknown): unknown {
  if (value instanceof TomlDate) return value.toISOString()
  if (Array.isArray(value)) return value.map(withTextDates)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withTextDates(each)]))
}
