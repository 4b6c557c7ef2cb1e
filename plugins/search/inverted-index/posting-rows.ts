import { crc32 } from 'node:zlib'
import { writeBytes } from './byte-writer.ts'
import { addPosting, createListWriter, type EncodedList, eachPositions, encoded } from './posting-lists.ts'
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
  bytes: Buffer
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
export interface RowCollector {
  /** Adds the list of a term that comes after those before in the order of the collation C. */
  add(term: string, list: EncodedList): void
  /** One statement should have no more. */
  isFull(): boolean
  /** The rows so far; it begins anew. */
  take(): PostingRows
}

export function createRowCollector(): RowCollector {
  let rows = emptyRows()
  let chunks: Uint8Array[] = []
  let size = 0
  const append = (bytes: Uint8Array) => {
    const sum = crc32(bytes)
    const end = Buffer.alloc(checksumBytes)
    end.writeUInt32BE(sum)
    chunks.push(bytes, end)
    size += bytes.length + checksumBytes
    return sum
  }
  const addRow = (term: string, part: number, { posts, positions }: TermBlock) => {
    rows.terms.push(term)
    rows.parts.push(part)
    rows.postsFrom.push(size)
    rows.checksum += append(posts)
    rows.positionsFrom.push(size)
    append(positions)
    rows.ends.push(size)
  }
  let first = ''
  let block = createBlockWriter()
  const endBlock = () => {
    if (block.isEmpty()) return
    addRow(first, 0, block.block())
    block = createBlockWriter()
  }
  const addParts = (term: string, parts: readonly EncodedList[]) => {
    for (const [part, list] of parts.entries()) {
      const ofPart = createBlockWriter()
      ofPart.add(term, list)
      addRow(term, part, ofPart.block())
    }
  }
  return {
    add(term, list) {
      if (list.count === 0) return
      if (list.posts.length >= blockBytes) {
        endBlock()
        addParts(term, partsOf(list))
        return
      }
      if (block.isEmpty()) first = term
      block.add(term, list)
      if (block.size() >= blockBytes) endBlock()
    },
    isFull: () => size >= maxBytes || rows.terms.length >= maxRows,
    take() {
      endBlock()
      const taken = { ...rows, bytes: Buffer.concat(chunks, size) }
      rows = emptyRows()
      chunks = []
      size = 0
      return taken
    }
  }
}

const emptyRows = (): PostingRows => ({
  terms: [],
  parts: [],
  postsFrom: [],
  positionsFrom: [],
  ends: [],
  bytes: Buffer.alloc(0),
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

/** One list of the parts of a term, in their order. */
export function joinParts(parts: readonly TermBlock[]): EncodedList {
  if (parts.length === 1 && parts[0] !== undefined) return { count: 0, ...parts[0] }
  const list = createListWriter()
  for (const part of parts)
    eachPositions(part, (postNo, frequency, from, to) => {
      addPosting(list, postNo, frequency)
      writeBytes(list.positions, part.positions.subarray(from, to))
    })
  return encoded(list)
}
