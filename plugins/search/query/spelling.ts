import { type Changes, createCache, type Db } from '#core'
import { editDistance, type TextLanguage } from '#text'
import type { WordRow } from '../repository/vocabulary.ts'
import { listSimilarWords, listWordsOf } from '../repository/words.ts'
import { createBatchSizer } from '../snapshot/batch-sizer.ts'
import type { Pacing } from '../snapshot/pacing.ts'
import { type Token, vocabularyTags, withTerms } from './analyzer.ts'
import { groupBy } from './group-by.ts'

/** A word that was asked for in place of a misspelt one. */
interface CorrectedToken extends Token {
  /** As it was typed, in lower case and without accents. */
  readonly typed: string
  /** Words of texts that have its terms: one for each. */
  readonly words: readonly string[]
}

export const isCorrected = (token: Token): token is CorrectedToken => 'typed' in token

/** In how many posts terms are. One that no post has is left out. */
export interface TermFrequencies {
  frequencies(terms: readonly string[]): Promise<ReadonlyMap<string, number>>
  /** Whether posts in these languages have a term that `frequencies` found. Absent: the languages of terms are not known. */
  isIn?(term: string, languages: readonly TextLanguage[]): Promise<boolean>
  /** The words are gone that others are compared with: posts may be missing. */
  missWords?(): void
  /** What there is time for; absent: for everything. */
  readonly pacing?: Pick<Pacing, 'hasTimeToRead' | 'statementMs'>
}

/** The words of the vocabulary that each token may be a misspelling of; the token itself where none comes near. */
type CorrectSpelling = (tokens: readonly Token[], index: TermFrequencies) => Promise<Token[]>

const maxCached = 5000
/** What a word takes, before any was looked up. */
const usualMs = 2
/** A word is looked up as it was typed, and without its ending. */
const maxSpellings = 2
/** A misspelt word without its ending is compared as well; shorter ones are near to words it has nothing to do with. */
const minCorrectedStem = 5
const maxEditDistance = 3
/** A word with fewer letters is corrected only to terms of which a word is at most so many edits away. */
const maxShortDistance = 2
/** Words of a term that are further away are not told apart. */
const maxShownDistance = 8
/** Terms of the nearest words. */
const maxCorrections = 3

export function createSpelling({ db, changes }: { db: Db; changes: Changes }): CorrectSpelling {
  const similar = createCache<readonly WordRow[]>({ changes, tags: vocabularyTags, maxEntries: () => maxCached })
  const batches = createBatchSizer(usualMs)
  const nearWords = (asked: readonly string[][]): Promise<ReadonlyMap<string, readonly WordRow[]>> =>
    similar.loadMany(asked.flat(), words =>
      batches.measure(words.length, async () =>
        groupBy(words, await listSimilarWords(db, words), ({ asked, ...row }) => [asked, row])
      )
    )
  return async (tokens, index) => {
    const spellings = tokens.map(spellingsOf)
    const near: NearTerm[][] = []
    // Each is compared with the whole vocabulary.
    for (const rest = [...spellings]; rest.length > 0 && index.pacing?.hasTimeToRead() !== false; ) {
      const count = batches.size((index.pacing?.statementMs() ?? Number.POSITIVE_INFINITY) / maxSpellings)
      const asked = rest.splice(0, count)
      const found = await nearWords(asked)
      for (const each of asked)
        near.push(
          nearTerms(
            each,
            each.flatMap(spelling => found.get(spelling) ?? [])
          )
        )
    }
    const known = await index.frequencies(near.flatMap(each => each.map(({ term }) => term)))
    const meant = tokens.map((_, at) => nearest(near[at] ?? [], known))
    const stems = meant.flat().flatMap(({ term, words }) => (words.length === 0 ? [term] : []))
    const ofStems = Map.groupBy(stems.length === 0 ? [] : await listWordsOf(db, stems), ({ term }) => term)
    return tokens.map((token, at) => {
      const terms = (meant[at] ?? []).map(({ term, words }) => ({
        term,
        words: [...words, ...(ofStems.get(term) ?? []).map(({ word }) => word)]
      }))
      const plausible = terms.filter(({ words }) => isPlausible(token.word, words))
      return plausible.length === 0 ? token : corrected(token, plausible)
    })
  }
}

/** A word as it was typed, and without its ending. */
function spellingsOf({ word, terms }: Token): string[] {
  const stems = terms.slice(0, 1).filter(stem => stem.length >= minCorrectedStem)
  return [...new Set([word, ...stems])]
}

interface NearTerm extends WordRow {
  distance: number
}

function nearTerms(spellings: readonly string[], words: readonly WordRow[]): NearTerm[] {
  return words.flatMap(({ word, term, is_stem }) => {
    const distances = spellings.flatMap(spelling => {
      const distance = editDistance(spelling, word, maxEditDistance)
      return distance <= maxEdits(spelling) ? [distance] : []
    })
    return distances.length === 0 ? [] : [{ term, word, is_stem, distance: Math.min(...distances) }]
  })
}

/** A term that a word may be meant by, and the words near to what was typed that texts have. */
interface MeantTerm {
  term: string
  words: readonly string[]
}

/** The terms the fewest edits away; among as many, those more posts have. */
function nearest(near: readonly NearTerm[], known: ReadonlyMap<string, number>): MeantTerm[] {
  const indexed = near.filter(({ term }) => known.has(term))
  const min = Math.min(...indexed.map(({ distance }) => distance))
  const nearestOnes = indexed.filter(({ distance }) => distance === min)
  const terms = [...new Set(nearestOnes.map(({ term }) => term))].sort(
    (a, b) => (known.get(b) ?? 0) - (known.get(a) ?? 0) || (a < b ? -1 : 1)
  )
  const wordsOf = (term: string) => near.filter(each => each.term === term && !each.is_stem).map(({ word }) => word)
  return terms.slice(0, maxCorrections).map(term => ({ term, words: wordsOf(term) }))
}

function corrected(token: Token, meant: readonly MeantTerm[]): CorrectedToken {
  const words = meant.map(({ term, words }) => nearestWord(token.word, words) ?? term)
  return {
    ...withTerms(
      token,
      meant.map(({ term }) => term)
    ),
    word: words[0] ?? token.word,
    typed: token.word,
    words
  }
}

/** A short word is near to stems of words that it has nothing to do with: `cafe` to that of `carefully`. */
const isPlausible = (typed: string, words: readonly string[]): boolean =>
  typed.length >= minCorrectedStem ||
  words.length === 0 ||
  words.some(word => editDistance(typed, word, maxEditDistance) <= maxShortDistance)

function nearestWord(typed: string, words: readonly string[]): string | undefined {
  const distance = (word: string) => editDistance(typed, word, maxShownDistance)
  return words.toSorted((a, b) => distance(a) - distance(b) || (a < b ? -1 : 1))[0]
}

const maxEdits = (word: string) => (word.length < 8 ? 1 : 2)
