import type { Db, Queryable } from '#core'
import {
  preferIndexes,
  searchApproximately,
  searchExactly,
  type VectorMatch,
  type VectorMatches,
  type VectorQuery
} from '../repository/vector-search.ts'

/** Comparing a vector takes about 4 µs. So many take as long as an approximate search with a filter. */
const maxExactVectors = 4000
/** Without a filter, what one scan of the index gives (`ef_search`). With a filter a scan goes on until so many pass it. */
const nearestCount = { unfiltered: 400, filtered: 30 }

/**
 * The passages nearest to a vector, best first. Where the filters leave few vectors, all are compared. Otherwise only the
 * candidates are: the nearest by the index, and the passages with rare words of the query. `total` counts among them.
 */
export const findNearest = (
  db: Queryable,
  query: VectorQuery,
  maxExact: number = maxExactVectors
): Promise<VectorMatches> =>
  withIndexes(db, async tx => {
    const { matches, total } = await findMatches(tx, query, maxExact)
    return { matches: rankBySimilarity(matches), total }
  })

async function findMatches(tx: Queryable, query: VectorQuery, maxExact: number): Promise<VectorMatches> {
  const exact = await searchExactly(tx, query, maxExact)
  if (exact !== null) return exact
  const count = isFiltered(query) ? nearestCount.filtered : nearestCount.unfiltered
  const found = await searchApproximately(tx, query, Math.max(count, query.limit))
  // A scan ends after 20,000 rows, however few of them passed the filters.
  if (found.matches.length >= query.limit) return found
  return (await searchExactly(tx, query, Number.MAX_SAFE_INTEGER)) ?? found
}

const isFiltered = ({ writer, source_table, not_source_table, tags }: VectorQuery) =>
  [writer, source_table, not_source_table, tags].some(filter => filter !== undefined && filter !== null)

/**
 * Runs searches in a transaction of their own that prefers the indexes. A caller's transaction is used as it is:
 * another one beside it would deadlock the embedded database, and settings would outlast the search.
 */
export async function withIndexes<T>(db: Queryable, search: (db: Queryable) => Promise<T>): Promise<T> {
  if (!isDb(db)) return await search(db)
  return await db.transaction(async tx => {
    await preferIndexes(tx)
    return await search(tx)
  })
}

/** False for a transaction. */
export const isDb = (db: Queryable): db is Db => 'transaction' in db

/** What tells passages apart. */
export const passageKey = ({ entry_id, chunk }: Pick<VectorMatch, 'entry_id' | 'chunk'>): string =>
  `${entry_id} ${chunk}`

/** Rounds similarities, so that rounding in the database never shows, and puts the best first; equal ones have a fixed order. */
export function rankBySimilarity<Match extends Omit<VectorMatch, 'query_similarity'>>(
  matches: readonly Match[]
): Match[] {
  return matches
    .map(match => ({ ...match, similarity: roundSimilarity(match.similarity) }))
    .sort((a, b) => b.similarity - a.similarity || compareIds(a.source_id, b.source_id) || a.chunk - b.chunk)
}

/** As it is shown: 0–1 with six decimals. */
export const roundSimilarity = (similarity: number): number =>
  Math.round(Math.min(Math.max(similarity, 0), 1) * 1e6) / 1e6

/** The order of ids. */
export const compareIds = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
