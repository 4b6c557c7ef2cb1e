import { eachToken } from '#text'
import type { Phrase } from '../query/phrase.ts'

/** The beginning of a word that its inflected forms share: the index has compared them already. */
const sharedLetters = 3

/** Whether the words of a phrase stand in a text one after the other; those that are no stop words of its language in any inflected form. */
export function hasPhrase(text: string, phrase: Phrase, languageCode: number): boolean {
  const wanted = termsInOrder(phrase.text)
  const words = termsInOrder(text)
  const contentWords = phrase.words.filter(({ stopWordIn }) => stopWordIn?.[languageCode] !== 1)
  const content = new Set(contentWords.map(({ offset }) => offset))
  const isAt = (start: number) =>
    wanted.every((word, at) => {
      const found = words[start + at]
      if (found === undefined) return false
      return content.has(at) ? found.startsWith(word.slice(0, sharedLetters)) : found === word
    })
  return words.some((_, start) => isAt(start))
}

function termsInOrder(text: string): string[] {
  const words: string[] = []
  eachToken(text, 'simple', 0, (_, position, word, span) => {
    if (span === 1) words[position] = word
  })
  return words
}
