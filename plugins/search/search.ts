import type { Settings } from '#core'
import type { PostSummary } from '#plugins/posts'
import { createDeadline, type Deadline, untilAborted } from './deadline.ts'
import { beginningOf, type Fused, fuse, type RankingPart, scoreAt } from './fusion.ts'
import type { Matcher, Matches } from './matching.ts'
import { parseQuery, type Query } from './query.ts'
import { best, concat, type Hits } from './ranking.ts'
import type { Shown, ShownPosts } from './result-posts.ts'
import type { Meaning, Near, NearOptions } from './semantic.ts'
import type { searchSettings } from './settings.ts'
import { createSnippets } from './snippet.ts'

/** So many by words are fused with those by meaning; the rest follow in their order. */
const fusedMatches = 200
/** An embedder that knows words alone adds nothing to so many posts that have them all. */
const enoughMatches = 10
/** The first posts by words show such an embedder what else to look for. More of them lead it astray. */
const leadingMatches = 3
/** A post is looked for so many places past where it stood. */
const mostMoved = 100

/** A post found; `score` orders, it is no probability. `snippet` is HTML: escaped text with `<mark>`. */
export type Found = PostSummary & { score: number; snippet: string }

export interface FoundPosts {
  /** Each a `Found` as JSON: put together from what is kept ready, not made anew for every answer. */
  items: string[]
  total: number
  /** Where the items stand among all that was found: the first of them, and the post_no of each place. */
  from: number
  post_nos: number[]
  /** No embedder answered, or the time was up: what was found until then. */
  isDegraded: boolean
}

export interface Search {
  /** Public posts for a query, by words and by meaning, best first; by words alone when no embedder answers. */
  find(q: string, part: RankingPart, options?: FindOptions): Promise<FoundPosts>
}

/** `isTold`: who asks is told when no embedder answers, so that the log need not warn of it. */
export interface FindOptions extends Pick<NearOptions, 'isTold'> {
  /** How long it may take; default: as long as anybody's query. */
  deadline?: Deadline
}
type Asking = FindOptions & { deadline: Deadline }

export interface SearchDeps {
  matcher: Matcher
  meaning: Meaning
  shown: ShownPosts
  settings: Settings<typeof searchSettings>
}

export function createSearch({ matcher, meaning, shown, settings }: SearchDeps): Search {
  const atOnce = async (query: Query, said: string, { deadline, ...options }: Asking) => {
    const [matches, near] = await Promise.all([
      matcher.match(query, deadline),
      untilAborted(deadline, meaning.nearest(said, { ...options, isQuestion: true }))
    ])
    return matches && { matches, near }
  }
  /**
   * A page of posts that have all the words is enough: to look for others as well would cost most of the time. What is
   * looked for otherwise is what is like the first posts by words.
   */
  const inTurn = async (query: Query, said: string, { deadline, ...options }: Asking) => {
    const matches = await matcher.match(query, deadline)
    if (matches === undefined) return undefined
    if (matches.all.posts.length >= enoughMatches || matches.isCutShort) return { matches, near: [] }
    const first = best(concat(matches.all, matches.some), leadingMatches).posts
    const near = meaning.nearest(said, { ...options, isQuestion: true, towards: first })
    return { matches, near: await untilAborted(deadline, near) }
  }
  const search = async (q: string, options: Asking) => {
    const query = parseQuery(q)
    const said = query.wanted.flatMap(choices => choices.map(chunk => chunk.text)).join(' ')
    if (said === '') return undefined
    const { weight, movedWeight, knowsWordsAlone } = await meaning.weight()
    const both = await (knowsWordsAlone ? inTurn(query, said, options) : atOnce(query, said, options))
    // Stop words alone are near to everything and nothing.
    if (both === undefined) return undefined
    const { matches, near } = both
    const least = settings.get('search_min_similarity')
    const order = inOrder(matches, near ?? [], least, knowsWordsAlone ? movedWeight(matches.asked) : weight)
    return { ...order, terms: matches.terms, isDegraded: near === undefined || matches.isCutShort }
  }
  return {
    find: async (q, part, options = {}) => {
      const found = await search(q, { ...options, deadline: options.deadline ?? createDeadline() })
      if (found === undefined) return { items: [], total: 0, from: part.offset, post_nos: [], isDegraded: false }
      const { total, terms, isDegraded } = found
      const { from, page } = found.take(part)
      const posts = await shown.read(page.map(({ post_no }) => post_no))
      // A post may have been withdrawn since.
      const shownPage = page.filter(({ post_no }) => posts.has(post_no))
      const post_nos = shownPage.map(({ post_no }) => post_no)
      return { items: itemsOf(shownPage, posts, terms), total, from, post_nos, isDegraded }
    }
  }
}

