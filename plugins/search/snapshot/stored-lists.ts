import { createCache, type Db } from '#core'
import { withoutChecksum } from '../inverted-index/posting-rows.ts'
import { postsOfTerm } from '../inverted-index/term-block.ts'
import { listPostings, type PostingsRow } from '../repository/postings.ts'
import { bytesOfSegments, type Segment } from '../repository/segments.ts'
import { createBatchSizer } from './batch-sizer.ts'
import { segmentsLackingRows } from './missing-rows.ts'
import type { Pacing } from './pacing.ts'

/** The stored lists of one term in some segments. */
export interface StoredLists {
  /** Segments that were read, whether they have the term or not. */
  readonly read: ReadonlySet<number>
  /** Those among them with a damaged list. */
  readonly damaged: readonly number[]
  /** Each at least twice as long as the next: the lists of a new segment are added without a copy of all others. */
  readonly chunks: readonly ListChunk[]
}

/** Lists that follow each other. An array for each takes more memory than most lists. */
interface ListChunk {
  /** The segment of each list: of several, where a list has several parts. */
  readonly segments: readonly number[]
  /** Where each list ends in `posts`. */
  readonly ends: readonly number[]
  readonly posts: Uint8Array
}

const noLists: StoredLists = { read: new Set(), damaged: [], chunks: [] }

type StoredList = readonly [segment_id: number, posts: Uint8Array]

/** The lists of a term one by one, without a copy. */
export function* eachStoredList({ chunks }: Pick<StoredLists, 'chunks'>): Generator<StoredList> {
  for (const { segments, ends, posts } of chunks) {
    let from = 0
    for (const [at, segment_id] of segments.entries()) {
      const to = ends[at] ?? from
      yield [segment_id, posts.subarray(from, to)]
      from = to
    }
  }
}

/** The posts of a term's list in a segment, by part of the list; none where it lacks the term, undefined of a damaged one. */
export function partsOf(lists: StoredLists | undefined, segment_id: number): Uint8Array[] | undefined {
  if (lists === undefined || lists.damaged.includes(segment_id)) return undefined
  return Array.from(eachStoredList(lists)).flatMap(([id, posts]) => (id === segment_id ? [posts] : []))
}

/** Reads the lists of terms in segments, by term: those in memory first, and the others by as many statements as there is time for. */
export type LoadLists = (
  segments: readonly Segment[],
  terms: readonly string[],
  pacing: Pick<Pacing, 'hasTimeToRead' | 'statementMs'>
) => AsyncIterable<ReadonlyMap<string, StoredLists>>

interface StoredListsDeps {
  db: Db
  maxBytes: () => number
  /** Called for a segment with damaged postings. */
  onDamage: (segment: Segment) => void
}

/** The lists used last stay in memory, by term. A new segment costs its own lists alone. */
export function createStoredLists({ db, maxBytes, onDamage }: StoredListsDeps): LoadLists {
  const cache = createCache<StoredLists>({ maxBytes, bytesOf })
  const batches = createBatchSizer()
  // One for all terms that were read of the same segments.
  const ids = new WeakMap<readonly Segment[], ReadonlySet<number>>()
  const idsOf = (segments: readonly Segment[]) => {
    const known = ids.get(segments) ?? new Set(segments.map(({ segment_id }) => segment_id))
    ids.set(segments, known)
    return known
  }
  const readPiece = async (segments: readonly Segment[], known: ReadonlyMap<string, StoredLists>) => {
    const lists = [...known].flatMap(([term, { read }]) =>
      segments.flatMap(({ segment_id }) => (read.has(segment_id) ? [] : [{ segment_id, term }]))
    )
    const store = cache.begin()
    const rows = Map.groupBy(await listPostings(db, { lists, indexBytes: bytesOfSegments(segments) }), row => row.asked)
    const byId = new Map(segments.map(segment => [segment.segment_id, segment]))
    const ids = idsOf(segments)
    const found = new Map<string, StoredLists>()
    for (const [term, before] of known) {
      const ofTerm = rows.get(term) ?? []
      const asked = segments.filter(({ segment_id }) => !before.read.has(segment_id))
      const stored = { ...joined(before, { asked, ids }, ofTerm, term), read: ids }
      found.set(term, stored)
      store(term, stored)
      for (const segment_id of stored.damaged) {
        const segment = byId.get(segment_id)
        if (segment !== undefined) onDamage(segment)
      }
    }
    return found
  }
  return async function* (segments, terms, pacing) {
    const known = new Map(terms.map(term => [term, cache.get(term) ?? noLists]))
    const isWhole = ({ read }: StoredLists) => segments.every(({ segment_id }) => read.has(segment_id))
    const whole = new Map([...known].filter(([, lists]) => isWhole(lists)))
    const rest = [...known].filter(([term]) => !whole.has(term))
    // With the first piece, so that the shortest of all are first.
    let found: ReadonlyMap<string, StoredLists> = whole
    while (rest.length > 0 && pacing.hasTimeToRead()) {
      const min = found === whole ? minFirst : 1
      const piece = new Map(rest.splice(0, Math.max(min, batches.size(pacing.statementMs()))))
      const read = await batches.measure(piece.size, () => readPiece(segments, piece))
      yield found.size === 0 ? read : new Map([...found, ...read])
      found = noneFound
    }
    if (found.size > 0) yield found
  }
}

