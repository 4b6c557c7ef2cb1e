import type { Log, Settings } from '#core'
import type { TextLanguage } from '#text'
import type { Deadline } from '../deadline.ts'
import type { EngineFilter, EngineHits, EngineSuggestions, SearchDriver } from '../driver.ts'
import type { SearchFilter, SearchFilters } from '../filters.ts'
import { filter as filterHits, noHits, top } from '../inverted-index/hits.ts'
import { notPublished, type PostTable } from '../inverted-index/post-table.ts'
import { type Matcher, type Matches, maxWithPartial, minFull } from '../matching/matching.ts'
import type { Expansion } from '../query/expansion.ts'
import type { ParsedQuery } from '../query/query.ts'
import { correctionsIn, moreWordsThan, type ReadQuery, readQueryWords, requiredTokensOf } from '../query/read-query.ts'
import type { TermFrequencies } from '../query/spelling.ts'
import type { searchSettings } from '../settings.ts'
import type { IndexFollower } from '../snapshot/index-state.ts'
import { createPacing } from '../snapshot/pacing.ts'
import { type BestEffortDriver, createBestEffortDriver, createWarning } from './best-effort-driver.ts'
import { engineTerm } from './document.ts'
import { type EngineQueries, engineQueriesOf } from './engine-query.ts'
import type { createFeedState } from './feed-state.ts'
import { publicHits } from './hits.ts'

export interface EngineMatcherDeps {
  driver: () => SearchDriver
  follower: IndexFollower
  feedState: ReturnType<typeof createFeedState>
  expansion: Expansion
  filters: Pick<SearchFilters, 'apply' | 'engineFilter'>
  settings: Settings<typeof searchSettings>
  log: Log
  now: () => Date
}

/** A search reads so many posts at most: past them the total is a lower bound. It is what engines allow. */
const maxHits = 10_000

/** What one search goes by: which posts are public, and which it is narrowed to. */
interface SearchScope {
  table: PostTable
  nowSeconds: number
  filter: EngineFilter
  languages: readonly TextLanguage[]
  /** Of all posts. */
  allLanguages: readonly TextLanguage[]
  isBehind: boolean
}

/** Suggestions of the engine; `isBehind`: a change waits. */
export interface SuggestedByEngine extends EngineSuggestions {
  isBehind: boolean
}

export interface EngineMatcher extends Matcher {
  /** Undefined where the engine makes none, or does not answer. */
  suggest(words: readonly string[], limit: number): Promise<SuggestedByEngine | undefined>
}

export function createEngineMatcher(deps: EngineMatcherDeps): EngineMatcher {
  const { settings } = deps
  const warn = createWarning(deps)
  return {
    match: async (query, deadline, filter) => {
      const driver = deps.driver()
      const scope = await readScope(driver, deps, { filter, deadline })
      const ms = Math.max(0, Math.floor(deadline.leftMs()))
      const signal = AbortSignal.any([deadline.signal, AbortSignal.timeout(ms)])
      return await matchIn(query, scope, { ...deps, driver: createBestEffortDriver(driver, signal, warn), deadline })
    },
    moreLikeThis: async (terms, count) => {
      const driver = deps.driver()
      const { table, nowSeconds, filter, isBehind } = await readScope(driver, deps)
      const words = terms.map(({ term, weight }) => ({ terms: [engineTerm(term)], weight }))
      // Some found may be withdrawn since.
      const query = { words, hasWord: true, required: [], excluded: [], filter, limit: count + spare }
      const signal = AbortSignal.timeout(settings.get('search_time_limit_ms'))
      const found = words.length === 0 ? noAnswer : await createBestEffortDriver(driver, signal, warn).search(query)
      const { postNos } = top(publicHits(found ?? noAnswer, table, nowSeconds), count)
      return { postNos: [...postNos], isIncomplete: isBehind || found === undefined }
    },
    suggest: async (words, limit) => {
      const driver = deps.driver()
      if (driver.suggest === undefined) return undefined
      const { filter, isBehind } = await readScope(driver, deps)
      const signal = AbortSignal.timeout(settings.get('search_time_limit_ms'))
      const found = await createBestEffortDriver(driver, signal, warn).suggest({ words, limit, until: filter.until })
      return found && { ...found, isBehind }
    }
  }
}

const spare = 10
const noAnswer: EngineHits = { hits: [], hasMore: false }