/** The posts found by words, for looking one up. */
function createHas({ posts }: Hits): (post_no: number) => boolean {
  const found = new Set(posts)
  return post_no => found.has(post_no)
}

/** Those by meaning that have the words, or are near enough without. None that was excluded. */
function eligible(near: readonly Near[], matches: Matches, least: number, has: (post_no: number) => boolean): number[] {
  const isNearEnough = ({ post_no, similarity }: Near) =>
    similarity >= least && !matches.isStrict && !matches.excluded.has(post_no)
  return near.filter(each => has(each.post_no) || isNearEnough(each)).map(({ post_no }) => post_no)
}

interface Order {
  total: number
  take(part: RankingPart): { from: number; page: Fused[] }
}

/** The one order of all that was found, whichever page of it is asked for. */
function inOrder(matches: Matches, near: readonly Near[], least: number, weight: number): Order {
  const candidates = concat(matches.all, matches.some)
  if (near.length === 0) return byWordsAlone(candidates)
  const has = createHas(candidates)
  const byMeaning = eligible(near, matches, least, has)
  const head = fuse(best(candidates, fusedMatches).posts, byMeaning, weight)
  const total = candidates.posts.length + byMeaning.filter(post_no => !has(post_no)).length
  return {
    total,
    take(part) {
      const reach = part.offset + part.limit + reachOf(part)
      const isInHead = reach <= head.length || head.length === total
      const order = isInHead ? head : withTail(head, candidates)
      const from = beginningOf(part, postsOf(order))
      return { from, page: order.slice(from, from + part.limit) }
    }
  }
}

const reachOf = ({ after }: RankingPart) => (after === undefined ? 0 : mostMoved)

const postsOf = (order: readonly Fused[]) => order.map(({ post_no }) => post_no)

/** The fused ones, and after them the rest of those found by words. */
function withTail(head: readonly Fused[], candidates: Hits): Fused[] {
  const isAhead = new Set(postsOf(head))
  const rest = best(candidates, candidates.posts.length).posts.filter(post_no => !isAhead.has(post_no))
  return [...head, ...[...rest].map(post_no => ({ post_no, score: 0 }))]
}

/** The same order when there is nothing to fuse: no more is put in order than is shown. */
function byWordsAlone(candidates: Hits): Order {
  return {
    total: candidates.posts.length,
    take(part) {
      const { limit, offset } = part
      const order = best(candidates, offset + limit + reachOf(part)).posts
      const from = beginningOf(part, order)
      const page = [...order.subarray(from, from + limit)].map((post_no, at) => {
        const place = from + at + 1
        return { post_no, score: place > fusedMatches ? 0 : scoreAt(place) }
      })
      return { from, page }
    }
  }
}

function itemsOf(page: readonly Fused[], posts: ReadonlyMap<number, Shown>, terms: readonly string[]): string[] {
  const snippetOf = createSnippets(terms)
  return page.flatMap(({ post_no, score }) => {
    const post = posts.get(post_no)
    if (post === undefined) return []
    // An answer of ASCII texts is ASCII then: Node.js writes it as it is.
    const snippet = JSON.stringify(snippetOf(post.text)).replaceAll('…', '\\u2026')
    return [`${post.json},"score":${score},"snippet":${snippet}}`]
  })
}
