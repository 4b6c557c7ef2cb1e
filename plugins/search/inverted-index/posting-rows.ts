import { crc32 } from 'node:zlib'
import { writeBytes } from './byte-writer.ts'
import { addPosting, createListWriter, type EncodedList, eachPositions, encoded } from './posting-lists.ts'

/** Postings as the database stores them, as parallel arrays; all bytes follow each other in `bytes`. */
export interface PostingRows {
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

/** Collects rows until `takeRows`. */
export interface RowCollector {
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
  return {
    add(term, list) {
      for (const [part, { posts, positions }] of partsOf(list).entries()) {
        rows.terms.push(term)
        rows.parts.push(part)
        rows.postsFrom.push(size)
        rows.checksum += append(posts)
        rows.positionsFrom.push(size)
        append(positions)
        rows.ends.push(size)
      }
    },
    isFull: () => size >= maxBytes || rows.terms.length >= maxRows,
    take() {
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
  if (list.count <= maxPosts) return list.count === 0 ? [] : [list]
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
export function joinParts(parts: readonly EncodedList[]): EncodedList {
  if (parts.length === 1 && parts[0] !== undefined) return parts[0]
  const list = createListWriter()
  for (const part of parts)
    eachPositions(part, (postNo, frequency, from, to) => {
      addPosting(list, postNo, frequency)
      writeBytes(list.positions, part.positions.subarray(from, to))
    })
  return encoded(list)
}
