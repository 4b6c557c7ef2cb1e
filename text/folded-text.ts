import { plainLetters } from './fold.ts'

const accented = /[\u00c0-\u024f\u0401\u0451\u1e00-\u1eff\uff10-\uff5a]/g

export interface FoldedText {
  text: string
  /** Where each of its characters was, and its end; undefined when none has moved. */
  origins: number[] | undefined
}

const entries = Object.entries(plainLetters)
const twoLetters = new Map(entries.filter(([, plain]) => plain.length === 2))
const hasTwoLetters = new RegExp(`[${[...twoLetters.keys()].join('')}]`)
/** By letter, and those that were met; of some hundred. To decompose one takes longer than all the rest. */
const baseLetters = new Map([
  ['ẞ', 'ß'],
  ...entries
    .filter(([, plain]) => plain.length === 1)
    .flatMap(([letter, plain]) => [[letter.toUpperCase(), plain.toUpperCase()] as const, [letter, plain] as const])
])

/** A text in lower case and without accents on Latin letters, as `foldWord` folds words, with the place of each character. */
export function foldText(text: string): FoldedText {
  if (isAscii(text)) return { text: text.toLowerCase(), origins: undefined }
  const base = text.replace(accented, baseLetter)
  const lower = base.toLowerCase()
  const whole = lower.length === text.length ? lower : base
  return hasTwoLetters.test(whole) ? spread(whole) : { text: whole, origins: undefined }
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
  for (let at = 0; at < whole.length; at++) {
    const letter = whole.charAt(at)
    const letters = twoLetters.get(letter) ?? letter
    text += letters
    for (let each = 0; each < letters.length; each++) origins.push(at)
  }
  return { text, origins: [...origins, whole.length] }
}

export const originalIndex = (origins: readonly number[] | undefined, at: number): number => origins?.[at] ?? at
