import type { PostingList } from './postings.ts'

/** A word of the query with its list. `bit` is set for every post that has it. */
export interface RankedTerm {
  readonly list: PostingList
  readonly bit: number
}

/** The posts that have one of the words at least. */
export interface Hits {
  /** Numbers of the posts, in no order. */
  readonly posts: Int32Array
  /** By number of the post: bits of the words it has, and its key. */
  readonly bits: Uint32Array
  /** Orders posts, higher first: the score, of equal scores the newer. Exact in a double: 22 bits of score, 30 of time. */
  readonly keys: Float64Array
}

/** Bits beyond these there are none: words past that count for the score only. */
export const mostBits = 31

/** A post a year younger counts 0.8 % more. Scores a ten-thousandth apart are taken as equal, and the newer is first. */
const recencyHorizon = 3_800_000_000
const keyScale = 8192
const keySeconds = 2 ** 30
const mostScore = 500

/** Scores every post in the lists: BM25, each word by its rarity among `count` posts. Posts of the future are left out. */
export function rank(terms: readonly RankedTerm[], count: number, nowSeconds: number): Hits {
  const size = terms.reduce((most, { list }) => Math.max(most, highest(list.posts)), -1) + 1
  const bits = new Uint32Array(size)
  const keys = new Float64Array(size)
  const seconds = new Int32Array(size)
  const posts = new Int32Array(
    Math.min(
      size,
      terms.reduce((sum, { list }) => sum + list.posts.length, 0)
    )
  )
  let found = 0
  for (const { list, bit } of terms) {
    const held = list.posts.length
    const rarity = Math.log(1 + (Math.max(count - held, 0) + 0.5) / (held + 0.5))
    for (let at = 0; at < held; at++) {
      const time = list.seconds[at] as number
      if (time > nowSeconds) continue
      const post = list.posts[at] as number
      // One seen before has a score.
      if (keys[post] === 0) posts[found++] = post
      bits[post] = (bits[post] as number) | bit
      keys[post] = (keys[post] as number) + rarity * (list.weights[at] as number)
      seconds[post] = time
    }
  }
  const hits = posts.subarray(0, found)
  for (let at = 0; at < found; at++) {
    const post = hits[at] as number
    keys[post] = keyOf(keys[post] as number, seconds[post] as number)
  }
  return { posts: hits, bits, keys }
}

function keyOf(score: number, seconds: number): number {
  const time = Math.min(Math.max(seconds, 0), keySeconds - 1)
  const recent = Math.min(score, mostScore) * (1 + time / recencyHorizon)
  return Math.max(1, Math.round(recent * keyScale)) * keySeconds + time
}

function highest(posts: Int32Array): number {
  let most = -1
  for (let at = 0; at < posts.length; at++) if ((posts[at] as number) > most) most = posts[at] as number
  return most
}

/** The best `count` of the posts, best first; posts of one second by number, the higher first. */
export function best(posts: Int32Array, keys: Float64Array, count: number): Int32Array {
  const inOrder = (a: number, b: number) => (keys[b] as number) - (keys[a] as number) || b - a
  if (posts.length <= count) return posts.slice().sort(inOrder)
  const values = new Float64Array(posts.length)
  for (let at = 0; at < posts.length; at++) values[at] = keys[posts[at] as number] as number
  const least = nthLargest(values, count)
  return posts
    .filter(post => (keys[post] as number) >= least)
    .sort(inOrder)
    .slice(0, count)
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
  const times = new Map<number, number>()
  for (const list of lists) {
    for (let at = 0; at < list.posts.length; at++) {
      const post = list.posts[at] as number
      weights.set(post, Math.max(weights.get(post) ?? 0, list.weights[at] as number))
      times.set(post, list.seconds[at] as number)
    }
  }
  return {
    posts: Int32Array.from(weights.keys()),
    seconds: Int32Array.from(times.values()),
    weights: Float32Array.from(weights.values())
  }
}
