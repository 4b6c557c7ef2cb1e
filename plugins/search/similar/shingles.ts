import type { ComparedPost, SimilarPost } from '#plugins/posts'
import { fnv1a, plainWordsOf } from '#text'

/** Words of a shingle. */
const shingleWords = 5

/** The one whose text has most of these shingles; similarity 0–1. */
export function nearestByShingles(rows: readonly ComparedPost[], shingles: readonly number[]): SimilarPost | null {
  if (rows.length === 0) return null
  const wanted = new Set(shingles)
  const scored = rows.map(({ post_id, slug, title, content }) => ({
    post_id,
    slug,
    title,
    similarity: overlap(wanted, new Set(shinglesOf(content)))
  }))
  return scored.sort((a, b) => b.similarity - a.similarity || (a.post_id < b.post_id ? -1 : 1))[0] ?? null
}

/**
 * The shingles of a text, its runs of five words, each as a hash of 32 bits. That two texts of a thousand different
 * shingles have one of them in common happens once in four thousand comparisons, and counts for a thousandth.
 */
export function shinglesOf(text: string): number[] {
  const words = plainWordsOf(text).map(word => fnv1a(word))
  const size = Math.min(shingleWords, words.length)
  if (size === 0) return []
  const shingles: number[] = []
  for (let start = 0; start + size <= words.length; start++) shingles.push(hashOf(words, start, start + size))
  return shingles
}

/** Depends on the order of the words. */
function hashOf(words: readonly number[], start: number, end: number): number {
  let hash = 0
  for (let index = start; index < end; index++) {
    // The constants of MurmurHash3's finalizer.
    hash = Math.imul(hash ^ (words[index] ?? 0), 0x85ebca6b)
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
    hash ^= hash >>> 16
  }
  return hash >>> 0
}

/** The share of the shorter text's shingles that the other has as well. */
function overlap(a: ReadonlySet<number>, b: ReadonlySet<number>): number {
  const [few, many] = a.size <= b.size ? [a, b] : [b, a]
  if (few.size === 0) return 0
  let shared = 0
  for (const shingle of few) if (many.has(shingle)) shared += 1
  return shared / few.size
}
