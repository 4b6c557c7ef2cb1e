import type { VectorProducts } from '../repository/vector-search.ts'

/** Half way is too far: answers that were wrong take the query with them (bench/README.md). */
const step = 0.5

/**
 * A query's vector shifted to the mean of the vectors of relevant entries (Rocchio's method). `baselineCosine` is the
 * cosine that any two vectors of the model have: only what is beyond it is weighed.
 */
export function shiftToRelevant(mean: readonly number[], query: readonly number[], baselineCosine: number): number[] {
  const share = shareOf(squares(mean), baselineCosine)
  return query.map((value, at) => Math.round((value + share * (mean[at] ?? 0)) * 1e7) / 1e7)
}

/** The cosine of a vector and `shiftToRelevant`, from products that the database makes: no vector is sent for it. */
export function cosineToShifted(products: VectorProducts, query: readonly number[], baselineCosine: number): number {
  const { by_query, by_mean, length, mean_square, mean_by_query } = products
  const share = shareOf(mean_square, baselineCosine)
  const shiftedSquare = squares(query) + 2 * share * mean_by_query + share * share * mean_square
  const lengths = Math.sqrt(shiftedSquare) * length
  return lengths > 0 ? (by_query + share * by_mean) / lengths : 0
}

/** How much of the mean is added. Means are shorter the less their vectors agree; all have the common part whole. */
function shareOf(meanSquare: number, baselineCosine: number): number {
  const beyond = meanSquare - baselineCosine
  return beyond > 0 ? step * Math.sqrt((1 - baselineCosine) / beyond) : 0
}

const squares = (vector: readonly number[]): number => vector.reduce((sum, value) => sum + value * value, 0)
