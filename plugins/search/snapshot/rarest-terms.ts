import type { Queryable } from '#core'
import { maxPostsOfRow } from '../inverted-index/posting-rows.ts'
import { countRows } from '../repository/postings.ts'
import { bytesOfSegments, type Segment } from '../repository/segments.ts'

/** Of a text of common words alone something is compared, too. */
const minTerms = 3

/** The rarest of the terms, as many as have about so many postings together, and three at least. Only how many rows their lists take is read. */
export async function rarestTerms(
  db: Queryable,
  segments: readonly Segment[],
  terms: readonly string[],
  maxPostings: number
): Promise<string[]> {
  const asked = [...new Set(terms)]
  const lists = segments.flatMap(({ segment_id }) => asked.map(term => ({ segment_id, term })))
  const counted = await countRows(db, { lists, indexBytes: bytesOfSegments(segments) })
  const rowsOf = new Map(counted.map(({ asked, rows }) => [asked, rows]))
  // Of a list in one row nobody knows how long it is.
  const postingsOf = (term: string) => (rowsOf.get(term) ?? 0) * maxPostsOfRow
  let postings = 0
  return asked
    .sort((a, b) => postingsOf(a) - postingsOf(b))
    .filter((term, at) => {
      postings += postingsOf(term)
      return at < minTerms || postings <= maxPostings
    })
}
