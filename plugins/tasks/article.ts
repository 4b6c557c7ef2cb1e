import { lexer, type Token, type Tokens } from 'marked'
import { decodeHtmlEntities } from '#text/html-entities'

/** A paragraph, list item, table cell or quotation as plain text. Code blocks are never part of it. */
export interface Block {
  text: string
  /** The same without inline code. */
  outsideCode: string
}

/** A heading with what stands below it up to the next heading; `heading` is null for what comes before the first. */
export interface Section {
  heading: string | null
  depth: number
  blocks: Block[]
  /** Code counts as a body, though not as words. */
  hasBody: boolean
}

/** A line of the Sources list, under the number a reader sees. */
export interface ListedSource {
  number: number
  text: string
}

/** A parsed markdown text. `sections` leave the Sources list out. */
export interface Article {
  tokens: readonly Token[]
  sections: Section[]
  blocks: Block[]
  listed: ListedSource[]
}

const sourcesHeading = /^(?:sources|references)$/i

/** Each marker of a line is a level the lexer descends; a model caught in a loop ("1. 1. 1. …") would overflow its stack. */
const deepNesting = /^[ \t]*(?:>[ \t]*|(?:[-*+]|\d{1,9}[.)])[ \t]+){20,}/gm

/** Every rail reads the same draft, one after the other: reading it once is most of their cost saved. */
let latest: { markdown: string; article: Article } | undefined

/** Parses a markdown text. The article is shared between callers: do not change it. */
export function readMarkdown(markdown: string): Article {
  if (latest?.markdown !== markdown) latest = { markdown, article: parseMarkdown(markdown) }
  return latest.article
}

function parseMarkdown(markdown: string): Article {
  const tokens = lexer(markdown.replace(deepNesting, ''))
  let section: Section = { heading: null, depth: 0, blocks: [], hasBody: false }
  const sections = [section]
  const listed: ListedSource[] = []
  let inSources = false
  for (const token of tokens) {
    if (isHeading(token)) {
      const heading = inline(token.tokens, true).trim()
      inSources = sourcesHeading.test(heading)
      if (inSources) continue
      section = { heading, depth: token.depth, blocks: [], hasBody: false }
      sections.push(section)
    } else if (inSources) listed.push(...listedIn(token))
    else addTo(section, token)
  }
  return { tokens, sections, blocks: sections.flatMap(section => section.blocks), listed }
}

function addTo(section: Section, token: Token): void {
  const blocks = blocksOf(token)
  section.blocks.push(...blocks)
  section.hasBody ||= blocks.length > 0 || token.type === 'code' || /!\[/.test(token.raw)
}

const isHeading = (token: Token): token is Tokens.Heading => token.type === 'heading'
const isList = (token: Token): token is Tokens.List => token.type === 'list'
const isTable = (token: Token): token is Tokens.Table => token.type === 'table'

function blocksOf(token: Token): Block[] {
  if (isList(token)) return token.items.flatMap(item => item.tokens.flatMap(blocksOf))
  if (isTable(token)) return [token.header, ...token.rows].flat().flatMap(cellBlock)
  if (token.type === 'blockquote') return (token.tokens ?? []).flatMap(blocksOf)
  if (!['paragraph', 'text', 'html'].includes(token.type)) return []
  return blockOf('tokens' in token && token.tokens ? token.tokens : [token])
}

const cellBlock = ({ tokens }: Tokens.TableCell): Block[] => blockOf(tokens)

function blockOf(tokens: readonly Token[]): Block[] {
  const text = inline(tokens, true).trim()
  return text === '' ? [] : [{ text, outsideCode: inline(tokens, false).trim() }]
}

function inline(tokens: readonly Token[], withCode: boolean): string {
  return tokens.map(token => inlineText(token, withCode)).join('')
}

function inlineText(token: Token, withCode: boolean): string {
  if (token.type === 'codespan') return withCode ? token.text : ' '
  if (token.type === 'br') return ' '
  if (token.type === 'image') return token.text
  if (token.type === 'html') return decodeHtmlEntities(token.raw.replace(/<[^<>]*>/g, ' '))
  // A citation becomes a link when the Sources list is written as link definitions (`[1]: https://…`).
  if (token.type === 'link' && /^\[\d+\]$/.test(token.raw)) return token.raw
  if ('tokens' in token && token.tokens) return inline(token.tokens, withCode)
  // As it was typed: the lexer has decoded the numeric references of its text.
  if (token.type === 'text') return decodeHtmlEntities(token.raw)
  return 'text' in token ? decodeHtmlEntities(token.text) : ''
}

function listedIn(token: Token): ListedSource[] {
  if (token.type === 'def') return [{ number: Number(token.tag), text: `${token.title ?? ''} ${token.href}` }]
  if (isList(token) && token.ordered) {
    const first = Number(token.start) || 1
    return token.items.map((item, index) => ({ number: first + index, text: item.text }))
  }
  const lines = isList(token) ? token.items.map(item => item.text) : token.raw.split('\n')
  return lines.flatMap(line => {
    const numbered = /^\s*\[?(\d{1,3})\]?[.):]?\s+(\S.*)$/.exec(line)
    return numbered ? [{ number: Number(numbered[1]), text: numbered[2] ?? '' }] : []
  })
}

const citation = /\[(\d{1,3}(?:\s*[,–-]\s*\d{1,3})*)\](?!\()/g

/** The numbers cited as `[1]`, `[1, 2]` or `[1-3]`, in order. */
export function citations(text: string): number[] {
  return [...text.matchAll(citation)].flatMap(match => expand(match[1] ?? ''))
}

/** Rewrites each citation; `rewrite` gets its numbers. */
export function replaceCitations(text: string, rewrite: (numbers: number[]) => string): string {
  return text.replace(citation, (_, inner: string) => rewrite(expand(inner)))
}

export function withoutCitations(text: string): string {
  return text.replace(citation, '').replace(/ +([.,;:!?])/g, '$1')
}

function expand(inner: string): number[] {
  return inner.split(',').flatMap(part => {
    const [from = 0, to = from] = part.split(/[–-]/).map(Number)
    return Array.from({ length: Math.min(Math.max(to - from, 0), 99) + 1 }, (_, index) => from + index)
  })
}

/** The numbers of a text, without the commas that group thousands: `1,000` and `1000` are the same. */
export function numbers(text: string): string[] {
  const found = text.match(/(?<![\p{L}\p{N}])\d+(?:[.,]\d+)*/gu) ?? []
  return found.map(number => number.replace(/,(?=\d{3}(?!\d))/g, ''))
}

/** What stands between quotation marks, within a line. */
export function quotations(text: string): string[] {
  return [...text.matchAll(/[“"]([^“”"\n]{1,500})[”"]/g)].map(match => match[1] ?? '')
}
