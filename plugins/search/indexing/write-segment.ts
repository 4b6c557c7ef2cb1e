import type { Changes, Db } from '#core'
import { indexCacheTag } from '../cache-tags.ts'
import type { PostingRows } from '../inverted-index/posting-rows.ts'
import {
  addPostings,
  createSegment,
  lockState,
  publishSegment,
  type SegmentText,
  type SegmentTotals
} from '../repository/segments.ts'

/** What a segment is written with. */
export interface SegmentWriting {
  db: Db
  changes: Changes
  signal: AbortSignal
}

/** A segment that was built. */
export interface BuiltTexts {
  texts: readonly SegmentText[]
  /** Undefined after the last: all may be 40 MB. */
  nextRows(): Promise<PostingRows | undefined>
}

/**
 * Puts texts into a segment of their own. Searches read it from the moment it is whole.
 * @returns how many count from now on: the others were changed, or locked, meanwhile
 */
export async function writeSegment(
  { texts, nextRows }: BuiltTexts,
  { db, changes, signal }: SegmentWriting
): Promise<number> {
  const segment_id = await createSegment(db)
  const totals = emptyTotals(texts.length)
  for (let rows = await nextRows(); rows !== undefined; ) {
    signal.throwIfAborted()
    const following = nextRows()
    following.catch(() => {})
    await addPostings(db, segment_id, rows)
    addTotals(totals, rows)
    rows = await following
  }
  return await db.transaction(async tx => {
    const generation = await lockState(tx)
    await changes.touch(tx, indexCacheTag)
    return publishSegment(tx, { segment_id, generation, totals }, texts)
  })
}

export const emptyTotals = (posts: number): SegmentTotals => ({ posts, postings: 0, bytes: 0, checksum: 0 })

export function addTotals(totals: SegmentTotals, rows: PostingRows): void {
  totals.postings += rows.terms.length
  totals.bytes += rows.bytes.length
  totals.checksum += rows.checksum
}
