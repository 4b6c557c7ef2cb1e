import { type EncodedList, mergeLists } from '../inverted-index/encoded-list.ts'
import { createRowCollector, type PostingRows } from '../inverted-index/posting-rows.ts'
import { createMergeCursor, type MergeCursor, type SegmentPage } from './merge-cursor.ts'

/** Generations of a segment that is merged, and the sum of its checksums. */
interface MergedSegment {
  first: number
  last: number
  checksum: number
}

/** What is merged: segments in their order, and by number of the post which of its texts counts. */
export interface MergePlan {
  generations: Int32Array
  segments: readonly MergedSegment[]
}

/** How far a merge got. */
export interface MergeStep {
  /** Rows to be stored, if there are enough for a statement. */
  rows: PostingRows | undefined
  /** The segments, by their index, of which the next page is needed. None: it is done. */
  wanted: number[]
}

/** Merges segments term by term, page by page. */
export interface Merger {
  /** @throws DamagedPostingsError */
  step(pages: readonly SegmentPage[]): MergeStep
}

/** Positions and posts of the parts of one term, and the segment of each. */
interface OpenTerm {
  name: Uint8Array
  lists: EncodedList[]
  segments: number[]
}

export function createMerger({ generations, segments }: MergePlan): Merger {
  const collector = createRowCollector()
  const cursors = segments.map(({ checksum }, index) => createMergeCursor(index, checksum))
  let open: OpenTerm | undefined
  const isLiveIn = (of: readonly number[]) => (postNo: number, list: number) => {
    const range = segments[of[list] ?? -1]
    const generation = generations[postNo] ?? -1
    return range !== undefined && generation >= range.first && generation <= range.last
  }
  const close = ({ name, lists, segments: of }: OpenTerm) => collector.add(name, mergeLists(lists, isLiveIn(of)))
  return {
    step(pages) {
      for (const page of pages) cursors[page.segment]?.add(page)
      for (;;) {
        if (open !== undefined) for (const cursor of cursors) takeParts(cursor, open)
        const wanted = cursors.flatMap(({ index, isWaiting }) => (isWaiting() ? [index] : []))
        if (wanted.length > 0) return { rows: collector.isFull() ? collector.take() : undefined, wanted }
        if (open !== undefined) close(open)
        const next = minName(cursors)
        if (next === undefined) return { rows: collector.end(), wanted }
        open = { name: next, lists: [], segments: [] }
      }
    }
  }
}

/** All parts of the term that a page has; the next page may have more of them. */
function takeParts(cursor: MergeCursor, { name, lists, segments }: OpenTerm): void {
  for (let at = cursor.name(); at !== undefined && Buffer.compare(at, name) === 0; at = cursor.name()) {
    lists.push(cursor.take())
    segments.push(cursor.index)
  }
}

/** The order of bytes is that of the collation C. */
function minName(cursors: readonly MergeCursor[]): Uint8Array | undefined {
  let first: Uint8Array | undefined
  for (const cursor of cursors) {
    const name = cursor.name()
    if (name !== undefined && (first === undefined || Buffer.compare(name, first) < 0)) first = name
  }
  return first
}
