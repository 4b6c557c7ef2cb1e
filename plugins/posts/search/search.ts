import type { Settings } from '#core'
import type { PostSummary } from '../representation.ts'
import type { postSettings } from '../settings.ts'
import { type Fused, fuse, scoreAt } from './fusion.ts'
import { fewMatches, type Matcher, type Matches } from './matching.ts'
import type { Meaning, Near } from './meaning.ts'
import { parseQuery, type Query } from './query.ts'
import { best, concat, type Hits } from './ranking.ts'
import type { Shown, ShownPosts } from './shown.ts'
import { createSnippets } from './snippet.ts'

/** So many by words are fused with those by meaning; the rest follow in their order. */
const fusedMatches = 200

/** A post found; `score` orders, it is no probability. `snippet` is HTML: escaped text with `<mark>`. */
export type Found = PostSummary & { score: number; snippet: string }

export interface FoundPosts {
  /** Each a `Found` as JSON: put together from what is kept ready, not made anew for every answer. */
  items: string[]
  total: number
  /** No embedder answered: found by words alone. */
  isDegraded: boolean
}

export interface Search {
  /** Public posts for a query, by words and by meaning, best first; by words alone when no embedder answers. */
  find(q: string, page: { limit: number; offset: number }): Promise<FoundPosts>
}

export interface SearchDeps {
  matcher: Matcher
  meaning: Meaning
  shown: ShownPosts
  settings: Settings<typeof postSettings>
}

export function createSearch({ matcher, meaning, shown, settings }: SearchDeps): Search {
  const atOnce = async (query: Query, said: string) => {
    const [matches, near] = await Promise.all([matcher.match(query), meaning.nearest(said)])
    return matches && { matches, near }
  }
  /** Many posts that have all the words are enough: to look for others as well would cost most of the time. */
  const inTurn = async (query: Query, said: string) => {
    const matches = await matcher.match(query)
    if (matches === undefined) return undefined
    const isEnough = matches.all.posts.length >= fewMatches
    return { matches, near: isEnough ? [] : await meaning.nearest(said) }
  }
  const search = async (q: string) => {
    const query = parseQuery(q)
    const said = query.wanted.flatMap(choices => choices.map(chunk => chunk.text)).join(' ')
    if (said === '') return undefined
    const { weight, knowsWordsAlone } = await meaning.weight()
    const both = await (knowsWordsAlone ? inTurn(query, said) : atOnce(query, said))
    // Stop words alone are near to everything and nothing.
    if (both === undefined) return undefined
    const { matches, near } = both
    const least = settings.get('search_min_similarity')
    const order = inOrder(matches, near ?? [], least, weight)
    return { ...order, terms: matches.terms, isDegraded: near === undefined }
  }
  return {
    find: async (q, { limit, offset }) => {
      const found = await search(q)
      if (found === undefined) return { items: [], total: 0, isDegraded: false }
      const { total, terms, isDegraded } = found
      const page = found.page(offset, limit)
      const posts = await shown.read(page.map(({ post_no }) => post_no))
      return { items: itemsOf(page, posts, terms), total, isDegraded }
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
  page(offset: number, limit: number): Fused[]
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
    page(offset, limit) {
      if (offset + limit <= head.length || head.length === total) return head.slice(offset, offset + limit)
      const isAhead = new Set(head.map(({ post_no }) => post_no))
      const rest = best(candidates, candidates.posts.length).posts.filter(post_no => !isAhead.has(post_no))
      const tail = [...rest].map(post_no => ({ post_no, score: 0 }))
      return [...head, ...tail].slice(offset, offset + limit)
    }
  }
}

/** The same order when there is nothing to fuse: no more is put in order than is shown. */
function byWordsAlone(candidates: Hits): Order {
  return {
    total: candidates.posts.length,
    page: (offset, limit) =>
      [...best(candidates, offset + limit).posts.subarray(offset)].map((post_no, at) => {
        const place = offset + at + 1
        return { post_no, score: place > fusedMatches ? 0 : scoreAt(place) }
      })
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
