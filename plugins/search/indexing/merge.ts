import { mergeLists } from '../inverted-index/posting-lists.ts'
import { createRowCollector, joinParts, type PostingRows } from '../inverted-index/posting-rows.ts'
import type { TermBlock } from '../inverted-index/term-block.ts'

/** Stored postings of a term in one segment, in the order of their parts. */
export interface StoredTerm {
  /** Index of the segment among those that are merged. */
  segment: number
  parts: TermBlock[]
}

/** The postings of a term in the segments that have it. */
export interface TermGroup {
  term: string
  lists: StoredTerm[]
}

/** Which texts count: by number of the post, and by segment. */
export interface Liveness {
  generations: Int32Array
  ranges: { first: number; last: number }[]
}

/** Postings that cannot be read: a segment has to be indexed again. */
export class DamagedPostingsError extends Error {
  override readonly name = 'DamagedPostingsError'
  /** Index of the segment among those that are merged. */
  readonly segment: number

  constructor(segment: number) {
    super('The postings of a segment are damaged.')
    this.segment = segment
  }
}

/** The merged postings of some terms, in their order. */
export function mergeGroups(groups: readonly TermGroup[], { generations, ranges }: Liveness): PostingRows {
  const collector = createRowCollector()
  const isLive = (postNo: number, list: number, lists: readonly StoredTerm[]) => {
    const range = ranges[lists[list]?.segment ?? -1]
    const generation = generations[postNo] ?? -1
    return range !== undefined && generation >= range.first && generation <= range.last
  }
  for (const { term, lists } of groups) {
    const read = lists.map(({ parts }) => joinParts(parts))
    collector.add(
      term,
      mergeLists(read, (postNo, list) => isLive(postNo, list, lists))
    )
  }
  return collector.take()
}
