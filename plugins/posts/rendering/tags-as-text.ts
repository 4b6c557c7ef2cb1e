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
/** End tags of these end an `option`, too. */
const endsOfOption = ['option', 'select', 'datalist']

/** As browsers read it: quotes count behind an equals sign only. Bounded, as each `<` is looked at. */
const attributes = String.raw`(?:[^>=]|=\s*"[^"]*"|=\s*'[^']*'|=(?!\s*["'])){0,10000}`
const startTag = new RegExp(String.raw`<([a-z][a-z0-9-]*)(?=[\s/>])(${attributes})>`, 'iy')
const endTag = /<\/([a-z][a-z0-9-]*)\s*>/iy
const endTags = /<\/([a-z][a-z0-9-]*)\s*>/gi
/** What else is no text: names with a namespace, comments, declarations and instructions. */
const otherMarkup = new RegExp(
  String.raw`<[a-z][^\s/>"'=<]*(?=[\s/>])${attributes}>|</[a-z][^>]*>|<!--[\s\S]*?-->|<\?[\s\S]*?\?>|<!\[CDATA\[[\s\S]*?\]\]>|<!(?!--|\[CDATA\[)[^>]*>`,
  'iy'
)
const unclosedComment = /^ {0,3}(?:<!--(?![\s\S]*?-->)|<\?(?![\s\S]*?\?>)|<!\[CDATA\[(?![\s\S]*?\]\]>))/
const codeInText = /(?<!`)(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)/g

function matchAt(pattern: RegExp, source: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(source)
}

const nameOf = ([, name = '']: RegExpExecArray): string => name.toLowerCase()

/** The names of all end tags of a text. An element may reach over its paragraphs. */
const endTagsOf = (markdown: string): ReadonlySet<string> => new Set([...markdown.matchAll(endTags)].map(nameOf))

/** Where tags are looked for. */
interface Place {
  source: string
  at: number
  /** Names of the end tags of the whole text. */
  ended: ReadonlySet<string>
  /** In a sentence, where an end tag in code ends nothing. */
  isInline: boolean
}

/** What is at a place of a text that begins with `<`: how far it reaches, and its HTML. */
interface Piece {
  length: number
  html: string
}

const textPiece = (text: string): Piece => ({ length: text.length, html: escapeHtml(text) })

/** A tag that is text, or an element with raw text. Undefined for other markup, and for what is no tag. */
function pieceAt(place: Place): Piece | undefined {
  const { source, at, ended } = place
  const end = matchAt(endTag, source, at)
  if (end !== null) return rawTextElements.has(nameOf(end)) ? textPiece(end[0]) : undefined
  const start = matchAt(startTag, source, at)
  if (start === null) return undefined
  const name = nameOf(start)
  if (rawTextElements.has(name)) return rawTextPiece(start, place)
  const isText =
    name === 'option'
      ? endsOfOption.every(each => !ended.has(each))
      : !htmlElements.has(name) && hasWordsOnly(start) && !ended.has(name)
  return isText ? textPiece(start[0]) : undefined
}

/** `<T>` and `<your name>`. Elements of components have values, or end in themselves. */
const hasWordsOnly = ([, , attributesOfTag = '']: RegExpExecArray): boolean => !/[=/]/.test(attributesOfTag)

function rawTextPiece(start: RegExpExecArray, { source, at, ended, isInline }: Place): Piece {
  const [tag, , attributesOfTag = ''] = start
  const name = nameOf(start)
  if (attributesOfTag.endsWith('/')) return { length: tag.length, html: '' }
  const content = ended.has(name) ? contentOf(name, source.slice(at + tag.length), isInline) : undefined
  // An embedded page is not shown, with or without its end.
  if (content === undefined)
    return /\ssrc\s*=/i.test(attributesOfTag) ? { length: tag.length, html: '' } : textPiece(tag)
  return { length: tag.length + content.length, html: shownRawText.has(name) ? escapeHtml(content.inner) : '' }
}

/** Up to the end tag. Undefined where it is that of another element, which begins before it, or stands in code of a sentence. */
function contentOf(name: string, rest: string, isInline: boolean): { inner: string; length: number } | undefined {
  const searched = isInline ? rest.replace(codeInText, code => ' '.repeat(code.length)) : rest
  const end = new RegExp(`</${name}\\s*>`, 'i').exec(searched)
  if (end === null) return undefined
  const inner = rest.slice(0, end.index)
  const isOfAnother = new RegExp(`<${name}(?=[\\s/>])`, 'i').test(inner)
  return isOfAnother ? undefined : { inner, length: end.index + end[0].length }
}

/**
 * The block of HTML that `source` begins with, as HTML in which no tag and no comment is left open. It reaches over blank lines where
 * an element with raw text or a comment does.
 */
function closedBlock(source: string, length: number, ended: Place['ended']): Piece {
  let html = ''
  let at = 0
  let end = length
  for (let next = source.indexOf('<'); next !== -1 && next < end; next = source.indexOf('<', at)) {
    html += source.slice(at, next)
    const piece = pieceAt({ source, at: next, ended, isInline: false }) ?? markupAt(source, next)
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

function markupAt(source: string, at: number): Piece {
  const [found] = matchAt(otherMarkup, source, at) ?? []
  return found === undefined ? textPiece('<') : { length: found.length, html: found }
}

/** How long a block is whose first line begins with a script or the like: CommonMark lets one without an end take the whole text. */
function lengthOf(source: string, token: Tokens.HTML, ended: Place['ended']): number {
  const at = source.indexOf('<')
  const first = pieceAt({ source, at, ended, isInline: false })
  return first === undefined ? token.raw.length : Math.min(token.raw.length, lineEnd(source, at + first.length))
}

/**
 * Tags of HTML that were meant as text are shown as it: start tags of no element, as in `Map<String>`, and those of scripts and the
 * like without an end. Otherwise a sanitiser removes them, and all that follows. GitHub's `tagfilter` does the same for some. For a
 * lexer that reads this text.
 */
export function tagsAsText(markdown: string): MarkedExtension {
  const ended = endTagsOf(markdown)
  return {
    tokenizer: {
      html(source) {
        if (!/^ {0,3}</.test(source) || unclosedComment.test(source)) return undefined
        const token = Tokenizer.prototype.html.call(this, source)
        if (token === undefined) return undefined
        const { html, length } = closedBlock(source, lengthOf(source, token, ended), ended)
        if (/^\s*&lt;/.test(html)) return undefined
        return { ...token, raw: source.slice(0, length), text: html }
      },
      tag(source) {
        const piece = pieceAt({ source, at: 0, ended, isInline: true })
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
}
