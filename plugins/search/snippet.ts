import { decodeReferences, escapeHtml, withoutDirections } from '#core'
import { type IndexedText, type Place, placesOf, soughtOf } from './positions.ts'

/** Only this much of a text is looked through for a snippet. */
export const snippetTextLength = 30_000
const shortText = 240
const fragmentLength = 150
const mostFragments = 2

/** Makes snippets for the words of one query: a post's text around them, as HTML: escaped, the words in `<mark>`. Without any, its beginning. */
export function createSnippets(terms: readonly string[]): (text: IndexedText) => string {
  const words = soughtOf(terms)
  return indexed => {
    const { text } = indexed
    const places = placesOf(indexed, words)
    if (text.length <= shortText) return marked(text, 0, text.length, places)
    return fragmentsOf(text, places)
      .map(([from, to]) => `${from > 0 ? '… ' : ''}${marked(text, from, to, places)}${to < text.length ? ' …' : ''}`)
      .join(' ')
      .replaceAll('… …', '…')
  }
}

/** Parentheses of an address in pairs, two deep, belong to it. The last one may be cut off with the text. */
const link =
  /!?\[([^\]]{0,500})\]\((?:[^()\s]|\((?:[^()\s]|\([^()\s]{0,99}\)){0,999}\)|\(){0,2000}(?:\s{1,9}"[^"]{0,500}")?\)?/g

/** Code, fenced or between ticks: what stands in it is shown as it is typed. A fence may end with the text. */
const code =
  /^[ \t>]*(`{3,}|~{3,})[^`\n]*(?=\n)[\s\S]*?(?:\n[ \t>]*\1|(?![\s\S]))|(?<![`\\])(`+)(?!`)(?:(?!\n[ \t]*\n)[\s\S]){1,2000}?(?<!`)\2(?!`)/gm
/** Stands for the & of code while references are decoded. No text in the database has it. */
const heldBack = '\0'

/** What snippets are made of: markdown without its marks, in one line. Lengths are bounded, so that no text takes long. */
export function plainText(markdown: string): string {
  const hasReferences = markdown.includes('&')
  const held = hasReferences ? markdown.replace(code, each => each.replaceAll('&', heldBack)) : markdown
  const bare = held
    .replace(link, '$1')
    .replace(/^\s{0,3}(?:#{1,6}|>|[-*+]|\d{1,3}\.)\s+/gm, '')
    .replace(/\*\*|__|`+|~~/g, '')
  // Last, so that no mark is taken for markdown that was written not to be.
  const text = hasReferences ? decodeReferences(bare).replaceAll(heldBack, '&') : bare
  return (
    withoutDirections(text)
      // Not the single blanks, which are most of them.
      .replace(/[^\S ]\s*| \s+/g, ' ')
      .trim()
      .normalize('NFC')
  )
}

/** The parts of a text that hold the most different words found, in the text's order. */
function fragmentsOf(text: string, places: readonly Place[]): [number, number][] {
  const chosen: [number, number][] = []
  let seen = 0
  while (chosen.length < mostFragments) {
    const start = richest(places, chosen, seen)
    if (start === undefined) break
    const part = widen(text, start.from)
    chosen.push(part)
    for (const { from, to, word } of places) if (isWithin(part, from, to)) seen |= word.bit
  }
  if (chosen.length === 0) return [widen(text, 0)]
  const [first, second] = chosen.sort((a, b) => a[0] - b[0])
  if (first !== undefined && second !== undefined && second[0] <= first[1]) return [[first[0], second[1]]]
  return chosen
}

const isWithin = (part: [number, number], from: number, to: number) => from >= part[0] && to <= part[1]

/** The place from which on most words stand close that no part chosen has; undefined when no word is left. */
function richest(places: readonly Place[], chosen: readonly [number, number][], seen: number): Place | undefined {
  let most = 0
  let start: Place | undefined
  places.forEach((place, at) => {
    if (chosen.some(part => isWithin(part, place.from, place.to))) return
    let near = 0
    for (let next = at; (places[next]?.to ?? Number.POSITIVE_INFINITY) - place.from <= fragmentLength; next++)
      near |= places[next]?.word.bit ?? 0
    const words = countBits(near & ~seen)
    if (words > most) {
      most = words
      start = place
    }
  })
  return start
}

function countBits(bits: number): number {
  let count = 0
  for (let rest = bits; rest !== 0; rest &= rest - 1) count += 1
  return count
}

/** From a little before a place to about the length of a fragment, at blanks. */
function widen(text: string, place: number): [number, number] {
  const wanted = Math.max(0, place - 40)
  const blank = text.indexOf(' ', wanted)
  const from = wanted === 0 || blank === -1 || blank >= place ? (wanted === 0 ? 0 : place) : blank + 1
  const end = Math.min(text.length, from + fragmentLength + 40)
  const last = end === text.length ? end : text.lastIndexOf(' ', end)
  const to = last <= from + fragmentLength / 2 ? end : last
  return [from, isLowHalf(text, to) ? to + 1 : to]
}

/** True for the second half of a character that has two. */
const isLowHalf = (text: string, at: number) => (text.charCodeAt(at) & 0xfc00) === 0xdc00

function marked(text: string, from: number, to: number, places: readonly Place[]): string {
  let html = ''
  let at = from
  for (const place of places) {
    if (place.from < at || place.to > to) continue
    html += `${escapeHtml(text.slice(at, place.from))}<mark>${escapeHtml(text.slice(place.from, place.to))}</mark>`
    at = place.to
  }
  return html + escapeHtml(text.slice(at, to))
}
