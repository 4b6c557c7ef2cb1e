import type { Changes, Db } from '#core'
import { indexCacheTag } from '../cache-tags.ts'
import type { PostTable } from '../inverted-index/post-table.ts'
import { withoutChecksum } from '../inverted-index/posting-rows.ts'
import { type BlockEntry, entriesOf } from '../inverted-index/term-block.ts'
import { listPostingsAfter, type PositionsRow } from '../repository/postings.ts'
import { addPostings, createSegment, lockState, replaceSegments, type Segment } from '../repository/segments.ts'
import { compareTerms } from './build.ts'
import type { IndexThread } from './index-thread.ts'
import { DamagedPostingsError, type TermGroup } from './merge.ts'
import { addTotals, emptyTotals } from './write-segment.ts'

export interface MergeDeps {
  db: Db
  changes: Changes
  thread: Pick<IndexThread, 'beginMerge' | 'merge'>
  signal: AbortSignal
}

/** Blocks and bytes of one page of a segment that is read. */
const page = { rows: 100, bytes: 128_000 }
/** Bytes of postings that are merged at once. */
const maxGroupBytes = 500_000

/**
 * Merges segments that follow each other into one, without the texts that count no more. Searches read the old ones until it is
 * whole. @throws DamagedPostingsError
 */
export async function mergeSegments(segments: readonly Segment[], table: PostTable, deps: MergeDeps): Promise<void> {
  const { db, changes, thread, signal } = deps
  const ranges = segments.map(each => ({ first: each.first_generation, last: each.last_generation }))
  await thread.beginMerge({ generations: table.generations, ranges })
  const segment_id = await createSegment(db)
  const totals = emptyTotals(countLive(table, ranges))
  for await (const groups of readGroups(db, segments)) {
    signal.throwIfAborted()
    const rows = await thread.merge(groups)
    if (rows.terms.length > 0) await addPostings(db, segment_id, rows)
    addTotals(totals, rows)
  }
  await db.transaction(async tx => {
    await lockState(tx)
    if (await replaceSegments(tx, segments, { segment_id, totals })) await changes.touch(tx, indexCacheTag)
  })
}

function countLive({ generations }: PostTable, ranges: readonly { first: number; last: number }[]): number {
  const first = Math.min(...ranges.map(range => range.first))
  const last = Math.max(...ranges.map(range => range.last))
  return generations.reduce((count, generation) => count + Number(generation >= first && generation <= last), 0)
}

/** The postings of all segments by term, in the order of terms. */
async function* readGroups(db: Db, segments: readonly Segment[]): AsyncGenerator<TermGroup[]> {
  const cursors = await Promise.all(segments.map((segment, index) => openCursor(db, segment, index)))
  let groups: TermGroup[] = []
  let bytes = 0
  for (;;) {
    const terms = cursors.flatMap(cursor => cursor.term() ?? [])
    if (terms.length === 0) break
    const term = terms.reduce((least, each) => (compareTerms(each, least) < 0 ? each : least))
    const lists = []
    for (const cursor of cursors) {
      if (cursor.term() !== term) continue
      const parts = await cursor.take()
      lists.push({ segment: cursor.index, parts })
      bytes += parts.reduce((sum, { posts, positions }) => sum + posts.length + positions.length, 0)
    }
    groups.push({ term, lists })
    if (bytes < maxGroupBytes) continue
    yield groups
    groups = []
    bytes = 0
  }
  yield groups
}

/** Reads a segment term by term. @throws DamagedPostingsError for a row that is damaged, and at the end when one was missing */
async function openCursor(db: Db, segment: Segment, index: number) {
  let entries: BlockEntry[] = []
  let at = 0
  let last = { term: '', part: -1 }
  let checksum = 0
  const unpack = ({ posts, positions }: PositionsRow): BlockEntry[] => {
    const block = { posts: withoutChecksum(posts), positions: withoutChecksum(positions) }
    if (block.posts === undefined || block.positions === undefined) throw new DamagedPostingsError(index)
    checksum += posts.readUInt32BE(block.posts.length)
    return entriesOf({ posts: block.posts, positions: block.positions })
  }
  const read = async () => {
    const rows = await listPostingsAfter(db, segment.segment_id, last, page)
    entries = rows.flatMap(unpack)
    at = 0
    const end = rows.at(-1)
    if (end !== undefined) last = { term: end.term, part: end.part }
    else if (checksum !== segment.checksum) throw new DamagedPostingsError(index)
  }
  await read()
  return {
    index,
    /** The next term; undefined after the last. */
    term: () => entries[at]?.term,
    /** All parts of the next term. */
    async take(): Promise<BlockEntry[]> {
      const term = entries[at]?.term
      const parts: BlockEntry[] = []
      for (let entry = entries[at]; entry !== undefined && entry.term === term; entry = entries[at]) {
        parts.push(entry)
        at += 1
        if (at === entries.length) await read()
      }
      return parts
    }
  }
}
