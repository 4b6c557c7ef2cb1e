// Runs in a process of its own: see latent-process.ts.
import { beChild } from '#child-process/be-child'
import { answerRequests } from '#child-process/worker-main'
import { enlargeWordCache } from '#text'
import type { AnalyzedPost } from '../inverted-index/text-fields.ts'
import { createCorpus, vectorOf } from './lsa.ts'
import { decodeVector, encodeVector, storedVectorBytes } from './stored-vectors.ts'
import { countTerms } from './term-counts.ts'

/** Vectors as they are stored, one after the other, of each of the terms. */
export interface StoredModel {
  terms: readonly string[]
  vectors: Uint8Array
}

/** The same as the database gives it: a line for each term, and the vectors in base64. */
export interface ReadModel {
  terms: string
  vectors: string
  /** Of terms, as the model says. */
  count: number
}

export type LatentRequest =
  | { kind: 'add'; posts: readonly AnalyzedPost[] }
  | { kind: 'train' }
  | { kind: 'use'; model: ReadModel }
  | { kind: 'embed'; posts: readonly AnalyzedPost[] }
export type LatentAnswer =
  | { kind: 'done' }
  /** A vector of the model to use is damaged or missing. */
  | { kind: 'damaged' }
  | { kind: 'trained'; model: StoredModel }
  /** A vector for each post, in their order; all zero for one without a term of the model. */
  | { kind: 'embedded'; vectors: Uint8Array }

let corpus = createCorpus()
let vectors: ReadonlyMap<string, Float64Array> = new Map()

async function execute(request: LatentRequest): Promise<LatentAnswer> {
  if (request.kind === 'add') for (const post of request.posts) corpus.add(countTerms(post))
  else if (request.kind === 'train') return { kind: 'trained', model: await train() }
  else if (request.kind === 'use') return use(request.model)
  else return { kind: 'embedded', vectors: embed(request.posts) }
  return { kind: 'done' }
}

async function train(): Promise<StoredModel> {
  const { terms, vectors } = await corpus.train()
  corpus = createCorpus()
  const length = terms.length === 0 ? 0 : vectors.length / terms.length
  const stored = new Uint8Array(terms.length * storedVectorBytes)
  for (let at = 0; at < terms.length; at++)
    encodeVector(vectors.subarray(at * length, (at + 1) * length), stored, at * storedVectorBytes)
  return { terms, vectors: stored }
}

function use({ terms: lines, vectors: encoded, count }: ReadModel): LatentAnswer {
  const terms = lines === '' ? [] : lines.split('\n')
  const stored = Buffer.from(encoded, 'base64')
  if (terms.length !== count || stored.length !== count * storedVectorBytes) return { kind: 'damaged' }
  const decoded = new Map<string, Float64Array>()
  for (const [at, term] of terms.entries()) {
    const vector = decodeVector(stored.subarray(at * storedVectorBytes, (at + 1) * storedVectorBytes))
    if (vector === undefined) return { kind: 'damaged' }
    decoded.set(term, vector)
  }
  vectors = decoded
  return { kind: 'done' }
}

function embed(posts: readonly AnalyzedPost[]): Uint8Array {
  const stored = new Uint8Array(posts.length * storedVectorBytes)
  for (const [at, post] of posts.entries()) {
    const vector = vectorOf(countTerms(post), term => vectors.get(term))
    encodeVector(vector ?? [], stored, at * storedVectorBytes)
  }
  return stored
}

beChild()
enlargeWordCache()
answerRequests(execute)
