import { crc32 } from 'node:zlib'
import { type ByteWriter, createByteWriter, writeByte, writeBytes, written } from './byte-writer.ts'
import { addPosting, createListWriter, type EncodedList, eachPositions, encoded } from './encoded-list.ts'
import { createBlockWriter, type TermBlock } from './term-block.ts'

/** Blocks of terms as the database stores them, as parallel arrays; all bytes follow each other in `bytes`. */
export interface PostingRows {
  /** The first of each block. */
  terms: string[]
  parts: number[]
  /** Where the posts of each begin, where its positions begin and where they end. */
  postsFrom: number[]
  positionsFrom: number[]
  ends: number[]
  bytes: Uint8Array<ArrayBuffer>
  /** Of the posts of all. */
  checksum: number
}

/** Posts of one row: a longer list stands in several. */
const maxPosts = 16_384
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
  /** The rows so far; it begins anew. */
  take(): PostingRows
}

const decoder = new TextDecoder()

export function createRowCollector(): RowCollector {
  let rows = emptyRows()
  const bytes = createByteWriter()
  const block = createBlockWriter()
  const blockOfPart = createBlockWriter()
  let first = ''
  const addRow = (term: string, part: number, { posts, positions }: TermBlock) => {
    rows.terms.push(term)
    rows.parts.push(part)
    rows.postsFrom.push(bytes.length)
    rows.checksum += appendWithChecksum(bytes, posts)
    rows.positionsFrom.push(bytes.length)
    appendWithChecksum(bytes, positions)
    rows.ends.push(bytes.length)
  }
  const endBlock = () => {
    if (!block.isEmpty()) addRow(first, 0, block.take())
  }
  const addParts = (term: Uint8Array, parts: readonly EncodedList[]) => {
    for (const [part, list] of parts.entries()) {
      blockOfPart.add(term, list)
      addRow(decoder.decode(term), part, blockOfPart.take())
    }
  }
  return {
    add(term, list) {
      if (list.posts.length === 0) return
      if (list.posts.length >= blockBytes) {
        endBlock()
        addParts(term, partsOf(list))
        return
      }
      if (block.isEmpty()) first = decoder.decode(term)
      block.add(term, list)
      if (block.size() >= blockBytes) endBlock()
    },
    isFull: () => bytes.length >= maxBytes || rows.terms.length >= maxRows,
    take() {
      endBlock()
      const taken = { ...rows, bytes: new Uint8Array(written(bytes)) }
      rows = emptyRows()
      bytes.length = 0
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
  postsFrom: [],
  positionsFrom: [],
  ends: [],
  bytes: new Uint8Array(),
  checksum: 0
})

function partsOf(list: EncodedList): EncodedList[] {
  if (list.count <= maxPosts) return [list]
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
    if (part.count === maxPosts) flush(start)
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
