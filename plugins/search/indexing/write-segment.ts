import { setImmediate } from 'node:timers/promises'
import type { Changes, Db } from '#core'

import { indexCacheTag } from '../cache-tags.ts'
import type { PostingRows } from '../inverted-index/posting-rows.ts'
import type { AnalyzedPost } from '../inverted-index/text-fields.ts'
import { codeOf } from '../languages.ts'
import {
  addPostings,
  createSegment,
  lockState,
  publishSegment,
  type SegmentText,
  type SegmentTotals
} from '../repository/segments.ts'
import { type BuiltSegment, buildSegment } from './build.ts'

/** Fewer characters are analyzed at once, without a thread: some 5 ms. */
const maxAtOnce = 50_000

/** Texts with their postings, which stand nowhere yet. */
export interface BuiltTexts {
  texts: SegmentText[]
  segment: BuiltSegment
}

/** Analyzes texts, many of them by `build`. The result holds the texts themselves no more. */
export async function buildTexts(
  posts: readonly AnalyzedPost[],
  build: (posts: readonly AnalyzedPost[]) => Promise<BuiltSegment>
): Promise<BuiltTexts> {
  const characters = posts.reduce((sum, { body }) => sum + body.length, 0)
  const segment = characters <= maxAtOnce ? buildSegment(posts) : await build(posts)
  const texts = posts.map(({ post_no, text_version, analyzed_as }, at) => ({
    post_no,
    text_version,
    length_code: segment.lengthCodes[at] ?? 0,
    language_code: codeOf(analyzed_as)
  }))
  return { texts, segment }
}

/** What a segment is written with. */
export interface SegmentWriting {
  db: Db
  changes: Changes
  signal: AbortSignal
}

/**
 * Puts texts into a segment of their own. Searches read it from the moment it is whole.
 * @returns how many count from now on: the others were changed, or locked, meanwhile
 */
export async function writeSegment(
  { texts, segment }: BuiltTexts,
  { db, changes, signal }: SegmentWriting
): Promise<number> {
  const segment_id = await createSegment(db)
  const totals = emptyTotals(texts.length)
  for (const rows of segment.rows) {
    signal.throwIfAborted()
    await addPostings(db, segment_id, rows)
    addTotals(totals, rows)
    await setImmediate()
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
