import { type ByteReader, readBytes, readNumber } from '../inverted-index/byte-writer.ts'
import type { EncodedList } from '../inverted-index/encoded-list.ts'
import { readRow, rowsOfPage, type StoredRow, type StoredRows } from '../inverted-index/posting-rows.ts'

/** A page of a segment that is merged; undefined rows say that there are no more. */
export interface SegmentPage {
  /** Index of the segment among those that are merged. */
  segment: number
  rows: (StoredRows & { bytes: Uint8Array<ArrayBuffer> }) | undefined
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

/** Reads a segment term by term, in UTF-8. */
export interface MergeCursor {
  readonly index: number
  /** @throws DamagedPostingsError for a row that is damaged, and at the end when one was missing */
  add(page: SegmentPage): void
  /** Whether it needs the next page. */
  isWaiting(): boolean
  /** The next term; undefined where a page ends. */
  name(): Uint8Array | undefined
  /** The next list, or part of one. */
  take(): EncodedList
}

const nothing = (): ByteReader => ({ bytes: new Uint8Array(), at: 0 })

export function createMergeCursor(index: number, expected: number): MergeCursor {
  let rows: StoredRow[] = []
  let nextRow = 0
  let posts = nothing()
  let positions = nothing()
  let name: Uint8Array | undefined
  let isAtEnd = false
  let checksum = 0
  const openRow = () => {
    const row = rows[nextRow++]
    if (row === undefined) return false
    const read = readRow(row)
    if (read === undefined) throw new DamagedPostingsError(index)
    checksum += read.checksum
    posts = { bytes: read.posts, at: 0 }
    positions = { bytes: read.positions, at: 0 }
    return true
  }
  const advance = () => {
    name = undefined
    while (posts.at >= posts.bytes.length) if (!openRow()) return
    name = readBytes(posts, readNumber(posts))
  }
  return {
    index,
    add(page) {
      if (page.rows === undefined) {
        isAtEnd = true
        if (checksum !== expected) throw new DamagedPostingsError(index)
        return
      }
      rows = [...rowsOfPage(page.rows)]
      nextRow = 0
      advance()
    },
    isWaiting: () => name === undefined && !isAtEnd,
    name: () => name,
    take() {
      const list = {
        count: 0,
        posts: readBytes(posts, readNumber(posts)),
        positions: readBytes(positions, readNumber(positions))
      }
      advance()
      return list
    }
  }
}
