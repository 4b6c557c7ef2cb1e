import type { ComparedPost, SimilarPost } from '#plugins/posts'
import { plainWordsOf } from '#text'

/** Words of a shingle. */
const shingleWords = 5

/** The one whose text shares most with `content`; similarity 0–1. */
export function nearestByShingles(rows: readonly ComparedPost[], content: string): SimilarPost | null {
  const wanted = shinglesOf(content)
  const scored = rows.map(({ post_id, slug, title, content: text }) => ({
    post_id,
    slug,
    title,
    similarity: overlap(wanted, shinglesOf(text))
  }))
  return scored.sort((a, b) => b.similarity - a.similarity || (a.post_id < b.post_id ? -1 : 1))[0] ?? null
}

/** The shingles of a text: its runs of five words. */
export function shinglesOf(text: string): Set<string> {
  const words = plainWordsOf(text)
  const size = Math.min(shingleWords, words.length)
  return new Set(
    size === 0
      ? []
      : Array.from({ length: words.length - size + 1 }, (_, index) => words.slice(index, index + size).join(' '))
  )
}

/** The share of the shorter text's shingles that the other has as well. */
function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const [few, many] = a.size <= b.size ? [a, b] : [b, a]
  if (few.size === 0) return 0
  let shared = 0
  for (const passage of few) if (many.has(passage)) shared += 1
  return shared / few.size
}
