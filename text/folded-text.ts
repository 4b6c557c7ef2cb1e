import { plainLetters, unseen } from './fold.ts'

const accented = /[\u00c0-\u024f\u0401\u0451\u1e00-\u1eff\uff10-\uff5a]/g

export interface FoldedText {
  text: string
  /** Where each of its characters was, and its end; undefined when none has moved. */
  origins: number[] | undefined
}

const entries = Object.entries(plainLetters)
/** The vowel am of Thai and Lao is two characters to the index, too. */
const twoLetters = new Map([
  ...entries.filter(([, plain]) => plain.length === 2),
  ['\u0e33', '\u0e4d\u0e32'],
  ['\u0eb3', '\u0ecd\u0eb2']
])
const moved = new RegExp(`[${[...twoLetters.keys()].join('')}]|${unseen.source}`, 'g')
/** By letter, and those that were met; of some hundred. To decompose one takes longer than all the rest. */
const baseLetters = new Map([
  ['ẞ', 'ß'],
  ...entries
    .filter(([, plain]) => plain.length === 1)
    .flatMap(([letter, plain]) => [[letter.toUpperCase(), plain.toUpperCase()] as const, [letter, plain] as const])
])

/** A text in lower case, without accents on Latin letters and points of Arabic, as `foldWord` folds words, with the place of each character. */
export function foldText(text: string): FoldedText {
  if (isAscii(text)) return { text: text.toLowerCase(), origins: undefined }
  const base = text.replace(accented, baseLetter)
  const lower = base.toLowerCase()
  const whole = lower.length === text.length ? lower : base
  return whole.search(moved) !== -1 ? spread(whole) : { text: whole, origins: undefined }
}

/** Counting is faster than a search for another character. */
const isAscii = (text: string) => Buffer.byteLength(text) === text.length

function baseLetter(letter: string): string {
  const known = baseLetters.get(letter)
  if (known !== undefined) return known
  const base = letter.normalize('NFKD')[0] ?? letter
  baseLetters.set(letter, base)
  return base
}

function spread(whole: string): FoldedText {
  const origins: number[] = []
  let text = ''
  const add = (from: number, letters: string, step: 0 | 1) => {
    text += letters
    for (let each = 0; each < letters.length; each++) origins.push(from + step * each)
  }
  let at = 0
  for (const { 0: letter, index } of whole.matchAll(moved)) {
    add(at, whole.slice(at, index), 1)
    add(index, twoLetters.get(letter) ?? '', 0)
    at = index + letter.length
  }
  add(at, whole.slice(at), 1)
  origins.push(whole.length)
  return { text, origins }
}

export const originalIndex = (origins: readonly number[] | undefined, at: number): number => origins?.[at] ?? at
