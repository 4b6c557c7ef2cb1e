import { setImmediate } from 'node:timers/promises'
import type { Db } from '#core'
import type { TextLanguage } from '#text'
import type { Deadline } from '../deadline.ts'
import type { SearchFilter, SearchFilters } from '../filters.ts'
import { filter, type Hits, maxBits, noHits, top } from '../inverted-index/hits.ts'
import { notPublished, type PostTable } from '../inverted-index/post-table.ts'
import { createRank, type Rank, type RankedTerm } from '../inverted-index/ranking.ts'
import { languagesIn } from '../languages.ts'
import type { Expansion } from '../query/expansion.ts'
import type { ParsedQuery } from '../query/query.ts'
import { type Alternative, type AskedWord, type Planning, planOf, type QueryPlan } from '../query/query-plan.ts'
import type { Correction } from '../query/read-query.ts'
import type { IndexSnapshot, Postings } from '../snapshot/postings.ts'
import { commonBits, createHitFilter, type Demands, isOneInAnyLanguage, needPhrase } from './hit-filter.ts'
import { hasPhrase } from './phrase-in-text.ts'
import { createPhraseCheck, type PhraseCheck } from './phrases.ts'

/** What the words of a query find. */
export interface Matches {
  /** Posts that have all that is asked for, in no order. */
  readonly full: Hits
  /** The best of those that have some of it, when few have all. */
  readonly partial: Hits
  /** Whether a post passes the filter. */
  isWanted(post: number): boolean
  /** Posts that have what is excluded. */
  readonly excluded: Pick<ReadonlySet<number>, 'has'>
  /** Asks for a phrase in quotes: a post without it is no match, however near it is. */
  readonly requiresPhrase: boolean
  /** Words and phrases asked for, without stop words. */
  readonly requiredCount: number
  /** Words that were taken for misspellings. */
  readonly corrected: readonly Correction[]
  /** Terms to highlight in snippets. */
  readonly terms: readonly string[]
  /** The words asked for, by their bits in `full` and `partial`. */
  readonly asked: readonly AskedWord[]
  /** The time was up before every post that may have a phrase was verified. */
  readonly isTimedOut: boolean
  /** Posts wait for their place in the index, a part of it was damaged, or not all was excluded: some may be missing, or too many. */
  readonly isIncomplete: boolean
  /** More posts may have all that is asked for than those in `full`. */
  readonly hasMore: boolean
}

/** Posts that share terms. */
interface MoreLikeThis {
  /** Best first. */
  postNos: number[]
  /** As `Matches.isIncomplete`. */
  isIncomplete: boolean
}

/** A term, and how much it counts: 1 for one that is said once. */
export interface WeightedTerm {
  term: string
  weight: number
}

export interface Matcher {
  /** Undefined for a query that asks for no word. */
  match(query: ParsedQuery, deadline: Deadline, filter?: SearchFilter): Promise<Matches | undefined>
  /** Posts that share terms, each counting by its rarity and its weight; best first. */
  moreLikeThis(terms: readonly WeightedTerm[], count: number): Promise<MoreLikeThis>
}

export interface MatcherDeps {
  db: Db
  expansion: Expansion
  open: Postings['open']
  filters: Pick<SearchFilters, 'apply'>
  /** Lists with so many postings together are ranked while their positions are read. Default: 100,000. */
  minPostingsReadAhead?: number
}

/** There was no time to read which posts there are. */
const isUnread = ({ state, isComplete }: IndexSnapshot) => state.table.count === 0 && !isComplete()

const nothingInTime: Matches = {
  full: noHits,
  partial: noHits,
  isWanted: () => false,
  excluded: new Set(),
  requiresPhrase: false,
  requiredCount: 0,
  corrected: [],
  terms: [],
  asked: [],
  isTimedOut: true,
  isIncomplete: true,
  hasMore: false
}

/** Fewer posts than this with all the words: those with some of the words follow, up to a hundred in all. */
export const minFull = 20
export const maxWithPartial = 100

/** Of terms that posts are compared by. The most common ones say least, and among a million posts they have a million postings. */
const maxPostingsOfTerms = 250_000

export function createMatcher(deps: MatcherDeps): Matcher {
  const { db, expansion, open, filters, minPostingsReadAhead = minLongPostings } = deps
  const rank = createRank()
  const matchIn = async (
    index: IndexSnapshot,
    query: ParsedQuery,
    { deadline, ...reading }: Pick<Planning, 'languages' | 'whole'> & { deadline: Deadline }
  ): Promise<Matches | undefined> => {
    const { publishedSeconds } = index.state.table
    const plan = await planOf(query, { expansion, index, ...reading })
    if (plan === undefined) return isUnread(index) ? nothingInTime : undefined
    const check = createPhraseCheck({ db, index, phrases: plan.phrases, hasPhrase, deadline })
    const found = await findMatches(plan, index, { rank, check, minPostingsReadAhead })
    return {
      ...found,
      isWanted: (post: number) => (publishedSeconds[post] ?? notPublished) !== notPublished,
      requiresPhrase: plan.required.some(mayRequirePhrase),
      requiredCount: plan.required.filter(isContent).length,
      corrected: plan.corrected,
      terms: plan.highlighted,
      asked: plan.asked,
      isTimedOut: check.isTimedOut(),
      isIncomplete: !index.isComplete() || plan.excludesMore,
      hasMore: plan.findsMore
    }
  }
  return {
    match: async (query, deadline, filter) => {
      let language: TextLanguage | undefined
      const narrow = async (table: PostTable) => {
        const filtered = await filters.apply(table, filter ?? {})
        language = filtered.language
        return filtered.table
      }
      const index = await open({ narrow: filter === undefined ? undefined : narrow, deadline })
      try {
        const all = languagesIn(index.state.table)
        const languages = language === undefined ? all : [language]
        const whole = filter === undefined ? undefined : { languages: all, index: index.whole }
        return await matchIn(index, query, { languages, whole, deadline })
      } finally {
        index.close()
      }
    },
    moreLikeThis: async (terms, count) => {
      const index = await open()
      try {
        const best = rank(await rankedBy(terms, index), index, { best: { count, isWanted: () => true } })
        return { postNos: [...best.postNos], isIncomplete: !index.isComplete() }
      } finally {
        index.close()
      }
    }
  }
}

