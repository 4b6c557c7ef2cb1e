import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { tokensOf } from '#text'
import { type Embedder, embeddingDimensions } from '../index.ts'
import {
  addPair,
  addWord,
  createWordFeatures,
  dimensionOfEmptyText,
  hashedDimensions,
  type WordFeatures
} from './word-features.ts'

/** Changes whenever the same text would get another vector: vectors of different versions do not compare. */
export const embeddedModel = 'galley-hash-v3'

/** What every text has in common, so that the right answer to a short query is above 0.5: decision 0013. */
const baselineCosine = 0.4
const shared = Math.sqrt(baselineCosine)

/** Texts between two turns of the event loop: about 4 ms of work for chunks of 120 words. */
const textsBetweenYields = 8

/** How much more or less than usual a word's root tells in this corpus; 1 is as usual. */
export type RarityOf = (root: string) => number

export const uniformRarity: RarityOf = () => 1

/**
 * The embedder that needs nothing: words, their character n-grams and pairs of neighbouring words are hashed to 767
 * dimensions with a sign (feature hashing), repeated words count less each time, function words hardly at all. A query
 * it is asked to rank by has its words weighed by `rarityOf`.
 */
export function createEmbeddedEmbedder(rarityOf: RarityOf = uniformRarity): Embedder {
  const featuresOf = createWordFeatures()
  return {
    model: embeddedModel,
    baselineCosine,
    isCheap: true,
    async embed(texts, signal) {
      const vectors: number[][] = []
      for (const text of texts) {
        if (vectors.length % textsBetweenYields === textsBetweenYields - 1) await yieldToOthers()
        signal.throwIfAborted()
        vectors.push(embedText(text, featuresOf, uniformRarity))
      }
      return vectors
    },
    embedQuery: async text => embedText(text, featuresOf, rarityOf)
  }
}

function embedText(text: string, featuresOf: (word: string) => WordFeatures, rarityOf: RarityOf): number[] {
  const vector = new Float64Array(embeddingDimensions)
  const counts = new Map<WordFeatures, number>()
  let previous: WordFeatures | null = null
  for (const word of tokensOf(text)) {
    const features = featuresOf(word)
    counts.set(features, (counts.get(features) ?? 0) + 1)
    if (features.isStop) continue
    if (previous !== null)
      addPair(vector, previous, features, Math.sqrt(rarityOf(previous.root) * rarityOf(features.root)))
    previous = features
  }
  for (const [features, count] of counts) addWord(vector, features, Math.sqrt(count) * rarityOf(features.root))
  return toUnit(vector)
}

/** A text without a word or sign gets the place of the empty word, so that every text has a direction. */
function toUnit(vector: Float64Array): number[] {
  let squares = 0
  for (const value of vector.subarray(0, hashedDimensions)) squares += value ** 2
  if (squares === 0) vector[dimensionOfEmptyText()] = 1
  const scale = Math.sqrt((1 - baselineCosine) / (squares === 0 ? 1 : squares))
  vector[hashedDimensions] = shared / scale
  // Seven decimals keep identical texts at 1.000000 and halve what is sent to the database.
  const unit = new Array<number>(embeddingDimensions)
  for (let at = 0; at < embeddingDimensions; at++) unit[at] = Math.round((vector[at] ?? 0) * scale * 1e7) / 1e7
  return unit
}
