import { crc32 } from 'node:zlib'
import { type ByteWriter, createByteWriter, writeByte, writeBytes, written } from './byte-writer.ts'
import { addPosting, createListWriter, type EncodedList, eachPositions, encoded } from './encoded-list.ts'
import { createBlockWriter, type TermBlock } from './term-block.ts'

/** Blocks of terms as the database stores them, as parallel arrays; all bytes follow each other in `bytes`. */
export interface PostingRows {
  /** The first of each block, but an empty one for the first row of a segment: no term stands before it. */
  terms: string[]
  parts: number[]
  /** That of the row which follows. Where a row is missing, the one before it says so. */
  nexts: string[]
  /** Where the posts of each begin, where its positions begin and where they end. */
  postsFrom: number[]
  positionsFrom: number[]
  ends: number[]
  bytes: Uint8Array<ArrayBuffer>
  /** Of the posts of all. */
  checksum: number
}

/** Posts of one row: a longer list stands in several. */
export const maxPostsOfRow = 16_384
const checksumBytes = 4
/** Of one statement. */
const maxBytes = 4_000_000
const maxRows = 20_000

/** From so many bytes of posts on a block is a row. */
const blockBytes = 2_000

/** Collects rows until `take`. */
interface RowCollector {
  /** Adds the list of a term, in UTF-8, that comes after those before in the order of the collation C. */
  add(term: Uint8Array, list: EncodedList): void
  /** One statement should have no more. */
  isFull(): boolean
  /** The rows so far, without the last: which follows it is not known yet. */
  take(): PostingRows
  /** All that are left. */
  end(): PostingRows
}

const decoder = new TextDecoder()

export function createRowCollector(): RowCollector {
  const rows = createRowBuffer()
  const block = createBlockWriter()
  const blockOfPart = createBlockWriter()
  let first = ''
  let isBegun = false
  const keyOf = (term: Uint8Array) => (isBegun ? decoder.decode(term) : '')
  const endBlock = () => {
    if (!block.isEmpty()) rows.add(first, 0, block.take())
  }
  const addParts = (term: Uint8Array, parts: readonly EncodedList[]) => {
    const key = keyOf(term)
    for (const [part, list] of parts.entries()) {
      blockOfPart.add(term, list)
      rows.add(key, part, blockOfPart.take())
    }
  }
  return {
    add(term, list) {
      if (list.posts.length === 0) return
      if (list.posts.length >= blockBytes) {
        endBlock()
        addParts(term, partsOf(list))
      } else {
        if (block.isEmpty()) first = keyOf(term)
        block.add(term, list)
        if (block.size() >= blockBytes) endBlock()
      }
      isBegun = true
    },
    isFull: rows.isFull,
    take: rows.take,
    end() {
      endBlock()
      return rows.end()
    }
  }
}

/** No term has this character, which is the last of all. */
const afterAllTerms = '\u{10ffff}'

/** Rows that wait for a statement. */
function createRowBuffer() {
  let rows = emptyRows()
  let lastChecksum = 0
  const bytes = createByteWriter()
  const begin = () => {
    rows = emptyRows()
    bytes.length = 0
  }
  const add = (term: string, part: number, { posts, positions }: TermBlock) => {
    if (rows.terms.length > 0) rows.nexts.push(term)
    rows.terms.push(term)
    rows.parts.push(part)
    rows.postsFrom.push(bytes.length)
    lastChecksum = appendWithChecksum(bytes, posts)
    rows.checksum += lastChecksum
    rows.positionsFrom.push(bytes.length)
    appendWithChecksum(bytes, positions)
    rows.ends.push(bytes.length)
  }
  return {
    add,
    isFull: () => bytes.length >= maxBytes || rows.terms.length >= maxRows,
    take(): PostingRows {
      if (rows.terms.length < 2) return emptyRows()
      const { terms, parts, postsFrom, positionsFrom, ends } = rows
      const [term = '', part = 0, from = 0] = [terms.pop(), parts.pop(), postsFrom.pop()]
      const [middle = from, to = from] = [positionsFrom.pop(), ends.pop()]
      const taken = { ...rows, bytes: new Uint8Array(written(bytes).subarray(0, from)) }
      taken.checksum -= lastChecksum
      const last = new Uint8Array(written(bytes).subarray(from, to))
      begin()
      const posts = last.subarray(0, middle - from - checksumBytes)
      add(term, part, { posts, positions: last.subarray(middle - from, last.length - checksumBytes) })
      return taken
    },
    end(): PostingRows {
      if (rows.terms.length > 0) rows.nexts.push(afterAllTerms)
      const taken = { ...rows, bytes: new Uint8Array(written(bytes)) }
      begin()
      return taken
    }
  }
}

/** @returns the checksum */
function appendWithChecksum(bytes: ByteWriter, added: Uint8Array): number {
  const checksum = crc32(added)
  writeBytes(bytes, added)
  for (let shift = 24; shift >= 0; shift -= 8) writeByte(bytes, (checksum >>> shift) & 255)
  return checksum
}

const emptyRows = (): PostingRows => ({
  terms: [],
  parts: [],
  nexts: [],
  postsFrom: [],
  positionsFrom: [],
  ends: [],
  bytes: new Uint8Array(),
  checksum: 0
})

function partsOf(list: EncodedList): EncodedList[] {
  if (list.count <= maxPostsOfRow) return [list]
  const parts: EncodedList[] = []
  let part = createListWriter()
  let from = 0
  const flush = (to: number) => {
    const positions = list.positions.subarray(from, to)
    parts.push({ ...encoded(part), positions })
    part = createListWriter()
    from = to
  }
  eachPositions(list, (postNo, frequency, start) => {
    if (part.count === maxPostsOfRow) flush(start)
    addPosting(part, postNo, frequency)
  })
  flush(list.positions.length)
  return parts
}

/** A stored column without its checksum; undefined when it is damaged. */
export function withoutChecksum(stored: Uint8Array): Uint8Array | undefined {
  const end = stored.length - checksumBytes
  if (end < 0) return undefined
  const bytes = stored.subarray(0, end)
  const view = new DataView(stored.buffer, stored.byteOffset + end, checksumBytes)
  return crc32(bytes) === view.getUint32(0) ? bytes : undefined
}

/** A row that was read: both columns with their checksums. */
export interface StoredRow {
  posts: Uint8Array
  positions: Uint8Array
}

/** A row without its checksums, and that of its posts; undefined when it is damaged. */
export function readRow({ posts, positions }: StoredRow): (TermBlock & { checksum: number }) | undefined {
  const block = { posts: withoutChecksum(posts), positions: withoutChecksum(positions) }
  if (block.posts === undefined || block.positions === undefined) return undefined
  const checksum = new DataView(posts.buffer, posts.byteOffset).getUint32(block.posts.length)
  return { posts: block.posts, positions: block.positions, checksum }
}

/** Rows that were read together: how long the columns of each are, and the bytes of all. */
export interface StoredRows {
  posts_bytes: readonly number[]
  positions_bytes: readonly number[]
  bytes: Uint8Array
}

/** The rows one by one, without a copy. */
export function* rowsOfPage({ posts_bytes, positions_bytes, bytes }: StoredRows): Generator<StoredRow> {
  let at = 0
  for (const [row, length] of posts_bytes.entries()) {
    const positionsFrom = at + length
    const end = positionsFrom + (positions_bytes[row] ?? 0)
    yield { posts: bytes.subarray(at, positionsFrom), positions: bytes.subarray(positionsFrom, end) }
    at = end
  }
}
