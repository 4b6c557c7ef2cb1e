import type { Settings } from '#core'
import type { PostSummary } from '#plugins/posts'
import { createDeadline, type Deadline, untilPassed } from './deadline.ts'
import type { SearchFilter, SearchFilters } from './filters.ts'
import { type FusedOrder, fuseLexicalAndSemantic, orderByWords } from './fused-order.ts'
import type { Fused, RankingWindow } from './fusion.ts'
import { concat, type Hits, top } from './inverted-index/hits.ts'
import type { Matcher, Matches } from './matching/matching.ts'
import { type ParsedQuery, parseQuery } from './query/query.ts'
import type { AskedWord } from './query/query-plan.ts'
import type { Correction } from './query/read-query.ts'
import { relevancesOf, reorder, reorderedCount } from './reordering.ts'
import type { FacetRow } from './repository/filters.ts'
import type { SearchScheduler } from './search-scheduler.ts'
import type { SemanticOptions, SemanticSearch } from './semantic.ts'
import type { searchSettings } from './settings.ts'
import type { PostComparison, PostSimilarity } from './similarity.ts'
import { createLateWords, type ShowLateWords } from './snippets/late-words.ts'
import type { ResultPost, ResultPosts } from './snippets/result-posts.ts'
import { createSnippets, hasMark } from './snippets/snippet.ts'

/** When this many posts have all the words, a lexical embedder adds nothing, and a model of the posts only to three words or more. */
const enoughMatches = 10
const enoughWords = 3
/** Labels are counted of so many posts at most. */
const maxFacetPosts = 10_000
/** So many of the first posts by words count as relevant where all posts are searched by vectors. */
const relevantCount = 3

/** A post found; `score` orders, it is no probability. `snippet` is HTML: escaped text with `<mark>`. */
export type SearchResult = PostSummary & { score: number; snippet: string }

/** A `SearchResult` from its JSON. */
export const parseSearchResult = (json: string): SearchResult => JSON.parse(json)

export interface SearchResults {
  /** Each a `SearchResult` as JSON: put together from cached parts. */
  items: string[]
  total: number
  /** Where the items stand among all that was found: the index of the first, and the post_no of each. */
  from: number
  post_nos: number[]
  /** No embedder answered, the time was up, a part of the index is missing, or not all was excluded: what could be found. */
  isDegraded: boolean
  /** That is because no embedder answered. */
  isByWordsAlone: boolean
  /** Words that no post has, and those that were searched for instead. */
  corrected: readonly Correction[]
  /** When asked for: how many posts have each label; of more than 10,000 posts, those of 10,000. */
  facets: FacetRow[] | undefined
  /** More posts match than `total`, which is how far pages go. */
  hasMore: boolean
}

export interface Search {
  /** Public posts for a query, by words and by meaning, best first; by words alone when no embedder answers. */
  find(q: string, window: RankingWindow, options?: FindOptions): Promise<SearchResults>
}

export interface FindOptions extends Pick<SemanticOptions, 'reportsFailure'> {
  filter?: SearchFilter | undefined
  /** Count the labels of what is found. */
  countsFacets?: boolean | undefined
  /** Aborted when nobody waits for the answer any more. */
  clientSignal?: AbortSignal
  /** Milliseconds since the request arrived: `search_time_limit_ms` counts from then on. */
  elapsedMs?: number
  /** Default: what `search_time_limit_ms` says. */
  deadline?: Deadline
}
type RetrievalOptions = Pick<FindOptions, 'reportsFailure' | 'filter'> & { deadline: Deadline }

interface SearchDeps {
  matcher: Matcher
  semantic: SemanticSearch
  results: ResultPosts
  settings: Settings<typeof searchSettings>
  filters: Pick<SearchFilters, 'facetsOf'>
  scheduler: SearchScheduler
}

