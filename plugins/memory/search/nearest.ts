import type { Db, Queryable } from '#core'
import { chunksOf } from '../chunks.ts'
import {
  type Counted,
  countAmongNearest,
  countAmongNeighbours,
  countNearestExactly,
  countNearestOfFew,
  type EntryMatch,
  findByWord,
  listNearestByIndex,
  listNearestExactly,
  type Place,
  preferIndexes,
  type VectorMatch,
  type VectorQuery
} from '../repository/vector-search.ts'

/** The passages nearest to a vector, best first. */
export const listNearest = (db: Queryable, query: VectorQuery): Promise<VectorMatch[]> => nearest(db, query)

/** The same without what the passages say. */
export const listNearestEntries = (db: Queryable, query: VectorQuery): Promise<EntryMatch[]> =>
  nearest<EntryMatch>(db, { ...query, isBare: true })

const nearest = <Match extends EntryMatch>(db: Queryable, query: VectorQuery): Promise<Match[]> =>
  withIndexes(db, async tx => inOrder(await findNearest<Match>(tx, query)))

// Comparing m of n costs about 4 µs each, walking the index to ten as rare rows a fifth of a millisecond times n/m: they meet
// near 8 √n. Up to 12 √n the nearest of all seldom hold ten, and a second walk would cost more than comparing.
const fewPerRoot = { found: 8, counted: 12 }

async function findNearest<Match extends EntryMatch>(tx: Queryable, query: VectorQuery): Promise<Match[]> {
  const exact = await countNearestOfFew<Match>(tx, query, fewPerRoot.found)
  if (exact !== null) return exact.matches
  const found = await listNearestByIndex<Match>(tx, query)
  // The walk ends after 20,000 rows, whatever the filters have let through.
  return found.length < query.limit ? await listNearestExactly<Match>(tx, query) : found
}

// As many as a walk holds at once (`ef_search`): asking for them costs no second one.
const walked = 400

interface CountQuery extends VectorQuery {
  min_similarity: number
  /** Rare words of the question. */
  words?: readonly string[]
}

/** The passages as near as `min_similarity`, best first, and how many there are; of many, how many are among the nearest. */
export const countNearest = (db: Queryable, query: CountQuery): Promise<Counted<VectorMatch>> =>
  withIndexes(db, async tx => {
    const counted = (await countNearestOfFew(tx, query, fewPerRoot.counted)) ?? (await countOfMany(tx, query))
    const { matches, total } = counted
    return { matches: inOrder(matches).filter(({ similarity }) => similarity >= query.min_similarity), total }
  })

/**
 * A walk may end far from what is nearest: passages on one thing know hardly any others, and a short question is led past
 * them. A passage that holds one of its words and is nearer than all that was met tells, and leads there.
 */
export async function countOfMany(tx: Queryable, query: CountQuery): Promise<Counted<VectorMatch>> {
  const { counted, nearest } = await countAmongNearest(tx, query, walked)
  const { words = [] } = query
  const better = words.length === 0 ? null : await findByWord(tx, query, words)
  if (better === null || better.distance >= nearest - 1e-6) return counted ?? (await countWalking(tx, query))
  const around = await countAmongNeighbours(tx, query, better, walked)
  return around.matches.length >= query.limit ? around : united(around, await countWalking(tx, query), query)
}

/** What tells passages apart. */
export const placeOf = ({ entry_id, chunk }: Place): string => `${entry_id} ${chunk}`

/** Matches of both; what is beyond them is counted by the one that counted more. */
function united(a: Counted<VectorMatch>, b: Counted<VectorMatch>, query: CountQuery): Counted<VectorMatch> {
  const places = new Map([...b.matches, ...a.matches].map(match => [placeOf(match), match]))
  const matches = inOrder([...places.values()])
  const near = matches.filter(({ similarity }) => similarity >= query.min_similarity).length
  return { matches: matches.slice(0, query.limit), total: Math.max(a.total, b.total, near) }
}

/** Where filters let little of what is near through. */
async function countWalking(tx: Queryable, query: CountQuery): Promise<Counted<VectorMatch>> {
  const matches = await listNearestByIndex(tx, query)
  if (matches.length < query.limit) return await countNearestExactly(tx, query)
  return { matches, total: matches.filter(({ similarity }) => shown(similarity) >= query.min_similarity).length }
}

/**
 * Runs searches in a transaction of their own that prefers the indexes. A caller's transaction is used as it is:
 * another one beside it would deadlock the embedded database, and settings would outlast the search.
 */
export async function withIndexes<T>(db: Queryable, search: (db: Queryable) => Promise<T>): Promise<T> {
  if (!('transaction' in db)) return await search(db)
  return await (db as Db).transaction(async tx => {
    await preferIndexes(tx)
    return await search(tx)
  })
}

/** Similarities are 0–1 with six decimals, so that rounding in the database never shows; equal ones have a fixed order. */
export function inOrder<Match extends EntryMatch>(matches: Match[]): Match[] {
  return matches
    .map(({ asked_similarity, ...match }) => ({
      ...match,
      similarity: shown(match.similarity),
      ...(asked_similarity !== undefined && { asked_similarity: shown(asked_similarity) })
    }))
    .sort((a, b) => b.similarity - a.similarity || compare(a.source_id, b.source_id) || a.chunk - b.chunk) as Match[]
}

const shown = (similarity: number): number => Math.round(Math.min(Math.max(similarity, 0), 1) * 1e6) / 1e6

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

// A longer text is judged by its beginning: eight passages are about 1,000 words.
const mostPassages = 8

/** The passages by which a text is compared with entries. */
export const passagesOf = (text: string): string[] => chunksOf(text).slice(0, mostPassages)

/** Entries by how much of every passage they say: each passage counts with its best match, the entry with their mean. */
export function meanByEntry(matches: readonly EntryMatch[][]): { source_id: string; similarity: number }[] {
  const sums = new Map<string, number>()
  for (const ofPassage of matches) {
    const best = new Map<string, number>()
    for (const { source_id, similarity } of ofPassage)
      best.set(source_id, Math.max(best.get(source_id) ?? 0, similarity))
    for (const [source_id, similarity] of best) sums.set(source_id, (sums.get(source_id) ?? 0) + similarity)
  }
  return [...sums]
    .map(([source_id, sum]) => ({ source_id, similarity: sum / matches.length }))
    .sort((a, b) => b.similarity - a.similarity || compare(a.source_id, b.source_id))
}
