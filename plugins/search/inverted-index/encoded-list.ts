import { type ByteWriter, createByteWriter, writeByte, writeBytes, writeNumber, written } from './byte-writer.ts'

/**
 * The posts that have a term, in the order of their numbers. `posts` holds for each the difference to the number before and
 * a byte of frequency; `positions` twice the difference of each to the one before, and 1 more for the last of a post. The first
 * differs from -1, so that 0 says that there is none.
 */
export interface EncodedList {
  count: number
  posts: Uint8Array
  positions: Uint8Array
}

/** A list being written. */
interface ListWriter {
  count: number
  last: number
  readonly posts: ByteWriter
  readonly positions: ByteWriter
}

export const createListWriter = (): ListWriter => ({
  count: 0,
  last: 0,
  posts: createByteWriter(),
  positions: createByteWriter()
})

/** Adds a post with a higher number than those before; its positions, as encoded, are appended by the caller. */
export function addPosting(list: ListWriter, postNo: number, frequency: number): void {
  writeNumber(list.posts, postNo - list.last)
  writeByte(list.posts, frequency)
  list.last = postNo
  list.count += 1
}

export const encoded = ({ count, posts, positions }: ListWriter): EncodedList => ({
  count,
  posts: written(posts),
  positions: written(positions)
})

/** Calls back for each post of a list. */
export function eachPosting({ posts }: Pick<EncodedList, 'posts'>, visit: (postNo: number, frequency: number) => void) {
  let postNo = 0
  for (let at = 0; at < posts.length; ) {
    let delta = 0
    let byte = 128
    for (let shift = 0; byte > 127; shift += 7) {
      byte = posts[at++] ?? 0
      delta |= (byte & 127) << shift
    }
    postNo += delta
    visit(postNo, posts[at++] ?? 0)
  }
}

/** Calls back for each post of a list with where its positions are: the bytes from `from` to `to`. */
export function eachPositions(
  { posts, positions }: Pick<EncodedList, 'posts' | 'positions'>,
  visit: (postNo: number, frequency: number, from: number, to: number) => void
): void {
  let at = 0
  eachPosting({ posts }, (postNo, frequency) => {
    const from = at
    at = endOfPositions(positions, from)
    visit(postNo, frequency, from, at)
  })
}

const beforeFirst = -1

/** Writes a position after another of the same post; `isLast`: none follows. */
function writePosition(writer: ByteWriter, position: number, before: number, isLast: boolean): void {
  writeNumber(writer, 2 * (position - before) + Number(isLast))
}

/** Writes the positions of one post, as a chain of places from `first` on; 0 for none. */
export function writePositions(
  writer: ByteWriter,
  { positions, nexts }: { positions: Int32Array; nexts: Int32Array },
  first: number
): void {
  if (first === 0) writePosition(writer, beforeFirst, beforeFirst, true)
  let before = beforeFirst
  for (let at = first; at !== 0; ) {
    const position = positions[at] ?? 0
    at = nexts[at] ?? 0
    writePosition(writer, position, before, at === 0)
    before = position
  }
}

/** Where the positions of a post end that begin at `from`. */
export function endOfPositions(positions: Uint8Array, from: number): number {
  let at = from
  while (at < positions.length) {
    let byte = positions[at++] ?? 0
    const isLast = (byte & 1) === 1
    while (byte > 127) byte = positions[at++] ?? 0
    if (isLast) break
  }
  return at
}

/** Positions of one post, in memory that is used again. */
export interface PositionBuffer {
  values: Int32Array
  count: number
}

export const createPositionBuffer = (): PositionBuffer => ({ values: new Int32Array(256), count: 0 })

/** Adds the positions of one post that begin at `from`, in ascending order, each less `offset`. */
export function addPositions(buffer: PositionBuffer, positions: Uint8Array, from: number, offset = 0): void {
  let before = beforeFirst
  for (let at = from; at < positions.length; ) {
    let byte = positions[at++] ?? 0
    let value = byte & 127
    for (let shift = 7; byte > 127; shift += 7) {
      byte = positions[at++] ?? 0
      value |= (byte & 127) << shift
    }
    before += value >>> 1
    if (before !== beforeFirst) addPosition(buffer, before - offset)
    if ((value & 1) === 1) break
  }
}

function addPosition(buffer: PositionBuffer, position: number): void {
  if (buffer.count === buffer.values.length) {
    const larger = new Int32Array(2 * buffer.count)
    larger.set(buffer.values)
    buffer.values = larger
  }
  buffer.values[buffer.count++] = position
}

/** Whether a post of the list with this index still has it. */
type IsLive = (postNo: number, list: number) => boolean

/** One list of several: the posts that are live, in the order of their numbers. Parts of a list are lists, too. */
export function mergeLists(lists: readonly EncodedList[], isLive: IsLive): EncodedList {
  const merged = createListWriter()
  for (const [index, list] of lists.entries()) {
    const isAdded = addWhole(merged, list, index, isLive) || addLive(merged, list, index, isLive)
    if (!isAdded) return mergeUnordered(lists, isLive)
  }
  return encoded(merged)
}

/** Adds a list of which all posts are live as it stands, which most are. @returns false, with nothing added, for others */
function addWhole(merged: ListWriter, { posts, positions }: EncodedList, index: number, isLive: IsLive): boolean {
  let count = 0
  let postNo = 0
  let first = 0
  let afterFirst = 0
  for (let at = 0; at < posts.length; ) {
    let byte = posts[at++] ?? 0
    let delta = byte & 127
    for (let shift = 7; byte > 127; shift += 7) {
      byte = posts[at++] ?? 0
      delta |= (byte & 127) << shift
    }
    postNo += delta
    if (!isLive(postNo, index)) return false
    if (count === 0) {
      first = postNo
      afterFirst = at
    }
    at += 1
    count += 1
  }
  if (count === 0) return true
  if (merged.count > 0 && first <= merged.last) return false
  writeNumber(merged.posts, first - merged.last)
  writeBytes(merged.posts, posts.subarray(afterFirst))
  writeBytes(merged.positions, positions)
  merged.count += count
  merged.last = postNo
  return true
}

/** @returns false when a post stands before the last of those merged */
function addLive(merged: ListWriter, list: EncodedList, index: number, isLive: IsLive): boolean {
  let isInOrder = true
  eachPositions(list, (postNo, frequency, from, to) => {
    if (!isInOrder || !isLive(postNo, index)) return
    if (postNo <= merged.last) isInOrder = merged.count === 0 && postNo > 0
    if (isInOrder) addWithPositions(merged, { postNo, frequency, positions: list.positions.subarray(from, to) })
  })
  return isInOrder
}

interface Posting {
  postNo: number
  frequency: number
  positions: Uint8Array
}

function addWithPositions(list: ListWriter, { postNo, frequency, positions }: Posting): void {
  addPosting(list, postNo, frequency)
  writeBytes(list.positions, positions)
}

/** Posts that were edited stand in a later list with a lower number: rare, so that it may be slow. */
function mergeUnordered(lists: readonly EncodedList[], isLive: IsLive): EncodedList {
  const postings: Posting[] = []
  for (const [index, list] of lists.entries())
    eachPositions(list, (postNo, frequency, from, to) => {
      if (isLive(postNo, index)) postings.push({ postNo, frequency, positions: list.positions.subarray(from, to) })
    })
  postings.sort((a, b) => a.postNo - b.postNo)
  const merged = createListWriter()
  for (const posting of postings) addWithPositions(merged, posting)
  return encoded(merged)
}
