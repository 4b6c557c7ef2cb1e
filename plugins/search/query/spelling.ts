import { type Changes, createCache, type Db } from '#core'
import { editDistance } from '#text'
import type { WordRow } from '../repository/vocabulary.ts'
import { listSimilarWords } from '../repository/words.ts'
import type { Pacing } from '../snapshot/pacing.ts'
import { createPieces } from '../snapshot/pieces.ts'
import { type Token, vocabularyTags } from './analyzer.ts'
import { groupBy } from './group-by.ts'

/** A word that was asked for in place of a misspelt one. */
interface CorrectedToken extends Token {
  /** As it was typed, in lower case and without accents. */
  readonly typed: string
}

export const isCorrected = (token: Token): token is CorrectedToken => 'typed' in token

/** In how many posts terms are. One that no post has is left out. */
export interface TermFrequencies {
  frequencies(terms: readonly string[]): Promise<ReadonlyMap<string, number>>
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
/** Terms of the nearest words. */
const maxCorrections = 3

export function createSpelling({ db, changes }: { db: Db; changes: Changes }): CorrectSpelling {
  const similar = createCache<readonly WordRow[]>({ changes, tags: vocabularyTags, maxEntries: () => maxCached })
  const pieces = createPieces(usualMs)
  const nearWords = (asked: readonly string[][]): Promise<ReadonlyMap<string, readonly WordRow[]>> =>
    similar.loadMany(asked.flat(), words =>
      pieces.measure(words.length, async () =>
        groupBy(words, await listSimilarWords(db, words), ({ asked, ...row }) => [asked, row])
      )
    )
  return async (tokens, index) => {
    const spellings = tokens.map(spellingsOf)
    const near: NearTerm[][] = []
    // Each is compared with the whole vocabulary.
    for (const rest = [...spellings]; rest.length > 0 && index.pacing?.hasTimeToRead() !== false; ) {
      const count = pieces.size((index.pacing?.statementMs() ?? Number.POSITIVE_INFINITY) / maxSpellings)
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
    return tokens.map((token, at) => nearest(token, near[at] ?? [], known) ?? token)
  }
}

/** A word as it was typed, and without its ending. */
function spellingsOf({ word, terms }: Token): string[] {
  const stems = terms.slice(0, 1).filter(stem => stem.length >= minCorrectedStem)
  return [...new Set([word, ...stems])]
}

interface NearTerm {
  term: string
  /** A term stands among the words for itself, too. */
  word: string
  distance: number
}

function nearTerms(spellings: readonly string[], words: readonly WordRow[]): NearTerm[] {
  return words.flatMap(({ word, term }) => {
    const distances = spellings.flatMap(spelling => {
      const distance = editDistance(spelling, word, maxEditDistance)
      return distance <= maxEdits(spelling) ? [distance] : []
    })
    return distances.length === 0 ? [] : [{ term, word, distance: Math.min(...distances) }]
  })
}

/** The terms the fewest edits away; among as many, those more posts have. */
function nearest(
  token: Token,
  near: readonly NearTerm[],
  known: ReadonlyMap<string, number>
): CorrectedToken | undefined {
  const indexed = near.filter(({ term }) => known.has(term))
  const min = Math.min(...indexed.map(({ distance }) => distance))
  const nearestOnes = indexed.filter(({ distance }) => distance === min)
  const terms = [...new Set(nearestOnes.map(({ term }) => term))].sort(
    (a, b) => (known.get(b) ?? 0) - (known.get(a) ?? 0) || (a < b ? -1 : 1)
  )
  if (terms[0] === undefined) return undefined
  const words = near.filter(({ term }) => term === terms[0]).map(({ word }) => word)
  return {
    ...token,
    terms: terms.slice(0, maxCorrections),
    word: wordFor(token.word, terms[0], words),
    typed: token.word
  }
}

/** The word of a term to show for it, about as long as what was typed. The term itself is often none: `lighthous`. */
function wordFor(typed: string, term: string, words: readonly string[]): string {
  const difference = (word: string) => Math.abs(word.length - typed.length)
  const others = words.filter(word => word !== term && difference(word) <= 1)
  return others.sort((a, b) => difference(a) - difference(b) || (a < b ? -1 : 1))[0] ?? term
}

const maxEdits = (word: string) => (word.length < 8 ? 1 : 2)
