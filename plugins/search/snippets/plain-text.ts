import { stripDirectionMarks } from '#text/excerpts'
import { markdownCode, withoutHidden } from '#text/hidden-markdown'
import { decodeHtmlEntities } from '#text/html-entities'

/** So much of a text is read for a snippet, and more only of one that has none of the words by then. */
export const snippetTextLength = 30_000

/** Parentheses of an address in pairs, two deep, belong to it. The last one may be cut off with the text. */
const link =
  /!?\[([^\]]{0,500})\]\((?:[^()\s]|\((?:[^()\s]|\([^()\s]{0,99}\)){0,999}\)|\(){0,2000}(?:\s{1,9}"[^"]{0,500}")?\)?/g
/** `[text][label]`, and `[label]: address "title"`, which is no footnote. */
const referenceLink = /\[([^\]\n]{1,500})\]\[([^\]\n]{0,100})\]/g
const linkDefinition =
  /^ {0,3}\[(?!\^)([^\]\n]{1,100})\]:[ \t]{0,99}\S{1,2000}(?:[ \t]{1,9}["'(][^\n]{0,500})?[ \t]{0,9}$/gm

const footnote = /^ {0,3}\[\^([^\]\s]{1,40})\]:[ \t]{0,99}|\[\^([^\]\s]{1,40})\]/gm
const definedFootnote = /^ {0,3}\[\^([^\]\s]{1,40})\]:/gm

/** As the page of a post has it: a mark that nothing defines is shown as it was typed. */
function withoutFootnoteMarks(markdown: string): string {
  if (!markdown.includes('[^')) return markdown
  const defined = new Set(Array.from(markdown.matchAll(definedFootnote), ([, label]) => label))
  if (defined.size === 0) return markdown
  return markdown.replace(footnote, (each, definition?: string, mark?: string) =>
    defined.has(definition ?? mark) ? '' : each
  )
}

const lineMark = /^\s{0,3}(?:#{1,6}|>|[-*+]|\d{1,3}\.)\s+/gm
/** The line below a heading, and a line across the text. */
const rule = /^ {0,3}(?:={1,99}|(?:[-*_][ \t]{0,9}){3,99})$/gm
/** Rows of a table begin with `|`; the row below its head has nothing else but `-` and `:`. */
const tableRule = /^[ \t]{0,3}\|[ \t|:-]{1,2000}$/gm
const tableRow = /^[ \t]{0,3}\|[^\n]*$/gm
const strongMark = /\*\*|__|~~/g
const emphasis = /(?<![\p{L}\p{N}*_\\])([*_])(?=[^\s*_])([^*_\n]{1,500})(?<=\S)\1(?![\p{L}\p{N}*_])/gu

const escaped = /\\([!-/:-@[-`{-~])/g

/** Other words between < and > are shown as they were typed. */
const inlineTag =
  /<\/?(?:a|abbr|b|bdi|bdo|cite|code|del|dfn|em|i|img|ins|kbd|mark|q|s|samp|small|span|strong|sub|sup|time|u|var|wbr)\b[^<>]{0,2000}>/gi
const blockTag =
  /<\/?(?:article|aside|audio|blockquote|br|caption|center|dd|details|div|dl|dt|figcaption|figure|footer|h[1-6]|header|hr|iframe|li|main|nav|ol|p|picture|pre|section|source|summary|table|tbody|td|tfoot|th|thead|tr|ul|video)\b[^<>]{0,2000}>/gi
const autoLink = /<((?:https?:\/\/|mailto:)[^\s<>]{1,2000})>/gi

const withoutTags = (text: string): string =>
  text.includes('<') ? text.replace(inlineTag, '').replace(blockTag, ' ').replace(autoLink, '$1') : text

const withoutTables = (text: string): string =>
  text.includes('|') ? text.replace(tableRule, '').replace(tableRow, row => row.replaceAll('|', ' ')) : text

function withoutLinks(text: string): string {
  const once = text.includes('](') ? text.replace(link, '$1') : text
  // A picture may be the text of a link.
  const unlinked = once.includes('](') ? once.replace(link, '$1') : once
  if (!unlinked.includes(']:')) return unlinked
  const labels = new Set(Array.from(unlinked.matchAll(linkDefinition), ([, label = '']) => label.toLowerCase()))
  if (labels.size === 0) return unlinked
  return unlinked
    .replace(linkDefinition, '')
    .replace(referenceLink, (each, shown: string, label: string) =>
      labels.has((label || shown).toLowerCase()) ? shown : each
    )
}

const withoutEmphasis = (text: string): string => {
  const isMarked = text.includes('*') || text.includes('_') || text.includes('~~')
  return isMarked ? text.replace(strongMark, '').replace(emphasis, '$2') : text
}

/** Its first line names the language of fenced code. Code between ticks may have a blank on both sides. */
const codeText = (code: string): string =>
  /^[ \t>]*(?:```|~~~)/.test(code)
    ? `\n${code.replace(/^[^\n]*/, '').replace(/\n[ \t>]*(?:`{3,}|~{3,})$/, '')}\n`
    : code.replace(/^`+ ?| ?`+$/g, '')

/** The number of a code between two of these stands for it while the marks of the text around it are removed. No text in the database has one. */
const codeMark = '\0'
const markedCode = new RegExp(String.raw`${codeMark}(\d+)${codeMark}`, 'g')

/** What snippets are made of: markdown without its marks, in one line. Lengths are bounded, so that no text takes long. */
export function markdownToText(markdown: string): string {
  const codes: string[] = []
  const hasCode = markdown.includes('`') || markdown.includes('~~~')
  const shown = withoutHidden(markdown)
  const prose = hasCode
    ? shown.replace(markdownCode, each => `${codeMark}${codes.push(codeText(each)) - 1}${codeMark}`)
    : shown
  const unmarked = withoutEmphasis(
    withoutTables(withoutLinks(withoutTags(withoutFootnoteMarks(prose))).replace(rule, '')).replace(lineMark, '')
  )
  const unescaped = unmarked.includes('\\') ? unmarked.replace(escaped, '$1') : unmarked
  // Last, so that no mark is taken for markdown that was written not to be.
  const decoded = unescaped.includes('&') ? decodeHtmlEntities(unescaped) : unescaped
  const text = codes.length === 0 ? decoded : decoded.replace(markedCode, (_, at: string) => codes[Number(at)] ?? '')
  const line = stripDirectionMarks(text).replace(blanks, ' ').trim()
  return mayDecompose.test(line) ? line.normalize('NFC') : line
}

/** Not the single blanks, which are most of them. */
const blanks = /(?! \S)\s+/g
/** Below U+0300 every text is in NFC. */
const mayDecompose = /[\u0300-\uffff]/
