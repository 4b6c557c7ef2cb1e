import type { Token, Tokens } from 'marked'
import sanitizeHtml from 'sanitize-html'
import { asText } from '#core/text-rules'
import { cutText, oneLine, stripDirectionMarks } from '#text/excerpts'
import { decodeHtmlEntities } from '#text/html-entities'
import { wordCountOf } from '#text/words'
import type { Rendered } from '../contract/rendered.ts'
import { lexer, parser, plainMark } from './footnotes.ts'

const maxExcerptLength = 200

/** HTML may be this many times as long as its markdown, or this long. */
const maxGrowth = 8
const smallBytes = 65_536

/**
 * Renders markdown from anybody: in a process of its own, see `render-text.ts`.
 * @throws RangeError when the HTML is out of all proportion.
 */
export function renderInProportion(markdown: string): Rendered {
  const rendered = render(markdown)
  const bytes = Buffer.byteLength(rendered.content_html)
  const maxBytes = Math.max(maxGrowth * Buffer.byteLength(markdown), smallBytes)
  if (bytes > maxBytes) throw new RangeError(`becomes ${bytes} bytes of HTML; at most ${maxBytes} are taken`)
  return rendered
}

/** Renders markdown. Readers get the title beside the text, so the HTML leaves out a leading H1, which is meant for it. */
export function render(markdown: string): Rendered {
  const tokens = lexer(markdown)
  const body = withoutTitle(tokens)
  return {
    // A reference such as &#7; stands for what no text has.
    content_html: asText(withoutMissingPictures(sanitizeHtml(parser(body), allowed))),
    word_count: wordCountOf(plainText(body)),
    excerpt: excerptOf(body),
    heading: firstHeading(tokens),
    leading_heading: firstHeading(tokens.slice(0, tokens.length - body.length))
  }
}

function firstHeading(tokens: readonly Token[]): string | null {
  const heading = tokens.find(token => token.type === 'heading' && token.depth === 1)
  const text = heading === undefined ? '' : oneLine(inlineText(heading))
  return text === '' ? null : text
}

const allowed: sanitizeHtml.IOptions = {
  allowedTags: [
    'h1',
    'h2',
    'h3',
    'h4',
    'h5',
    'h6',
    'p',
    'blockquote',
    'ul',
    'ol',
    'li',
    'dl',
    'dt',
    'dd',
    'hr',
    'pre',
    'a',
    'b',
    'i',
    'strong',
    'em',
    's',
    'del',
    'ins',
    'mark',
    'sub',
    'sup',
    'small',
    'code',
    'kbd',
    'br',
    'abbr',
    'cite',
    'q',
    'table',
    'thead',
    'tbody',
    'tfoot',
    'tr',
    'th',
    'td',
    'caption',
    'img',
    'figure',
    'figcaption',
    'details',
    'summary',
    'section'
  ],
  allowedAttributes: {
    a: ['href', 'title', 'rel', 'id', 'aria-label'],
    li: ['id'],
    section: ['aria-label'],
    img: ['src', 'alt', 'title', 'width', 'height', 'loading'],
    th: ['align', 'colspan', 'rowspan', 'scope'],
    td: ['align', 'colspan', 'rowspan'],
    ol: ['start'],
    abbr: ['title'],
    code: ['class']
  },
  allowedClasses: { code: ['language-*'], sup: ['ref'], section: ['notes'] },
  allowedSchemes: ['http', 'https', 'mailto'],
  allowedSchemesByTag: { img: ['http', 'https'] },
  allowProtocolRelative: false,
  transformTags: {
    a: (_, attributes) => ({
      tagName: 'a',
      attribs: { ...withoutOtherId(attributes, /^noteref-\d+$/), rel: 'noopener' }
    }),
    li: (_, attributes) => ({ tagName: 'li', attribs: withoutOtherId(attributes, /^note-\d+$/) }),
    img: (_, attributes) => ({
      tagName: 'img',
      attribs: { ...withoutBadSize(attributes), alt: attributes.alt ?? '', loading: 'lazy' }
    })
  }
}

/** A picture whose address is none, or of a scheme that is not taken, is its text: browsers show a broken one. */
const withoutMissingPictures = (html: string): string =>
  html.replace(/<img (?![^>]*\bsrc="[^"])[^>]*?\balt="([^"]*)"[^>]*>/g, '$1')

/** The size of a picture in HTML is a number of pixels: a length such as `100%` is none. */
function withoutBadSize(attributes: sanitizeHtml.Attributes): sanitizeHtml.Attributes {
  const isGood = ([name, value]: [string, string]) => (name !== 'width' && name !== 'height') || /^\d{1,5}$/.test(value)
  return Object.fromEntries(Object.entries(attributes).filter(isGood))
}

/** Scripts of a page find elements by their id: a text has those of its footnotes only. */
function withoutOtherId({ id, ...others }: sanitizeHtml.Attributes, own: RegExp): sanitizeHtml.Attributes {
  return id !== undefined && own.test(id) ? { ...others, id } : others
}

function withoutTitle(tokens: Token[]): Token[] {
  const first = tokens.findIndex(token => token.type !== 'space')
  const leading = tokens[first]
  return leading?.type === 'heading' && leading.depth === 1 ? tokens.slice(first + 1) : tokens
}

function plainText(tokens: readonly Token[]): string {
  return tokens.map(blockText).join('\n')
}

function blockText(token: Token): string {
  if (isList(token)) return token.items.map(item => plainText(item.tokens)).join('\n')
  if (isTable(token)) return [token.header, ...token.rows].flatMap(row => row.map(inlineText)).join('\n')
  if (isQuotation(token)) return plainText(token.tokens)
  if (token.type === 'def' || token.type === 'space' || token.type === 'hr') return ''
  return inlineText(token)
}

/** Not a tag that is shown as text. */
const isMarkup = (token: Token): boolean => token.type === 'html' && (token.block === true || token.raw === token.text)

const isList = (token: Token): token is Tokens.List => token.type === 'list'
const isTable = (token: Token): token is Tokens.Table => token.type === 'table'
const isQuotation = (token: Token): token is Tokens.Blockquote => token.type === 'blockquote'

function inlineText(token: Token | Tokens.TableCell): string {
  const mark = 'type' in token ? plainMark(token) : undefined
  if (mark !== undefined) return mark
  if ('type' in token && (token.type === 'br' || isMarkup(token))) return ' '
  if ('tokens' in token && token.tokens !== undefined) return token.tokens.map(inlineText).join('')
  if (!('text' in token)) return ''
  // As it was typed: marked has decoded the numeric references of its text, and they must not be decoded twice.
  if ('type' in token && token.type === 'text') return decodeHtmlEntities(token.raw)
  const isCode = 'type' in token && (token.type === 'code' || token.type === 'codespan')
  return isCode ? String(token.text) : decodeHtmlEntities(String(token.text))
}

function excerptOf(tokens: readonly Token[]): string {
  const paragraph = tokens.find(token => token.type === 'paragraph' && inlineText(token).trim() !== '')
  return paragraph === undefined ? '' : cutBetweenWords(oneLine(stripDirectionMarks(inlineText(paragraph))))
}

function cutBetweenWords(text: string): string {
  if (text.length <= maxExcerptLength) return text
  const cut = cutText(text, maxExcerptLength)
  const end = cut.lastIndexOf(' ')
  return `${(end > 0 ? cut.slice(0, end) : cut).replace(/[\s,;:–-]+$/, '')}…`
}
