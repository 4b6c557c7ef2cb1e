import os from 'node:os'
import { parentPort } from 'node:worker_threads'
import { lowerPriority } from '#child-process/priority'
import type { AnalyzedPost } from '../inverted-index/text-fields.ts'
import { createCorpus, vectorOf } from './lsa.ts'
import { decodeVector, encodeVector, storedVectorBytes } from './stored-vectors.ts'
import { countTerms } from './term-counts.ts'

/** Vectors as they are stored, one after the other, of each of the terms. */
export interface StoredModel {
  terms: readonly string[]
  vectors: Uint8Array
}

export type LatentOrder =
  | { kind: 'add'; posts: readonly AnalyzedPost[] }
  | { kind: 'train' }
  | { kind: 'use'; model: StoredModel }
  | { kind: 'embed'; posts: readonly AnalyzedPost[] }
export type LatentAnswer =
  | { kind: 'done' }
  | { kind: 'trained'; model: StoredModel }
  /** A vector for each post, in their order; all zero for one without a term of the model. */
  | { kind: 'embedded'; vectors: Uint8Array }
  | { kind: 'failed'; message: string }

let corpus = createCorpus()
let vectors: ReadonlyMap<string, Float64Array> = new Map()

function execute(order: LatentOrder): LatentAnswer {
  if (order.kind === 'add') for (const post of order.posts) corpus.add(countTerms(post))
  else if (order.kind === 'train') return { kind: 'trained', model: train() }
  else if (order.kind === 'use') vectors = decoded(order.model)
  else return { kind: 'embedded', vectors: embed(order.posts) }
  return { kind: 'done' }
}

function train(): StoredModel {
  const { terms, vectors } = corpus.train()
  corpus = createCorpus()
  const length = terms.length === 0 ? 0 : vectors.length / terms.length
  const stored = new Uint8Array(terms.length * storedVectorBytes)
  for (let at = 0; at < terms.length; at++)
    encodeVector(vectors.subarray(at * length, (at + 1) * length), stored, at * storedVectorBytes)
  return { terms, vectors: stored }
}

function decoded({ terms, vectors }: StoredModel): ReadonlyMap<string, Float64Array> {
  const stored = (at: number) => vectors.subarray(at * storedVectorBytes, (at + 1) * storedVectorBytes)
  return new Map(
    terms.flatMap((term, at) => {
      const vector = decodeVector(stored(at))
      return vector === undefined ? [] : [[term, vector]]
    })
  )
}

function embed(posts: readonly AnalyzedPost[]): Uint8Array {
  const stored = new Uint8Array(posts.length * storedVectorBytes)
  for (const [at, post] of posts.entries()) {
    const vector = vectorOf(countTerms(post), term => vectors.get(term))
    if (vector !== undefined) encodeVector(vector, stored, at * storedVectorBytes)
  }
  return stored
}

// On Linux this is the priority of the thread alone. Elsewhere it is the process's, which must stay as it is.
if (process.platform === 'linux') lowerPriority(0, os.constants.priority.PRIORITY_BELOW_NORMAL)

parentPort?.on('message', (order: LatentOrder) => {
  try {
    parentPort?.postMessage(execute(order))
  } catch (error) {
    parentPort?.postMessage({ kind: 'failed', message: String(error) } satisfies LatentAnswer)
  }
})
