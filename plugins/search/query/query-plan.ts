import type { SearchLanguage } from '../analysis/languages.ts'
import { maxBits } from '../inverted-index/hits.ts'
import { mergePostingLists, type PostingList } from '../inverted-index/posting-list.ts'
import type { RankedTerm } from '../inverted-index/ranking.ts'
import type { IndexSnapshot } from '../snapshot/postings.ts'
import { analyzeIn, type Token } from './analyzer.ts'
import type { Expansion } from './expansion.ts'
import type { Phrase } from './phrase.ts'
import type { Clause, ParsedQuery } from './query.ts'
import { isCorrected } from './spelling.ts'

/** One way to have what is asked for: words, by their bits in a ranking and by their lists, and a phrase to be verified. */
export interface Alternative {
  bits: number
  /** Undefined for a word that no post has. */
  lists: (PostingList | undefined)[]
  /** The index of its phrase among those of the plan. */
  phrase: number | undefined
  /** In quotes, or a word written without blanks: no post without it. */
  requiresPhrase: boolean
}

/** A query with the posting lists it needs. */
export interface QueryPlan {
  terms: RankedTerm[]
  /** A post has one of each. */
  required: Alternative[][]
  excluded: Alternative[]
  /** Those that the alternatives name. */
  phrases: Phrase[]
  /** Terms to highlight in snippets. */
  highlighted: string[]
  /** Words that no post has, and those that were asked for instead. */
  corrected: Correction[]
}

/** What a plan is made with. */
export interface Planning {
  expansion: Expansion
  index: IndexSnapshot
  languages: readonly SearchLanguage[]
}

/** Undefined for a query that asks for no word. */
export async function planOf(query: ParsedQuery, planning: Planning): Promise<QueryPlan | undefined> {
  const requiredClauses = query.required.flat()
  const clauses = [...requiredClauses, ...query.excluded]
  const analyzed = clauses.map(clause => analyzeIn(planning.languages, clause.text))
  const tokens = await expandTokens(clauses, analyzed.map(withoutJoined), requiredClauses.length, planning)
  const joined = analyzed.map((of, at) => (clauses[at]?.isPhrase === true ? [] : of.filter(isJoined)))
  const all = [...tokens.flat(), ...joined.flat()]
  const lists = await planning.index.lists(all.flatMap(token => token.terms))
  const words = wordsOf(all, lists)
  const asked = clauses.map((clause, index) =>
    phraseOf(clause, tokens[index] ?? [], withoutJoined(analyzed[index] ?? []))
  )
  const phrases = distinctPhrases(asked)
  const planned = new Map(
    clauses.map((clause, index) => {
      const main = alternativeOf(clause, tokens[index] ?? [], { words, phrases, asked: asked[index] })
      // `e-mail` is `email` as well.
      const others = (joined[index] ?? []).map(token =>
        alternativeOf(clause, [token], { words, phrases, asked: undefined })
      )
      return [clause, [main, ...others].filter(each => each !== undefined)]
    })
  )
  const alternativesOf = (of: readonly Clause[]) => of.flatMap(clause => planned.get(clause) ?? [])
  const required = query.required.map(alternativesOf).filter(alternatives => alternatives.length > 0)
  if (required.length === 0) return undefined
  const requiredTokens = [tokens, joined].flatMap(of => of.slice(0, requiredClauses.length).flat())
  return {
    terms: rankedTerms(words, requiredTokens),
    required,
    excluded: alternativesOf(query.excluded),
    phrases,
    highlighted: requiredTokens.flatMap(token => token.terms),
    corrected: correctionsIn(requiredTokens)
  }
}

/** Two words of the text as one. */
const isJoined = ({ span }: Token) => span > 1

/** A joined form says what a text of two words says: not where a phrase or a longer chain is asked for. */
const withoutJoined = (tokens: readonly Token[]) => tokens.filter(token => !isJoined(token))

/** A word that was taken for a misspelling: both in lower case and without accents. */
export interface Correction {
  from: string
  to: string
}

const correctionsIn = (tokens: readonly Token[]): Correction[] => {
  const byWord = new Map(tokens.filter(isCorrected).map(({ typed, word }) => [typed, word]))
  return [...byWord].map(([from, to]) => ({ from, to }))
}

interface PlannedWord {
  bit: number
  list: PostingList | undefined
}

const keyOfToken = ({ terms }: Token) => terms.join(' ')

/** The different words of a query by their terms, each with a bit of its own. */
function wordsOf(tokens: readonly Token[], lists: ReadonlyMap<string, PostingList>): Map<string, PlannedWord> {
  const different = new Map(tokens.map(token => [keyOfToken(token), token]))
  return new Map(
    [...different].map(([key, { terms }], index) => {
      const ofTerms = terms.flatMap(term => lists.get(term) ?? [])
      const list = ofTerms.length === 0 ? undefined : mergePostingLists(ofTerms)
      return [key, { bit: index < maxBits ? 1 << index : 0, list }]
    })
  )
}

