import { type Changes, createCache, type Db } from '#core'
import { listExpansions } from '../repository/words.ts'
import { createBatchSizer } from '../snapshot/batch-sizer.ts'
import { type Token, vocabularyTags } from './analyzer.ts'
import { type Compounds, createCompounds } from './compounds.ts'
import { tokensOfPosts } from './known-words.ts'
import { createSpelling, type TermFrequencies } from './spelling.ts'
import { foundTerms, noteMissing } from './word-table.ts'

/** Finds the terms of the vocabulary that a token of a query may mean. */
export interface Expansion extends Compounds {
  /** Each with the terms of the words that begin with its own, as far as there is time. */
  expand(tokens: readonly Token[], index: Pick<TermFrequencies, 'pacing' | 'missWords'>, max?: number): Promise<Token[]>
  /** The same of what is excluded: ten times as many terms, as none of them is ranked. */
  expandExcluded(tokens: readonly Token[], index: Pick<TermFrequencies, 'pacing' | 'missWords'>): Promise<Token[]>
  /** What each unknown word may be the beginning or a misspelling of; itself when nothing comes near. */
  correct(tokens: readonly Token[], index: TermFrequencies): Promise<Token[]>
}

/** Of each of the two caches: what is excluded has its own. */
const maxCachedBytes = 8_000_000
/** Of one word, of one that was not said to be a beginning, and of all words of a query: each term costs a posting list. */
const maxExpansions = 100
const maxExpansionsOfUnknown = 50
const maxExpansionsPerQuery = 200
/** Of what is excluded. */
const maxExcludedPerQuery = 1_000
/** To compare a word with the vocabulary takes milliseconds; nobody misspells more in one query. */
const maxCorrected = 8
/** Shorter beginnings stand for too much. */
const minPrefixLength = 3
const minCorrectedLength = 4

export function createExpansion({ db, changes }: { db: Db; changes: Changes }): Expansion {
  const deps = { db, changes }
  const expand = createPrefixes(deps, { ofOne: maxExpansions, ofAll: maxExpansionsPerQuery })
  const expandExcluded = createPrefixes(deps, { ofOne: maxExcludedPerQuery, ofAll: maxExcludedPerQuery })
  const correctSpelling = createSpelling(deps)
  return {
    ...createCompounds(deps),
    expand,
    expandExcluded,
    correct: async (tokens, index) => {
      const tried = tokens.slice(0, maxCorrected)
      const corrected = new Map<Token, Token>()
      const prefixed = tried.filter(({ word }) => word.length >= minPrefixLength)
      const expanded = await expand(prefixed, index, maxExpansionsOfUnknown)
      const known = await tokensOfPosts(expanded, index)
      for (const [at, token] of prefixed.entries()) {
        const whole = expanded[at]
        if (whole !== undefined && known.has(whole)) corrected.set(token, whole)
      }
      // Of those that no other word begins with.
      const misspelt = tried.filter(token => !corrected.has(token) && mayBeMisspelt(token))
      const meant = await correctSpelling(misspelt, index)
      for (const [at, token] of misspelt.entries()) corrected.set(token, meant[at] ?? token)
      return tokens.map(token => corrected.get(token) ?? token)
    }
  }
}

/** Another number is another thing. */
const mayBeMisspelt = ({ word }: Token) => word.length >= minCorrectedLength && !/\d/.test(word)

/** What one unit of cost takes, before any was looked up. */
const usualMs = 0.1
/** By its length: a look-up reads all words with the beginning. One letter takes 40 ms among 390,000 words, two take 2. */
const costsOfLength = [400, 400, 20]

const costOf = (words: readonly string[]) => words.reduce((sum, { length }) => sum + (costsOfLength[length] ?? 1), 0)

/** Removes the first words, as many as cost so much: one at least. */
function takeUpTo(rest: string[], cost: number): string[] {
  const taken = rest.splice(0, 1)
  while (rest.length > 0 && costOf([...taken, ...rest.slice(0, 1)]) <= cost) taken.push(...rest.splice(0, 1))
  return taken
}

const cachedOverhead = 300
const bytesOfTerm = 32

const bytesOf = (terms: readonly string[]) =>
  terms.reduce((sum, { length }) => sum + 2 * length + bytesOfTerm, cachedOverhead)

interface PrefixDeps {
  db: Db
  changes: Changes
}

/** Terms of one beginning, and of all. */
interface PrefixLimits {
  ofOne: number
  ofAll: number
}

/** Adds to each token the terms of words that begin with it. */
function createPrefixes({ db, changes }: PrefixDeps, { ofOne, ofAll }: PrefixLimits): Expansion['expand'] {
  const prefixes = createCache({ changes, tags: vocabularyTags, maxBytes: () => maxCachedBytes, bytesOf })
  const batches = createBatchSizer(usualMs)
  const read = (asked: readonly string[]) =>
    prefixes.loadMany(asked, words =>
      batches.measure(costOf(words), async () => foundTerms(words, await listExpansions(db, words, ofOne + 1)))
    )
  return async (tokens, index, maxOfOne = ofOne) => {
    const { pacing } = index
    const found = new Map<string, readonly string[]>()
    // The cheapest first.
    const rest = [...new Set(tokens.map(({ word }) => word))].sort((a, b) => b.length - a.length)
    // However late it is, one is looked up: the reader gets to see something.
    while (rest.length > 0 && (found.size === 0 || pacing?.hasTimeToRead() !== false)) {
      const cost = batches.size(pacing?.statementMs() ?? Number.POSITIVE_INFINITY)
      for (const [word, terms] of await read(takeUpTo(rest, cost))) found.set(word, terms)
    }
    noteMissing(index, found)
    const max = Math.min(maxOfOne, Math.max(1, Math.floor(ofAll / Math.max(1, tokens.length))))
    return tokens.map(token => {
      const all = found.get(token.word) ?? []
      const terms = all.slice(0, max)
      const languagesOf = new Map([...token.languagesOf].filter(([term]) => !terms.includes(term)))
      return {
        ...token,
        terms: [...new Set([...token.terms, ...terms])],
        languagesOf,
        stopWordIn: [],
        hasMore: all.length > max
      }
    })
  }
}
