import { type Changes, createCache, type Db } from '#core'
import { listExpansions } from '../repository/words.ts'
import { type Token, vocabularyTags } from './analyzer.ts'
import { type Compounds, createCompounds } from './compounds.ts'
import { groupBy } from './group-by.ts'
import { createSpelling, type TermFrequencies } from './spelling.ts'

/** Finds the terms of the vocabulary that a token of a query may mean. */
export interface Expansion extends Compounds {
  /** Each with the terms of the words that begin with its own. */
  expand(tokens: readonly Token[]): Promise<Token[]>
  /** What each unknown word may be the beginning or a misspelling of; itself when nothing comes near. */
  correct(tokens: readonly Token[], index: TermFrequencies): Promise<Token[]>
}

const maxCached = 5000
/** Of one word, and of all words of a query: each term costs a posting list. */
const maxExpansions = 50
const maxExpansionsPerQuery = 200
/** To compare a word with the vocabulary takes milliseconds; nobody misspells more in one query. */
const maxCorrected = 8
/** Shorter beginnings stand for too much. */
const minPrefixLength = 3
const minCorrectedLength = 4

export function createExpansion(deps: { db: Db; changes: Changes }): Expansion {
  const expand = createPrefixes(deps)
  const correctSpelling = createSpelling(deps)
  return {
    ...createCompounds(deps),
    expand,
    correct: async (tokens, index) => {
      const tried = tokens.slice(0, maxCorrected)
      const corrected = new Map<Token, Token>()
      const prefixed = tried.filter(({ word }) => word.length >= minPrefixLength)
      const expanded = await expand(prefixed)
      const known = await index.frequencies(expanded.flatMap(({ terms }) => terms))
      for (const [at, token] of prefixed.entries()) {
        const whole = expanded[at]
        if (whole?.terms.some(term => known.has(term))) corrected.set(token, whole)
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

/** Adds to each token the terms of words that begin with it. */
function createPrefixes({ db, changes }: { db: Db; changes: Changes }): Expansion['expand'] {
  const prefixes = createCache<readonly string[]>({ changes, tags: vocabularyTags, maxEntries: () => maxCached })
  return async tokens => {
    const found = await prefixes.loadMany(
      tokens.map(({ word }) => word),
      async words => groupBy(words, await listExpansions(db, words, maxExpansions), row => [row.prefix, row.term])
    )
    const max = Math.max(1, Math.floor(maxExpansionsPerQuery / Math.max(1, tokens.length)))
    return tokens.map(token => {
      const terms = (found.get(token.word) ?? []).slice(0, max)
      const languagesOf = new Map([...token.languagesOf].filter(([term]) => !terms.includes(term)))
      return { ...token, terms: [...new Set([...token.terms, ...terms])], languagesOf, stopWordIn: [] }
    })
  }
}
