import type { Db } from '#core'
import type { TextLanguage } from '#text'
import { analyzeIn } from '../query/analyzer.ts'
import { listVectors } from '../repository/latent.ts'
import type { PostSimilarity } from '../similarity.ts'
import { dot, latentDimensions, unit, vectorOf } from './lsa.ts'
import { decodeVector } from './stored-vectors.ts'

/** Compares posts with a query by latent semantic analysis. */
export interface LatentSimilarity {
  /**
   * Undefined while a post has no vector, or where the model knows no word of the query. `relevances`: how much each of the posts
   * counts as like the query, 0–1.
   */
  compare(q: string, posts: readonly number[], relevances: readonly number[]): Promise<PostSimilarity[] | undefined>
}

interface LatentSimilarityDeps {
  db: Db
  /** Those that posts are indexed in. */
  languages: () => Promise<readonly TextLanguage[]>
  /** The vectors follow the index in the database, and none of others. */
  isBuiltin: () => boolean
}

const noVector = new Float64Array(latentDimensions)

/** The query is moved so far towards the relevant posts: Rocchio's feedback. With 1 the order is nearly as good. */
const feedback = 2

export function createLatentSimilarity({ db, languages, isBuiltin }: LatentSimilarityDeps): LatentSimilarity {
  return {
    compare: async (q, posts, relevances) => {
      if (!isBuiltin()) return undefined
      const counts = countsOf(await languages(), q)
      const rows = await listVectors(db, [...counts.keys()], posts)
      const ofTerms = new Map(rows.map(({ term, vector }) => [term, decodeVector(vector)]))
      const ofPosts = new Map(rows.map(({ post_no, vector }) => [post_no, unit(decodeVector(vector) ?? noVector)]))
      const asked = vectorOf(counts, term => ofTerms.get(term))
      const vectors = posts.flatMap(post_no => ofPosts.get(post_no) ?? [])
      if (asked === undefined || vectors.length < posts.length) return undefined
      const query = moved(asked, weightedSum(vectors, relevances))
      return posts.map((post_no, at) => ({ post_no, similarity: dot(query, vectors[at] ?? noVector) }))
    }
  }
}

/** The query's vector and the direction of what is relevant, as one direction. */
function moved(asked: Float64Array, relevant: Float64Array): Float64Array {
  const direction = unit(relevant) ?? noVector
  return unit(asked.map((each, at) => each + feedback * (direction[at] ?? 0))) ?? asked
}

function weightedSum(vectors: readonly Float64Array[], weights: readonly number[]): Float64Array {
  const sum = new Float64Array(latentDimensions)
  for (const [at, vector] of vectors.entries()) {
    const weight = weights[at] ?? 0
    for (let dimension = 0; dimension < latentDimensions; dimension++)
      sum[dimension] = (sum[dimension] ?? 0) + weight * (vector[dimension] ?? 0)
  }
  return sum
}

function countsOf(languages: readonly TextLanguage[], q: string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { terms, span } of analyzeIn(languages, q))
    if (span === 1) for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
  return counts
}
