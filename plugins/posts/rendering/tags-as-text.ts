import type { MarkedExtension, Tokens } from 'marked'
import { escapeHtml } from '#text/html-entities'

/** All elements of HTML, the obsolete ones too. */
const htmlElements = new Set(
  `a abbr acronym address applet area article aside audio b base basefont bdi bdo bgsound big blink blockquote body br button
  canvas caption center cite code col colgroup data datalist dd del details dfn dialog dir div dl dt em embed fieldset figcaption
  figure font footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe img input ins kbd label legend li
  link main map mark marquee math menu meta meter nav nobr noembed noframes noscript object ol optgroup option output p param
  picture plaintext pre progress q rb rp rt rtc ruby s samp script search section select slot small source span strike strong
  style sub summary sup svg table tbody td template textarea tfoot th thead time title tr track tt u ul var video wbr xmp`.split(
    /\s+/
  )
)

/** What stands in them is no markup: where the end tag lacks, all that follows is theirs, and none of it is shown. */
const rawTextElements = new Set('iframe noembed noframes option plaintext script style textarea title xmp'.split(' '))
/** Those whose content readers see. */
const shownRawText = new Set(['title', 'xmp'])

/** As browsers read it: quotes count behind an equals sign only. Bounded, as each `<` is looked at. */
const attributes = String.raw`(?:[^>=]|=\s*"[^"]*"|=\s*'[^']*'|=(?!\s*["'])){0,2000}`
const startTag = new RegExp(String.raw`<([a-z][a-z0-9-]*)(?=[\s/>])(${attributes})>`, 'iy')
const endTag = /<\/([a-z][a-z0-9-]*)\s*>/iy
const noElement = /<!--[\s\S]*?-->|<\?[\s\S]*?\?>|<!\[CDATA\[[\s\S]*?\]\]>|<![a-z][^>]*>/iy
const unclosedComment = /^ {0,3}(?:<!--(?![\s\S]*?-->)|<\?(?![\s\S]*?\?>)|<!\[CDATA\[(?![\s\S]*?\]\]>))/
const untilBlankLine = /^(?:.*\S.*(?:\n|$))+/
const longBlocks = /^ {0,3}<(?:script|style|textarea)\b/i

function matchAt(pattern: RegExp, source: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(source)
}

/** What is at a place of a text that begins with `<`: how far it reaches, and its HTML. */
interface Piece {
  length: number
  html: string
}

const textPiece = (text: string): Piece => ({ length: text.length, html: escapeHtml(text) })

/** Undefined for a tag that is none of those, and for what is no tag. */
function pieceAt(source: string, at: number): Piece | undefined {
  const end = matchAt(endTag, source, at)
  if (end !== null) return rawTextElements.has(nameOf(end)) ? textPiece(end[0]) : undefined
  const start = matchAt(startTag, source, at)
  if (start === null) return undefined
  const [tag, , attributesOfTag] = start
  const name = nameOf(start)
  const isRawText = rawTextElements.has(name)
  if (!isRawText && (htmlElements.has(name) || attributesOfTag !== '')) return undefined
  const content = source.slice(at + tag.length)
  const closing = new RegExp(`</${name}\\s*>`, 'i').exec(content)
  if (closing === null) return textPiece(tag)
  if (!isRawText) return undefined
  const inner = content.slice(0, closing.index)
  return {
    length: tag.length + closing.index + closing[0].length,
    html: shownRawText.has(name) ? escapeHtml(inner) : ''
  }
}

const nameOf = ([, name = '']: RegExpExecArray): string => name.toLowerCase()

/** A block of HTML in which no tag and no comment is left open. */
function closedBlock(block: string): string {
  let html = ''
  let at = 0
  for (let next = block.indexOf('<'); next !== -1; next = block.indexOf('<', at)) {
    html += block.slice(at, next)
    const piece = pieceAt(block, next) ?? markupAt(block, next)
    html += piece.html
    at = next + piece.length
  }
  return html + block.slice(at)
}

function markupAt(block: string, at: number): Piece {
  const [found] = matchAt(noElement, block, at) ?? matchAt(endTag, block, at) ?? matchAt(startTag, block, at) ?? []
  return found === undefined ? textPiece('<') : { length: found.length, html: found }
}

/**
 * Tags of HTML that were meant as text are shown as it: those of no element, as in `Map<String>`, and those of scripts and the
 * like without an end. Otherwise a sanitiser removes them, and all that follows. GitHub's `tagfilter` does the same for some.
 */
export const tagsAsText: MarkedExtension = {
  tokenizer: {
    html(source) {
      const block = longBlocks.test(source) ? source : (untilBlankLine.exec(source)?.[0] ?? '')
      const isText = pieceAt(block.trimStart(), 0)?.html.startsWith('&lt;') ?? false
      return unclosedComment.test(source) || isText ? undefined : false
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
  },
  renderer: {
    html: ({ text, block }) => (block === true ? closedBlock(text) : text)
  }
}
