import { inverseDocumentFrequency, termFrequencyWeight, termsOf } from '#text'
import type { RarityOf } from '../embedders/embedded.ts'

/** How soon a word that a question repeats stops counting: BM25's k3. */
const repetition = 3
/** Where rarity is not known, there are fewer passages than this, and all that have one of the words are ranked. */
const assumedPassages = 100

interface PassageByWords<Passage> {
  passage: Passage
  score: number
}

/**
 * Passages by the words they share with a question, best first, by BM25; equal ones stay in their order. Without `rarityOf` a
 * word is as rare as it is among these passages.
 */
export function rankByWords<Passage extends { text: string }>(
  question: string,
  passages: readonly Passage[],
  rarityOf?: RarityOf
): PassageByWords<Passage>[] {
  const asked = countsOf(termsOf(question))
  const found = passages.map(({ text }) => countsOf(termsOf(text)))
  const lengths = found.map(counts => [...counts.values()].reduce((sum, count) => sum + count, 0))
  const meanLength = Math.max(1, lengths.reduce((sum, length) => sum + length, 0) / passages.length)
  const holding = (term: string) => found.filter(counts => counts.has(term)).length
  const weights = [...asked].map(([term, times]) => {
    const rarity = rarityOf?.(term) ?? inverseDocumentFrequency(assumedPassages, holding(term))
    return { term, weight: (rarity * times * (repetition + 1)) / (repetition + times) }
  })
  const scores = found.map((counts, at) =>
    weights.reduce((sum, { term, weight }) => {
      const frequency = counts.get(term)
      return frequency === undefined
        ? sum
        : sum + weight * termFrequencyWeight(frequency, (lengths[at] ?? 0) / meanLength)
    }, 0)
  )
  return passages.map((passage, at) => ({ passage, score: scores[at] ?? 0 })).sort((a, b) => b.score - a.score)
}

function countsOf(terms: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
  return counts
}
