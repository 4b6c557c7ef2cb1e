import { type Hits, top } from './inverted-index/hits.ts'
import type { PostComparison, PostSimilarity } from './similarity.ts'

/** So many by words are put into another order; the rest follow in theirs. */
export const reorderedCount = 30
/** How far both ways agree is measured by the first of each. */
const comparedCount = 10

/** How soon a post with fewer of the words stops counting as relevant. With 2 or 8 the order is as good (bench/README.md). */
const relevancePower = 4

/** How much each of these posts counts as relevant for vectors, by its score by words: 1 for the best, 0 for the last. */
export const relevancesOf = ({ keys }: Hits): number[] => normalized([...keys]).map(score => score ** relevancePower)

/**
 * The first posts by words, ordered by words and vectors together: both scores count from 0 to 1, that of the vectors by
 * how many of the first ten both ways share, and by their weight. Where they disagree, the words decide.
 */
export function reorder(candidates: Hits, { similarities: near, weight }: PostComparison): number[] {
  const { postNos, keys } = top(candidates, reorderedCount)
  const byWords = [...postNos]
  const similarities = new Map(near.map(({ post_no, similarity }) => [post_no, similarity]))
  const wordScores = normalized([...keys])
  const vectorScores = normalized(byWords.map(post_no => similarities.get(post_no) ?? 0))
  const factor = weight * agreementOf(byWords, near)
  const scored = byWords.map((post_no, at) => ({
    post_no,
    score: (wordScores[at] ?? 0) + factor * (vectorScores[at] ?? 0)
  }))
  return scored.sort((a, b) => b.score - a.score).map(({ post_no }) => post_no)
}

/** From 0 for the least to 1 for the most. */
function normalized(values: readonly number[]): number[] {
  const min = Math.min(...values)
  const range = Math.max(...values) - min
  return values.map(value => (range === 0 ? 0 : (value - min) / range))
}

function agreementOf(byWords: readonly number[], near: readonly PostSimilarity[]): number {
  const first = new Set(byWords.slice(0, comparedCount))
  const bySimilarity = [...near].sort((a, b) => b.similarity - a.similarity).slice(0, comparedCount)
  return bySimilarity.filter(({ post_no }) => first.has(post_no)).length / comparedCount
}
