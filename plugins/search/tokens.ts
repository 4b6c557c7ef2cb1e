import type { SearchedText } from './repository/vocabulary.ts'

/** What stands between blanks and punctuation in texts, by their language. */
export type PiecesByLanguage = Map<string, Set<string>>

/** The pieces whose words a process knows to be stored. */
export interface Pieces {
  /** Adds those of a text that it does not know. */
  addUnknown(text: SearchedText, unknown: PiecesByLanguage): void
  /** Their words are stored. */
  remember(language: string, pieces: ReadonlySet<string>): void
}

/** Where `search_text` puts blanks into any text; the database takes apart what is between them. */
const gaps = /[\s!-/:-@[-`{-~\u00a0«»‘’“”‚„…–—]+/
/** A language has some ten thousand in use; each takes some tens of bytes. */
const mostKnown = 100_000
const longestKnown = 40

/** Texts share most of their words: to have the database find them all again would cost more than to publish the text. */
export function createPieces(): Pieces {
  const known: PiecesByLanguage = new Map()
  return {
    addUnknown({ search_language, title, excerpt, body }, unknown) {
      const before = known.get(search_language)
      const pieces = `${title} ${excerpt} ${body}`.split(gaps).filter(piece => piece !== '' && !before?.has(piece))
      if (pieces.length > 0) add(unknown, search_language, pieces)
    },
    remember(language, pieces) {
      if ((known.get(language)?.size ?? 0) + pieces.size > mostKnown) known.delete(language)
      add(
        known,
        language,
        [...pieces]
          .filter(({ length }) => length <= longestKnown)
          .slice(0, mostKnown)
          .map(ofItsOwn)
      )
    }
  }
}

/** A piece of a long text keeps the whole text in memory. */
const ofItsOwn = (piece: string): string => Buffer.from(piece).toString()

function add(sets: PiecesByLanguage, language: string, pieces: Iterable<string>): void {
  const set = sets.get(language) ?? new Set()
  for (const piece of pieces) set.add(piece)
  sets.set(language, set)
}
