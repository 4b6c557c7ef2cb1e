import type { Db } from '#core'
import { eachPositions, readPositions } from '../inverted-index/posting-lists.ts'
import { withoutChecksum } from '../inverted-index/posting-rows.ts'
import { entryOfTerm } from '../inverted-index/term-block.ts'
import { listPositions } from '../repository/postings.ts'
import type { Segment } from '../repository/segments.ts'
import type { IndexState } from './index-state.ts'

/** A word of a phrase, by the terms it may stand as, so many words after the beginning. */
export interface PhraseWord {
  terms: readonly string[]
  offset: number
}

/** Lists with positions of the terms of phrases. */
export interface PositionLists {
  /** Segments with lists that cannot be read: phrases of their posts may be missed. */
  readonly damaged: readonly Segment[]
  /** Finds where the lists have these posts. `pause` is awaited after every list. */
  locate(posts: Iterable<number>, pause: () => Promise<void>): Promise<LocatedPositions>
}

/** The positions of some posts. */
export interface LocatedPositions {
  /** Tells of each of the posts whether it has the words at their offsets. */
  matcherOf(words: readonly PhraseWord[]): (post: number) => boolean
}

interface PositionSource {
  posts: Uint8Array
  positions: Uint8Array
  isLive(postNo: number): boolean
}

/** Where the positions of each located post begin in a list, plus 1; 0 where the list lacks it. */
interface LocatedSource {
  positions: Uint8Array
  begins: Int32Array
}

/** Reads the positions of terms in the state of the index that a search began with. */
export async function readPositionLists(
  db: Db,
  { table, segments, recent }: IndexState,
  terms: readonly string[]
): Promise<PositionLists> {
  const sources = new Map<string, PositionSource[]>(terms.map(term => [term, []]))
  const damaged: Segment[] = []
  const byId = new Map(segments.map(segment => [segment.segment_id, segment]))
  const wanted = segments.flatMap(({ segment_id }) => Array.from(sources.keys(), term => ({ segment_id, term })))
  for (const row of await listPositions(db, wanted)) {
    const segment = byId.get(row.segment_id)
    const posts = withoutChecksum(row.posts)
    const positions = withoutChecksum(row.positions)
    if (segment === undefined) continue
    if (posts === undefined || positions === undefined) {
      damaged.push(segment)
      continue
    }
    const entry = entryOfTerm({ posts, positions }, row.asked)
    if (entry === undefined) continue
    const { first_generation, last_generation } = segment
    const isLive = (postNo: number) => {
      const generation = table.generations[postNo] ?? -1
      return generation >= first_generation && generation <= last_generation
    }
    sources.get(row.asked)?.push({ posts: entry.posts, positions: entry.positions, isLive })
  }
  for (const segment of new Set(Array.from(recent.values(), each => each.segment)))
    for (const [term, ofTerm] of sources) {
      const list = segment.lists.get(term)
      const isLive = (postNo: number) => recent.get(postNo)?.segment === segment
      if (list !== undefined) ofTerm.push({ ...list, isLive })
    }
  return { damaged, locate: (posts, pause) => locate(sources, posts, pause) }
}

/** Every list is read once, however many phrases and posts are compared. */
async function locate(
  sources: ReadonlyMap<string, readonly PositionSource[]>,
  posts: Iterable<number>,
  pause: () => Promise<void>
): Promise<LocatedPositions> {
  const postNos = Int32Array.from(posts).sort()
  const located = new Map<string, LocatedSource[]>()
  for (const [term, ofTerm] of sources) {
    const all: LocatedSource[] = []
    for (const source of ofTerm) {
      all.push(locateIn(source, postNos))
      await pause()
    }
    located.set(term, all)
  }
  return {
    matcherOf: words => {
      const lists = words.map(({ terms, offset }) => ({
        sources: terms.flatMap(term => located.get(term) ?? []),
        offset
      }))
      return post => hasPhraseAt(lists, indexOf(postNos, post))
    }
  }
}

interface LocatedWord {
  sources: readonly LocatedSource[]
  offset: number
}

/** Where a phrase may begin in one post, and where its next word stands: used again for each post. */
const starts: number[] = []
const next: number[] = []

function hasPhraseAt(words: readonly LocatedWord[], at: number): boolean {
  let isFirst = true
  for (const { sources, offset } of words) {
    readStarts(sources, at, { offset, found: isFirst ? starts : next })
    if (!isFirst) intersect(starts, next)
    if (starts.length === 0) return false
    isFirst = false
  }
  return true
}

function locateIn(source: PositionSource, postNos: Int32Array): LocatedSource {
  const begins = new Int32Array(postNos.length)
  let at = 0
  eachPositions(source, (postNo, _, from) => {
    while ((postNos[at] ?? Number.POSITIVE_INFINITY) < postNo) at += 1
    if (postNos[at] === postNo && source.isLive(postNo)) begins[at] = from + 1
  })
  return { positions: source.positions, begins }
}

/** Where a phrase would begin that has one of the terms at its offset, in ascending order. */
function readStarts(
  sources: readonly LocatedSource[],
  at: number,
  { offset, found }: { offset: number; found: number[] }
): void {
  found.length = 0
  let lists = 0
  for (const { positions, begins } of sources) {
    const begin = begins[at] ?? 0
    if (begin === 0) continue
    lists += 1
    readPositions(positions, begin - 1, found)
  }
  for (let each = 0; each < found.length; each++) found[each] = (found[each] ?? 0) - offset
  if (lists > 1) found.sort((a, b) => a - b)
}

/** Leaves in the first of two ascending lists what the other has, too. */
function intersect(list: number[], other: readonly number[]): void {
  let common = 0
  for (let a = 0, b = 0; a < list.length && b < other.length; ) {
    const x = list[a] ?? 0
    const y = other[b] ?? 0
    if (x === y) list[common++] = x
    if (x <= y) a += 1
    if (y <= x) b += 1
  }
  list.length = common
}

function indexOf(postNos: Int32Array, post: number): number {
  let low = 0
  let high = postNos.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((postNos[middle] ?? 0) < post) low = middle + 1
    else high = middle
  }
  return low
}
