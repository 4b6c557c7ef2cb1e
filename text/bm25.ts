/** How soon a repeated word stops counting: BM25's k1. */
const usualSaturation = 1.2

/** How rare a term is: BM25's inverse document frequency. `holding` of `total` documents have it. */
export const inverseDocumentFrequency = (total: number, holding: number): number =>
  Math.log(1 + (Math.max(total - holding, 0) + 0.5) / (holding + 0.5))

/**
 * How much a document that has a term `frequency` times says of it, before the term's rarity. `relativeLength` is the
 * document's length over the mean, `lengthShare` how far that counts, 0–1: BM25's b. `saturation` is its k1.
 */
export function termFrequencyWeight(
  frequency: number,
  relativeLength: number,
  { lengthShare = 0.75, saturation = usualSaturation }: { lengthShare?: number; saturation?: number } = {}
): number {
  const norm = saturation * (1 - lengthShare + lengthShare * relativeLength)
  return ((saturation + 1) * frequency) / (frequency + norm)
}
