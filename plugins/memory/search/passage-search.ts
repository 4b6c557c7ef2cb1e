import type { Db } from '#core'
import type { Embedders } from '../embedders/registry.ts'
import type { Vectors } from '../embedders/vectors.ts'
import type { Embedder, MemoryFound, MemoryMatch, MemoryQuery } from '../index.ts'
import { type CheckedQuery, checkQuery } from '../input.ts'
import { listPassages, type PassageRow } from '../repository/vector-search.ts'
import { listWaitingByWords } from '../repository/waiting.ts'
import { listPassagesByWords } from '../repository/word-search.ts'
import { wordsOfQuery } from './query-words.ts'
import type { Questions } from './questions.ts'
import { findNearest, inOrder, passageKey, withIndexes } from './vector-search.ts'

export interface PassageSearchParts {
  db: Db
  questions: Questions
  embedders: Embedders
  /** Rates passages that were found by words; answers always. */
  embedded: Embedder
}

type FoundPassage = MemoryMatch & { entry_id: string }

/** Passages nearest to a question; by words while the embedder that the vectors are by does not answer. */
export async function searchPassages(parts: PassageSearchParts, query: MemoryQuery): Promise<MemoryFound> {
  const checked = checkQuery(query)
  const { db, questions } = parts
  const rareWords = await questions.rareWordsOf(db, checked.q)
  return await questions.searchWith(
    db,
    () => questions.vectorsOf(db, [checked.q]),
    vectors =>
      vectors === null ? searchByWords(parts, checked) : searchByVector(parts, { ...checked, rareWords }, vectors)
  )
}

async function searchByVector(
  parts: PassageSearchParts,
  query: CheckedQuery & { rareWords: readonly string[] },
  { model, embeddings: [embedding = []] }: Vectors
): Promise<MemoryFound> {
  const near = await findNearest(parts.db, { ...query, model, embedding })
  const matches = await readPassages(parts.db, near.matches)
  const waiting = await listWaiting(parts, query, model)
  // What got its vector between the two statements is found by both.
  const known = new Set(near.matches.map(passageKey))
  const found = [...matches, ...waiting.filter(match => !known.has(passageKey(match)))]
  const isNear = (match: FoundPassage) => match.similarity >= query.min_similarity
  const items = inOrder(found.filter(isNear)).slice(0, query.limit)
  const total = near.total + found.slice(matches.length).filter(isNear).length
  return { items: items.map(asMatch), total: Math.max(total, items.length), degraded: false }
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

const asMatch = ({ entry_id, ...match }: FoundPassage): MemoryMatch => match

// Of each word; the rest of what shares a frequent word is not looked at.
const maxPassagesOfWord = 2000
// More than the longest answer, so that the nearest of them are among these.
const maxRated = 100

async function searchByWords(parts: PassageSearchParts, query: CheckedQuery): Promise<MemoryFound> {
  const words = { words: wordsOfQuery(query.q), maxScanned: maxPassagesOfWord, limit: maxRated }
  const rows = await withIndexes(parts.db, tx => listPassagesByWords(tx, { ...query, ...words }))
  const found = (await rate(parts, query.q, rows)).filter(match => match.similarity >= query.min_similarity)
  return { items: found.slice(0, query.limit).map(asMatch), total: found.length, degraded: true }
}

// An embedder that did not answer for long leaves many; each is read.
const maxWaiting = 2000
// As many as an answer shows.
const maxShown = 100

/** What has no vector by the model that serves, yet shares words with the question. */
async function listWaiting(parts: PassageSearchParts, query: CheckedQuery, model: string): Promise<FoundPassage[]> {
  const words = { words: wordsOfQuery(query.q), maxScanned: maxWaiting, limit: maxShown, model }
  return await rate(parts, query.q, await listWaitingByWords(parts.db, { ...query, ...words }))
}

/** Passages with their similarity by the embedded embedder, best first. */
async function rate({ embedders, embedded }: PassageSearchParts, q: string, rows: readonly PassageRow[]) {
  if (rows.length === 0) return []
  const { signal } = new AbortController()
  const { embeddings } = await embedders.embedWith(embedded, [q, ...rows.map(row => row.text)], signal)
  const [asked = [], ...found] = embeddings
  return inOrder(rows.map((row, at) => ({ ...row, similarity: cosine(asked, found[at] ?? []) })))
}

const cosine = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0)