/** How soon a repeated word of a query stops counting: BM25's k3. Long questions need it (bench/README.md). */
const querySaturation = 3

/** The words that count for the score: those of what is excluded have their bits only. */
function rankedTerms(words: ReadonlyMap<string, PlannedWord>, tokens: readonly Token[]): RankedTerm[] {
  const counts = new Map<string, number>()
  for (const key of tokens.map(keyOfToken)) counts.set(key, (counts.get(key) ?? 0) + 1)
  return [...words].flatMap(([key, { bit, list }]) => {
    const count = counts.get(key)
    if (list === undefined || count === undefined) return []
    return [{ bit, list, weight: (count * (querySaturation + 1)) / (querySaturation + count) }]
  })
}

/** What must stand word for word of a clause; undefined where its words alone decide. */
function phraseOf(
  { text, isPhrase }: Clause,
  tokens: readonly Token[],
  analyzed: readonly Token[]
): Phrase | undefined {
  const hasStopWords = isPhrase && analyzed.some(isStopWord)
  if (tokens.length === 0 || (tokens.length === 1 && !hasStopWords)) return undefined
  const words = tokens.map(({ terms, position }) => ({ terms, offset: position }))
  return { text, words, hasStopWords }
}

const distinctPhrases = (phrases: readonly (Phrase | undefined)[]): Phrase[] =>
  phrases
    .filter(phrase => phrase !== undefined)
    .filter((phrase, index, all) => all.findIndex(({ text }) => text === phrase.text) === index)

interface PlannedParts {
  words: ReadonlyMap<string, PlannedWord>
  phrases: readonly Phrase[]
  /** The clause's own phrase. */
  asked: Phrase | undefined
}

/** Undefined for a clause of stop words. */
function alternativeOf(
  clause: Clause,
  tokens: readonly Token[],
  { words, phrases, asked }: PlannedParts
): Alternative | undefined {
  if (tokens.length === 0) return undefined
  const found = tokens.flatMap(token => words.get(keyOfToken(token)) ?? [])
  return {
    bits: found.reduce((all, { bit }) => all | bit, 0),
    lists: found.map(({ list }) => list),
    phrase: asked === undefined ? undefined : phrases.findIndex(({ text }) => text === asked.text),
    requiresPhrase: requiresPhrase(clause)
  }
}

/** Scripts without blanks: a few characters are a word, many are a sentence. */
const unspacedWord = /^[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u9fff\uac00-\ud7a3\uf900-\ufaff]{2,4}$/

const requiresPhrase = ({ isPhrase, text }: Clause) => isPhrase || unspacedWord.test(text)

const isStopWord = ({ terms }: Token) => terms.length === 0

/** The tokens of each clause without stop words: beginnings with what they begin, unknown words corrected. */
async function expandTokens(
  clauses: readonly Clause[],
  analyzed: readonly (readonly Token[])[],
  requiredCount: number,
  { expansion, index }: Planning
): Promise<Token[][]> {
  const contentTokens = analyzed.map(tokens => tokens.filter(token => !isStopWord(token)))
  const isPrefix = (at: number) => clauses[at]?.isPrefix === true
  // Also of a beginning that is a stop word: `can*` is candle, too.
  const prefixes = analyzed.flatMap((tokens, at) => (isPrefix(at) ? tokens.slice(-1) : []))
  // A phrase is meant as it stands, and what is excluded must not be guessed.
  const isLiteral = (at: number) => isPrefix(at) || clauses[at]?.isPhrase === true || at >= requiredCount
  const lists = await index.lists(analyzed.flat().flatMap(token => token.terms))
  const unknown = contentTokens
    .flatMap((tokens, at) => (isLiteral(at) ? [] : tokens))
    .filter(token => !token.terms.some(term => lists.has(term)))
  const replaced = new Map<Token, Token>()
  const replace = (tokens: readonly Token[], by: readonly Token[]) => {
    for (const [at, token] of tokens.entries()) replaced.set(token, by[at] ?? token)
  }
  if (prefixes.length > 0) replace(prefixes, await expansion.expand(prefixes))
  if (unknown.length > 0) replace(unknown, await expansion.correct(unknown, index))
  return contentTokens.map((tokens, at) => {
    const last = isPrefix(at) ? analyzed[at]?.at(-1) : undefined
    if (last === undefined) return isLiteral(at) ? tokens : tokens.map(token => replaced.get(token) ?? token)
    return [...tokens.filter(token => token !== last), replaced.get(last) ?? last]
  })
}
