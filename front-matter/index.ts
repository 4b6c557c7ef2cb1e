import { type Division, divide, maxFrontMatterLength } from './divide.ts'
import { fieldsIn } from './fields.ts'
import { readToml, readYaml } from './languages.ts'

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

export interface FrontMatterOptions {
  /** As any generator takes it: below empty lines, in a comment, and without a fence above. Elsewhere that is text. */
  isLenient: boolean
}

/** What generators overlook above a fence: nothing to be seen, and the begin of a comment. */
const overlooked = /^[\s\u200b\u2060\ufeff]*(?:<!--[\s\u200b\u2060\ufeff]*)?/

/**
 * Divides a file into its front matter, which is YAML, TOML or JSON as Hugo, Jekyll and Astro take it, and its text.
 * Runs in a child process: a file may come from anybody. @throws Error for front matter that cannot be read
 */
export function readFrontMatter(file: string, { isLenient }: FrontMatterOptions): FrontMatter {
  const whole = file.replace(/^\ufeff/, '')
  // Lines may end as on the first Macs, or as on Windows.
  const text = isLenient ? whole.replace(/\r(?!\n)/g, '\n') : whole
  const [above = ''] = (isLenient && overlooked.exec(text)) || []
  const division = divide(text, above.length, isLenient)
  if (division === null || !(division.isUsual || (isLenient && isMeant(division)))) return { fields: {}, body: text }
  const fields = fieldsOf(parsed(division))
  return { fields, body: above.includes('<!--') ? afterComment(division.body) : division.body }
}

/** Names of fields that a post has: where one of them is written, nobody meant a text. */
const postFieldNames =
  'title|date|pubdate|draft|published?|layout|permalink|slug|description|summary|categor(?:y|ies)|tags?|authors?|password|private|hidden|unlisted|status|visibility'
const postField = new RegExp(`(?:^|[{,])[ \\t]*["']?(?:${postFieldNames})["']?[ \\t]*[:=]`, 'im')
/** As Pelican, MultiMarkdown, Org and Nikola write a field above the text, in no fence: the name has their mark before it. */
const fieldMark = String.raw`(?:#\+|:|\.\. )?`
const fieldLine = String.raw`${fieldMark}[\p{L}\p{N}_][\p{L}\p{N}_ -]{0,39}:(?:[ \t][^\n]*)?\r?\n`
const fieldInText = new RegExp(
  String.raw`^\s*(?:<!--\s*)?(?:${fieldLine}){0,50}${fieldMark}(?:${postFieldNames})[ \t]*:`,
  'iu'
)
/** Below a heading, where some write them: others are words there. */
const hidingFieldInText = new RegExp(
  String.raw`^\s*#{1,6}[ \t][^\n]*\n\s*(?:${fieldLine}){0,50}(?:draft|published|private|hidden|unlisted|status|visibility|password)[ \t]*:`,
  'iu'
)

/** Whether a text that has no front matter begins with what may be meant for it. */
export const beginsWithField = (text: string): boolean => fieldInText.test(text) || hidingFieldInText.test(text)

/** What only some generator takes is fields where it looks so from the first line on: else it is a text with rules. */
function isMeant({ source, field, missingEnd, isUnfenced }: Division): boolean {
  const lines = source.split('\n').map(line => line.trim())
  const first = lines.find(line => line !== '' && !line.startsWith('#'))
  if (first === undefined || !field.test(first)) return false
  const hasEmptyLine = lines.includes('')
  // Words such as "Note:" begin a text, and a rule may stand anywhere in it.
  if (isUnfenced) return postField.test(hasEmptyLine ? first : source)
  return postField.test(source) || (missingEnd === null && !hasEmptyLine)
}

function parsed({ source, parse, missingEnd }: Division): unknown {
  if (missingEnd !== null)
    throw new SyntaxError(
      `has front matter without an end: close it with ${missingEnd}, or write a rule as *** where it is text`
    )
  if (source.length > maxFrontMatterLength)
    throw new RangeError(`has front matter of ${source.length} characters; at most ${maxFrontMatterLength} are taken`)
  return parse(source)
}

/** Hugo's texts may have their fields in a comment, which ends below them. */
function afterComment(body: string): string {
  const end = body.indexOf('-->')
  if (end === -1) throw new SyntaxError('has front matter in a comment without an end: close it with -->')
  return body.slice(end + 3).replace(/^[ \t]*\r?\n/, '')
}

/** The fields of a file that has nothing else: JSON of another program may be a list, which has none. Runs in a child process. @throws Error for one that cannot be read */
export function readFields(file: string, form: 'yaml' | 'toml' | 'json'): Record<string, unknown> {
  const text = file.replace(/^\ufeff/, '')
  const parse = { yaml: readYaml, toml: readToml, json: (source: string) => fieldsIn(JSON.parse(source)) }[form]
  return fieldsOf(parse(text))
}

function fieldsOf(value: unknown): Record<string, unknown> {
  if (value === null || value === undefined) return {}
  if (typeof value !== 'object' || Array.isArray(value)) throw new TypeError('its front matter is no list of fields')
  requireShallow(value)
  return fieldsIn(value)
}

const maxDepth = 50

/** What is deeper cannot be passed on to another process. @throws RangeError */
function requireShallow(fields: object): void {
  let level: unknown[] = [fields]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxDepth) throw new RangeError(`its front matter is nested more than ${maxDepth} deep`)
    // Each once: aliases of YAML name the same value again and again.
    const values = new Set(
      level.flatMap(value => (typeof value === 'object' && value !== null ? Object.values(value) : []))
    )
    level = [...values]
  }
}
