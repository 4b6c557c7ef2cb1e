import type { Db } from '#core'
import type { Vectors } from '../embedders/vectors.ts'
import {
  type NearEntry,
  type NearestFound,
  type NearestOptions,
  type SourceTable,
  similarityAboveBaseline
} from '../index.ts'
import { passagesOf } from '../passages.ts'
import { listEntrySimilarities, type VectorMatch } from '../repository/vector-search.ts'
import { readMeanVector } from '../repository/vectors.ts'
import { compareIds, findNearest } from './nearest.ts'
import type { PassageSearchDeps } from './passage-search.ts'
import { shiftToRelevant } from './relevance.ts'

// Longer texts are compared as what they are.
const maxQueryWords = 32
const isShort = (text: string) => text.trim().split(/\s+/, maxQueryWords + 1).length <= maxQueryWords

// Of each passage of the text; an entry that is not among these is not near.
const nearestOfPassage = 20

interface NearestQuery extends NearestOptions {
  source_table: SourceTable
  text: string
  limit: number
}

const noVectors: NearestFound = { items: [], degraded: true }

/** Entries of one source table that say what a text says, or answer a query, best first. */
export async function nearestEntries(
  deps: Pick<PassageSearchDeps, 'db' | 'queryEmbeddings'>,
  query: NearestQuery
): Promise<NearestFound> {
  const { db, queryEmbeddings } = deps
  const { source_table, text, limit } = query
  const passages = comparedPassagesOf(text)
  if (passages.length === 0) return { items: [], degraded: false }
  if (query.isQuery ?? isShort(text)) return await nearestToQuery(deps, query)
  return await queryEmbeddings.searchWithServingModel(
    db,
    () => queryEmbeddings.vectorsOf(db, passages),
    async vectors => {
      if (vectors === null) return noVectors
      const found: VectorMatch[][] = []
      for (const embedding of vectors.embeddings) {
        const query = { model: vectors.model, embedding, source_table, limit: Math.max(limit, nearestOfPassage) }
        found.push((await findNearest(db, query)).matches)
      }
      return { items: asNear(meanByEntry(found), vectors.baselineCosine).slice(0, limit), degraded: false }
    }
  )
}

const nearestToQuery = (
  { db, queryEmbeddings }: Pick<PassageSearchDeps, 'db' | 'queryEmbeddings'>,
  query: NearestQuery
): Promise<NearestFound> =>
  queryEmbeddings.searchWithServingModel(
    db,
    () => queryEmbeddings.rankingVectorOf(db, query.text),
    async vectors =>
      vectors === null ? noVectors : { items: await nearestByVector(db, query, vectors), degraded: false }
  )

async function nearestByVector(
  db: Db,
  { source_table, limit, relevantIds = [], among }: NearestQuery,
  vectors: Vectors
): Promise<NearEntry[]> {
  const { model, baselineCosine } = vectors
  const [queryEmbedding = []] = vectors.embeddings
  const mean =
    relevantIds.length === 0 ? null : await readMeanVector(db, { model, source_table, source_ids: relevantIds })
  const vector =
    mean === null
      ? { embedding: queryEmbedding }
      : { embedding: shiftToRelevant(mean, queryEmbedding, baselineCosine), queryEmbedding }
  if (among !== undefined) {
    const found = await listEntrySimilarities(db, {
      model,
      source_table,
      source_ids: among,
      embedding: vector.embedding
    })
    return asNear(found, baselineCosine).slice(0, limit)
  }
  const { matches } = await findNearest(db, {
    model,
    ...vector,
    source_table,
    limit: Math.max(limit, nearestOfPassage)
  })
  const first = new Map<string, NearEntry>()
  for (const { source_id, query_similarity } of matches)
    if (!first.has(source_id)) first.set(source_id, { source_id, similarity: query_similarity })
  return asNear([...first.values()], baselineCosine).slice(0, limit)
}

const asNear = (found: readonly NearEntry[], baselineCosine: number): NearEntry[] =>
  found.map(({ source_id, similarity }) => ({
    source_id,
    similarity: similarityAboveBaseline(similarity, baselineCosine)
  }))

// A longer text is judged by its beginning: eight passages are about 1,000 words.
const maxPassages = 8

/** The passages by which a text is compared with entries. */
const comparedPassagesOf = (text: string): string[] => passagesOf(text).slice(0, maxPassages)

/** Entries by how much of every passage they say: each passage counts with its best match, the entry with their mean. */
function meanByEntry(matches: readonly VectorMatch[][]): NearEntry[] {
  const sums = new Map<string, number>()
  for (const ofPassage of matches) {
    const best = new Map<string, number>()
    for (const { source_id, similarity } of ofPassage)
      best.set(source_id, Math.max(best.get(source_id) ?? 0, similarity))
    for (const [source_id, similarity] of best) sums.set(source_id, (sums.get(source_id) ?? 0) + similarity)
  }
  return [...sums]
    .map(([source_id, sum]) => ({ source_id, similarity: sum / matches.length }))
    .sort((a, b) => b.similarity - a.similarity || compareIds(a.source_id, b.source_id))
}
