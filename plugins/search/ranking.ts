import { inverseDocumentFrequency } from '#text'
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
  // All zero between two rankings: new arrays for each would be most of its time.
  let scratch = createScratch(0)
  return (terms, index, required = 0) => {
    if (scratch.scores.length < index.times.length) scratch = createScratch(index.times.length)
    const needed = terms.filter(({ bit }) => (bit & required) !== 0)
    if (needed.reduce((bits, { bit }) => bits | bit, 0) !== required) return noHits
    const found = needed.length === 0 ? 0 : addNeeded(scratch, needed, index)
    const all = terms
      .filter(term => !needed.includes(term))
      .reduce(
        (count, term) => add(scratch, term, index, { before: required, noted: count, isNoting: required === 0 }),
        found
      )
    const hits = take(scratch, all, index)
    clear(scratch, needed[0]?.list.posts ?? hits.posts)
    return hits
  }
}

/** Sums by number of the post, and numbers of the posts that may be hits. */
interface Scratch {
  scores: Float64Array
  bits: Uint32Array
  seen: Int32Array
}

const createScratch = (size: number): Scratch => ({
  scores: new Float64Array(size),
  bits: new Uint32Array(size),
  seen: new Int32Array(size)
})

/** Scores the posts that have all these words, beginning with the rarest: most posts of the others need no score. */
function addNeeded(scratch: Scratch, needed: RankedTerm[], index: Ranked): number {
  needed.sort((a, b) => a.list.posts.length - b.list.posts.length)
  let before = 0
  let found = 0
  for (const [at, term] of needed.entries()) {
    found = add(scratch, term, index, { before, noted: 0, isNoting: at === needed.length - 1 })
    before |= term.bit
  }
  return found
}

/** `before`: only posts that have the words of these bits. `isNoting`: notes those that were not `noted` yet. */
interface Adding {
  before: number
  noted: number
  isNoting: boolean
}

/** Adds a word to the sums; answers how many posts are noted. */
function add({ scores, bits, seen }: Scratch, term: RankedTerm, index: Ranked, { before, noted, isNoting }: Adding) {
  const { posts, weights } = term.list
  const { bit } = term
  const rarity = inverseDocumentFrequency(index.posts, posts.length)
  const size = index.times.length
  let count = noted
  for (let at = 0; at < posts.length; at++) {
    const post = posts[at] as number
    if (post >= size) continue
    const words = bits[post] as number
    if ((words & before) !== before) continue
    const score = scores[post] as number
    // Without words that are needed, one seen before has a score.
    if (isNoting && (before !== 0 || score === 0)) seen[count++] = post
    scores[post] = score + rarity * (weights[at] as number)
    bits[post] = words | bit
  }
  return count
}

/** The noted posts that are public. What the others have is cleared. */
function take({ scores, bits, seen }: Scratch, noted: number, { times, nowSeconds }: Ranked): Hits {
  let count = 0
  for (let at = 0; at < noted; at++) {
    const post = seen[at] as number
    const time = times[post] as number
    if (time !== notPublished && time <= nowSeconds) seen[count++] = post
    else scores[post] = bits[post] = 0
  }
  const hits = { posts: seen.slice(0, count), keys: new Float64Array(count), bits: new Uint32Array(count) }
  for (let at = 0; at < count; at++) {
    const post = seen[at] as number
    hits.keys[at] = keyOf(scores[post] as number, times[post] as number)
    hits.bits[at] = bits[post] as number
  }
  return hits
}

function clear({ scores, bits }: Scratch, posts: Int32Array): void {
  for (let at = 0; at < posts.length; at++) {
    scores[posts[at] as number] = 0
    bits[posts[at] as number] = 0
  }
}

function keyOf(score: number, seconds: number): number {
  const time = Math.min(Math.max(seconds, 0), keySeconds - 1)
  const recent = Math.min(score, mostScore) * (1 + time / recencyHorizon)
  return Math.max(1, Math.round(recent * keyScale)) * keySeconds + time
}

/** The hits at some places, in their order. */
function at({ posts, keys, bits }: Hits, places: Int32Array): Hits {
  const { length } = places
  // Loops: `from` with a function takes several times as long.
  const found = { posts: new Int32Array(length), keys: new Float64Array(length), bits: new Uint32Array(length) }
  for (let to = 0; to < length; to++) {
    const from = places[to] as number
    found.posts[to] = posts[from] as number
    found.keys[to] = keys[from] as number
    found.bits[to] = bits[from] as number
  }
  return found
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
