import { type MarkedExtension, Tokenizer, type Tokens } from 'marked'
import { escapeHtml } from '#text/html-entities'

/** All elements of HTML, the obsolete ones too. */
const htmlElements = new Set(
  `a abbr acronym address applet area article aside audio b base basefont bdi bdo bgsound big blink blockquote body br button
  canvas caption center cite code col colgroup data datalist dd del details dfn dialog dir div dl dt em embed fieldset figcaption
  figure font footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe img input ins kbd keygen label legend li
  link listing main map mark marquee math menu menuitem meta meter nav nobr noembed noframes noscript object ol optgroup option output p param
  picture plaintext pre progress q rb rp rt rtc ruby s samp script search section select slot small source span strike strong
  style sub summary sup svg table tbody td template textarea tfoot th thead time title tr track tt u ul var video wbr xmp`.split(
    /\s+/
  )
)

/** What stands in them is no markup: where the end tag lacks, all that follows is theirs, and none of it is shown. */
const rawTextElements = new Set('iframe noembed noframes plaintext script style textarea title xmp'.split(' '))
/** Those whose content readers see. */
const shownRawText = new Set(['title', 'xmp'])
/** An end tag of these ends an `option`, too. */
const endsOfOption = 'option|select|datalist'

/** As browsers read it: quotes count behind an equals sign only. Bounded, as each `<` is looked at. */
const attributes = String.raw`(?:[^>=]|=\s*"[^"]*"|=\s*'[^']*'|=(?!\s*["'])){0,2000}`
const startTag = new RegExp(String.raw`<([a-z][a-z0-9-]*)(?=[\s/>])(${attributes})>`, 'iy')
const endTag = /<\/([a-z][a-z0-9-]*)\s*>/iy
const noElement = /<!--[\s\S]*?-->|<\?[\s\S]*?\?>|<!\[CDATA\[[\s\S]*?\]\]>|<![a-z][^>]*>/iy
const unclosedComment = /^ {0,3}(?:<!--(?![\s\S]*?-->)|<\?(?![\s\S]*?\?>)|<!\[CDATA\[(?![\s\S]*?\]\]>))/
const codeInText = /(?<!`)(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)/g

function matchAt(pattern: RegExp, source: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(source)
}

const nameOf = ([, name = '']: RegExpExecArray): string => name.toLowerCase()

/** Where the first end tag of these names begins and ends, which is not in code. */
function findEnd(names: string, source: string, from: number): { start: number; end: number } | undefined {
  const pattern = new RegExp(`</(?:${names})\\s*>`, 'gi')
  // Most texts have none at all.
  if (matchAt(pattern, source, from) === null) return undefined
  const rest = source.slice(from).replace(codeInText, code => ' '.repeat(code.length))
  const found = matchAt(pattern, rest, 0)
  return found === null ? undefined : { start: from + found.index, end: from + found.index + found[0].length }
}

/** What is at a place of a text that begins with `<`: how far it reaches, and its HTML. */
interface Piece {
  length: number
  html: string
}

const textPiece = (text: string): Piece => ({ length: text.length, html: escapeHtml(text) })

/** A tag that is text, or an element with raw text. Undefined for other markup, and for what is no tag. */
function pieceAt(source: string, at: number): Piece | undefined {
  const end = matchAt(endTag, source, at)
  if (end !== null) return rawTextElements.has(nameOf(end)) ? textPiece(end[0]) : undefined
  const start = matchAt(startTag, source, at)
  if (start === null) return undefined
  const name = nameOf(start)
  if (rawTextElements.has(name)) return rawTextPiece(source, at, start)
  const isText =
    name === 'option' ? isUnclosed(endsOfOption) : !htmlElements.has(name) && hasWordsOnly(start) && isUnclosed(name)
  return isText ? textPiece(start[0]) : undefined

  function isUnclosed(names: string): boolean {
    return findEnd(names, source, at) === undefined
  }
}

/** `<T>` and `<your name>`. Elements of components have values, or end in themselves. */
const hasWordsOnly = ([, , attributesOfTag = '']: RegExpExecArray): boolean => !/[=/]/.test(attributesOfTag)

function rawTextPiece(source: string, at: number, start: RegExpExecArray): Piece {
  const [tag, , attributesOfTag = ''] = start
  const name = nameOf(start)
  const end = findEnd(name, source, at)
  // An embedded page is not shown, with or without its end.
  if (end === undefined) return /\ssrc\s*=/i.test(attributesOfTag) ? { length: tag.length, html: '' } : textPiece(tag)
  const inner = source.slice(at + tag.length, end.start)
  return { length: end.end - at, html: shownRawText.has(name) ? escapeHtml(inner) : '' }
}

/**
 * The block of HTML that `source` begins with, as HTML in which no tag and no comment is left open. It reaches over blank lines where
 * an element with raw text does.
 */
function closedBlock(source: string, length: number): Piece {
  let html = ''
  let at = 0
  let end = length
  for (let next = source.indexOf('<'); next !== -1 && next < end; next = source.indexOf('<', at)) {
    html += source.slice(at, next)
    const piece = pieceAt(source, next) ?? markupAt(source.slice(0, end), next)
    html += piece.html
    at = next + piece.length
    if (at > end) end = lineEnd(source, at)
  }
  return { html: html + source.slice(at, Math.max(at, end)), length: Math.max(at, end) }
}

function lineEnd(source: string, from: number): number {
  const found = source.indexOf('\n', from)
  return found === -1 ? source.length : found + 1
}

function markupAt(block: string, at: number): Piece {
  const [found] = matchAt(noElement, block, at) ?? matchAt(endTag, block, at) ?? matchAt(startTag, block, at) ?? []
  return found === undefined ? textPiece('<') : { length: found.length, html: found }
}

/**
 * Tags of HTML that were meant as text are shown as it: start tags of no element, as in `Map<String>`, and those of scripts and the
 * like without an end. Otherwise a sanitiser removes them, and all that follows. GitHub's `tagfilter` does the same for some.
 */
export const tagsAsText: MarkedExtension = {
  tokenizer: {
    html(source) {
      if (!/^ {0,3}</.test(source) || unclosedComment.test(source)) return undefined
      const token = Tokenizer.prototype.html.call(this, source)
      if (token === undefined) return undefined
      const { html, length } = closedBlock(source, token.raw.length)
      if (/^\s*&lt;/.test(html)) return undefined
      return { ...token, raw: source.slice(0, length), text: html }
    },
    tag(source) {
      const piece = pieceAt(source, 0)
      if (piece === undefined) return false
      const raw = source.slice(0, piece.length)
      return {
        type: 'html',
        raw,
        text: piece.html,
        block: false,
        inLink: false,
        inRawBlock: false
      } satisfies Tokens.Tag
    }
  }
}
