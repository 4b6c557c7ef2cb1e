import { foldText, originalIndex } from './folded-text.ts'

/** A text with its words: they can be found in it without reading it. */
export interface IndexedText {
  readonly text: string
  /** A number for each word of three letters or more, sorted: 15 bits of its first letters, 16 of its position. */
  readonly words: Uint32Array
}

/** Shorter words are not in the index. */
const keyLetters = 3
/** Positions have 16 bits. */
const maxPositions = 65_536

export function indexWords(text: string): IndexedText {
  const { text: lower, origins } = foldText(text)
  const end = Math.min(lower.length, maxPositions)
  const words = new Uint32Array(end >> 1)
  let count = 0
  let letters = 0
  let key = 0
  // Every result is indexed: one loop over its letters.
  for (let at = 0; at < end; at++) {
    if (!isPartOfWord(lower, at)) letters = 0
    else if (letters < keyLetters) {
      key = (letters === 0 ? 0 : key << 5) | (lower.charCodeAt(at) & 31)
      letters += 1
      if (letters === keyLetters) words[count++] = key * maxPositions + originalIndex(origins, at - keyLetters + 1)
    }
  }
  return { text, words: words.slice(0, count).sort() }
}

/** 15 bits of the first three letters of a word; undefined for a shorter one. */
export function keyOf(text: string, at: number): number | undefined {
  let key = 0
  for (let next = at; next < at + keyLetters; next++) {
    if (!isPartOfWord(text, next)) return undefined
    key = (key << 5) | (text.charCodeAt(next) & 31)
  }
  return key
}

/** The positions of the words with a key. */
export function* positionsOf({ words }: IndexedText, key: number): Generator<number> {
  for (const entry of words.subarray(firstWith(words, key))) {
    if (entry >= (key + 1) * maxPositions) return
    yield entry % maxPositions
  }
}

/** The first of the words that has a key, or a higher one. */
function firstWith(words: Uint32Array, key: number): number {
  let low = 0
  let high = words.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((words[middle] ?? 0) < key * maxPositions) low = middle + 1
    else high = middle
  }
  return low
}

export function isPartOfWord(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  if (code < 128) return (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || (code >= 65 && code <= 90)
  return !Number.isNaN(code) && /[\p{L}\p{N}\p{M}]/u.test(text[at] ?? '')
}
