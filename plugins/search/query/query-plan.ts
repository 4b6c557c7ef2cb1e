import { isUnspacedWord, type TextLanguage } from '#text'
import { maxBits } from '../inverted-index/hits.ts'
import { listIn, type PostingList } from '../inverted-index/posting-list.ts'
import type { RankedTerm } from '../inverted-index/ranking.ts'
import { allLanguages, flagsOf, type LanguageFlags } from '../languages.ts'
import type { IndexSnapshot } from '../snapshot/postings.ts'
import type { Token } from './analyzer.ts'
import type { Phrase } from './phrase.ts'
import type { ParsedQuery } from './query.ts'
import {
  type Correction,
  correctionsIn,
  isPhraseOf,
  isStopToken,
  keyOfToken,
  moreWordsThan,
  type ReadClause,
  type Reading,
  readQueryWords,
  requiredTokensOf,
  requiresPhrase,
  weightsOfTokens
} from './read-query.ts'

/** One way to have what is asked for: words, by their bits in a ranking and by their lists, and a phrase to be verified. */
export interface Alternative {
  /** None in languages in which all of its words are stop words: posts in these have it anyway. */
  bits: number
  /** Undefined for a word that no post has. */
  lists: (PostingList | undefined)[]
  /** The index of its phrase among those of the plan. */
  phrase: number | undefined
  /** In quotes, or a word written without blanks: no post without it. */
  requiresPhrase: boolean
  /** Of the posts that can have what is asked for in this way; undefined: all languages. */
  languages: LanguageFlags | undefined
}

/** A word that posts are looked for with. */
export interface AskedWord {
  terms: readonly string[]
  /** Its bit in a ranking; 0: which posts have it is not known. */
  bit: number
}

/** A query with the posting lists it needs. */
export interface QueryPlan {
  terms: RankedTerm[]
  /** A post has one of each. */
  required: Alternative[][]
  excluded: Alternative[]
  /** Those that the alternatives name. */
  phrases: Phrase[]
  /** Terms to highlight in snippets, and characters without blanks that are to stand side by side. */
  highlighted: string[]
  /** All that are required. */
  asked: AskedWord[]
  /** Words that no post has, and those that were asked for instead. */
  corrected: Correction[]
  /** More words begin so than were looked for: more posts may be found, or excluded. */
  findsMore: boolean
  excludesMore: boolean
}

/** What a plan is made with. */
export interface Planning extends Omit<Reading, 'index'> {
  index: IndexSnapshot
}

/** Undefined for a query that asks for no word. */
export async function planOf(query: ParsedQuery, planning: Planning): Promise<QueryPlan | undefined> {
  const read = await readQueryWords(query, planning)
  const clauses = [...read.required.flat(), ...read.excluded]
  const all = clauses.flatMap(({ tokens, substitutes }) => [...tokens, ...substitutes.flat()])
  const lists = await planning.index.lists(all.flatMap(token => token.terms))
  const words = await plannedWords(all, lists, planning.index)
  const phrases = distinctPhrases(clauses.map(phraseOf))
  const alternativesOf = (of: readonly ReadClause[]) =>
    of.flatMap(read => {
      const groups = read.tokens.length === 0 ? [] : groupByLanguage(read.tokens, planning.languages)
      const main = groups.map(group => alternativeOf(read, group, { words, phrases }))
      const more = read.substitutes.map(tokens =>
        alternativeOf(read, { tokens, languages: undefined }, { words, phrases: [] })
      )
      return [...main, ...more]
    })
  const required = read.required.map(alternativesOf).filter(alternatives => alternatives.length > 0)
  if (required.length === 0) return undefined
  const requiredTokens = requiredTokensOf(read)
  return {
    terms: rankedTerms(words, requiredTokens),
    required,
    excluded: alternativesOf(read.excluded).filter(({ lists }) => lists.length > 0),
    phrases,
    highlighted: [...requiredTokens.flatMap(token => token.terms), ...read.required.flat().flatMap(runsOf)],
    asked: requiredTokens.map(token => ({ terms: token.terms, bit: words.get(keyOfToken(token))?.bit ?? 0 })),
    corrected: correctionsIn(requiredTokens),
    ...moreWordsThan(read)
  }
}

