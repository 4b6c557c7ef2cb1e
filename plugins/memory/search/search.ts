import type { Db } from '#core'
import { type Embedders, likeness, type Vectors } from '../embedders/registry.ts'
import type { Embedder, MemoryFound, MemoryQuery, NearestOptions, SourceTable } from '../index.ts'
import { type CheckedQuery, checkQuery } from '../input.ts'
import { type EntryMatch, type PassageRow, readMeanVector, type VectorMatch } from '../repository/vector-search.ts'
import { listWaitingByWords } from '../repository/waiting.ts'
import { listPassagesByWords } from '../repository/word-search.ts'
import { moveTowards } from './feedback.ts'
import { countNearest, inOrder, listNearestEntries, meanByEntry, passagesOf, placeOf, withIndexes } from './nearest.ts'
import type { Questions } from './questions.ts'
import { topicWords } from './sources.ts'

export interface SearchParts {
  db: Db
  questions: Questions
  embedders: Embedders
  /** Judges passages that were found by words; answers always. */
  embedded: Embedder
}

/** Passages nearest to a question; by words while the embedder that the vectors are by does not answer. */
export async function searchPassages(parts: SearchParts, query: MemoryQuery): Promise<MemoryFound> {
  const checked = checkQuery(query)
  const { q, min_similarity, limit, writer, source_table, tags } = checked
  const asked = { limit, min_similarity, writer, source_table, tags }
  const { db, questions } = parts
  const words = await questions.rareWordsOf(db, q)
  return await questions.searchWith(
    db,
    () => questions.vectorsOf(db, [q]),
    async vectors => {
      const { matches, total } =
        vectors === null
          ? { matches: [], total: 0 }
          : await countNearest(db, { ...asked, words, model: vectors.model, embedding: vectors.embeddings[0] ?? [] })
      const byWords =
        vectors === null ? await listByWordsAlone(parts, checked) : await listWaiting(parts, checked, vectors.model)
      // What got its vector between the two statements is found by both.
      const known = new Set(matches.map(placeOf))
      const alike = byWords.filter(match => match.similarity >= min_similarity && !known.has(placeOf(match)))
      const items = inOrder([...matches, ...alike]).slice(0, limit)
      return {
        items: items.map(({ entry_id, ...match }) => match),
        total: total + alike.length,
        degraded: vectors === null
      }
    }
  )
}

// Of each word; the rest of what shares a frequent word is not looked at.
const passagesOfWord = 2000
// More than the longest answer, so that the nearest of them are among these.
const judged = 100

async function listByWordsAlone(parts: SearchParts, query: CheckedQuery): Promise<VectorMatch[]> {
  const words = { words: topicWords(query.q), most: passagesOfWord, limit: judged }
  return await judge(parts, query.q, await withIndexes(parts.db, tx => listPassagesByWords(tx, { ...query, ...words })))
}

// An embedder that was away for long leaves many; each is read.
const latestWaiting = 2000
// As many as an answer shows.
const mostWaiting = 100

/** What has no vector by the model that serves, yet shares words with the question. */
async function listWaiting(parts: SearchParts, query: CheckedQuery, model: string): Promise<VectorMatch[]> {
  const words = { words: topicWords(query.q), most: latestWaiting, limit: mostWaiting, model }
  return await judge(parts, query.q, await listWaitingByWords(parts.db, { ...query, ...words }))
}

/** Likeness by the embedded embedder, which answers always. */
async function judge(
  { embedders, embedded }: SearchParts,
  q: string,
  rows: readonly PassageRow[]
): Promise<VectorMatch[]> {
  if (rows.length === 0) return []
  const { signal } = new AbortController()
  const { embeddings } = await embedders.embedWith(embedded, [q, ...rows.map(row => row.text)], signal)
  const [asked = [], ...found] = embeddings
  return inOrder(rows.map((row, at) => ({ ...row, similarity: cosine(asked, found[at] ?? []) })))
}

const cosine = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0)

// Longer texts are compared as what they are.
const questionWords = 32
const isShort = (text: string) => text.trim().split(/\s+/, questionWords + 1).length <= questionWords

// Of each passage of the text; an entry that is not among these is not near.
const nearestOfPassage = 20

interface NearestQuery extends NearestOptions {
  source_table: SourceTable
  text: string
  limit: number
}

interface NearEntry {
  source_id: string
  similarity: number
}

/** Entries of one source table that say what a text says, or answer a question, best first; none while the embedder is away. */
export async function nearestEntries(parts: SearchParts, query: NearestQuery): Promise<NearEntry[]> {
  const { db, questions } = parts
  const { source_table, text, limit } = query
  const passages = passagesOf(text)
  if (passages.length === 0) return []
  if (query.isQuestion ?? isShort(text)) return await nearestToQuestion(parts, query)
  return await questions.searchWith(
    db,
    () => questions.vectorsOf(db, passages),
    async vectors => {
      if (vectors === null) return []
      const found: EntryMatch[][] = []
      for (const embedding of vectors.embeddings) {
        const asked = { model: vectors.model, embedding, source_table, limit: Math.max(limit, nearestOfPassage) }
        found.push(await listNearestEntries(db, asked))
      }
      return asNear(meanByEntry(found), vectors.floor).slice(0, limit)
    }
  )
}

const nearestToQuestion = ({ db, questions }: SearchParts, query: NearestQuery): Promise<NearEntry[]> =>
  questions.searchWith(
    db,
    () => questions.rankingVectorOf(db, query.text),
    async vectors => (vectors === null ? [] : await nearestByVector(db, query, vectors))
  )

async function nearestByVector(
  db: Db,
  { source_table, limit, towards = [] }: NearestQuery,
  vectors: Vectors
): Promise<NearEntry[]> {
  const { model, floor } = vectors
  const [asked = []] = vectors.embeddings
  const mean = towards.length === 0 ? null : await readMeanVector(db, { model, source_table, source_ids: towards })
  const vector = mean === null ? { embedding: asked } : { embedding: moveTowards(mean, asked, floor), asked }
  const found = await listNearestEntries(db, {
    model,
    ...vector,
    source_table,
    limit: Math.max(limit, nearestOfPassage)
  })
  const first = new Map<string, NearEntry>()
  for (const { source_id, similarity, asked_similarity = similarity } of found)
    if (!first.has(source_id)) first.set(source_id, { source_id, similarity: asked_similarity })
  return asNear([...first.values()], floor).slice(0, limit)
}

const asNear = (found: readonly NearEntry[], floor: number): NearEntry[] =>
  found.map(({ source_id, similarity }) => ({ source_id, similarity: likeness(similarity, floor) }))
