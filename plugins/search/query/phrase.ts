import type { LanguageFlags } from '../languages.ts'
import type { PhraseWord } from '../snapshot/phrase-positions.ts'

/** Words side by side. */
export interface Phrase {
  text: string
  /** Those of its words that the index has. */
  words: readonly PhraseWord[]
  /** In these languages some of its words are stop words: the index does not have those, and they are looked for in the text. */
  stopWordsIn: LanguageFlags | undefined
}
