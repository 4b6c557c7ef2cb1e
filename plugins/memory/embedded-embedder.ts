import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Embedder, embeddingDimensions } from './index.ts'
import { isStopWord, stem, wordsOf, wordWeight } from './words.ts'

/** Changes whenever the same text would get another vector: vectors of different versions do not compare. */
export const embeddedModel = 'galley-hash-v1'

// Shares of a word's weight that go to its character n-grams (typos, inflections) and to its neighbour (word order).
const gramShare = 0.55
const pairShare = 0.22

// A word said four times counts 2.6 times.
const repeatPower = 0.7

// Texts between two turns of the event loop: about 5 ms of work for chunks of 200 words.
const turnTexts = 16

// Words whose features are kept: more than a large English corpus uses often, and under 10 MB.
const keptWords = 20_000

/** A word's share of the vector: signed weights at hashed places. */
interface WordFeatures {
  readonly places: Uint16Array
  readonly weights: Float32Array
  readonly weight: number
  readonly hash: number
  readonly isStop: boolean
}

/**
 * The embedder that needs nothing: words, their character n-grams and pairs of neighbouring words are hashed to 768
 * places with a sign (feature hashing), repeated words count less each time, function words hardly at all.
 */
export function createEmbeddedEmbedder(): Embedder {
  const known = new Map<string, WordFeatures>()
  const featuresOf = (word: string): WordFeatures => {
    const kept = known.get(word)
    if (kept !== undefined) return kept
    if (known.size >= keptWords) known.clear()
    const features = makeFeatures(word)
    known.set(word, features)
    return features
  }
  return {
    model: embeddedModel,
    async embed(texts, signal) {
      const vectors: number[][] = []
      for (const text of texts) {
        if (vectors.length % turnTexts === turnTexts - 1) await nextTurn()
        signal.throwIfAborted()
        vectors.push(embedText(text, featuresOf))
      }
      return vectors
    }
  }
}

function embedText(text: string, featuresOf: (word: string) => WordFeatures): number[] {
  const vector = new Float64Array(embeddingDimensions)
  const counts = new Map<WordFeatures, number>()
  let previous: WordFeatures | null = null
  for (const word of wordsOf(text)) {
    const features = featuresOf(word)
    counts.set(features, (counts.get(features) ?? 0) + 1)
    if (features.isStop) continue
    if (previous !== null) addPair(vector, previous, features)
    previous = features
  }
  for (const [features, count] of counts) addWord(vector, features, count ** repeatPower)
  return toUnit(vector)
}

function addWord(vector: Float64Array, { places, weights }: WordFeatures, times: number): void {
  for (let at = 0; at < places.length; at++) add(vector, places[at] as number, (weights[at] as number) * times)
}

function addPair(vector: Float64Array, first: WordFeatures, second: WordFeatures): void {
  const hash = mix(Math.imul(first.hash, 31) ^ second.hash)
  add(vector, placeOf(hash), signOf(hash) * pairShare * Math.sqrt(first.weight * second.weight))
}

function add(vector: Float64Array, place: number, weight: number): void {
  vector[place] = (vector[place] as number) + weight
}

function makeFeatures(word: string): WordFeatures {
  const root = stem(word)
  const hash = hashOf(root)
  const weight = wordWeight(word)
  const isStop = isStopWord(word)
  const grams = isStop ? [] : gramsOf(root)
  const gramWeight = (weight * gramShare) / Math.sqrt(Math.max(grams.length, 1))
  const hashes = [hash, ...grams.map(hashOf)]
  return {
    places: Uint16Array.from(hashes, placeOf),
    weights: Float32Array.from(hashes, (each, at) => signOf(each) * (at === 0 ? weight : gramWeight)),
    weight,
    hash,
    isStop
  }
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

/** A text without a word or sign gets the place of the empty word, so that every text has a direction. */
function toUnit(vector: Float64Array): number[] {
  let squares = 0
  for (let at = 0; at < embeddingDimensions; at++) squares += (vector[at] as number) ** 2
  if (squares === 0) vector[placeOf(hashOf(''))] = 1
  const scale = squares === 0 ? 1 : 1 / Math.sqrt(squares)
  const unit: number[] = new Array(embeddingDimensions)
  // Seven decimals keep identical texts at 1.000000 and halve what is sent to the database.
  for (let at = 0; at < embeddingDimensions; at++) unit[at] = Math.round((vector[at] as number) * scale * 1e7) / 1e7
  return unit
}

/** FNV-1a over UTF-16 units, mixed so that the low bits are usable. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return mix(hash)
}

function mix(value: number): number {
  let hash = value ^ (value >>> 16)
  hash = Math.imul(hash, 0x85ebca6b)
  hash ^= hash >>> 13
  hash = Math.imul(hash, 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

const placeOf = (hash: number): number => (hash >>> 1) % embeddingDimensions
const signOf = (hash: number): number => (hash & 1) * 2 - 1