/** Characters of a script without blanks, side by side as they were typed. */
function runsOf({ tokens }: ReadClause): string[] {
  const runs: string[] = []
  let next = Number.NaN
  for (const { word, position } of tokens) {
    if (!isUnspacedWord(word)) continue
    if (position === next) runs.push(`${runs.pop()}${word}`)
    else runs.push(word)
    next = position + 1
  }
  return runs.filter(run => !isUnspacedWord(run))
}

interface PlannedWord {
  bit: number
  list: PostingList | undefined
}

/** The different words of a query by their terms, each with a bit of its own. */
async function plannedWords(
  tokens: readonly Token[],
  lists: ReadonlyMap<string, PostingList>,
  index: Pick<IndexSnapshot, 'merged' | 'state'>
): Promise<Map<string, PlannedWord>> {
  const different = new Map(tokens.map(token => [keyOfToken(token), token]))
  const words = new Map<string, PlannedWord>()
  const { languageCodes } = index.state.table
  for (const [key, { terms, languagesOf }] of different) {
    const [first, ...others] = terms.flatMap(term => {
      const list = lists.get(term)
      const languages = flagsOf(languagesOf.get(term))
      return list === undefined ? [] : [languages === undefined ? list : listIn(list, languages, languageCodes)]
    })
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
  const words = tokens.map(({ terms, position, languagesOf, stopWordIn }) => ({
    terms: terms.map(term => ({ term, languages: flagsOf(languagesOf.get(term)) })),
    offset: position,
    stopWordIn: flagsOf(stopWordIn)
  }))
  const hasStopWords = clause.isPhrase && typed.some(isStopToken)
  return {
    text: clause.text,
    words,
    stopWordsIn: hasStopWords ? allLanguages : flagsOf(typed.flatMap(each => each.stopWordIn))
  }
}

const distinctPhrases = (phrases: readonly (Phrase | undefined)[]): Phrase[] =>
  phrases
    .filter(phrase => phrase !== undefined)
    .filter((phrase, index, all) => all.findIndex(({ text }) => text === phrase.text) === index)

/** The words of a clause that posts in these languages are to have. */
interface LanguageGroup {
  tokens: readonly Token[]
  languages: readonly TextLanguage[] | undefined
}

/** One group for all languages, unless a word is a stop word in some. */
function groupByLanguage(tokens: readonly Token[], all: readonly TextLanguage[]): LanguageGroup[] {
  if (tokens.every(({ stopWordIn }) => stopWordIn.length === 0)) return [{ tokens, languages: undefined }]
  const tokensIn = (language: TextLanguage) => tokens.filter(({ stopWordIn }) => !stopWordIn.includes(language))
  const groups = Map.groupBy(all, language => JSON.stringify(tokensIn(language).map(({ position }) => position)))
  return Array.from(groups.values(), languages => ({ tokens: languages.slice(0, 1).flatMap(tokensIn), languages }))
}

interface PlannedParts {
  words: ReadonlyMap<string, PlannedWord>
  /** Those that may be asked for. */
  phrases: readonly Phrase[]
}

function alternativeOf(
  { clause, typed }: ReadClause,
  { tokens, languages }: LanguageGroup,
  { words, phrases }: PlannedParts
): Alternative {
  const found = tokens.flatMap(token => words.get(keyOfToken(token)) ?? [])
  const phrase = isPhraseOf({ clause, tokens, typed }) ? phrases.findIndex(({ text }) => text === clause.text) : -1
  return {
    bits: found.reduce((all, { bit }) => all | bit, 0),
    lists: found.map(({ list }) => list),
    phrase: phrase === -1 ? undefined : phrase,
    requiresPhrase: requiresPhrase(clause),
    languages: flagsOf(languages)
  }
}
