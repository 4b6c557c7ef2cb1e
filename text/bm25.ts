/** How rare a term is: BM25's inverse document frequency. `documentFrequency` of `total` documents have it. */
export const inverseDocumentFrequency = (total: number, documentFrequency: number): number =>
  Math.log(1 + (Math.max(total - documentFrequency, 0) + 0.5) / (documentFrequency + 0.5))

/**
 * BM25's weight of a term that a document has `frequency` times, before the term's rarity. `relativeLength`: the document's length
 * over the mean. `b`, 0–1: how far that counts. `k1`: how soon a repeated word stops counting.
 */
export function termFrequencyWeight(
  frequency: number,
  relativeLength: number,
  { b = 0.75, k1 = 1.2 }: { b?: number; k1?: number } = {}
): number {
  const norm = k1 * (1 - b + b * relativeLength)
  return ((k1 + 1) * frequency) / (frequency + norm)
}
