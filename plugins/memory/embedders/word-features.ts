import { fnv1a, isCommonWord, isStopWord, stem } from '#text'
import { embeddingDimensions } from '../index.ts'

/** The last dimension is the same in every vector; see `embedded.ts`. */
export const hashedDimensions = embeddingDimensions - 1

/** Character n-grams' share of a word's weight: they hold typos and inflections together. */
const gramShare = 0.7
/** Two neighbouring words count as the word they make together: `roll back` is near `rollback`. */
const pairShare = 0.35
/** Each word and pair has this many dimensions: one that it shares with another word hides a quarter of it, not all. */
const dimensionsPerWord = 4

/**
 * Words whose features are cached: more than a large English corpus uses often, and under 6 MB. All are forgotten when there
 * are as many: their places are in one array, which has no room for one word to leave.
 */
const maxCachedWords = 20_000

/** A word's share of the vector: signed weights at hashed dimensions. */
export interface WordFeatures {
  readonly root: string
  readonly weight: number
  readonly isStop: boolean
  /** Where its dimensions stand among those of all words: those of the word, then those of its n-grams. */
  readonly positions: Positions
  readonly from: number
  readonly to: number
  readonly wordWeight: number
  readonly gramWeight: number
}

/** Of all words in one array: an array for each word takes more memory than what is in it. A place is twice the dimension, and 1 more for a positive sign. */
interface Positions {
  numbers: Uint16Array
  count: number
}

const firstPositions = 16_384

/** Gives the features of words, remembered for the next text. */
export function createWordFeatures(): (word: string) => WordFeatures {
  const known = new Map<string, WordFeatures>()
  let positions = noPositions()
  return word => {
    const cached = known.get(word)
    if (cached !== undefined) return cached
    if (known.size >= maxCachedWords) {
      known.clear()
      // Features that are in use keep the places they have.
      positions = noPositions()
    }
    const features = makeFeatures(word, positions)
    known.set(word, features)
    return features
  }
}

const noPositions = (): Positions => ({ numbers: new Uint16Array(firstPositions), count: 0 })

function addPositions(positions: Positions, hashes: readonly number[]): void {
  if (positions.count + hashes.length > positions.numbers.length) {
    const larger = new Uint16Array(2 * Math.max(positions.numbers.length, hashes.length))
    larger.set(positions.numbers)
    positions.numbers = larger
  }
  for (const hash of hashes) positions.numbers[positions.count++] = 2 * dimensionOf(hash) + (hash & 1)
}

export function addWord(vector: Float64Array, features: WordFeatures, times: number): void {
  const { positions, from, to, wordWeight, gramWeight } = features
  for (let at = from; at < to; at++) {
    const place = positions.numbers[at] ?? 0
    const weight = at < from + dimensionsPerWord ? wordWeight : gramWeight
    add(vector, place >> 1, (place & 1) === 1 ? weight * times : -weight * times)
  }
}

export function addPair(vector: Float64Array, first: WordFeatures, second: WordFeatures, times: number): void {
  const weight = (pairShare * times * Math.sqrt(first.weight * second.weight)) / Math.sqrt(dimensionsPerWord)
  let hash = mixedHashOf(first.root + second.root)
  for (let at = 0; at < dimensionsPerWord; at++, hash = nextHash(hash))
    add(vector, dimensionOf(hash), signOf(hash) * weight)
}

function add(vector: Float64Array, dimension: number, weight: number): void {
  vector[dimension] = (vector[dimension] ?? 0) + weight
}

/** Where a text without a word or sign is put. */
export const dimensionOfEmptyText = (): number => dimensionOf(mixedHashOf(''))

function makeFeatures(word: string, positions: Positions): WordFeatures {
  const root = stem(word)
  const weight = weightOf(word)
  const isStop = isStopWord(word)
  const hashes: number[] = []
  for (let hash = mixedHashOf(root); hashes.length < dimensionsPerWord; hash = nextHash(hash)) hashes.push(hash)
  const grams = isStop ? [] : gramsOf(root)
  hashes.push(...grams.map(mixedHashOf))
  const from = positions.count
  addPositions(positions, hashes)
  // Single precision, as the vectors that are stored were made.
  const wordWeight = Math.fround(weight / Math.sqrt(dimensionsPerWord))
  const gramWeight = Math.fround((weight * gramShare) / Math.sqrt(Math.max(grams.length, 1)))
  return { root, weight, isStop, positions, from, to: positions.count, wordWeight, gramWeight }
}

/** How much a word tells about a text: 1 for a word with a meaning of its own. */
function weightOf(word: string): number {
  if (isStopWord(word)) return 0.08
  return isCommonWord(word) ? 0.45 : 1
}

/** Runs of 3 and 4 characters, the word's edges marked; of a very long word, its beginning. */
function gramsOf(root: string): string[] {
  const marked = `<${root.slice(0, 40)}>`
  const grams: string[] = []
  for (const length of [3, 4]) {
    for (let at = 0; at + length <= marked.length; at++) grams.push(`#${marked.slice(at, at + length)}`)
  }
  return grams
}

/** Mixed so that the low bits are usable. */
const mixedHashOf = (text: string): number => mix(fnv1a(text))

const nextHash = (hash: number): number => mix((hash + 0x9e3779b9) | 0)

function mix(value: number): number {
  let hash = value ^ (value >>> 16)
  hash = Math.imul(hash, 0x85ebca6b)
  hash ^= hash >>> 13
  hash = Math.imul(hash, 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

const dimensionOf = (hash: number): number => (hash >>> 1) % hashedDimensions
const signOf = (hash: number): number => (hash & 1) * 2 - 1
