import { type ByteWriter, createByteWriter, writeByte, writeNumber, written } from './byte-writer.ts'
import { type EncodedList, endOfPositions, writePositions } from './encoded-list.ts'
import { appendToList, clearPostingPool, createPostingPool, readPooledList } from './posting-pool.ts'
import { columns, rowOf, type TermRows } from './term-rows.ts'
import type { TextTally } from './text-tally.ts'

/** The postings of some texts by term, in memory. */
interface PostingLog {
  /** Adds what a text says. Its number is higher than those before. */
  add(tally: TextTally, postNo: number, maxFrequency: number): void
  /** The list of a term, by its number, until the next is read: its bytes are used again. */
  read(term: number): EncodedList
  has(term: number): boolean
  /** In memory, about. */
  bytes(): number
  /** Removes all postings. `terms` is how many there are. */
  clear(terms: number): void
}

export function createPostingLog(rows: TermRows): PostingLog {
  const pool = createPostingPool()
  const posting = createByteWriter()
  const list = createByteWriter()
  const posts = createByteWriter()
  const positions = createByteWriter()
  return {
    add(tally, postNo, maxFrequency) {
      const { values } = rows
      for (const term of tally.terms) {
        const row = rowOf(term)
        posting.length = 0
        writeNumber(posting, postNo - (values[row + columns.lastPost] ?? 0))
        writeByte(posting, Math.min(maxFrequency, values[row + columns.frequency] ?? 0))
        writePositions(posting, tally, values[row + columns.firstPosition] ?? 0)
        appendToList(pool, rows, row, posting)
        values[row + columns.lastPost] = postNo
      }
    },
    read(term) {
      for (const writer of [list, posts, positions]) writer.length = 0
      readPooledList(pool, rows, rowOf(term), list)
      const count = splitPostings(list, posts, positions)
      return { count, posts: written(posts), positions: written(positions) }
    },
    has: term => rows.values[rowOf(term) + columns.begin] !== 0,
    bytes: () => pool.length,
    clear(terms) {
      rows.values.fill(0, 0, rowOf(terms))
      clearPostingPool(pool)
    }
  }
}

/** In the log each posting stands with its positions. @returns how many there are */
function splitPostings({ bytes, length }: ByteWriter, posts: ByteWriter, positions: ByteWriter): number {
  let count = 0
  for (let at = 0; at < length; count++) {
    for (; (bytes[at] ?? 0) > 127; at++) writeByte(posts, bytes[at] ?? 0)
    // The last byte of the number, and the frequency.
    writeByte(posts, bytes[at++] ?? 0)
    writeByte(posts, bytes[at++] ?? 0)
    const end = endOfPositions(bytes, at)
    while (at < end) writeByte(positions, bytes[at++] ?? 0)
  }
  return count
}
