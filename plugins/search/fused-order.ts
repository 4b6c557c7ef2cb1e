import { scoreOfRank } from '#text'
import { type Fused, fuse, type RankingWindow, startOf } from './fusion.ts'
import { concat, type Hits, top } from './inverted-index/hits.ts'
import type { Matches } from './matching/matching.ts'
import type { PostSimilarity } from './similarity.ts'

/** So many by words are fused with those by similarity; the rest follow in their order. */
const maxFused = 200
/** A post is looked for so many ranks past where it stood. */
const maxShift = 100

/** The order of all that was found. */
export interface FusedOrder {
  total: number
  /** Those that similarity alone found. */
  bySimilarityAlone: readonly number[]
  /** One page, and the index of its first post. */
  page(window: RankingWindow): { from: number; page: Fused[] }
}

/** How the list by similarity counts. */
interface SemanticWeighting {
  /** From this cosine on, a post without the words is found. */
  minSimilarity: number
  weight: number
}

/** The one order of what both ways found, whichever page of it is asked for. */
export function fuseLexicalAndSemantic(
  matches: Matches,
  near: readonly PostSimilarity[],
  weighting: SemanticWeighting
): FusedOrder {
  const candidates = concat(matches.full, matches.partial)
  if (near.length === 0) return orderByWords(candidates)
  const byWords = foundAmong(near, candidates)
  const bySimilarity = eligible(near, matches, weighting.minSimilarity, byWords)
  const head = fuse(top(candidates, maxFused).postNos, bySimilarity, weighting.weight)
  const bySimilarityAlone = bySimilarity.filter(post_no => !byWords.has(post_no))
  const total = candidates.postNos.length + bySimilarityAlone.length
  return {
    total,
    bySimilarityAlone,
    page(window) {
      const end = window.offset + window.limit + shiftOf(window)
      const isInHead = end <= head.length || head.length === total
      const order = isInHead ? head : withTail(head, candidates)
      const from = startOf(window, postsOf(order))
      return { from, page: order.slice(from, from + window.limit) }
    }
  }
}

/** Those by similarity that have the words: a set of all that have them would take longer than the search. */
function foundAmong(near: readonly PostSimilarity[], { postNos }: Hits): ReadonlySet<number> {
  const asked = new Set(near.map(({ post_no }) => post_no))
  return new Set(postNos.filter(post_no => asked.has(post_no)))
}

/** Those by similarity that have the words, or are near enough without. None that was excluded. */
function eligible(
  near: readonly PostSimilarity[],
  matches: Matches,
  minSimilarity: number,
  byWords: ReadonlySet<number>
): number[] {
  const isNearEnough = ({ post_no, similarity }: PostSimilarity) =>
    similarity >= minSimilarity && !matches.requiresPhrase && !matches.excluded.has(post_no)
  return near
    .filter(each => byWords.has(each.post_no) || (isNearEnough(each) && matches.isWanted(each.post_no)))
    .map(({ post_no }) => post_no)
}

const shiftOf = ({ after }: RankingWindow) => (after === undefined ? 0 : maxShift)

const postsOf = (order: readonly Fused[]) => order.map(({ post_no }) => post_no)

/** The fused ones, and after them the rest of those found by words. */
function withTail(head: readonly Fused[], candidates: Hits): Fused[] {
  const inHead = new Set(postsOf(head))
  const rest = top(candidates, candidates.postNos.length).postNos.filter(post_no => !inHead.has(post_no))
  return [...head, ...[...rest].map(post_no => ({ post_no, score: 0 }))]
}

/** The order by words, with the first of them in another one: no more is sorted than is asked for. */
export function orderByWords(candidates: Hits, first: readonly number[] = []): FusedOrder {
  return {
    total: candidates.postNos.length,
    bySimilarityAlone: [],
    page(window) {
      const { limit, offset } = window
      const order = top(candidates, Math.max(first.length, offset + limit + shiftOf(window))).postNos
      order.set(first)
      const from = startOf(window, order)
      const page = [...order.subarray(from, from + limit)].map((post_no, at) => {
        const rank = from + at + 1
        return { post_no, score: rank > maxFused ? 0 : scoreOfRank(rank) }
      })
      return { from, page }
    }
  }
}
