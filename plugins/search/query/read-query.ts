import type { TextLanguage } from '#text'
import { analyzeIn, type Token } from './analyzer.ts'
import type { Expansion } from './expansion.ts'
import { tokensOfPosts } from './known-words.ts'
import type { Clause, ParsedQuery } from './query.ts'
import { isCorrected, type TermFrequencies } from './spelling.ts'

/** A clause of a query with the words it was read as. */
export interface ReadClause {
  clause: Clause
  /** Its words but stop words: beginnings with what they begin, unknown words corrected. */
  tokens: readonly Token[]
  /**
   * What may stand in its place, each with words that all count: two of its words as one, for `e-mail` is `email` as well; compounds
   * with its word; or the parts of a compound. Of a phrase only two words that are all of it, as one.
   */
  substitutes: readonly (readonly Token[])[]
  /** All its words as they were typed, stop words too. */
  typed: readonly Token[]
}

/** A query with the words it was read as. */
export interface ReadQuery {
  required: readonly (readonly ReadClause[])[]
  excluded: readonly ReadClause[]
}

/** What a query is read with. */
export interface Reading {
  expansion: Expansion
  /** Which words posts have. */
  index: TermFrequencies
  /** Of the posts that are searched. */
  languages: readonly TextLanguage[]
  /** The same of all posts, where the search is narrowed to some. */
  whole?: Pick<Reading, 'index' | 'languages'> | undefined
}

export async function readQueryWords(query: ParsedQuery, reading: Reading): Promise<ReadQuery> {
  const requiredClauses = query.required.flat()
  const clauses = [...requiredClauses, ...query.excluded]
  const analyzed = clauses.map(clause => analyzeIn(reading.languages, clause.text))
  const known = await reading.expansion.substitutesOf(wordsAlone(requiredClauses, analyzed), reading)
  const expanding = { ...reading, substitutes: known, count: requiredClauses.length }
  const tokens = await expandTokens(clauses, analyzed.map(withoutJoined), expanding)
  const read = new Map(
    clauses.map((clause, at): [Clause, ReadClause] => {
      const ofClause = analyzed[at] ?? []
      const substitutes = clause.isPhrase
        ? wholeAsOne(ofClause)
        : ofClause.flatMap(token => substituteFor(token, known))
      return [clause, { clause, tokens: tokens[at] ?? [], substitutes, typed: withoutJoined(ofClause) }]
    })
  )
  const readOf = (of: readonly Clause[]) => of.flatMap(clause => read.get(clause) ?? [])
  return { required: query.required.map(readOf), excluded: readOf(query.excluded) }
}

/** The words of what is required, those of substitutes last. */
export const requiredTokensOf = ({ required }: ReadQuery): Token[] => {
  const clauses = required.flat()
  return [...clauses.flatMap(({ tokens }) => tokens), ...clauses.flatMap(({ substitutes }) => substitutes.flat())]
}

const hasMoreWords = ({ tokens }: ReadClause) => tokens.some(({ hasMore }) => hasMore === true)

/** More words begin so than were looked for: more posts may be found, or excluded. */
export const moreWordsThan = ({ required, excluded }: ReadQuery) => ({
  findsMore: required.some(clauses => clauses.some(hasMoreWords)),
  excludesMore: excluded.some(hasMoreWords)
})

/** The words that are a clause each. */
const wordsAlone = (clauses: readonly Clause[], analyzed: readonly (readonly Token[])[]): Token[] =>
  clauses.flatMap(({ isPhrase, isPrefix }, at) => {
    const [token, ...others] = (analyzed[at] ?? []).filter(each => !isStopToken(each))
    return token === undefined || others.length > 0 || isPhrase || isPrefix ? [] : [token]
  })

/** What a text may have in place of a word. */
function substituteFor(token: Token, known: ReadonlyMap<Token, readonly Token[]>): (readonly Token[])[] {
  const substitute = isJoined(token) ? [token] : known.get(token)
  return substitute === undefined ? [] : [substitute]
}

/** `e-mail` in quotes is `email`, too. */
const wholeAsOne = (tokens: readonly Token[]): (readonly Token[])[] =>
  withoutJoined(tokens).length === 2 ? tokens.filter(isJoined).map(token => [token]) : []

/** Two words of the text as one. */
const isJoined = ({ span }: Token) => span > 1

/** A joined form says what a text of two words says: not where a phrase or a longer chain is asked for. */
const withoutJoined = (tokens: readonly Token[]) => tokens.filter(token => !isJoined(token))

export const isStopToken = ({ terms }: Token): boolean => terms.length === 0

/** A word that was taken for a misspelling: both in lower case and without accents. */
export interface Correction {
  from: string
  to: string
}

