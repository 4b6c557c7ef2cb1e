import { type ByteWriter, writeBytes } from './byte-writer.ts'
import { columns, type TermRows } from './term-rows.ts'

/** The bytes of all lists that grow at the same time, in pieces. A piece that is full ends with where the next one begins. */
interface PostingPool {
  bytes: Uint8Array
  /** What is taken; 0 is the place of no piece. */
  length: number
}

const firstBytes = 16_384
/** Most terms have one or two postings. Frequent ones get larger pieces, each twice as large as the one before. */
const smallestPiece = 16
const largestPiece = 512
const linkBytes = 4

export const createPostingPool = (): PostingPool => ({ bytes: new Uint8Array(firstBytes), length: linkBytes })

/** All lists are gone; the memory is used again. */
export function clearPostingPool(pool: PostingPool): void {
  pool.length = linkBytes
}

/** Appends the first bytes of `from` to the list of a row. */
export function appendToList(pool: PostingPool, { values }: TermRows, row: number, from: ByteWriter): void {
  let next = values[row + columns.next] ?? 0
  let end = values[row + columns.end] ?? 0
  let { bytes } = pool
  for (let at = 0; at < from.length; at++) {
    if (next === end) {
      next = addPiece(pool, values, row)
      end = values[row + columns.end] ?? 0
      bytes = pool.bytes
    }
    bytes[next++] = from.bytes[at] ?? 0
  }
  values[row + columns.next] = next
}

/** @returns where the piece begins */
function addPiece(pool: PostingPool, values: Int32Array, row: number): number {
  const isFirst = values[row + columns.begin] === 0
  const size = isFirst ? smallestPiece : sizeAfter(values[row + columns.pieceSize] ?? 0)
  const start = pool.length
  pool.length += size
  if (pool.length > pool.bytes.length) growPool(pool)
  if (isFirst) values[row + columns.begin] = start
  else writeLink(pool.bytes, values[row + columns.end] ?? 0, start)
  values[row + columns.end] = start + size - linkBytes
  values[row + columns.pieceSize] = size
  return start
}

const sizeAfter = (size: number) => Math.min(largestPiece, 2 * size)

function growPool(pool: PostingPool): void {
  const larger = new Uint8Array(2 * pool.bytes.length)
  larger.set(pool.bytes)
  pool.bytes = larger
}

function writeLink(bytes: Uint8Array, at: number, link: number): void {
  for (let byte = 0; byte < linkBytes; byte++) bytes[at + byte] = link >>> (8 * byte)
}

function readLink(bytes: Uint8Array, at: number): number {
  let link = 0
  for (let byte = 0; byte < linkBytes; byte++) link |= (bytes[at + byte] ?? 0) << (8 * byte)
  return link
}

/** Appends the list of a row to `to`. */
export function readPooledList({ bytes }: PostingPool, { values }: TermRows, row: number, to: ByteWriter): void {
  const lastEnd = values[row + columns.end] ?? 0
  let start = values[row + columns.begin] ?? 0
  for (let size = smallestPiece; ; size = sizeAfter(size)) {
    const end = start + size - linkBytes
    const isLast = end === lastEnd
    writeBytes(to, bytes.subarray(start, isLast ? values[row + columns.next] : end))
    if (isLast) return
    start = readLink(bytes, end)
  }
}