export function createSearch(deps: SearchDeps): Search {
  const { semantic, settings, scheduler } = deps
  const showLateWords = createLateWords(deps.results)
  const rank = async (q: string, options: RetrievalOptions): Promise<Ranked | undefined> => {
    const query = parseQuery(q)
    const text = query.required.flatMap(alternatives => alternatives.map(clause => clause.text)).join(' ')
    if (text === '') return undefined
    const { weight, relevanceWeight, isLexical } = await semantic.weight()
    const retrieve = isLexical ? retrieveWithLexicalEmbedder : retrieveWithSemanticEmbedder
    const retrieved = await retrieve(deps, query, text, options)
    // Stop words alone are near to everything and nothing.
    if (retrieved === undefined) return undefined
    const { matches, near, compared } = retrieved
    const { corrected } = matches
    const semanticWeight = isLexical ? relevanceWeight(matches.requiredCount) : weight
    const candidates = concat(matches.full, matches.partial)
    const order =
      compared !== undefined
        ? orderByWords(candidates, reorder(candidates, { ...compared, weight: compared.weight * semanticWeight }))
        : fuseLexicalAndSemantic(matches, near ?? [], {
            minSimilarity: settings.get('search_min_similarity'),
            weight: semanticWeight
          })
    return {
      ...order,
      matched: candidates,
      corrected,
      terms: matches.terms,
      asked: matches.asked,
      isByWordsAlone: (near ?? compared) === undefined && !matches.isTimedOut,
      isDegraded: (near ?? compared) === undefined || matches.isTimedOut || matches.isIncomplete,
      hasMore: matches.hasMore
    }
  }
  return {
    find: (q, window, { clientSignal, elapsedMs, deadline, countsFacets = false, ...options } = {}) => {
      const limit = deadline ?? createDeadline(settings.get('search_time_limit_ms'), { elapsedMs, clientSignal })
      return scheduler.run(limit, async deadline => {
        const ranked = await rank(q, { ...options, deadline })
        return ranked === undefined
          ? foundNothing(window)
          : await foundPage({ ...deps, showLateWords }, ranked, { window, countsFacets, deadline })
      })
    }
  }
}

const foundNothing = ({ offset }: RankingWindow): SearchResults => ({
  items: [],
  total: 0,
  from: offset,
  post_nos: [],
  isDegraded: false,
  isByWordsAlone: false,
  corrected: [],
  facets: undefined,
  hasMore: false
})

/** The order of all that was found. */
interface Ranked extends FusedOrder, Pick<Matches, 'terms' | 'asked' | 'corrected' | 'hasMore'> {
  matched: Hits
  isDegraded: boolean
  isByWordsAlone: boolean
}

/** One page of it, with its texts. */
async function foundPage(
  { results, filters, showLateWords }: Pick<SearchDeps, 'results' | 'filters'> & Pick<SnippetDeps, 'showLateWords'>,
  { terms, asked, matched, bySimilarityAlone, page: pageOf, ...found }: Ranked,
  { window, countsFacets, deadline }: { window: RankingWindow; countsFacets: boolean; deadline: Deadline }
): Promise<SearchResults> {
  const { from, page } = pageOf(window)
  const posts = await results.read(page.map(({ post_no }) => post_no))
  // A post may have been withdrawn since.
  const present = page.filter(({ post_no }) => posts.has(post_no))
  const post_nos = present.map(({ post_no }) => post_no)
  const counted = [...bySimilarityAlone, ...matched.postNos.subarray(0, maxFacetPosts - bySimilarityAlone.length)]
  const facets = countsFacets ? await filters.facetsOf(counted) : undefined
  const snippets = await snippetsOf(present, posts, { terms, asked, deadline, showLateWords, matched })
  return { ...found, items: itemsOf(present, posts, snippets), from, post_nos, facets }
}

/** What words and vectors found. Undefined: what was not asked for, or not answered. */
interface Retrieved {
  matches: Matches
  /** Of all posts. */
  near: PostSimilarity[] | undefined
  /** The first posts by words. */
  compared: PostComparison | undefined
}

