/** Only this much of a text is looked through for a snippet. */
export const snippetTextLength = 30_000
const shortText = 240
const fragmentLength = 150
const mostFragments = 2
/** Of each word. */
const mostPlaces = 100
/** How much longer than its stem a word may be. */
const longestEnding = 5

/** A word looked for, as its stem stands in a folded text. `bit` tells words apart. */
interface Sought {
  stem: string
  isUnspaced: boolean
  bit: number
}

interface Place {
  from: number
  to: number
  word: Sought
}

/** Bits beyond these there are none: words past that share them. */
const mostBits = 31

/** Makes snippets for the words of one query: a post's text around them, as HTML: escaped, the words in `<mark>`. Without any, its beginning. */
export function createSnippets(terms: readonly string[]): (text: string, isAccented?: boolean) => string {
  const words = [...new Set(terms)].map((term, at) => ({
    stem: stemOf(term),
    isUnspaced: isUnspaced(term),
    bit: 1 << (at % mostBits)
  }))
  return (text, isAccented = hasAccents(text)) => {
    const places = placesOf(isAccented ? folded(text) : text.toLowerCase(), words)
    if (text.length <= shortText) return marked(text, 0, text.length, places)
    return fragmentsOf(text, places)
      .map(([from, to]) => `${from > 0 ? '… ' : ''}${marked(text, from, to, places)}${to < text.length ? ' …' : ''}`)
      .join(' ')
      .replaceAll('… …', '…')
  }
}

/** What snippets are made of: markdown without its marks, in one line. Lengths are bounded, so that no text takes long. */
export function plainText(markdown: string): string {
  return markdown
    .replace(/!?\[([^\]]{0,500})\]\([^)\s]{0,2000}(?:\s{1,9}"[^"]{0,500}")?\)?/g, '$1')
    .replace(/^\s{0,3}(?:#{1,6}|>|[-*+]|\d{1,3}\.)\s+/gm, '')
    .replace(/\*\*|__|`+|~~/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .normalize('NFC')
}

const accented = /[\u00c0-\u024f\u1e00-\u1eff]/g

/** Whether a text has letters that are compared without their accents. */
export const hasAccents = (text: string): boolean => text.search(accented) !== -1

/** The text as the index compares it, each character in its place. */
function folded(text: string): string {
  const bare = text.replace(accented, letter => letter.normalize('NFD')[0] ?? letter)
  const lower = bare.toLowerCase()
  return lower.length === text.length ? lower : bare
}

/** Where the words stand. Terms are stems: a word has one when it goes on from it by a few letters. */
function placesOf(lower: string, words: readonly Sought[]): Place[] {
  const places: Place[] = []
  for (const word of words) {
    const { stem, isUnspaced } = word
    const most = places.length + mostPlaces
    for (let from = lower.indexOf(stem); from !== -1 && places.length < most; from = lower.indexOf(stem, from + 1)) {
      const to = isUnspaced ? from + stem.length : wordEnd(lower, from, stem)
      if (to !== undefined) places.push({ from, to, word })
    }
  }
  places.sort((a, b) => a.from - b.from || b.to - a.to)
  return places.reduce<Place[]>(addPlace, [])
}

/** Characters of a script without blanks that stand side by side are one place. */
function addPlace(places: Place[], place: Place): Place[] {
  const last = places.at(-1)
  if (last === undefined || place.from > last.to || (place.from === last.to && !place.word.isUnspaced))
    places.push(place)
  else if (place.from === last.to) last.to = place.to
  return places
}

/** `happi` is the stem of happy, too. */
const stemOf = (term: string) => (term.length > 3 && term.endsWith('i') ? term.slice(0, -1) : term)

/** Where the word that begins with a stem ends; undefined when it begins before, or goes on too far to be the stem's. */
function wordEnd(text: string, from: number, stem: string): number | undefined {
  if (isPartOfWord(text, from - 1)) return undefined
  let to = from + stem.length
  const most = to + (stem.length < 3 ? 1 : longestEnding)
  while (to < most && isPartOfWord(text, to)) to++
  return isPartOfWord(text, to) ? undefined : to
}

function isPartOfWord(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  if (code < 128) return (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || (code >= 65 && code <= 90)
  return !Number.isNaN(code) && /[\p{L}\p{N}\p{M}]/u.test(text[at] ?? '')
}

/** A character of a script without blanks, which stands beside others. */
const isUnspaced = (term: string) =>
  /^(?:[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u9fff\uac00-\ud7a3\uf900-\ufaff]|[\u{20000}-\u{3ffff}])$/u.test(
    term
  )

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

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, character => escapes[character] ?? character)
}
