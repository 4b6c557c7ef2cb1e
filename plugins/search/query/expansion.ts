import { type Changes, createCache, type Db } from '#core'
import { editDistance } from '#text'
import type { IndexSnapshot, PostingList } from '../matching/postings.ts'
import { listExpansions, listSimilarWords, type WordRow } from '../repository/words.ts'
import { indexTopics, type Token } from './analyzer.ts'

/** Finds the terms of the vocabulary that a token of a query may mean. */
export interface Expansion {
  /** Each with the terms of the words that begin with its own. */
  expand(tokens: readonly Token[]): Promise<Token[]>
  /** What each unknown word may be the beginning or a misspelling of; itself when nothing comes near. */
  correct(tokens: readonly Token[], index: IndexSnapshot): Promise<Token[]>
}

const maxCached = 5000
/** Of one word, and of all words of a query: each term costs a posting list. */
const maxExpansions = 50
const maxExpansionsOfQuery = 200
/** To compare a word with the vocabulary takes milliseconds; nobody misspells more in one query. */
const maxCorrected = 8
/** Shorter beginnings stand for too much. */
const minPrefixLength = 3
const minCorrectedLength = 4
/** A misspelt word without its ending is compared as well; shorter ones are near to words it has nothing to do with. */
const minCorrectedStem = 5
const maxEditDistance = 3

export function createExpansion({ db, changes }: { db: Db; changes: Changes }): Expansion {
  const options = { changes, topics: indexTopics, maxEntries: () => maxCached }
  const prefixes = createCache<readonly string[]>(options)
  const similar = createCache<readonly WordRow[]>(options)
  const expand = async (tokens: readonly Token[]) => {
    const found = await prefixes.loadMany(
      tokens.map(({ word }) => word),
      async words => groupBy(words, await listExpansions(db, words, maxExpansions), row => [row.prefix, row.term])
    )
    const max = Math.max(1, Math.floor(maxExpansionsOfQuery / Math.max(1, tokens.length)))
    return tokens.map(token => {
      const terms = (found.get(token.word) ?? []).slice(0, max)
      return { ...token, terms: [...new Set([...token.terms, ...terms])] }
    })
  }
  /** The nearest words by typing errors, of those that no other word begins with. */
  const correctSpelling = async (tokens: readonly Token[], index: IndexSnapshot) => {
    const spellings = tokens.map(spellingsOf)
    const found = await similar.loadMany(spellings.flat(), async words =>
      groupBy(words, await listSimilarWords(db, words), ({ asked, ...row }) => [asked, row])
    )
    const near = spellings.map(each => {
      const words = each.flatMap(spelling => found.get(spelling) ?? [])
      return nearTerms(each, words)
    })
    const lists = await index.lists(near.flatMap(each => each.map(({ term }) => term)))
    return tokens.map((token, at): Token => nearest(near[at] ?? [], lists) ?? token)
  }
  return {
    expand,
    correct: async (tokens, index) => {
      const tried = tokens.slice(0, maxCorrected)
      const corrected = new Map<Token, Token>()
      const prefixed = tried.filter(({ word }) => word.length >= minPrefixLength)
      const expanded = await expand(prefixed)
      const lists = await index.lists(expanded.flatMap(({ terms }) => terms))
      for (const [at, token] of prefixed.entries()) {
        const whole = expanded[at]
        if (whole?.terms.some(term => lists.has(term))) corrected.set(token, whole)
      }
      const misspelt = tried.filter(token => !corrected.has(token) && token.word.length >= minCorrectedLength)
      const meant = await correctSpelling(misspelt, index)
      for (const [at, token] of misspelt.entries()) corrected.set(token, meant[at] ?? token)
      return tokens.map(token => corrected.get(token) ?? token)
    }
  }
}

/** A word as it was typed, and without its ending. */
function spellingsOf({ word, terms }: Token): string[] {
  const stems = terms.slice(0, 1).filter(stem => stem.length >= minCorrectedStem)
  return [...new Set([word, ...stems])]
}

/** The values of each key; a key without any has an empty list. */
function groupBy<Row, T>(
  keys: readonly string[],
  rows: readonly Row[],
  entryOf: (row: Row) => [key: string, value: T]
): Map<string, T[]> {
  const groups = new Map<string, T[]>(keys.map(key => [key, []]))
  for (const [key, value] of rows.map(entryOf)) groups.get(key)?.push(value)
  return groups
}

interface NearTerm {
  term: string
  distance: number
}

function nearTerms(spellings: readonly string[], words: readonly WordRow[]): NearTerm[] {
  return words.flatMap(({ word, term }) => {
    const distances = spellings.flatMap(spelling => {
      const distance = editDistance(spelling, word, maxEditDistance)
      return distance <= maxEdits(spelling) ? [distance] : []
    })
    return distances.length === 0 ? [] : [{ term, distance: Math.min(...distances) }]
  })
}

/** The terms the fewest edits away; among as many, those more posts have. */
function nearest(near: readonly NearTerm[], lists: ReadonlyMap<string, PostingList>): Token | undefined {
  const indexed = near.filter(({ term }) => lists.has(term))
  const min = Math.min(...indexed.map(({ distance }) => distance))
  const terms = [...new Set(indexed.filter(({ distance }) => distance === min).map(({ term }) => term))].sort(
    (a, b) => documentFrequency(lists, b) - documentFrequency(lists, a) || (a < b ? -1 : 1)
  )
  return terms[0] === undefined ? undefined : { terms: terms.slice(0, 3), word: terms[0] }
}

const maxEdits = (word: string) => (word.length < 8 ? 1 : 2)

const documentFrequency = (lists: ReadonlyMap<string, PostingList>, term: string) => lists.get(term)?.posts.length ?? 0
