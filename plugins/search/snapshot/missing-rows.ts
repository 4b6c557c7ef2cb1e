import type { PostingsRow } from '../repository/postings.ts'
import type { Segment } from '../repository/segments.ts'

type FoundRow = Pick<PostingsRow, 'segment_id' | 'part' | 'is_last'>

/**
 * The segments that lack a row of a term. Each that holds anything has a row which the term stands in, or would: rows know which
 * follows them.
 * @param rows those that were found of the term, of each segment in the order of their parts
 */
export function segmentsLackingRows(asked: readonly Segment[], rows: readonly FoundRow[]): Segment[] {
  const found = Map.groupBy(rows, ({ segment_id }) => segment_id)
  return asked.filter(({ segment_id, postings }) => postings > 0 && !areAll(found.get(segment_id) ?? []))
}

const areAll = (rows: readonly FoundRow[]): boolean =>
  rows.at(-1)?.is_last === true && rows.every(({ part }, at) => part === at)