export const correctionsIn = (tokens: readonly Token[]): Correction[] => {
  const byWord = new Map(tokens.filter(isCorrected).map(({ typed, words }) => [typed, words]))
  return [...byWord].flatMap(([from, words]) => words.map(to => ({ from, to })))
}

/** How soon a repeated word of a query stops counting: BM25's k3. Long questions need it (bench/README.md). */
const querySaturation = 3

export const keyOfToken = ({ terms, languagesOf }: Token): string =>
  terms.map(term => [term, ...(languagesOf.get(term) ?? [])].join(',')).join(' ')

/** How much each word counts that is asked for, by its key. */
export function weightsOfTokens(tokens: readonly Token[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const key of tokens.map(keyOfToken)) counts.set(key, (counts.get(key) ?? 0) + 1)
  return new Map([...counts].map(([key, count]) => [key, (count * (querySaturation + 1)) / (querySaturation + count)]))
}

/** Scripts without blanks: a few characters are a word, many are a sentence. */
const unspacedWord = /^[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u9fff\uac00-\ud7a3\uf900-\ufaff]{2,4}$/

/** In quotes, or a word written without blanks: no post without it. */
export const requiresPhrase = ({ isPhrase, text }: Clause): boolean => isPhrase || unspacedWord.test(text)

/** Whether a clause is more than one word: its words have to stand side by side. Beside one of them there may be stop words. */
export const isPhraseOf = ({ clause, tokens, typed }: Pick<ReadClause, 'clause' | 'tokens' | 'typed'>): boolean =>
  tokens.length > 1 || (tokens.length === 1 && clause.isPhrase && typed.length > 1)

interface TokenExpansion extends Omit<Reading, 'languages'> {
  /** So many clauses are required; the others are excluded. */
  count: number
  /** Words with a substitute are neither a beginning nor misspelt. */
  substitutes: ReadonlyMap<Token, readonly Token[]>
}

/** The tokens of each clause without stop words: beginnings with what they begin, unknown words corrected. */
async function expandTokens(
  clauses: readonly Clause[],
  analyzed: readonly (readonly Token[])[],
  { expansion, index, whole, count, substitutes }: TokenExpansion
): Promise<Token[][]> {
  const contentTokens = analyzed.map(tokens => tokens.filter(token => !isStopToken(token)))
  const isPrefix = (at: number) => clauses[at]?.isPrefix === true
  // Also of a beginning that is a stop word: `can*` is candle, too.
  const lastOfPrefix = (tokens: readonly Token[], at: number) => (isPrefix(at) ? tokens.slice(-1) : [])
  const prefixes = analyzed.slice(0, count).flatMap(lastOfPrefix)
  const excluded = analyzed.flatMap((tokens, at) => (at < count ? [] : lastOfPrefix(tokens, at)))
  // A phrase is meant as it stands, and what is excluded must not be guessed.
  const isLiteral = (at: number) => isPrefix(at) || clauses[at]?.isPhrase === true || at >= count
  const known = await tokensOfPosts(analyzed.flat(), index)
  const isUnknown = (token: Token) => !substitutes.has(token) && token.stopWordIn.length === 0 && !known.has(token)
  const unknown = await inNoPost(
    contentTokens.flatMap((tokens, at) => (isLiteral(at) ? [] : tokens.filter(isUnknown))),
    whole
  )
  const replaced = new Map<Token, Token>()
  const replace = (tokens: readonly Token[], by: readonly Token[]) => {
    for (const [at, token] of tokens.entries()) replaced.set(token, by[at] ?? token)
  }
  if (prefixes.length > 0) replace(prefixes, await expansion.expand(prefixes, index))
  if (excluded.length > 0) replace(excluded, await expansion.expandExcluded(excluded, index))
  if (unknown.length > 0) replace(unknown, await expansion.correct(unknown, index))
  return contentTokens.map((tokens, at) => {
    const last = isPrefix(at) ? analyzed[at]?.at(-1) : undefined
    if (last === undefined) return isLiteral(at) ? tokens : tokens.map(token => replaced.get(token) ?? token)
    return [...tokens.filter(token => token !== last), replaced.get(last) ?? last]
  })
}

/** Without the words that posts have beside those that are searched. */
async function inNoPost(tokens: readonly Token[], whole: Reading['whole']): Promise<readonly Token[]> {
  if (tokens.length === 0 || whole === undefined) return tokens
  const readings = tokens.map(({ word }) => analyzeIn(whole.languages, word))
  const known = await tokensOfPosts(readings.flat(), whole.index)
  const isPresent = (token: Token) => isStopToken(token) || token.stopWordIn.length > 0 || known.has(token)
  return tokens.filter((_, at) => readings[at]?.some(isPresent) !== true)
}
