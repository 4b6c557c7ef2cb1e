import { parse as parseToml, TomlDate, TomlError } from 'smol-toml'
import { parseAllDocuments, YAMLParseError } from 'yaml'

/** Makes values of the lines of fields. @throws Error for those that cannot be read */
export type Parse = (source: string) => unknown

/** Of several documents the first, as generators take it: a fence may stand below the last line, too. */
export const readYaml: Parse = source =>
  withPlainFaults(() => {
    const [document] = parseAllDocuments(source, { schema: 'core', uniqueKeys: false, merge: true })
    const [error] = document?.errors ?? []
    if (error !== undefined) throw error
    return document?.toJS()
  })

export const readToml: Parse = source => withPlainFaults(() => withTextDates(parseToml(source)))

/** None where nothing is written. */
export const readJson: Parse = source => (source.trim() === '' ? null : JSON.parse(source))

/** Of Hexo: JSON without its braces. */
export const readUnbracedJson: Parse = source => JSON.parse(`{${source}}`)

const languages: Readonly<Record<string, Parse>> = { yaml: readYaml, yml: readYaml, toml: readToml, json: readJson }
/** Which generators run, and we do not. */
const programs = ['js', 'javascript', 'coffee', 'coffeescript', 'cson']

/** By the name at a fence; null for a word that is the name of no language. */
export function languageNamed(word: string): Parse | null {
  const name = word.toLowerCase()
  if (Object.hasOwn(languages, name)) return languages[name] ?? null
  return programs.includes(name) ? unreadable(word) : null
}

/** What fields in another language come to. */
export const unreadable =
  (language: string): Parse =>
  () => {
    throw new SyntaxError(
      `has front matter in ${JSON.stringify(language.slice(0, 20))}: write it as YAML, TOML or JSON`
    )
  }

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

/** TOML has a type for dates, which does not survive on its way to the parent process. */
function withTextDates(value: unknown): unknown {
  if (value instanceof TomlDate) return value.toISOString()
  if (Array.isArray(value)) return value.map(withTextDates)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withTextDates(each)]))
}
