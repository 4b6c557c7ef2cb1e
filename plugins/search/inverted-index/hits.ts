/** Posts found, as parallel arrays. */
export interface Hits {
  /** post_no of each. */
  readonly postNos: Int32Array
  /** Orders posts, higher first: the score, of equal scores the newer. Exact in a double: 22 bits of score, 30 of time. */
  readonly keys: Float64Array
  /** Bits of the words the post has. */
  readonly bits: Uint32Array
}

/** Words of a query that have a bit of their own: words past that count for the score only. */
export const maxBits = 31

export const noHits: Hits = { postNos: new Int32Array(0), keys: new Float64Array(0), bits: new Uint32Array(0) }

/** The hits at some indexes, in their order. */
function pick({ postNos, keys, bits }: Hits, indexes: Int32Array): Hits {
  const { length } = indexes
  // `from` with a function, or a loop over entries, takes longer.
  const picked = { postNos: new Int32Array(length), keys: new Float64Array(length), bits: new Uint32Array(length) }
  for (let to = 0; to < length; to++) {
    const from = indexes[to] ?? 0
    picked.postNos[to] = postNos[from] ?? 0
    picked.keys[to] = keys[from] ?? 0
    picked.bits[to] = bits[from] ?? 0
  }
  return picked
}

/** The hits that a test of post and bits lets through. */
export function filter(hits: Hits, isWanted: (post: number, bits: number) => boolean): Hits {
  const indexes = growScratch(hits.postNos.length).indexes.subarray(0, hits.postNos.length)
  let count = 0
  for (let index = 0; index < indexes.length; index++)
    if (isWanted(hits.postNos[index] ?? 0, hits.bits[index] ?? 0)) indexes[count++] = index
  return count === indexes.length ? hits : pick(hits, indexes.subarray(0, count))
}

/** All of both. */
export function concat(a: Hits, b: Hits): Hits {
  if (b.postNos.length === 0) return a
  const length = a.postNos.length + b.postNos.length
  const both = { postNos: new Int32Array(length), keys: new Float64Array(length), bits: new Uint32Array(length) }
  for (const [hits, from] of [
    [a, 0],
    [b, a.postNos.length]
  ] as const) {
    both.postNos.set(hits.postNos, from)
    both.keys.set(hits.keys, from)
    both.bits.set(hits.bits, from)
  }
  return both
}

const growth = 1.25
/** Used by one call after the other: among a million posts new ones are megabytes of garbage for each search. */
const scratch = { keys: new Float64Array(0), indexes: new Int32Array(0) }

function growScratch(size: number): typeof scratch {
  if (scratch.keys.length < size) {
    const grown = Math.ceil(growth * size)
    scratch.keys = new Float64Array(grown)
    scratch.indexes = new Int32Array(grown)
  }
  return scratch
}

/** The key that `nth - 1` keys are larger than or equal to. */
function nthKey(keys: Float64Array, nth: number): number {
  const copy = growScratch(keys.length).keys.subarray(0, keys.length)
  copy.set(keys)
  return nthLargest(copy, nth)
}

/** The best `count` of the hits, best first; posts of one second by number, the higher first. */
export function top(hits: Hits, count: number): Hits {
  const { postNos, keys } = hits
  const min = postNos.length <= count ? 0 : nthKey(keys, count)
  const inOrder = split(keys, min).best.sort(
    (a, b) => (keys[b] ?? 0) - (keys[a] ?? 0) || (postNos[b] ?? 0) - (postNos[a] ?? 0)
  )
  return pick(hits, inOrder.subarray(0, count))
}

/** The posts of all hits: the best `count`, best first, then the others in no order. To order all takes most of the time. */
export function bestFirst(hits: Hits, count: number): Int32Array {
  const { postNos, keys } = hits
  if (postNos.length <= count) return top(hits, count).postNos
  const { best, others } = split(keys, nthKey(keys, count))
  // The scores of the others are looked at no more: a copy of them would be megabytes.
  const posts = new Int32Array(postNos.length)
  for (let at = 0; at < others.length; at++) posts[best.length + at] = postNos[others[at] ?? 0] ?? 0
  posts.set(top(pick(hits, best), best.length).postNos)
  return posts
}

/** The indexes of the keys from a least one on, and those of the others, until the next call. */
function split(keys: Float64Array, min: number): { best: Int32Array; others: Int32Array } {
  const indexes = growScratch(keys.length).indexes.subarray(0, keys.length)
  let best = 0
  let others = keys.length
  for (let index = 0; index < keys.length; index++) {
    if ((keys[index] ?? 0) >= min) indexes[best++] = index
    else indexes[--others] = index
  }
  return { best: indexes.subarray(0, best), others: indexes.subarray(best) }
}

/** Quickselect: the value that `nth - 1` values are larger than or equal to. Reorders `values`. */
export function nthLargest(values: Float64Array, nth: number): number {
  let from = 0
  let to = values.length - 1
  while (from < to) {
    const pivot = values[(from + to) >> 1] ?? 0
    let low = from
    let high = to
    while (low <= high) {
      while ((values[low] ?? 0) > pivot) low++
      while ((values[high] ?? 0) < pivot) high--
      if (low > high) break
      const swapped = values[low] ?? 0
      values[low++] = values[high] ?? 0
      values[high--] = swapped
    }
    if (nth - 1 <= high) to = high
    else if (nth - 1 >= low) from = low
    else break
  }
  return values[nth - 1] ?? 0
}
