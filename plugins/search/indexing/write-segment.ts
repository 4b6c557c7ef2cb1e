import { setImmediate } from 'node:timers/promises'
import type { Changes, Db } from '#core'

import { indexCacheTag } from '../cache-tags.ts'
import type { PostingRows } from '../inverted-index/posting-rows.ts'
import type { AnalyzedPost } from '../inverted-index/text-fields.ts'
import { codeOf } from '../languages.ts'
import { addPostings, createSegment, lockState, publishSegment, type SegmentTotals } from '../repository/segments.ts'
import { type BuiltSegment, buildSegment } from './build.ts'

/** Fewer characters are analyzed at once, without a thread: some 5 ms. */
const maxAtOnce = 50_000

/** What a segment is written with. */
export interface SegmentWriting {
  db: Db
  changes: Changes
  /** Builds larger ones. */
  build: (posts: readonly AnalyzedPost[]) => Promise<BuiltSegment>
  signal: AbortSignal
}

/** What was put into a segment. */
export interface WrittenSegment extends Pick<BuiltSegment, 'words'> {
  /** Texts that count from now on: the others were changed, or locked, meanwhile. */
  indexed: number
}

/** Puts texts into a segment of their own. Searches read it from the moment it is whole. */
export async function writeSegment(
  posts: readonly AnalyzedPost[],
  { db, changes, build, signal }: SegmentWriting
): Promise<WrittenSegment> {
  const characters = posts.reduce((sum, { body }) => sum + body.length, 0)
  const built = characters <= maxAtOnce ? buildSegment(posts) : await build(posts)
  const segment_id = await createSegment(db)
  const totals = emptyTotals(posts.length)
  for (const rows of built.rows) {
    signal.throwIfAborted()
    await addPostings(db, segment_id, rows)
    addTotals(totals, rows)
    await setImmediate()
  }
  const texts = posts.map(({ post_no, text_version, analyzed_as }, at) => ({
    post_no,
    text_version,
    length_code: built.lengthCodes[at] ?? 0,
    language_code: codeOf(analyzed_as)
  }))
  const indexed = await db.transaction(async tx => {
    const generation = await lockState(tx)
    await changes.touch(tx, indexCacheTag)
    return publishSegment(tx, { segment_id, generation, totals }, texts)
  })
  return { words: built.words, indexed }
}

export const emptyTotals = (posts: number): SegmentTotals => ({ posts, postings: 0, bytes: 0, checksum: 0 })

export function addTotals(totals: SegmentTotals, rows: PostingRows): void {
  totals.postings += rows.terms.length
  totals.bytes += rows.bytes.length
  totals.checksum += rows.checksum
}
