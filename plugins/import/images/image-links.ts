// Loaded by the child process only: a text of anybody takes a time that nobody knows.
import { lexer, type Token, type Tokens } from 'marked'
import { decodeHtmlEntities } from '#text/html-entities'

/** An address of a picture in a markdown text: `text.slice(start, end)` is how it is written. */
export interface ImageLink {
  start: number
  end: number
  address: string
  /** It is linked, and not shown: the large form of a picture, as a rule. */
  isLinked: boolean
  /** The picture as a whole, with a link that has nothing else. Null for a link, and for a definition. */
  picture: Range | null
}

type Range = Readonly<{ start: number; end: number }>

/** A part of the text in which addresses stand, or with `kind: 'code'` none. */
type Part = { raw: string; kind: 'code' | 'image' | 'link' | 'html' | 'definition'; address?: string }

/** Finds the pictures of a markdown text, whose lines end with \n, in their order. */
export function findImageLinks(markdown: string): ImageLink[] {
  const parts: PlacedPart[] = []
  const referenced = new Set<string>()
  let position = 0
  for (const token of lexer(markdown)) {
    const start = markdown.indexOf(token.raw, position)
    if (start === -1) continue
    position = start + token.raw.length
    let cursor = start
    for (const part of partsOf(token, referenced)) {
      const at = markdown.indexOf(part.raw, cursor)
      if (at === -1 || at + part.raw.length > position) continue
      cursor = at + part.raw.length
      parts.push({ part, start: at })
    }
  }
  return parts.flatMap(({ part, start }, index) =>
    linksIn(part, referenced).map(({ picture, ...link }) => ({
      ...link,
      start: start + link.start,
      end: start + link.end,
      picture:
        picture && withLink({ start: start + picture.start, end: start + picture.end }, parts[index + 1], markdown)
    }))
  )
}

interface PlacedPart {
  part: Part
  start: number
}

/** `[![a](b.png)](c)` is nothing without its picture. */
function withLink(picture: Range, next: PlacedPart | undefined, markdown: string): Range {
  const isWhole = next?.part.kind === 'link' && next.start === picture.end && markdown[picture.start - 1] === '['
  return isWhole ? { start: picture.start - 1, end: next.start + next.part.raw.length } : picture
}

/** In their order. Addresses that references lead to are added to `referenced`. */
function* partsOf(token: Token, referenced: Set<string>): Generator<Part> {
  const { raw, type } = token
  if (type === 'code' || type === 'codespan') yield { raw, kind: 'code' }
  else if (type === 'html') yield { raw, kind: 'html' }
  else if (type === 'def') yield { raw, kind: 'definition', address: hrefOf(token) }
  else if (type === 'image') {
    if (raw.includes('](')) yield { raw, kind: 'image' }
    else referenced.add(hrefOf(token))
  } else {
    for (const child of childrenOf(token)) yield* partsOf(child, referenced)
    const end = raw.lastIndexOf('](')
    if (type === 'link' && end !== -1) yield { raw: raw.slice(end), kind: 'link' }
  }
}

const hrefOf = (token: Token): string => ('href' in token && typeof token.href === 'string' ? token.href : '')

function childrenOf(token: Token): Token[] {
  if (isList(token)) return token.items
  if (isTable(token)) return [token.header, ...token.rows].flatMap(row => row.flatMap(cell => cell.tokens))
  return 'tokens' in token ? (token.tokens ?? []) : []
}

const isList = (token: Token): token is Tokens.List => token.type === 'list'
const isTable = (token: Token): token is Tokens.Table => token.type === 'table'

const imageFile = /\.(?:jpe?g|png|gif|webp|avif)(?:[?#]|$)/i

function linksIn({ raw, kind, address }: Part, referenced: ReadonlySet<string>): ImageLink[] {
  if (kind === 'code') return []
  if (kind === 'html') return htmlLinks(raw)
  if (kind === 'definition')
    return referenced.has(address ?? '') ? destinationIn(raw, raw.indexOf(']:') + 2, false) : []
  const isLinked = kind === 'link'
  const picture = isLinked ? null : { start: 0, end: raw.length }
  return destinationIn(raw.slice(0, -1), raw.lastIndexOf('](') + 2, isLinked)
    .filter(link => !isLinked || imageFile.test(link.address))
    .map(link => ({ ...link, picture }))
}

/** The destination of a link, which begins behind `from`: in angle brackets, or up to the next blank. */
function destinationIn(raw: string, from: number, isLinked: boolean): ImageLink[] {
  const [whole, before = '', inBrackets, unbracketed] =
    /^(\s*<?)(?:(?<=<)([^<>\n]*)>|(\S+))/.exec(raw.slice(from)) ?? []
  const written = inBrackets ?? unbracketed
  if (whole === undefined || written === undefined) return []
  const start = from + before.length
  return [{ start, end: start + written.length, address: unescaped(written), isLinked, picture: null }]
}

const unescaped = (written: string): string => decodeHtmlEntities(written.replace(/\\([!-/:-@[-`{-~])/g, '$1')).trim()

const htmlAddress = /<(?:img\b[^>]*?\ssrc|a\b[^>]*?\shref)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/dgi
const restOfTag = /(?:"[^"]*"|'[^']*'|[^"'>])*>/y

function htmlLinks(raw: string): ImageLink[] {
  return [...raw.matchAll(htmlAddress)].flatMap(match => {
    const group = [1, 2, 3].find(each => match[each] !== undefined) ?? 0
    const [start, end] = match.indices?.[group] ?? [0, 0]
    const address = decodeHtmlEntities(match[group] ?? '').trim()
    const isLinked = /^<a/i.test(match[0])
    const picture = isLinked ? null : { start: match.index, end: tagEnd(raw, match.index + match[0].length) }
    return !isLinked || imageFile.test(address) ? [{ start, end, address, isLinked, picture }] : []
  })
}

function tagEnd(raw: string, from: number): number {
  restOfTag.lastIndex = from
  return from + (restOfTag.exec(raw)?.[0].length ?? 0)
}
