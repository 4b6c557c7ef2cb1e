import type { Db } from '#core'
import type { TextLanguage } from '#text'
import { analyzeIn } from '../query/analyzer.ts'
import { listVectors } from '../repository/latent.ts'
import type { PostSimilarity } from '../similarity.ts'
import { dot, latentDimensions, unit, vectorOf } from './lsa.ts'
import { decodeVector } from './stored-vectors.ts'

/** Compares posts with a query by latent semantic analysis. */
export interface LatentSimilarity {
  /** Undefined while a post has no vector, or where the model knows no word of the query. `relevant`: a post that is like the query. */
  compare(q: string, posts: readonly number[], relevant: number | undefined): Promise<PostSimilarity[] | undefined>
}

interface LatentSimilarityDeps {
  db: Db
  /** Those that posts are indexed in. */
  languages: () => Promise<readonly TextLanguage[]>
  /** The vectors follow the index in the database, and none of others. */
  isBuiltin: () => boolean
}

const noVector = new Float64Array(latentDimensions)

/** The query is moved so far towards the relevant post: Rocchio's feedback. */
const feedback = 0.5

export function createLatentSimilarity({ db, languages, isBuiltin }: LatentSimilarityDeps): LatentSimilarity {
  return {
    compare: async (q, posts, relevant) => {
      if (!isBuiltin()) return undefined
      const counts = countsOf(await languages(), q)
      const wanted = relevant === undefined ? posts : [...posts, relevant]
      const rows = await listVectors(db, [...counts.keys()], wanted)
      const ofTerms = new Map(rows.map(({ term, vector }) => [term, decodeVector(vector)]))
      const ofPosts = new Map(rows.map(({ post_no, vector }) => [post_no, unit(decodeVector(vector) ?? noVector)]))
      const asked = vectorOf(counts, term => ofTerms.get(term))
      if (asked === undefined || wanted.some(post_no => ofPosts.get(post_no) === undefined)) return undefined
      const near = relevant === undefined ? undefined : ofPosts.get(relevant)
      const query = near === undefined ? asked : unit(asked.map((each, at) => each + feedback * (near[at] ?? 0)))
      return posts.map(post_no => ({ post_no, similarity: dot(query ?? asked, ofPosts.get(post_no) ?? []) }))
    }
  }
}

function countsOf(languages: readonly TextLanguage[], q: string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { terms, span } of analyzeIn(languages, q))
    if (span === 1) for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
  return counts
}