/** An embedder that knows meaning searches all posts. */
async function retrieveWithSemanticEmbedder(
  { matcher, semantic }: SearchDeps,
  query: ParsedQuery,
  text: string,
  options: RetrievalOptions
): Promise<Retrieved | undefined> {
  const { deadline, filter, ...others } = options
  const matches = await matcher.match(query, deadline, filter)
  if (matches === undefined) return undefined
  const relevant = [...top(concat(matches.full, matches.partial), relevantCount).postNos]
  const near = await untilPassed(deadline, () => semantic.nearest(text, { ...others, isQuery: true, relevant }))
  return { matches, near, compared: undefined }
}

/**
 * The first posts by words are compared with the query by the model of the posts. A lexical embedder is asked only where fewer
 * posts have all the words than a page shows: to ask it each time would take most of the time of a search. Where the words find
 * few posts, it searches all.
 */
async function retrieveWithLexicalEmbedder(
  { matcher, semantic }: SearchDeps,
  query: ParsedQuery,
  text: string,
  options: RetrievalOptions
): Promise<Retrieved | undefined> {
  const { deadline, filter, ...others } = options
  const matches = await matcher.match(query, deadline, filter)
  if (matches === undefined) return undefined
  const isEnough = matches.full.postNos.length >= enoughMatches
  if (isEnough && matches.requiredCount < enoughWords) return { matches, near: [], compared: undefined }
  const first = top(concat(matches.full, matches.partial), reorderedCount)
  const postNos = [...first.postNos]
  if (postNos.length < enoughMatches) {
    const asked = { ...others, isQuery: true, relevant: postNos.slice(0, relevantCount) }
    return { matches, near: await untilPassed(deadline, () => semantic.nearest(text, asked)), compared: undefined }
  }
  const asked = { ...others, relevances: relevancesOf(first), asksEmbedder: !isEnough }
  const compared = await untilPassed(deadline, () => semantic.compare(text, postNos, asked))
  return { matches, near: undefined, compared }
}

interface SnippetDeps extends Pick<Matches, 'terms' | 'asked'> {
  deadline: Deadline
  showLateWords: ShowLateWords
  /** Found by words: not by vectors alone. */
  matched: Hits
}

/** By number of the post. */
async function snippetsOf(
  page: readonly Fused[],
  posts: ReadonlyMap<number, ResultPost>,
  { terms, asked, deadline, showLateWords, matched }: SnippetDeps
): Promise<ReadonlyMap<number, string>> {
  const snippetOf = createSnippets(terms)
  const snippets = new Map(page.map(({ post_no }) => [post_no, snippetOf(posts.get(post_no)?.text ?? '')]))
  const unmarked = [...snippets].flatMap(([post_no, snippet]) => {
    const post = posts.get(post_no)
    const at = matched.postNos.indexOf(post_no)
    if (post?.isBeginning !== true || hasMark(snippet) || at === -1) return []
    const { post_id, updated_at, title, excerpt } = parseSearchResult(`${post.json}}`)
    const ofPost = asked.filter(({ bit }) => bit === 0 || ((matched.bits[at] ?? 0) & bit) !== 0)
    const isFoundByTitle = ofPost.every(word => isSaid(word, [title, excerpt ?? '']))
    return isFoundByTitle ? [] : [{ post_no, version: `${post_id} ${updated_at}` }]
  })
  return new Map([...snippets, ...(await showLateWords(unmarked, { terms, snippetOf, deadline }))])
}

function isSaid({ terms }: Pick<AskedWord, 'terms'>, texts: readonly string[]): boolean {
  const snippetOf = createSnippets(terms)
  return texts.some(text => hasMark(snippetOf(text)))
}

function itemsOf(
  page: readonly Fused[],
  posts: ReadonlyMap<number, ResultPost>,
  snippets: ReadonlyMap<number, string>
): string[] {
  return page.flatMap(({ post_no, score }) => {
    const post = posts.get(post_no)
    if (post === undefined) return []
    // An answer of ASCII texts is ASCII then: Node.js writes it as it is.
    const snippet = JSON.stringify(snippets.get(post_no) ?? '').replaceAll('…', '\\u2026')
    return [`${post.json},"score":${score},"snippet":${snippet}}`]
  })
}
