import type { Changes, Db } from '#core'
import { indexCacheTag } from '../cache-tags.ts'
import type { PostTable } from '../inverted-index/post-table.ts'
import { readPostingsAfter } from '../repository/postings.ts'
import { addPostings, createSegment, lockState, replaceSegments, type Segment } from '../repository/segments.ts'
import type { IndexProcess } from './index-process.ts'
import type { SegmentPage } from './merge-cursor.ts'
import { addTotals, emptyTotals } from './write-segment.ts'

interface MergeDeps {
  db: Db
  changes: Changes
  process: Pick<IndexProcess, 'beginMerge' | 'merge'>
  signal: AbortSignal
}

/** Rows and bytes of one page of a segment that is read: eight segments have 4 MB. */
const page = { rows: 500, bytes: 500_000 }

/**
 * Merges segments that follow each other into one, without the texts that count no more. Searches read the old ones until it is
 * whole. @throws DamagedPostingsError
 */
export async function mergeSegments(segments: readonly Segment[], table: PostTable, deps: MergeDeps): Promise<void> {
  const { db, changes, process, signal } = deps
  // The table goes on to follow the posts.
  const generations = table.generations.slice()
  const ranges = segments.map(each => ({
    first: each.first_generation,
    last: each.last_generation,
    checksum: each.checksum
  }))
  const segment_id = await createSegment(db)
  const totals = emptyTotals(countLive(generations, ranges))
  const readers = segments.map((segment, index) => createPageReader(db, segment, index))
  let step = await process.beginMerge({ generations, segments: ranges })
  for (;;) {
    signal.throwIfAborted()
    if (step.rows !== undefined && step.rows.terms.length > 0) {
      await addPostings(db, segment_id, step.rows)
      addTotals(totals, step.rows)
    }
    if (step.wanted.length === 0) break
    step = await process.merge(await Promise.all(step.wanted.flatMap(index => readers[index]?.() ?? [])))
  }
  await db.transaction(async tx => {
    await lockState(tx)
    if (await replaceSegments(tx, segments, { segment_id, totals })) await changes.touch(tx, indexCacheTag)
  })
}

/** Reads a segment page by page. */
function createPageReader(db: Db, { segment_id }: Segment, segment: number): () => Promise<SegmentPage> {
  let last = { term: '', part: -1 }
  return async () => {
    const read = await readPostingsAfter(db, segment_id, last, page)
    if (read === undefined) return { segment, rows: undefined }
    const { terms, parts, posts_bytes, positions_bytes } = read
    last = { term: terms.at(-1) ?? '', part: parts.at(-1) ?? 0 }
    // A copy: a small buffer of pg's shares its memory with others.
    return { segment, rows: { posts_bytes, positions_bytes, bytes: new Uint8Array(read.bytes) } }
  }
}

function countLive(generations: Int32Array, ranges: readonly { first: number; last: number }[]): number {
  const first = Math.min(...ranges.map(range => range.first))
  const last = Math.max(...ranges.map(range => range.last))
  return generations.reduce((count, generation) => count + Number(generation >= first && generation <= last), 0)
}
