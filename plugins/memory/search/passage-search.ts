import type { Db } from '#core'
import { fuseRankings } from '#text'
import type { Embedders } from '../embedders/registry.ts'
import type { Vectors } from '../embedders/vectors.ts'
import type { Embedder, MemoryFound, MemoryMatch, MemoryQuery } from '../index.ts'
import { type CheckedQuery, checkQuery } from '../input.ts'
import { listUnembeddedByWords } from '../repository/unembedded.ts'
import { listPassages, listSimilarities, type PassageRow } from '../repository/vector-search.ts'
import { listPassagesByWords } from '../repository/word-search.ts'
import { maxFusedCandidates, similarityWeight } from './fusion.ts'
import { findNearest, passageKey, rankBySimilarity, roundSimilarity, withIndexes } from './nearest.ts'
import type { QueryEmbeddings } from './query-embeddings.ts'
import { maxPassagesScanned, wordsOfQuery } from './query-words.ts'
import { rankByWords } from './word-ranking.ts'

export interface PassageSearchDeps {
  db: Db
  queryEmbeddings: QueryEmbeddings
  embedders: Embedders
  /** Rates passages that were found by words; answers always. */
  embedded: Embedder
}

type FoundPassage = MemoryMatch & { entry_id: string }

/** Passages nearest to a query; by words while the embedder that the vectors are by does not answer. */
export async function searchPassages(deps: PassageSearchDeps, query: MemoryQuery): Promise<MemoryFound> {
  const checked = checkQuery(query)
  const { db, queryEmbeddings } = deps
  const rareWords = await queryEmbeddings.rareWordsOf(db, checked.q)
  return await queryEmbeddings.searchWithServingModel(
    db,
    () => queryEmbeddings.vectorsOf(db, [checked.q]),
    vectors =>
      vectors === null
        ? searchByWords(deps, checked)
        : searchByMode[checked.mode](deps, { ...checked, rareWords }, vectors)
  )
}

type VectorSearchQuery = CheckedQuery & { rareWords: readonly string[] }

const searchByMode = { similarity: searchByVector, hybrid: searchByVectorAndWords }

async function searchByVector(
  deps: PassageSearchDeps,
  query: VectorSearchQuery,
  vectors: Vectors
): Promise<MemoryFound> {
  const { found, total } = await findByVector(deps, query, vectors)
  return { items: found.slice(0, query.limit).map(withoutEntryId), total, degraded: false }
}

/** The ranking by similarity and the one by shared words, fused. A word counts whatever the similarity of its passage. */
async function searchByVectorAndWords(
  deps: PassageSearchDeps,
  query: VectorSearchQuery,
  vectors: Vectors
): Promise<MemoryFound> {
  const limit = Math.max(query.limit, maxFusedCandidates)
  const near = await findByVector(deps, { ...query, limit }, vectors)
  const words = { words: wordsOfQuery(query.q), maxScanned: maxPassagesScanned, limit: maxRated }
  const rows = await withIndexes(deps.db, tx => listPassagesByWords(tx, { ...query, ...words }))
  const ranked = rankByWords(query.q, rows, await deps.queryEmbeddings.rarityIn(deps.db)).slice(0, limit)
  const best = ranked.map(({ passage }) => passage)
  const byWords = await withSimilarities(deps, query.q, best, vectors)
  const rankings = [
    { ids: byWords.map(passageKey), weight: 1 },
    { ids: near.found.map(passageKey), weight: similarityWeight(vectors.model) }
  ]
  const passages = new Map([...byWords, ...near.found].map(passage => [passageKey(passage), passage]))
  const items = fuseRankings(rankings).flatMap(({ id }) => passages.get(id) ?? [])
  const byWordsAlone = byWords.filter(({ similarity }) => similarity < query.min_similarity).length
  return { items: items.slice(0, query.limit).map(withoutEntryId), total: near.total + byWordsAlone, degraded: false }
}

