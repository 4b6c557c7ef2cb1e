import { type FoldedText, foldText, isUnspacedWord, originalIndex } from '#text'

/** A term to highlight, as its stem stands in a folded text. `bit` tells terms apart. */
interface HighlightTerm {
  stem: string
  isUnspaced: boolean
  /** Several characters of a script without blanks. */
  isRun: boolean
  bit: number
}

/** Where a term stands in a text. */
export interface Span {
  from: number
  to: number
  term: HighlightTerm
}

/** Terms past these share their bits. */
const maxBits = 31
/** Of each term. */
const maxSpans = 100
/**
 * How many letters a word may have beyond its stem. A short stem begins many other words (add|ress), so it may have fewer.
 * Endings that stemming removes may be longer: organiz|ational.
 */
const shortStem = 3
const maxEndingOfShort = 3
const maxEnding = 5
const maxKnownEnding = 12
const endings =
  /^(?:at|it|ion|enc|anc|ies|al|iz|is|ic|iv|abil|ibil|ful|less|ous|e?ment|ness|ity|ities|able|ible|ing|ism|ist|ed|es|er|or|ly|s|e|i|y)+$/

/** Terms are stems, as the index has them, or several characters of a script without blanks side by side. */
export const toHighlightTerms = (terms: readonly string[]): HighlightTerm[] =>
  [...new Set(terms)].flatMap((term, at) => {
    const bit = 1 << (at % maxBits)
    const isCharacter = isUnspacedWord(term)
    const isRun = !isCharacter && isUnspacedWord([...term][0] ?? '')
    return stemsOf(term).map(stem => ({ stem, isUnspaced: isCharacter || isRun, isRun, bit }))
  })

/** Where terms stand. A word has a stem when it goes on from it by a few letters. */
export type FindSpans = (text: string) => Span[]

/** To look for each takes longer than to look at each word once there are more. */
const fewTerms = 8

export function createFindSpans(terms: readonly HighlightTerm[]): FindSpans {
  const isByWords = terms.length > fewTerms
  const looked = isByWords ? terms.filter(({ isUnspaced }) => isUnspaced) : terms
  const byWords = isByWords ? spansByWords(terms.filter(({ isUnspaced }) => !isUnspaced)) : undefined
  const hasRuns = looked.some(({ isRun }) => isRun)
  return text => {
    const folded = foldText(text)
    const spans = spansOfTerms(folded, looked)
    if (byWords !== undefined) spans.push(...byWords(folded))
    spans.sort((a, b) => a.from - b.from || b.to - a.to)
    const found = spans.reduce<Span[]>(addSpan, []).flatMap(span => wholeCharacters(text, span))
    return hasRuns ? found.filter(span => !isLoneLetter(text, span)) : found
  }
}

/** Where the text has characters side by side as they were typed, they are not looked for one by one. */
function spansOfTerms(folded: FoldedText, terms: readonly HighlightTerm[]): Span[] {
  const ofRuns = terms.flatMap(term => (term.isRun ? spansOf(folded, term) : []))
  const others = terms.filter(({ isRun }) => !isRun)
  const found = ofRuns.map(({ term }) => term.stem).join(' ')
  const isCovered = ({ isUnspaced, stem }: HighlightTerm) => isUnspaced && found.includes(stem)
  return [...ofRuns, ...others.flatMap(term => (isCovered(term) ? [] : spansOf(folded, term)))]
}

/** Marks belong to the character before them, and so does the vowel am of Thai and Lao. */
const mark = /[\p{M}\u0e33\u0eb3\u200d]/u
const isMarkAt = (text: string, at: number) => text.charCodeAt(at) >= 0x300 && mark.test(text[at] ?? '')

/** Of characters that are found in part, those that begin so are found, and the others not. */
function wholeCharacters(text: string, { from, to, ...span }: Span): Span[] {
  let start = from
  let end = to
  while (isMarkAt(text, start)) start += 1
  while (isMarkAt(text, end)) end += 1
  return start < to ? [{ ...span, from: start, to: end }] : []
}

