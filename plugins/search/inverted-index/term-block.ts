import {
  type ByteReader,
  createByteWriter,
  readBytes,
  readNumber,
  writeBytes,
  writeNumber,
  written
} from './byte-writer.ts'
import type { EncodedList } from './encoded-list.ts'

/**
 * The lists of some terms that follow each other, as a row holds them. `posts` has each term, the length of its posts and
 * these; `positions` the length of its positions and these. A row of its own for each term would be larger than most lists.
 */
export interface TermBlock {
  posts: Uint8Array
  positions: Uint8Array
}

/** A block being written. */
interface BlockWriter {
  /** `term` is in UTF-8. */
  add(term: Uint8Array, list: Pick<EncodedList, 'posts' | 'positions'>): void
  isEmpty(): boolean
  /** Bytes of posts so far. */
  size(): number
  /** What was written, until something is added: it begins anew, in the same memory. */
  take(): TermBlock
}

const encoder = new TextEncoder()
const decoder = new TextDecoder()

export function createBlockWriter(): BlockWriter {
  const posts = createByteWriter()
  const positions = createByteWriter()
  return {
    add(term, list) {
      writeNumber(posts, term.length)
      writeBytes(posts, term)
      writeNumber(posts, list.posts.length)
      writeBytes(posts, list.posts)
      writeNumber(positions, list.positions.length)
      writeBytes(positions, list.positions)
    },
    isEmpty: () => posts.length === 0,
    size: () => posts.length,
    take() {
      const block = { posts: written(posts), positions: written(positions) }
      posts.length = 0
      positions.length = 0
      return block
    }
  }
}

/** A term of a block. */
interface BlockEntry extends TermBlock {
  term: string
}

/** All terms of a block, in their order. */
export function entriesOf(block: TermBlock): BlockEntry[] {
  const posts: ByteReader = { bytes: block.posts, at: 0 }
  const positions: ByteReader = { bytes: block.positions, at: 0 }
  const entries: BlockEntry[] = []
  while (posts.at < block.posts.length) {
    const term = decoder.decode(readBytes(posts, readNumber(posts)))
    const ofPosts = readBytes(posts, readNumber(posts))
    entries.push({ term, posts: ofPosts, positions: readBytes(positions, readNumber(positions)) })
  }
  return entries
}

/** The terms of a block, in their order. */
export function termsOfBlock(posts: Uint8Array): string[] {
  const reader: ByteReader = { bytes: posts, at: 0 }
  const terms: string[] = []
  while (reader.at < posts.length) {
    terms.push(decoder.decode(readBytes(reader, readNumber(reader))))
    readBytes(reader, readNumber(reader))
  }
  return terms
}

/** The term that a block is stored under. */
export function firstTermOf(posts: Uint8Array): string {
  const reader: ByteReader = { bytes: posts, at: 0 }
  return decoder.decode(readBytes(reader, readNumber(reader)))
}

/** The posts of a term, without a copy; undefined where the block lacks it. */
export function postsOfTerm(posts: Uint8Array, term: string): Uint8Array | undefined {
  const wanted = encoder.encode(term)
  const reader: ByteReader = { bytes: posts, at: 0 }
  while (reader.at < posts.length) {
    const name = readBytes(reader, readNumber(reader))
    const ofTerm = readBytes(reader, readNumber(reader))
    if (Buffer.compare(name, wanted) === 0) return ofTerm
  }
  return undefined
}

/** The positions of the only term of a block. */
export const positionsOfOnly = (positions: Uint8Array): Uint8Array => {
  const reader: ByteReader = { bytes: positions, at: 0 }
  return readBytes(reader, readNumber(reader))
}

/** The posts and positions of a term; undefined where the block lacks it. */
export const entryOfTerm = (block: TermBlock, term: string): BlockEntry | undefined =>
  entriesOf(block).find(entry => entry.term === term)
