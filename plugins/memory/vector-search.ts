import type { Db, Queryable } from '#core'
import { chunksOf } from './chunks.ts'
import {
  beginWalk,
  type Counted,
  countNearestExactly,
  countNearestOfFew,
  type EntryMatch,
  endWalk,
  findFew,
  limitWalk,
  listNearestByIndex,
  listNearestExactly,
  listPassages,
  type Met,
  preferIndexes,
  type VectorMatch,
  type VectorQuery,
  walkOn
} from './search-repository.ts'

/** The passages nearest to a vector, best first. */
export const listNearest = (db: Queryable, query: VectorQuery): Promise<VectorMatch[]> => nearest(db, query)

/** The same without what the passages say. */
export const listNearestEntries = (db: Queryable, query: VectorQuery): Promise<EntryMatch[]> =>
  nearest<EntryMatch>(db, { ...query, isBare: true })

const nearest = <Match extends EntryMatch>(db: Queryable, query: VectorQuery): Promise<Match[]> =>
  withIndexes(db, async tx => inOrder(await findNearest<Match>(tx, query)))

// Comparing m of n costs about 3 µs each, walking the index to ten as rare rows a fifth of a millisecond times n/m: they meet
// near 8 √n. Going on to count takes up to 8 ms, which comparing does on the way.
const fewPerRoot = { found: 8, counted: 12 }

async function findNearest<Match extends EntryMatch>(tx: Queryable, query: VectorQuery): Promise<Match[]> {
  const { few, are_few } = await findFew(tx, query, fewPerRoot.found)
  const exact = are_few ? await countNearestOfFew<Match>(tx, query, few) : null
  if (exact !== null) return exact.matches
  const found = await listNearestByIndex<Match>(tx, query)
  // The walk ends after 20,000 rows, whatever the filters have let through.
  return found.length < query.limit ? await listNearestExactly<Match>(tx, query) : found
}

// The longest answer: nobody can read on behind it.
const mostCounted = 100
// Where filters let little through, a hundred more are far away.
const countedRows = 400

/** The passages as near as `min_similarity`, best first, and how many there are; many are counted up to 100. */
export const countNearest = (
  db: Queryable,
  query: VectorQuery & { min_similarity: number }
): Promise<Counted<VectorMatch>> =>
  withIndexes(db, async tx => {
    const { few, are_few } = await findFew(tx, query, fewPerRoot.counted)
    const exact = are_few ? await countNearestOfFew(tx, query, few) : null
    const { matches, total } = exact ?? (await countOnWalk(tx, query)) ?? (await countNearestExactly(tx, query))
    return { matches: inOrder(matches).filter(({ similarity }) => similarity >= query.min_similarity), total }
  })

/** Goes on behind the nearest only while all that is met is near enough. Null where the walk ends before enough is met. */
export async function countOnWalk(
  tx: Queryable,
  query: VectorQuery & { min_similarity: number }
): Promise<Counted<VectorMatch> | null> {
  const isNear = ({ similarity }: Met) => shown(similarity) >= query.min_similarity
  await beginWalk(tx, query, Math.max(query.limit, mostCounted))
  const met = await walkOn(tx, query.limit)
  const isEnough = met.length >= query.limit
  if (isEnough && met.every(isNear) && query.limit < mostCounted) {
    await limitWalk(tx, countedRows)
    met.push(...(await walkOn(tx, mostCounted - query.limit)))
  }
  await endWalk(tx)
  if (!isEnough) return null
  const nearest = met.toSorted((a, b) => b.similarity - a.similarity).slice(0, query.limit)
  return { matches: await listPassages(tx, nearest), total: met.filter(isNear).length }
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
