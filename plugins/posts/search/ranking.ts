import { type Index, notPublished, type PostingList } from './postings.ts'

/** A word of the query with its list. `bit` is set for every post that has it. */
export interface RankedTerm {
  readonly list: PostingList
  readonly bit: number
}

/** Posts found, as parallel arrays. */
export interface Hits {
  /** Numbers of the posts. */
  readonly posts: Int32Array
  /** Orders posts, higher first: the score, of equal scores the newer. Exact in a double: 22 bits of score, 30 of time. */
  readonly keys: Float64Array
  /** Bits of the words the post has. */
  readonly bits: Uint32Array
}

/** Scores the posts that have every word of the bits `required`, without any those that have one of the words, in no order. */
export type Rank = (terms: readonly RankedTerm[], index: Ranked, required?: number) => Hits

/** What posts are ranked by beside their words. */
export type Ranked = Pick<Index, 'posts' | 'times' | 'nowSeconds'>

/** Bits beyond these there are none: words past that count for the score only. */
export const mostBits = 31

/** A post a year younger counts 0.8 % more. Scores a ten-thousandth apart are taken as equal, and the newer is first. */
const recencyHorizon = 3_800_000_000
const keyScale = 8192
const keySeconds = 2 ** 30
const mostScore = 500

/** Ranks by BM25, each word by its rarity among all posts. Posts of the future are left out. */
export function createRank(): Rank {
  // By number of the post, all zero between two rankings: new arrays for each would be most of its time.
  let scores = new Float64Array(0)
  let bits = new Uint32Array(0)
  let seen = new Int32Array(0)
  const rarityOf = ({ list }: RankedTerm, { posts }: Ranked) => {
    const held = list.posts.length
    return Math.log(1 + (Math.max(posts - held, 0) + 0.5) / (held + 0.5))
  }
  /** Adds a word to posts that have the words of the bits `before`; with none, to any. Answers how many were noted. */
  const add = (term: RankedTerm, index: Ranked, before: number, noted: number) => {
    const { posts, weights } = term.list
    const { bit } = term
    const rarity = rarityOf(term, index)
    const size = index.times.length
    // Read once: the compiler does not know that they stay the same.
    const [scored, had] = [scores, bits]
    let count = noted
    for (let at = 0; at < posts.length; at++) {
      const post = posts[at] as number
      if (post >= size) continue
      const words = had[post] as number
      if ((words & before) !== before) continue
      const score = scored[post] as number
      // One seen before has a score.
      if (score === 0) seen[count++] = post
      scored[post] = score + rarity * (weights[at] as number)
      had[post] = words | bit
    }
    return count
  }
  const take = (found: number, { times, nowSeconds }: Ranked, required: number) => {
    let kept = 0
    for (let at = 0; at < found; at++) {
      const post = seen[at] as number
      const time = times[post] as number
      if (((bits[post] as number) & required) === required && time !== notPublished && time <= nowSeconds) {
        seen[kept++] = post
      } else {
        scores[post] = 0
        bits[post] = 0
      }
    }
    return takeHits(kept, times)
  }
  const takeHits = (kept: number, times: Int32Array) => {
    const hits = { posts: seen.slice(0, kept), keys: new Float64Array(kept), bits: new Uint32Array(kept) }
    for (let at = 0; at < kept; at++) {
      const post = hits.posts[at] as number
      hits.keys[at] = keyOf(scores[post] as number, times[post] as number)
      hits.bits[at] = bits[post] as number
      scores[post] = 0
      bits[post] = 0
    }
    return hits
  }
  return (terms, index, required = 0) => {
    const size = index.times.length
    if (scores.length < size) {
      scores = new Float64Array(size)
      bits = new Uint32Array(size)
      seen = new Int32Array(size)
    }
    // The words that must be there first, the shortest list first: then most of the others need no score.
    const isRequired = ({ bit }: RankedTerm) => (bit & required) !== 0
    const inTurn = terms.toSorted(
      (a, b) => Number(isRequired(b)) - Number(isRequired(a)) || a.list.posts.length - b.list.posts.length
    )
    let before = 0
    let found = 0
    for (const term of inTurn) {
      found = add(term, index, before, found)
      if (isRequired(term)) before |= term.bit
    }
    return take(found, index, required)
  }
}

function keyOf(score: number, seconds: number): number {
  const time = Math.min(Math.max(seconds, 0), keySeconds - 1)
  const recent = Math.min(score, mostScore) * (1 + time / recencyHorizon)
  return Math.max(1, Math.round(recent * keyScale)) * keySeconds + time
}

/** The hits at some places, in their order. */
function at({ posts, keys, bits }: Hits, places: Int32Array): Hits {
  return {
    posts: places.map(place => posts[place] as number),
    keys: Float64Array.from(places, place => keys[place] as number),
    bits: Uint32Array.from(places, place => bits[place] as number)
  }
}

/** The hits that a test of post and bits lets through. */
export function filter(hits: Hits, isWanted: (post: number, bits: number) => boolean): Hits {
  const places = new Int32Array(hits.posts.length)
  let count = 0
  for (let place = 0; place < places.length; place++)
    if (isWanted(hits.posts[place] as number, hits.bits[place] as number)) places[count++] = place
  return count === places.length ? hits : at(hits, places.subarray(0, count))
}

/** All of both. */
export function concat(a: Hits, b: Hits): Hits {
  if (b.posts.length === 0) return a
  return {
    posts: Int32Array.from([...a.posts, ...b.posts]),
    keys: Float64Array.from([...a.keys, ...b.keys]),
    bits: Uint32Array.from([...a.bits, ...b.bits])
  }
}

export const noHits: Hits = { posts: new Int32Array(0), keys: new Float64Array(0), bits: new Uint32Array(0) }

/** The best `count` of the hits, best first; posts of one second by number, the higher first. */
export function best(hits: Hits, count: number): Hits {
  const { posts, keys } = hits
  const least = posts.length <= count ? 0 : nthLargest(keys.slice(), count)
  const places = new Int32Array(posts.length)
  let many = 0
  for (let place = 0; place < places.length; place++) if ((keys[place] as number) >= least) places[many++] = place
  const inOrder = places
    .subarray(0, many)
    .sort((a, b) => (keys[b] as number) - (keys[a] as number) || (posts[b] as number) - (posts[a] as number))
  return at(hits, inOrder.subarray(0, count))
}

/** Quickselect: the value that `nth - 1` values are larger than or equal to. Reorders `values`. */
function nthLargest(values: Float64Array, nth: number): number {
  let from = 0
  let to = values.length - 1
  while (from < to) {
    const pivot = values[(from + to) >> 1] as number
    let low = from
    let high = to
    while (low <= high) {
      while ((values[low] as number) > pivot) low++
      while ((values[high] as number) < pivot) high--
      if (low > high) break
      const swapped = values[low] as number
      values[low++] = values[high] as number
      values[high--] = swapped
    }
    if (nth - 1 <= high) to = high
    else if (nth - 1 >= low) from = low
    else break
  }
  return values[nth - 1] as number
}

/** Merges the lists of terms that stand for one word: a post counts with the term it says most of. */
export function mergeLists(lists: readonly PostingList[]): PostingList {
  if (lists.length === 1) return lists[0] as PostingList
  const weights = new Map<number, number>()
  for (const list of lists) {
    for (let at = 0; at < list.posts.length; at++) {
      const post = list.posts[at] as number
      weights.set(post, Math.max(weights.get(post) ?? 0, list.weights[at] as number))
    }
  }
  return { posts: Int32Array.from(weights.keys()), weights: Float32Array.from(weights.values()) }
}
