import { termFrequencyWeight } from '#text'
import { lengthOf } from './frequency.ts'

/** What a posting is worth before its term's rarity: by frequency, and by the code of the post's length. */
export type Weights = Float32Array

const codes = 256
/** The best for nine judged collections; all that lies around it is within half a per cent (bench/README.md). */
const tuning = { k1: 1.6, b: 0.5 }

/** What a word said without end would be worth. */
export const maxWeight = 1 + tuning.k1

/** Index of a weight. */
export const weightIndex = (frequency: number, lengthCode: number): number => frequency * codes + lengthCode

/** All of them: 65,536. */
export function weightsOf(meanLength: number): Weights {
  const weights = new Float32Array(codes * codes)
  for (let lengthCode = 0; lengthCode < codes; lengthCode++) {
    const relative = lengthOf(lengthCode) / meanLength
    for (let frequency = 0; frequency < codes; frequency++)
      weights[weightIndex(frequency, lengthCode)] = termFrequencyWeight(frequency / 2, relative, tuning)
  }
  return weights
}