async function readScope(
  driver: SearchDriver,
  { follower, feedState, filters, settings, now }: EngineMatcherDeps,
  { filter: wanted, deadline }: { filter?: SearchFilter | undefined; deadline?: Deadline } = {}
): Promise<SearchScope> {
  const [{ isStale = false, ...state }, { languages, isBehind }] = await Promise.all([
    deadline === undefined ? follower.state() : follower.stateWithin(deadline),
    feedState(driver)
  ])
  const nowSeconds = state.seconds + Math.floor((now().getTime() - state.readAtMs) / 1000)
  const filtered = wanted === undefined ? undefined : await filters.apply(state.table, wanted)
  // Before the first index: the query is read, and the answer says that it is not whole.
  const present = languages.length === 0 ? [settings.get('search_language')] : languages
  return {
    table: filtered?.table ?? state.table,
    nowSeconds,
    filter: { ...filters.engineFilter(wanted ?? {}), until: nowSeconds },
    languages: filtered?.language === undefined ? present : [filtered.language],
    allLanguages: present,
    isBehind: isBehind || isStale
  }
}

/** Takes every term for one that posts have: most queries are spelt well, and need no more than one question. */
const allKnown: TermFrequencies = { frequencies: async terms => new Map(terms.map(term => [term, 1])) }

interface Matching {
  driver: BestEffortDriver
  expansion: Expansion
  deadline: Deadline
}

async function matchIn(query: ParsedQuery, scope: SearchScope, matching: Matching): Promise<Matches | undefined> {
  const { driver, expansion, deadline } = matching
  const { languages, allLanguages, filter, table, nowSeconds } = scope
  const pacing = createPacing({ deadline, postingsPerPause: Number.POSITIVE_INFINITY })
  const read = ({ frequencies }: Pick<TermFrequencies, 'frequencies'>) =>
    readQueryWords(query, {
      expansion,
      index: { frequencies, pacing },
      languages,
      whole: languages === allLanguages ? undefined : { languages: allLanguages, index: { frequencies } }
    })
  const ask = (questions: EngineQueries) =>
    Promise.all([driver.search(questions.full), questions.excluded && driver.search(questions.excluded)])
  let asked = await read(allKnown)
  let questions = engineQueriesOf(asked, filter, maxHits)
  if (questions === undefined) return undefined
  let [full, excluded] = await ask(questions)
  if (!driver.hasFailed() && mayBeMisspelt(asked, full)) {
    const corrected = await read(driver)
    if (requiredKey(corrected) !== requiredKey(asked)) {
      asked = corrected
      questions = engineQueriesOf(asked, filter, maxHits) ?? questions
      ;[full, excluded] = await ask(questions)
    }
  }
  const hits = publicHits(full ?? noAnswer, table, nowSeconds)
  const isFew = hits.postNos.length < minFull && full?.hasMore !== true
  const others = isFew ? publicHits((await driver.search(questions.partial)) ?? noAnswer, table, nowSeconds) : noHits
  const inFull = new Set(hits.postNos)
  const requiredTokens = requiredTokensOf(asked)
  const { findsMore, excludesMore } = moreWordsThan(asked)
  // The engine leaves out what is excluded. Of posts that meaning finds it is known only where all of it was read.
  const areExcludedKnown = questions.excluded === undefined || excluded?.hasMore === false
  return {
    full: hits,
    partial: top(
      filterHits(others, post => !inFull.has(post)),
      maxWithPartial - hits.postNos.length
    ),
    isWanted: post => areExcludedKnown && (table.publishedSeconds[post] ?? notPublished) !== notPublished,
    excluded: new Set(excluded?.hits.map(({ post_no }) => post_no)),
    requiresPhrase: questions.requiresPhrase,
    requiredCount: asked.required.length,
    corrected: correctionsIn(requiredTokens),
    terms: requiredTokens.flatMap(token => token.terms),
    asked: requiredTokens.map(({ terms }) => ({ terms, bit: 0 })),
    isTimedOut: driver.hasFailed() || pacing.isCutShort(),
    isIncomplete: scope.isBehind || excludesMore || !areExcludedKnown,
    hasMore: full?.hasMore === true || findsMore
  }
}

/** A word that no post has leaves no post with all words, unless there is a choice. */
const mayBeMisspelt = ({ required }: ReadQuery, full: EngineHits | undefined) =>
  full?.hits.length === 0 ||
  required.some(clauses => clauses.length > 1 || clauses.some(({ substitutes }) => substitutes.length > 0))

const requiredKey = (query: ReadQuery) => JSON.stringify(requiredTokensOf(query))