/** Scripts of letters without blanks: one of them alone says nothing of a word. */
const letterOfUnspaced = /^[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]\p{M}*$/u

const isLoneLetter = (text: string, { from, to, term }: Span) =>
  term.isUnspaced && letterOfUnspaced.test(text.slice(from, to))

const noTerms: readonly HighlightTerm[] = []
const keyAt = (text: string, at: number) => text.charCodeAt(at) * 65_536 + text.charCodeAt(at + 1)

/** The same spans as `spansOf` for all of the terms, by the first two letters of each word of the text. */
function spansByWords(terms: readonly HighlightTerm[]): (folded: FoldedText) => Span[] {
  const byKey = Map.groupBy(terms, ({ stem }) => keyAt(stem, 0))
  const short = terms.filter(({ stem }) => stem.length === 1)
  return ({ text, origins }) => {
    const spans: Span[] = []
    const counts = new Map<HighlightTerm, number>()
    let isWithinWord = false
    for (let from = 0; from < text.length; from++) {
      const isBegin = !isWithinWord
      isWithinWord = isPartOfWord(text, from)
      if (!isBegin) continue
      for (const term of byKey.get(keyAt(text, from)) ?? noTerms) addTerm(term, from)
      for (const term of short) addTerm(term, from)
    }
    return spans

    function addTerm(term: HighlightTerm, from: number): void {
      const count = counts.get(term) ?? 0
      if (count >= maxSpans || !text.startsWith(term.stem, from)) return
      const to = wordEnd(text, from, term.stem)
      if (to === undefined) return
      counts.set(term, count + 1)
      spans.push({ from: originalIndex(origins, from), to: originalIndex(origins, to), term })
    }
  }
}

function spansOf({ text, origins }: FoldedText, term: HighlightTerm): Span[] {
  const { stem, isUnspaced } = term
  const spans: Span[] = []
  for (let from = text.indexOf(stem); from !== -1 && spans.length < maxSpans; from = text.indexOf(stem, from + 1)) {
    const to = isUnspaced ? from + stem.length : wordEnd(text, from, stem)
    if (to !== undefined) spans.push({ from: originalIndex(origins, from), to: originalIndex(origins, to), term })
  }
  return spans
}

/** Characters of a script without blanks that stand side by side are one span. */
function addSpan(spans: Span[], span: Span): Span[] {
  const last = spans.at(-1)
  if (last === undefined || span.from > last.to || (span.from === last.to && !span.term.isUnspaced)) spans.push(span)
  else if (span.from === last.to) last.to = span.to
  return spans
}

/** How words with the term begin: `happi` is the stem of happy, too, `wade` that of wading, `possibl` that of possibility. */
function stemsOf(term: string): string[] {
  const root = term.slice(0, -1)
  if (root.length < 2) return [term]
  if (term.endsWith('i')) return [term, `${root}y`]
  if (term.endsWith('e')) return [term, `${root}ing`]
  return term.endsWith('bl') ? [term, `${root}il`] : [term]
}

/** Where the word that begins with a stem ends; undefined when it begins before, or goes on too far to be the stem's. */
function wordEnd(text: string, from: number, stem: string): number | undefined {
  if (isPartOfWord(text, from - 1)) return undefined
  const end = from + stem.length
  const maxTo = end + (stem.length < 3 ? 1 : maxKnownEnding)
  let to = end
  while (to < maxTo && isPartOfWord(text, to)) to++
  if (isPartOfWord(text, to)) return undefined
  const rest = text.slice(end, to)
  const maxEndingLength = stem.length <= shortStem ? maxEndingOfShort : maxEnding
  // Running: the last letter of `run` twice.
  const ending = rest[0] === stem.at(-1) ? rest.slice(1) : rest
  return rest.length <= maxEndingLength || endings.test(ending) ? to : undefined
}

function isPartOfWord(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  if (code < 128) return (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || (code >= 65 && code <= 90)
  return !Number.isNaN(code) && /[\p{L}\p{N}\p{M}]/u.test(text[at] ?? '')
}
