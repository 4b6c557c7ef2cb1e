import { stripDirectionMarks } from '#text/excerpts'
import { decodeHtmlEntities } from '#text/html-entities'

/** Only this much of a text is read for a snippet. */
export const snippetTextLength = 30_000

/** Parentheses of an address in pairs, two deep, belong to it. The last one may be cut off with the text. */
const link =
  /!?\[([^\]]{0,500})\]\((?:[^()\s]|\((?:[^()\s]|\([^()\s]{0,99}\)){0,999}\)|\(){0,2000}(?:\s{1,9}"[^"]{0,500}")?\)?/g

/** Code, fenced or between ticks: what stands in it is shown as it is typed. A fence may end with the text. */
const code =
  /^[ \t>]*(`{3,}|~{3,})[^`\n]*(?=\n)[\s\S]*?(?:\n[ \t>]*\1|(?![\s\S]))|(?<![`\\])(`+)(?!`)(?:(?!\n[ \t]*\n)[\s\S]){1,2000}?(?<!`)\2(?!`)/gm
/** A footnote's mark, or what its text begins with; or code, where `[^a]` is no mark. */
const footnote = new RegExp(
  String.raw`${code.source}|^ {0,3}\[\^([^\]\s]{1,40})\]:[ \t]{0,99}|\[\^([^\]\s]{1,40})\]`,
  'gm'
)
const definedFootnote = /^ {0,3}\[\^([^\]\s]{1,40})\]:/gm

/** As the page of a post has it: a mark that nothing defines is shown as it was typed. */
function withoutFootnoteMarks(markdown: string): string {
  if (!markdown.includes('[^')) return markdown
  const defined = new Set(Array.from(markdown.matchAll(definedFootnote), ([, label]) => label))
  if (defined.size === 0) return markdown
  return markdown.replace(footnote, (each, _fence, _ticks, definition?: string, mark?: string) =>
    defined.has(definition ?? mark) ? '' : each
  )
}

/** Stands for the & of code while references are decoded. No text in the database has it. */
const codeAmpersand = '\0'

/** What snippets are made of: markdown without its marks, in one line. Lengths are bounded, so that no text takes long. */
export function markdownToText(markdown: string): string {
  const text = withoutFootnoteMarks(markdown)
  const hasReferences = text.includes('&')
  const marked = hasReferences ? text.replace(code, each => each.replaceAll('&', codeAmpersand)) : text
  const unmarked = marked
    .replace(link, '$1')
    .replace(/^\s{0,3}(?:#{1,6}|>|[-*+]|\d{1,3}\.)\s+/gm, '')
    .replace(/\*\*|__|`+|~~/g, '')
  // Last, so that no mark is taken for markdown that was written not to be.
  const decoded = hasReferences ? decodeHtmlEntities(unmarked).replaceAll(codeAmpersand, '&') : unmarked
  const line = stripDirectionMarks(decoded).replace(blanks, ' ').trim()
  return mayDecompose.test(line) ? line.normalize('NFC') : line
}

/** Not the single blanks, which are most of them. */
const blanks = /(?! \S)\s+/g
/** Below U+0300 every text is in NFC. */
const mayDecompose = /[\u0300-\uffff]/
