// Half way is too far: answers that were wrong take the query with them (bench/README.md).
const step = 0.5

/**
 * A query's vector shifted to the mean of the vectors of relevant entries (Rocchio's method). `baselineCosine` is the
 * cosine that any two vectors of the model have: only what is beyond it is weighed.
 */
export function shiftToRelevant(mean: readonly number[], query: readonly number[], baselineCosine: number): number[] {
  // Means are shorter the less their vectors agree; all have the common part whole.
  const beyond = squares(mean) - baselineCosine
  const share = beyond > 0 ? step * Math.sqrt((1 - baselineCosine) / beyond) : 0
  return query.map((value, at) => Math.round((value + share * (mean[at] ?? 0)) * 1e7) / 1e7)
}

const squares = (vector: readonly number[]): number => vector.reduce((sum, value) => sum + value * value, 0)
