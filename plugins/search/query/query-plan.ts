import { maxBits } from '../inverted-index/hits.ts'
import type { PostingList } from '../inverted-index/posting-list.ts'
import type { RankedTerm } from '../inverted-index/ranking.ts'
import type { IndexSnapshot } from '../snapshot/postings.ts'
import type { Token } from './analyzer.ts'
import type { Phrase } from './phrase.ts'
import type { Clause, ParsedQuery } from './query.ts'
import {
  type Correction,
  correctionsIn,
  isPhraseOf,
  isStopToken,
  keyOfToken,
  type ReadClause,
  type Reading,
  readQueryWords,
  requiredTokensOf,
  requiresPhrase,
  weightsOfTokens
} from './read-query.ts'

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
interface Planning extends Omit<Reading, 'index'> {
  index: IndexSnapshot
}

/** Undefined for a query that asks for no word. */
export async function planOf(query: ParsedQuery, planning: Planning): Promise<QueryPlan | undefined> {
  const read = await readQueryWords(query, planning)
  const clauses = [...read.required.flat(), ...read.excluded]
  const all = clauses.flatMap(({ tokens, others }) => [...tokens, ...others.flat()])
  const lists = await planning.index.lists(all.flatMap(token => token.terms))
  const words = await plannedWords(all, lists, planning.index)
  const asked = new Map(clauses.map(clause => [clause, phraseOf(clause)]))
  const phrases = distinctPhrases([...asked.values()])
  const alternativesOf = (of: readonly ReadClause[]) =>
    of.flatMap(each => {
      const { clause, tokens, others } = each
      const main = alternativeOf(clause, tokens, { words, phrases, asked: asked.get(each) })
      const more = others.map(way => alternativeOf(clause, way, { words, phrases, asked: undefined }))
      return [main, ...more].filter(alternative => alternative !== undefined)
    })
  const required = read.required.map(alternativesOf).filter(alternatives => alternatives.length > 0)
  if (required.length === 0) return undefined
  const requiredTokens = requiredTokensOf(read)
  return {
    terms: rankedTerms(words, requiredTokens),
    required,
    excluded: alternativesOf(read.excluded),
    phrases,
    highlighted: requiredTokens.flatMap(token => token.terms),
    corrected: correctionsIn(requiredTokens)
  }
}

interface PlannedWord {
  bit: number
  list: PostingList | undefined
}

/** The different words of a query by their terms, each with a bit of its own. */
async function plannedWords(
  tokens: readonly Token[],
  lists: ReadonlyMap<string, PostingList>,
  index: Pick<IndexSnapshot, 'merged'>
): Promise<Map<string, PlannedWord>> {
  const different = new Map(tokens.map(token => [keyOfToken(token), token]))
  const words = new Map<string, PlannedWord>()
  for (const [key, { terms }] of different) {
    const [first, ...others] = terms.flatMap(term => lists.get(term) ?? [])
    const list = first === undefined ? undefined : await index.merged([first, ...others])
    words.set(key, { bit: words.size < maxBits ? 1 << words.size : 0, list })
  }
  return words
}

/** The words that count for the score: those of what is excluded have their bits only. */
function rankedTerms(words: ReadonlyMap<string, PlannedWord>, tokens: readonly Token[]): RankedTerm[] {
  const weights = weightsOfTokens(tokens)
  return [...words].flatMap(([key, { bit, list }]) => {
    const weight = weights.get(key)
    return list === undefined || weight === undefined ? [] : [{ bit, list, weight }]
  })
}

/** What must stand word for word of a clause; undefined where its words alone decide. */
function phraseOf(read: ReadClause): Phrase | undefined {
  if (!isPhraseOf(read)) return undefined
  const { clause, tokens, typed } = read
  const words = tokens.map(({ terms, position }) => ({ terms, offset: position }))
  return { text: clause.text, words, hasStopWords: clause.isPhrase && typed.some(isStopToken) }
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
