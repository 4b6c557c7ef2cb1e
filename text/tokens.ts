import { fold } from './fold.ts'
import { stem } from './stemmers.ts'
import { isStopWord } from './stop-words.ts'
import { unspacedScripts } from './unspaced-scripts.ts'

const asciiOnly = /^[\x00-\x7f]*$/
const asciiToken = /[a-z0-9]+/g
// Characters of scripts without blanks between words, and emoji, stand for themselves.
const anyToken = new RegExp(
  `\\p{Extended_Pictographic}|\\p{RI}{2}|[${unspacedScripts}]|(?:(?![${unspacedScripts}])[\\p{L}\\p{M}\\p{N}])+`,
  'gu'
)
const anySign = /[^\s\p{C}]/gu

/** What texts are compared by: their runs of letters and digits, folded. Of a text without any, its signs. */
export function tokensOf(text: string): string[] {
  if (asciiOnly.test(text)) {
    const lower = text.toLowerCase()
    return lower.match(asciiToken) ?? lower.match(anySign) ?? []
  }
  const folded = fold(text)
  return folded.match(anyToken) ?? folded.match(anySign) ?? []
}

/** The stems of the tokens that are no stop words, in order, with repeats. */
export const termsOf = (text: string): string[] =>
  tokensOf(text)
    .filter(token => !isStopWord(token))
    .map(stem)