/** Passages in their order with their similarity by the model, or by the embedded embedder while they wait for a vector. */
async function withSimilarities(
  deps: PassageSearchDeps,
  q: string,
  rows: readonly PassageRow[],
  { model, embeddings: [embedding = []] }: Vectors
): Promise<FoundPassage[]> {
  const compared = await listSimilarities(deps.db, { model, embedding }, rows)
  const similarities = new Map(compared.map(row => [passageKey(row), roundSimilarity(row.similarity)]))
  const waiting = await scoreWithEmbeddedEmbedder(
    deps,
    q,
    rows.filter(row => !similarities.has(passageKey(row)))
  )
  for (const match of waiting) similarities.set(passageKey(match), match.similarity)
  return rows.map(row => ({ ...row, similarity: similarities.get(passageKey(row)) ?? 0 }))
}

/** Passages at least as similar as asked for, best first, and how many there are. */
async function findByVector(
  deps: PassageSearchDeps,
  query: VectorSearchQuery,
  { model, embeddings: [embedding = []] }: Vectors
): Promise<{ found: FoundPassage[]; total: number }> {
  const near = await findNearest(deps.db, { ...query, model, embedding })
  const matches = await readPassages(deps.db, near.matches)
  const waiting = await listUnembedded(deps, query, model)
  // What got its vector between the two statements is found by both.
  const known = new Set(near.matches.map(passageKey))
  const found = [...matches, ...waiting.filter(match => !known.has(passageKey(match)))]
  const isNear = (match: FoundPassage) => match.similarity >= query.min_similarity
  const items = rankBySimilarity(found.filter(isNear)).slice(0, query.limit)
  const total = near.total + found.slice(matches.length).filter(isNear).length
  return { found: items, total: Math.max(total, items.length) }
}

async function readPassages(
  db: Db,
  near: readonly { entry_id: string; chunk: number; similarity: number }[]
): Promise<FoundPassage[]> {
  const rows = new Map((await listPassages(db, near)).map(row => [passageKey(row), row]))
  return near.flatMap(match => {
    const row = rows.get(passageKey(match))
    return row === undefined ? [] : [{ ...row, similarity: match.similarity }]
  })
}

const withoutEntryId = ({ entry_id, ...match }: FoundPassage): MemoryMatch => match

/** More than the longest answer, so that the nearest of them are among these. */
const maxRated = 100

async function searchByWords(deps: PassageSearchDeps, query: CheckedQuery): Promise<MemoryFound> {
  const words = { words: wordsOfQuery(query.q), maxScanned: maxPassagesScanned, limit: maxRated }
  const rows = await withIndexes(deps.db, tx => listPassagesByWords(tx, { ...query, ...words }))
  const found = (await scoreWithEmbeddedEmbedder(deps, query.q, rows)).filter(
    match => match.similarity >= query.min_similarity
  )
  return { items: found.slice(0, query.limit).map(withoutEntryId), total: found.length, degraded: true }
}

/** An embedder that did not answer for long leaves many; each is read. */
const maxUnembeddedScanned = 2000
/** As many as an answer shows. */
const maxShown = 100

/** What has no vector by the model that serves, yet shares words with the query. */
async function listUnembedded(deps: PassageSearchDeps, query: CheckedQuery, model: string): Promise<FoundPassage[]> {
  const words = { words: wordsOfQuery(query.q), maxScanned: maxUnembeddedScanned, limit: maxShown, model }
  return await scoreWithEmbeddedEmbedder(deps, query.q, await listUnembeddedByWords(deps.db, { ...query, ...words }))
}

/** Passages with their similarity by the embedded embedder, best first. */
async function scoreWithEmbeddedEmbedder(
  { embedders, embedded }: PassageSearchDeps,
  q: string,
  rows: readonly PassageRow[]
) {
  if (rows.length === 0) return []
  const { signal } = new AbortController()
  const { embeddings } = await embedders.embedWith(embedded, [q, ...rows.map(row => row.text)], signal)
  const [asked = [], ...found] = embeddings
  return rankBySimilarity(rows.map((row, at) => ({ ...row, similarity: cosine(asked, found[at] ?? []) })))
}

const cosine = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0)