/** The lists of terms that posts are compared by. */
async function rankedBy(terms: readonly WeightedTerm[], index: IndexSnapshot): Promise<RankedTerm[]> {
  const asked = terms.map(({ term }) => term)
  const lists = await index.rarestLists(asked, maxPostingsOfTerms)
  return terms.flatMap(({ term, weight }) => {
    const list = lists.get(term)
    return list === undefined ? [] : [{ list, bit: 0, weight }]
  })
}

/** Stop words in no language of posts. */
const isContent = (alternatives: readonly Alternative[]) => alternatives.every(({ lists }) => lists.length > 0)

/** Asks for a phrase that must be there, be it one of several alternatives. */
const mayRequirePhrase = (alternatives: readonly Alternative[]) =>
  alternatives.some(alternative => alternative.requiresPhrase)

/** What a post with some of what is asked for has: one of the words, or one of the phrases whole. */
const anyOf = (required: Demands): Alternative[] =>
  required.flat().flatMap(alternative => (alternative.requiresPhrase ? [alternative] : singleWordsOf(alternative)))

function singleWordsOf({ bits, ...alternative }: Alternative): Alternative[] {
  const words = Array.from({ length: maxBits }, (_, at) => bits & (1 << at)).filter(bit => bit !== 0)
  return words.map(bit => ({ ...alternative, bits: bit, phrase: undefined }))
}

const requireAllPhrases = (alternatives: readonly Alternative[]) =>
  alternatives.every(alternative => alternative.requiresPhrase)

/** Posts that have all that is asked for, and where these are few, the best of those that have some of it. */
async function findMatches(
  { terms, required, excluded }: QueryPlan,
  index: IndexSnapshot,
  {
    rank,
    check,
    minPostingsReadAhead
  }: { rank: Rank; check: PhraseCheck } & Required<Pick<MatcherDeps, 'minPostingsReadAhead'>>
): Promise<Pick<Matches, 'full' | 'partial' | 'excluded'>> {
  // Which posts are excluded is not known.
  if (excluded.length > 0 && index.isCutShort()) return { full: noHits, partial: noHits, excluded: new Set() }
  const hitFilter = createHitFilter(excluded, index.state.table, check)
  const requiredBits = commonBits(required)
  const rankAll = () => rank(terms, index, { required: requiredBits })
  const readsAhead = required.some(needPhrase) && countPostings(terms) >= minPostingsReadAhead
  const ranked = readsAhead ? await beside(check.readAhead(), rankAll) : rankAll()
  // That ranking lets none through that lacks a word.
  const isDecided = excluded.length === 0 && required.every(isOneWithoutPhrase)
  const full = isDecided ? ranked : await hitFilter.matching(ranked, required)
  let partial = noHits
  // Where phrases alone are asked for, no other post has them.
  if (full.postNos.length < minFull && !required.every(requireAllPhrases)) {
    const inFull = new Set(full.postNos)
    const isOther = (post: number) => !inFull.has(post)
    const count = maxWithPartial - full.postNos.length
    const all = required.filter(requireAllPhrases)
    const demanded = all.length === 0 && required.some(mayRequirePhrase) ? [anyOf(required)] : all
    if (demanded.length === 0 && excluded.length === 0)
      partial = rank(terms, index, { best: { count, isWanted: isOther } })
    else {
      const others = filter(rank(terms, index), isOther)
      partial = top(await hitFilter.matching(others, demanded, maxWithPartial), count)
    }
  }
  return { full, partial, excluded: { has: hitFilter.isExcluded } }
}

/** To rank so many takes about as long as to read their positions. Of fewer, often no post has all words. */
const minLongPostings = 100_000

const countPostings = (terms: readonly RankedTerm[]) => terms.reduce((sum, { list }) => sum + list.postNos.length, 0)

/** Runs some work while the database answers a statement. */
async function beside<T>(reading: Promise<void>, work: () => T): Promise<T> {
  const isSent = setImmediate()
  const [result] = await Promise.all([isSent.then(work), reading])
  return result
}

const isOneWithoutPhrase = (alternatives: readonly Alternative[]) =>
  isOneInAnyLanguage(alternatives) && alternatives.every(({ phrase }) => phrase === undefined)
