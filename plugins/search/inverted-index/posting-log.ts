import { type ByteWriter, copyBytes, createByteWriter, writeByte, writeNumber, written } from './byte-writer.ts'
import type { EncodedList } from './posting-lists.ts'

/** Postings in the order in which texts are read, as parallel arrays. */
export interface PostingLog {
  count: number
  terms: Int32Array
  postNos: Int32Array
  frequencies: Uint8Array
  /** Where the positions of each begin; they end where the next begin. */
  positionsFrom: Int32Array
  readonly positions: ByteWriter
}

const firstSize = 1024

export const createPostingLog = (): PostingLog => ({
  count: 0,
  terms: new Int32Array(firstSize),
  postNos: new Int32Array(firstSize),
  frequencies: new Uint8Array(firstSize),
  positionsFrom: new Int32Array(firstSize + 1),
  positions: createByteWriter()
})

/** Adds a posting; its positions are written to `positions` afterwards. */
export function logPosting(log: PostingLog, term: number, postNo: number, frequency: number): void {
  if (log.count === log.terms.length) growLog(log)
  log.terms[log.count] = term
  log.postNos[log.count] = postNo
  log.frequencies[log.count] = frequency
  log.positionsFrom[log.count] = log.positions.length
  log.count += 1
}

function growLog(log: PostingLog): void {
  const size = log.count * 2
  log.terms = copied(log.terms, new Int32Array(size))
  log.postNos = copied(log.postNos, new Int32Array(size))
  log.frequencies = copied(log.frequencies, new Uint8Array(size))
  log.positionsFrom = copied(log.positionsFrom, new Int32Array(size + 1))
}

function copied<T extends Int32Array | Uint8Array>(from: T, to: T): T {
  to.set(from)
  return to
}

/** The list of a term, by its number, until the next is read: its bytes are used again. */
export type ListReader = (term: number) => EncodedList

/** Reads the lists of a log that is complete. Postings of a term stand in the order of the log. */
export function createListReader(log: PostingLog, termCount: number): ListReader {
  const { starts, order } = byTerm(log, termCount)
  log.positionsFrom[log.count] = log.positions.length
  const posts = createByteWriter()
  const positions = createByteWriter()
  return term => {
    posts.length = 0
    positions.length = 0
    const end = starts[term + 1] ?? 0
    let last = 0
    for (let at = starts[term] ?? 0; at < end; at++) {
      const entry = order[at] ?? 0
      const postNo = log.postNos[entry] ?? 0
      writeNumber(posts, postNo - last)
      writeByte(posts, log.frequencies[entry] ?? 0)
      last = postNo
      copyBytes(positions, log.positions.bytes, log.positionsFrom[entry] ?? 0, log.positionsFrom[entry + 1] ?? 0)
    }
    return { count: end - (starts[term] ?? 0), posts: written(posts), positions: written(positions) }
  }
}

/** The entries of each term, one term after the other: a counting sort, as most postings are far from their neighbours. */
function byTerm({ count, terms }: PostingLog, termCount: number) {
  const starts = new Int32Array(termCount + 1)
  for (let at = 0; at < count; at++) starts[(terms[at] ?? 0) + 1] = (starts[(terms[at] ?? 0) + 1] ?? 0) + 1
  for (let term = 0; term < termCount; term++) starts[term + 1] = (starts[term + 1] ?? 0) + (starts[term] ?? 0)
  const next = starts.slice()
  const order = new Int32Array(count)
  for (let at = 0; at < count; at++) {
    const term = terms[at] ?? 0
    const place = next[term] ?? 0
    order[place] = at
    next[term] = place + 1
  }
  return { starts, order }
}
