import { escapeHtml } from '#text/html-entities'
import { createFindSpans, type Span, toHighlightTerms } from './spans.ts'

const shortText = 240
const fragmentLength = 150
const maxFragments = 2

/** Whether a snippet has one of the words. */
export const hasMark = (snippet: string): boolean => snippet.includes('<mark>')

/** Makes snippets for the words of one query: a post's text around them, as HTML: escaped, the words in `<mark>`. Without any, its beginning. */
export function createSnippets(terms: readonly string[]): (text: string) => string {
  const findSpans = createFindSpans(toHighlightTerms(terms))
  return text => {
    const spans = findSpans(text)
    if (text.length <= shortText) return highlight(text, 0, text.length, spans)
    return fragmentsOf(text, spans)
      .map(([from, to]) => `${from > 0 ? '… ' : ''}${highlight(text, from, to, spans)}${to < text.length ? ' …' : ''}`)
      .join(' ')
      .replaceAll('… …', '…')
  }
}

/** The parts of a text that hold the most different words found, in the text's order. */
function fragmentsOf(text: string, spans: readonly Span[]): [number, number][] {
  const chosen: [number, number][] = []
  let seen = 0
  while (chosen.length < maxFragments) {
    const start = densest(spans, chosen, seen)
    if (start === undefined) break
    const part = widen(text, start.from)
    chosen.push(part)
    for (const { from, to, term } of spans) if (isWithin(part, from, to)) seen |= term.bit
  }
  if (chosen.length === 0) return [widen(text, 0)]
  const [first, second] = chosen.sort((a, b) => a[0] - b[0])
  if (first !== undefined && second !== undefined && second[0] <= first[1]) return [[first[0], second[1]]]
  return chosen
}

const isWithin = (part: [number, number], from: number, to: number) => from >= part[0] && to <= part[1]

/** The span where most terms follow closely that no chosen part has; undefined when none is left. */
function densest(spans: readonly Span[], chosen: readonly [number, number][], seen: number): Span | undefined {
  let max = 0
  let start: Span | undefined
  spans.forEach((span, at) => {
    if (chosen.some(part => isWithin(part, span.from, span.to))) return
    let near = 0
    for (let next = at; (spans[next]?.to ?? Number.POSITIVE_INFINITY) - span.from <= fragmentLength; next++)
      near |= spans[next]?.term.bit ?? 0
    const words = countBits(near & ~seen)
    if (words > max) {
      max = words
      start = span
    }
  })
  return start
}

function countBits(bits: number): number {
  let count = 0
  for (let rest = bits; rest !== 0; rest &= rest - 1) count += 1
  return count
}

/** From a little before a position to about the length of a fragment, at blanks. */
function widen(text: string, position: number): [number, number] {
  const from = position <= 40 ? 0 : wordStart(text, position - 40, position)
  const end = Math.min(text.length, from + fragmentLength + 40)
  const last = end === text.length ? end : text.lastIndexOf(' ', end)
  const to = last <= from + fragmentLength / 2 ? end : last
  return [from, isLowHalf(text, to) ? to + 1 : to]
}

/** Where the first word after a position begins; at most at `last`. */
function wordStart(text: string, after: number, last: number): number {
  const blank = text.indexOf(' ', after)
  return blank === -1 || blank >= last ? last : blank + 1
}

/** True for the second half of a character that has two. */
const isLowHalf = (text: string, at: number) => (text.charCodeAt(at) & 0xfc00) === 0xdc00

function highlight(text: string, from: number, to: number, spans: readonly Span[]): string {
  let html = ''
  let at = from
  for (const span of spans) {
    if (span.from < at || span.to > to) continue
    html += `${escapeHtml(text.slice(at, span.from))}<mark>${escapeHtml(text.slice(span.from, span.to))}</mark>`
    at = span.to
  }
  return html + escapeHtml(text.slice(at, to))
}
