import type { PostingList } from './posting-list.ts'

/** Merges the lists of terms that stand for one word: a post counts with the term it says most. */
export type MergeLists = (lists: readonly PostingList[]) => PostingList

/** With fewer, or so scattered, a map is filled sooner than an array with all numbers. */
const fewPostings = 2048
const maxNumbersPerPosting = 16

const unknown = -1

export function createListMerge(): MergeLists {
  // By number of the post. All unknown between two merges: a new array for each would be much of its time.
  let weightByPost = new Float32Array(0)
  return lists => {
    const [only, ...others] = lists
    if (only !== undefined && others.length === 0) return only
    const postings = lists.reduce((sum, { postNos }) => sum + postNos.length, 0)
    const size = postings < fewPostings ? 0 : lastOf(lists) + 1
    if (size === 0 || size / postings >= maxNumbersPerPosting) return mergeByMap(lists)
    if (weightByPost.length < size) weightByPost = new Float32Array(size).fill(unknown)
    return mergeByNumber(lists, weightByPost, Math.min(postings, size))
  }
}

function mergeByMap(lists: readonly PostingList[]): PostingList {
  const byPost = new Map<number, number>()
  for (const { postNos, weights } of lists)
    for (const [at, post] of postNos.entries()) byPost.set(post, Math.max(byPost.get(post) ?? 0, weights[at] ?? 0))
  return { postNos: Int32Array.from(byPost.keys()), weights: Float32Array.from(byPost.values()) }
}

function lastOf(lists: readonly PostingList[]): number {
  let last = 0
  for (const { postNos } of lists)
    for (let at = 0; at < postNos.length; at++) {
      const post = postNos[at] ?? 0
      if (post > last) last = post
    }
  return last
}

/** Beginnings of common words have millions of postings: nothing in its loops calls or allocates. */
function mergeByNumber(lists: readonly PostingList[], weightByPost: Float32Array, capacity: number): PostingList {
  const found = new Int32Array(capacity)
  let count = 0
  for (const { postNos, weights } of lists)
    for (let at = 0; at < postNos.length; at++) {
      const post = postNos[at] ?? 0
      const weight = weights[at] ?? 0
      const known = weightByPost[post] ?? unknown
      if (known >= weight) continue
      if (known === unknown) found[count++] = post
      weightByPost[post] = weight
    }
  const merged = { postNos: found.slice(0, count), weights: new Float32Array(count) }
  for (let at = 0; at < count; at++) {
    const post = merged.postNos[at] ?? 0
    merged.weights[at] = weightByPost[post] ?? 0
    weightByPost[post] = unknown
  }
  return merged
}