/** The lists of the segments that are still read, and those of the rows. */
function joined(
  known: StoredLists,
  { asked, ids: wanted }: { asked: readonly Segment[]; ids: ReadonlySet<number> },
  rows: readonly PostingsRow[],
  term: string
): Omit<StoredLists, 'read'> {
  const damaged = new Set(known.damaged.filter(segment_id => wanted.has(segment_id)))
  for (const { segment_id } of segmentsLackingRows(asked, rows)) damaged.add(segment_id)
  const added: StoredList[] = []
  for (const { segment_id, posts } of rows) {
    const block = withoutChecksum(posts)
    const list = block && postsOfTerm(block, term)
    if (block === undefined) damaged.add(segment_id)
    else if (list !== undefined) added.push([segment_id, list])
  }
  const chunks = known.chunks.map(chunk => chunkOfWanted(chunk, wanted))
  return { damaged: [...damaged], chunks: inSizes([...chunks, chunkOf(added)]) }
}

function chunkOf(lists: readonly StoredList[]): ListChunk {
  const ends: number[] = []
  for (const [, list] of lists) ends.push((ends.at(-1) ?? 0) + list.length)
  const posts = new Uint8Array(ends.at(-1) ?? 0)
  for (const [at, [, list]] of lists.entries()) posts.set(list, (ends[at] ?? 0) - list.length)
  return { segments: lists.map(([segment_id]) => segment_id), ends, posts }
}

const chunkOfWanted = (chunk: ListChunk, wanted: ReadonlySet<number>): ListChunk =>
  chunk.segments.every(segment_id => wanted.has(segment_id))
    ? chunk
    : chunkOf([...eachStoredList({ chunks: [chunk] })].filter(([segment_id]) => wanted.has(segment_id)))

/** Joins what is too short to stand by itself: of some hundred thousand bytes, the last few thousand are copied. */
function inSizes(chunks: readonly ListChunk[]): ListChunk[] {
  const sized: ListChunk[] = []
  for (const chunk of chunks) {
    let joined = chunk
    for (
      let last = sized.at(-1);
      last !== undefined && last.posts.length < 2 * joined.posts.length;
      last = sized.at(-1)
    ) {
      joined = chunkOf([...eachStoredList({ chunks: [last, joined] })])
      sized.pop()
    }
    if (joined.segments.length > 0) sized.push(joined)
  }
  return sized
}

/** Lists of the first statement: the shortest of a few says something, when there is time for no other. */
const minFirst = 8

const noneFound: ReadonlyMap<string, StoredLists> = new Map()

const cachedOverhead = 500
const bytesOfChunk = 200
const bytesOfList = 16

const bytesOf = ({ chunks }: StoredLists) =>
  chunks.reduce((sum, { posts, ends }) => sum + posts.length + ends.length * bytesOfList + bytesOfChunk, cachedOverhead)
