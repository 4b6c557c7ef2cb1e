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
import { type EntryProducts, listEntryProducts, type VectorMatch } from '../repository/vector-search.ts'
import { readMeanVector } from '../repository/vectors.ts'
import { compareIds, findNearest } from './nearest.ts'
import type { PassageSearchDeps } from './passage-search.ts'
import { cosineToShifted, shiftToRelevant } from './relevance.ts'

/** Longer texts are compared as what they are. */
const maxQueryWords = 32
const isShort = (text: string) => text.trim().split(/\s+/, maxQueryWords + 1).length <= maxQueryWords

/** Of each passage of the text; an entry that is not among these is not near. */
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
        const ofPassage = { model: vectors.model, embedding, source_table, limit: Math.max(limit, nearestOfPassage) }
        found.push((await findNearest(db, ofPassage)).matches)
      }
      return { items: aboveBaseline(meanByEntry(found), vectors.baselineCosine).slice(0, limit), degraded: false }
    }
  )
}

function nearestToQuery(
  { db, queryEmbeddings }: Pick<PassageSearchDeps, 'db' | 'queryEmbeddings'>,
  query: NearestQuery
): Promise<NearestFound> {
  const { among } = query
  return queryEmbeddings.searchWithServingModel(
    db,
    () => queryEmbeddings.rankingVectorOf(db, query.text),
    async vectors => {
      if (vectors === null) return noVectors
      const items =
        among === undefined
          ? await nearestByVector(db, query, vectors)
          : await compareEntries(db, { ...query, among }, vectors)
      return { items, degraded: false }
    },
    // The vectors of all were there.
    ({ items }) => among !== undefined && items.length === among.length
  )
}

/** How near some entries are, all of them in one statement. */
async function compareEntries(
  db: Db,
  { source_table, limit, relevantIds = [], among }: NearestQuery & { among: readonly string[] },
  { model, baselineCosine, embeddings }: Vectors
): Promise<NearEntry[]> {
  const [embedding = []] = embeddings
  const products = await listEntryProducts(db, {
    model,
    embedding,
    source_table,
    source_ids: among,
    relevant_ids: relevantIds
  })
  const similarityOf = (each: EntryProducts) => cosineToShifted(each, embedding, baselineCosine)
  const compared = products.map(each => ({ ...each, similarity: similarityOf(each) }))
  return aboveBaseline(nearestFirst(bestByEntry(compared)), baselineCosine).slice(0, limit)
}

/** The similarity of the nearest passage of each entry; at least 0, as it is shown. */
function bestByEntry(passages: readonly NearEntry[]): Map<string, number> {
  const best = new Map<string, number>()
  for (const { source_id, similarity } of passages) best.set(source_id, Math.max(best.get(source_id) ?? 0, similarity))
  return best
}

const nearestFirst = (similarities: ReadonlyMap<string, number>): NearEntry[] =>
  Array.from(similarities, ([source_id, similarity]) => ({ source_id, similarity })).sort(
    (a, b) => b.similarity - a.similarity || compareIds(a.source_id, b.source_id)
  )

async function nearestByVector(
  db: Db,
  { source_table, limit, relevantIds = [] }: NearestQuery,
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
  const { matches } = await findNearest(db, {
    model,
    ...vector,
    source_table,
    limit: Math.max(limit, nearestOfPassage)
  })
  const first = new Map<string, NearEntry>()
  for (const { source_id, query_similarity } of matches)
    if (!first.has(source_id)) first.set(source_id, { source_id, similarity: query_similarity })
  return aboveBaseline([...first.values()], baselineCosine).slice(0, limit)
}

/** With a similarity in place of each cosine. */
const aboveBaseline = (found: readonly NearEntry[], baselineCosine: number): NearEntry[] =>
  found.map(({ source_id, similarity }) => ({
    source_id,
    similarity: similarityAboveBaseline(similarity, baselineCosine)
  }))

/** A longer text is judged by its beginning: eight passages are about 1,000 words. */
const maxPassages = 8

/** The passages by which a text is compared with entries. */
const comparedPassagesOf = (text: string): string[] => passagesOf(text).slice(0, maxPassages)

/** Entries by how much of every passage they say: each passage counts with its best match, the entry with their mean. */
function meanByEntry(matches: readonly VectorMatch[][]): NearEntry[] {
  const sums = new Map<string, number>()
  for (const ofPassage of matches)
    for (const [source_id, similarity] of bestByEntry(ofPassage))
      sums.set(source_id, (sums.get(source_id) ?? 0) + similarity)
  return nearestFirst(new Map(Array.from(sums, ([source_id, sum]) => [source_id, sum / matches.length])))
}
