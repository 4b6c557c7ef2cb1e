import type { SearchedText } from '../repository/vocabulary.ts'

/** What stands between blanks and punctuation in texts, by their language. */
export type TokensByLanguage = Map<string, Set<string>>

/** The tokens whose words are stored, as far as this process knows. */
export interface KnownTokens {
  /** Adds those of a text that it does not know. */
  addUnknown(text: SearchedText, unknown: TokensByLanguage): void
  /** Notes that their words are stored. */
  add(language: string, tokens: ReadonlySet<string>): void
}

/** Where `search_text` puts blanks into any text; the database analyses what is between them. */
const separators = /[\s!-/:-@[-`{-~\u00a0«»‘’“”‚„…–—]+/
/** A language has some ten thousand in use; each takes some tens of bytes. */
const maxKnown = 100_000
const maxTokenLength = 40

/** Texts share most of their words: to have the database find them all again would cost more than to publish the text. */
export function createKnownTokens(): KnownTokens {
  const known: TokensByLanguage = new Map()
  return {
    addUnknown({ search_language, title, excerpt, body }, unknown) {
      const before = known.get(search_language)
      const tokens = `${title} ${excerpt} ${body}`
        .split(separators)
        .filter(token => token !== '' && !before?.has(token))
      if (tokens.length > 0) addTo(unknown, search_language, tokens)
    },
    add(language, tokens) {
      if ((known.get(language)?.size ?? 0) + tokens.size > maxKnown) known.delete(language)
      addTo(
        known,
        language,
        [...tokens]
          .filter(({ length }) => length <= maxTokenLength)
          .slice(0, maxKnown)
          .map(detached)
      )
    }
  }
}

/** A slice of a long text would hold the whole text in memory. */
const detached = (token: string): string => Buffer.from(token).toString()

function addTo(sets: TokensByLanguage, language: string, tokens: Iterable<string>): void {
  const set = sets.get(language) ?? new Set()
  for (const token of tokens) set.add(token)
  sets.set(language, set)
}
