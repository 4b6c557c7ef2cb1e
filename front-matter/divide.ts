import { languageNamed, type Parse, readJson, readToml, readUnbracedJson, readYaml, unreadable } from './languages.ts'

/** What is longer is no front matter of a post. */
export const maxFrontMatterLength = 65_536

/** A file in two parts: lines that may be fields, and its text. */
export interface Division {
  source: string
  body: string
  parse: Parse
  /** As every generator takes it: what stands there are fields, or it is a fault. */
  isUsual: boolean
  /** Nothing stands above them. */
  isUnfenced?: boolean
  /** What should have ended the fields, where nothing does. */
  missingEnd: string | null
  /** What the first line of fields looks like. */
  field: RegExp
}

/** What a first line says of those below it. */
interface Fence extends Pick<Division, 'parse' | 'field' | 'isUsual'> {
  /** Lines that end them. */
  ends: readonly [string, ...string[]]
}

const yamlField = /^[^\s:#][^:]{0,80}:(?:\s|$)/
const tomlField = /^(?:\[|[^\s=#][^=]{0,80}=)/
const jsonField = /^["\w][^:]{0,80}:/
const anyField = new RegExp(`${yamlField.source}|${tomlField.source}`)

const fences: Readonly<Record<string, Fence>> = {
  '---': { parse: readYaml, field: yamlField, ends: ['---', '...'], isUsual: true },
  '+++': { parse: readToml, field: tomlField, ends: ['+++'], isUsual: true }
}
/** With the name of a language, as Eleventy takes it. */
const namedFence = /^---[ \t]*([a-z][\w+.-]*)$/i
/** As Hexo takes it. */
const longFence = /^(?:-{4,}|;{3,})$/
/** Of Hexo, too: fields without a fence above. */
const unfencedField = /^["']?[\p{L}\p{N}_.-]{1,40}["']?:(?:\s|$)/u
const unfencedEnd = /^(?:-{3,}|;{3,})$/
/** Of fields that nothing begins, each line: a field, what belongs to the one before, or a comment. */
const lineOfFields = /^(?:\s|#|- |["']?[\p{L}\p{N}_. -]{1,40}["']?\s?:(?:\s|$)|$)/u

function fenceOf(line: string): Fence | null {
  if (Object.hasOwn(fences, line)) return fences[line] ?? null
  if (longFence.test(line)) return { ...hexoFence(line), ends: [line] }
  const [, word] = namedFence.exec(line) ?? []
  if (word === undefined) return null
  const parse = languageNamed(word)
  return { parse: parse ?? unreadable(word), field: anyField, ends: ['---'], isUsual: parse !== null }
}

const hexoFence = (line: string): Omit<Fence, 'ends'> =>
  line.startsWith(';')
    ? { parse: readUnbracedJson, field: jsonField, isUsual: false }
    : { parse: readYaml, field: yamlField, isUsual: false }

/** Divides what begins at `start`; null where no fields can begin. `isLenient`: as any generator takes it. */
export function divide(text: string, start: number, isLenient: boolean): Division | null {
  if (/^\{\s*["}]/.test(text.slice(start, start + maxFrontMatterLength))) return afterObject(text, start)
  const first = lineAt(text, start)
  const fence = fenceOf(first.line)
  if (fence === null) return isLenient && start === 0 ? belowUnfenced(text) : null
  const { ends, parse, field } = fence
  const [mark] = ends
  const exact = endOf(text, first.next, line => ends.includes(line))
  const isExact = !isLenient || (exact !== null && isReadable(text.slice(first.next, exact.at), parse))
  const end = isExact ? exact : endOf(text, first.next, line => ends.includes(line) || line.startsWith(mark))
  // A rule above a text looks like a fence, and the name of a language does not.
  const isUsual = fence.isUsual && start === 0 && (end === null ? first.line !== mark : ends.includes(end.line))
  if (end === null) return { ...unended(text, first.next, mark), parse, field, isUsual }
  return { ...parted(text, first.next, end), parse, field, isUsual }
}

/** Fields may hold a line that begins like the last one. */
function isReadable(source: string, parse: Parse): boolean {
  if (source.length > maxFrontMatterLength) return false
  try {
    const fields = parse(source)
    return typeof fields === 'object' && !Array.isArray(fields)
  } catch {
    return false
  }
}

function belowUnfenced(text: string): Division | null {
  if (!unfencedField.test(lineAt(text, 0).line)) return null
  const end = endOf(text, 0, line => unfencedEnd.test(line) || !lineOfFields.test(line))
  if (end === null || !unfencedEnd.test(end.line)) return null
  return { ...parted(text, 0, end), ...hexoFence(end.line), isUnfenced: true }
}

const object = { parse: readJson, field: /^\{/ }

/** Hugo's third form: an object, and the text behind it. */
function afterObject(text: string, start: number): Division {
  const end = objectEnd(text, start)
  if (end === null) return { ...unended(text, start, '}'), ...object, isUsual: false }
  const body = text.slice(end).replace(/^\s*\n/, '')
  return { source: text.slice(start, end), body, missingEnd: null, ...object, isUsual: start === 0 }
}

type Parts = Pick<Division, 'source' | 'body' | 'missingEnd'>

function parted(text: string, from: number, { line, at, next }: Line): Parts {
  const rest = line.replace(/^([-+;.])\1*[ \t]*/, '')
  const source = text.slice(from, at).replace(/\r?\n$/, '')
  return { source, body: rest === '' ? text.slice(next) : text.slice(at + line.length - rest.length), missingEnd: null }
}

/** Up to the first empty line below them. */
function unended(text: string, from: number, missingEnd: string): Parts {
  let hasWords = false
  const end = endOf(text.slice(0, from + maxFrontMatterLength), from, line => {
    hasWords ||= line !== ''
    return hasWords && line === ''
  })
  return { source: text.slice(from, end?.at ?? from + maxFrontMatterLength), body: text, missingEnd }
}

interface Line {
  /** Without the blanks at its end. */
  line: string
  at: number
  /** Where the next one begins. */
  next: number
}

function lineAt(text: string, at: number): Line {
  const end = text.indexOf('\n', at)
  return { line: text.slice(at, end === -1 ? undefined : end).trimEnd(), at, next: end === -1 ? text.length : end + 1 }
}

/** The first line that ends what begins at `from`; null when none does. */
function endOf(text: string, from: number, isEnd: (line: string) => boolean): Line | null {
  for (let at = from; at < text.length; ) {
    const line = lineAt(text, at)
    if (isEnd(line.line)) return line
    at = line.next
  }
  return null
}

/** Where an object ends; null when it does not. */
function objectEnd(text: string, start: number): number | null {
  let depth = 0
  // A string, which may have no end, or a brace.
  const tokens = text.slice(start).matchAll(/"(?:[^"\\]|\\[\s\S])*(?:"|\\?$)|[{}]/g)
  for (const { 0: token, index } of tokens) {
    if (token === '{') depth += 1
    else if (token === '}') depth -= 1
    if (depth === 0) return start + index + 1
  }
  return null
}
