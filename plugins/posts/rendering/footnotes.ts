import { Marked, type Token, type TokenizerAndRendererExtension } from 'marked'
import { escapeHtml } from '#text/html-entities'
import { tagsAsText } from './tags-as-text.ts'

// Own code: marked-footnote keeps the notes of a text that failed, and numbers those of the next one on.

/** `[^label]: text`, with lines of the same paragraph and further ones that are indented. */
interface FootnoteDefinition {
  type: 'footnoteDefinition'
  raw: string
  label: string
  tokens: Token[]
}

/** `[^label]` in a text. One that nothing defines is shown as it was typed. */
interface FootnoteMark {
  type: 'footnoteMark'
  raw: string
  label: string
  isDefined?: boolean
  number?: number
  isFirst?: boolean
}

const isDefinition = (token: { type?: string }): token is FootnoteDefinition => token.type === 'footnoteDefinition'
const isMark = (token: { type?: string }): token is FootnoteMark => token.type === 'footnoteMark'

const label = String.raw`\[\^([^\]\s]{1,40})\]`
const blockStart = String.raw`#{1,6}\s|>|[-*+]\s|\d{1,9}[.)]\s|${'`'}{3}|~~~|\[\^`
const sameParagraph = String.raw`(?:\n(?![ \t]*(?:\n|$|${blockStart}))[^\n]+)*`
const indented = String.raw`(?:(?:\n[ \t]*(?=\n))*\n(?: {4}|\t)[ \t]*\S[^\n]*)*`
const definitionPattern = new RegExp(String.raw`^ {0,3}${label}:[ \t]*([^\n]*${sameParagraph}${indented})(?:\n|$)`)
const markPattern = new RegExp(`^${label}`)
const definitionInParagraph = new RegExp(String.raw`\n {0,3}${label}:`)
const blankLine = /\n[ \t]*\n/

const definition: TokenizerAndRendererExtension = {
  name: 'footnoteDefinition',
  level: 'block',
  childTokens: ['tokens'],
  // A definition ends the paragraph before it. Only that paragraph is searched: marked asks for each.
  start: source => {
    const paragraph = source.slice(0, blankLine.exec(source)?.index)
    const before = definitionInParagraph.exec(paragraph)
    return before === null ? undefined : before.index + 1
  },
  tokenizer(source) {
    const [raw, name, text = ''] = definitionPattern.exec(source) ?? []
    if (raw === undefined || name === undefined) return undefined
    const tokens = this.lexer.blockTokens(text.replace(/^(?: {4}|\t)/gm, ''), [])
    return { type: 'footnoteDefinition', raw, label: name, tokens }
  },
  // The notes stand at the end of the text.
  renderer: () => ''
}

const mark: TokenizerAndRendererExtension = {
  name: 'footnoteMark',
  level: 'inline',
  tokenizer(source) {
    const [raw, name] = markPattern.exec(source) ?? []
    return raw === undefined || name === undefined ? undefined : { type: 'footnoteMark', raw, label: name }
  },
  renderer: token => (isMark(token) ? markHtml(token) : '')
}

/** Boxes of a task list as characters: a form's elements are no part of a text. */
const taskBox = ({ checked }: { checked: boolean }): string => (checked ? '☑ ' : '☐ ')

const footnotes = { extensions: [definition, mark], renderer: { checkbox: taskBox } }
const marked = new Marked(footnotes)

/** Reads markdown with footnotes, as GitHub has them. */
export function lexer(markdown: string): Token[] {
  // Most texts have none, and are read twice as fast without.
  if (!markdown.includes('[^')) return new Marked(tagsAsText(markdown)).lexer(markdown)
  const tokens = new Marked(footnotes, tagsAsText(markdown)).lexer(markdown)
  const { defined, marks } = footnotesIn(tokens)
  for (const each of marks) each.isDefined = defined.has(each.label)
  return tokens
}

/** A mark as plain text: none, where it has a note. Undefined for other tokens. */
export const plainMark = (token: { type?: string }): string | undefined =>
  isMark(token) ? (token.isDefined === true ? '' : token.raw) : undefined

/** The HTML of tokens of `lexer`, not sanitised, with the footnotes that have a mark at its end. */
export function parser(tokens: Token[]): string {
  const { defined, marks } = footnotesIn(tokens)
  const notes = new Map<FootnoteDefinition, number>()
  for (const each of marks) {
    const note = defined.get(each.label)
    if (note === undefined) continue
    each.isFirst = !notes.has(note)
    each.number = notes.get(note) ?? notes.size + 1
    notes.set(note, each.number)
  }
  const html = marked.parser(tokens)
  return notes.size === 0 ? html : html + noteList([...notes.keys()])
}

function footnotesIn(tokens: Token[]): { defined: Map<string, FootnoteDefinition>; marks: FootnoteMark[] } {
  const defined = new Map<string, FootnoteDefinition>()
  const marks: FootnoteMark[] = []
  marked.walkTokens(tokens, token => {
    if (isMark(token)) marks.push(token)
    else if (isDefinition(token) && !defined.has(token.label)) defined.set(token.label, token)
  })
  return { defined, marks }
}

function markHtml({ raw, number, isFirst }: FootnoteMark): string {
  if (number === undefined) return escapeHtml(raw)
  const id = isFirst === true ? ` id="noteref-${number}"` : ''
  return `<sup class="ref"><a href="#note-${number}"${id}>${number}</a></sup>`
}

function noteList(notes: readonly FootnoteDefinition[]): string {
  const items = notes.map(({ tokens }, at) => {
    const html = marked.parser(tokens).trim()
    const text = /^<p>(?:(?!<p>)[\s\S])*<\/p>$/.test(html) ? html.slice('<p>'.length, -'</p>'.length) : html
    return `<li id="note-${at + 1}">${text} <a href="#noteref-${at + 1}" aria-label="Back to the text">↩</a></li>`
  })
  return `<section class="notes" aria-label="Footnotes"><ol>\n${items.join('\n')}\n</ol></section>\n`
}
