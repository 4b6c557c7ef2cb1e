import type { Db } from '#core'
import {
  addPositions,
  createPositionBuffer,
  endOfPositions,
  type PositionBuffer
} from '../inverted-index/encoded-list.ts'
import { type ListMemory, readIntoMemory } from '../inverted-index/list-memory.ts'
import { withoutChecksum } from '../inverted-index/posting-rows.ts'
import { entryOfTerm, positionsOfOnly } from '../inverted-index/term-block.ts'
import type { LanguageFlags } from '../languages.ts'
import { listPositions, type PositionsRow } from '../repository/postings.ts'
import { bytesOfSegments, type Segment } from '../repository/segments.ts'
import type { IndexState } from './index-state.ts'
import { segmentsLackingRows } from './missing-rows.ts'
import { partsOf, type StoredLists } from './stored-lists.ts'

/** A word of a phrase, by the terms it may stand as, so many words after the beginning. */
export interface PhraseWord {
  terms: readonly { term: string; languages: LanguageFlags | undefined }[]
  offset: number
  stopWordIn: LanguageFlags | undefined
}

/** Lists with positions of the terms of phrases. */
export interface PositionLists {
  /** Segments with lists that cannot be read: phrases of their posts may be missed. */
  readonly damaged: readonly Segment[]
  /** False when there was no time for all of the terms. */
  readonly isWhole: boolean
  /** Finds where the lists have these posts. `pause` is awaited after every list. */
  locate(posts: Int32Array, pause: () => Promise<void>): Promise<LocatedPositions>
}

/** The positions of some posts. */
interface LocatedPositions {
  /** Tells of each of the posts whether it has the words at their offsets. */
  matcherOf(words: readonly PhraseWord[]): (post: number) => boolean
}

interface PositionSource {
  posts: Uint8Array
  positions: Uint8Array
  isLive(postNo: number): boolean
}

/** Where the located posts have a term. A post stands in one list of it at most. */
interface LocatedTerm {
  sources: readonly PositionSource[]
  /** By place among the posts: the list that has the post, of some hundred, and where its positions begin there, plus 1; 0 for none. */
  sourceOf: Uint16Array
  begins: Int32Array
}

/** How the positions of terms are read: by as many statements as there is time for. */
export interface PositionReading {
  hasTimeToRead(): boolean
  /** How many of the terms, from the first on, one statement may read now. */
  countOf(terms: readonly string[]): number
  /** For what is found. */
  memory: Pick<ListMemory, 'take'>
  /** The lists of the terms, without positions. */
  stored: ReadonlyMap<string, StoredLists>
  /** Reads so many terms. */
  measure<T>(terms: readonly string[], read: () => Promise<T>): Promise<T>
}

/** Reads the positions of terms in the state of the index that a search began with. */
export async function readPositionLists(
  db: Db,
  state: IndexState,
  terms: readonly string[],
  reading: PositionReading
): Promise<PositionLists> {
  const { segments } = state
  const sources = new Map<string, PositionSource[]>()
  const damaged: Segment[] = []
  const byId = new Map(segments.map(segment => [segment.segment_id, segment]))
  const rest = [...terms]
  while (rest.length > 0 && (sources.size === 0 || reading.hasTimeToRead())) {
    const asked = rest.splice(0, reading.countOf(rest))
    const lists = segments.flatMap(({ segment_id }) => asked.map(term => ({ segment_id, term })))
    const indexBytes = bytesOfSegments(segments)
    const rows = await reading.measure(asked, () =>
      readIntoMemory(reading.memory, read => listPositions(db, { lists, indexBytes }, read))
    )
    const rowsOf = Map.groupBy(rows, row => row.asked)
    for (const term of asked) {
      sources.set(term, recentSources(term, state))
      damaged.push(...segmentsLackingRows(segments, rowsOf.get(term) ?? []))
    }
    for (const row of rows) {
      const segment = byId.get(row.segment_id)
      const source = segment && storedSource(row, segment, state, reading.stored)
      if (source === 'damaged' && segment !== undefined) damaged.push(segment)
      else if (source !== undefined && source !== 'damaged') sources.get(row.asked)?.push(source)
    }
  }
  const { languageCodes } = state.table
  return {
    damaged,
    isWhole: rest.length === 0,
    locate: (posts, pause) => locate(sources, posts, { pause, languageCodes, memory: reading.memory })
  }
}

function recentSources(term: string, { recent }: IndexState): PositionSource[] {
  const analyzed = new Set(Array.from(recent.values(), each => each.segment))
  return [...analyzed].flatMap(segment => {
    const list = segment.listOf(term)
    const isLive = (postNo: number) => recent.get(postNo)?.segment === segment
    return list === undefined ? [] : [{ ...list, isLive }]
  })
}

/** Undefined where the row has another term. */
function storedSource(
  row: PositionsRow,
  { first_generation, last_generation }: Segment,
  { table }: IndexState,
  stored: PositionReading['stored']
): PositionSource | 'damaged' | undefined {
  const entry = entryOf(row, stored)
  if (entry === 'damaged') return entry
  const isLive = (postNo: number) => {
    const generation = table.generations[postNo] ?? -1
    return generation >= first_generation && generation <= last_generation
  }
  return entry && { posts: entry.posts, positions: entry.positions, isLive }
}

function entryOf(
  { segment_id, asked, part, ...row }: PositionsRow,
  stored: PositionReading['stored']
): Pick<PositionSource, 'posts' | 'positions'> | 'damaged' | undefined {
  const positions = withoutChecksum(row.positions)
  if (positions === undefined) return 'damaged'
  if (row.posts === null) {
    const parts = partsOf(stored.get(asked), segment_id)
    // The long list is of the term before it.
    if (parts?.length === 0) return undefined
    const posts = parts?.[part]
    return posts === undefined ? 'damaged' : { posts, positions: positionsOfOnly(positions) }
  }
  const posts = withoutChecksum(row.posts)
  return posts === undefined ? 'damaged' : entryOfTerm({ posts, positions }, asked)
}

/** Every list is read once, however many phrases and posts are compared. */
async function locate(
  sources: ReadonlyMap<string, readonly PositionSource[]>,
  posts: Int32Array,
  {
    pause,
    languageCodes,
    memory
  }: { pause: () => Promise<void>; languageCodes: Uint8Array; memory: PositionReading['memory'] }
): Promise<LocatedPositions> {
  const indexes = indexesOf(posts, memory)
  const located = new Map<string, LocatedTerm>()
  for (const [term, ofTerm] of sources) {
    const { postNos, weights } = memory.take(posts.length)
    // Where none begins no list is looked for: of those, nothing needs to be overwritten.
    const sourceOf = new Uint16Array(weights.buffer)
    const inTerm = { sources: ofTerm, sourceOf, begins: postNos.fill(0, 0, posts.length) }
    located.set(term, inTerm)
    for (const source of ofTerm.keys()) {
      locateIn(inTerm, source, indexes)
      await pause()
    }
  }
  return {
    matcherOf: words => {
      const byLanguage = new Map<number, LocatedWord[]>()
      let last = 0
      let lists = locatedIn(last, words, located)
      return post => {
        const code = languageCodes[post] ?? 0
        // Posts of one language mostly follow each other.
        if (code !== last) {
          last = code
          lists = byLanguage.get(code) ?? locatedIn(code, words, located)
          byLanguage.set(code, lists)
        }
        return hasPhraseAt(lists, (indexes[post] ?? 0) - 1)
      }
    }
  }
}

/** The words of a phrase as posts in a language have them: stop words stand in no list. */
const locatedIn = (
  code: number,
  words: readonly PhraseWord[],
  located: ReadonlyMap<string, LocatedTerm>
): LocatedWord[] =>
  words
    .filter(({ stopWordIn }) => stopWordIn?.[code] !== 1)
    .map(({ terms, offset }) => ({
      terms: terms.flatMap(({ term, languages }) => (languages?.[code] === 0 ? [] : (located.get(term) ?? []))),
      offset
    }))

/** By number of a post, its place among the posts, plus 1; 0 for others. */
function indexesOf(posts: Int32Array, memory: PositionReading['memory']): Int32Array {
  let max = 0
  for (const post of posts) if (post > max) max = post
  const indexes = zeros(max + 1, memory)
  for (let place = 0; place < posts.length; place++) indexes[posts[place] ?? 0] = place + 1
  return indexes
}

/** They may be some megabytes, which are used again. */
const zeros = (count: number, memory: PositionReading['memory']): Int32Array =>
  memory.take(count).postNos.subarray(0, count).fill(0)

interface LocatedWord {
  terms: readonly LocatedTerm[]
  offset: number
}

/** Where a phrase may begin in one post, and where its next word stands: used again for each post. */
const starts = createPositionBuffer()
const next = createPositionBuffer()

function hasPhraseAt(words: readonly LocatedWord[], at: number): boolean {
  for (let index = 0; index < words.length; index++) {
    const word = words[index]
    if (word === undefined) continue
    readStarts(word, at, index === 0 ? starts : next)
    if (index > 0) intersect(starts, next)
    if (starts.count === 0) return false
  }
  return true
}

/** Finds the posts in one list of a term. A hot loop: nothing in it allocates, and posts that are not looked for are passed over. */
function locateIn({ sources, sourceOf, begins }: LocatedTerm, at: number, indexes: Int32Array): void {
  const source = sources[at]
  if (source === undefined) return
  const { posts, positions, isLive } = source
  let postNo = 0
  let position = 0
  for (let byteAt = 0; byteAt < posts.length; ) {
    let byte = posts[byteAt++] ?? 0
    let delta = byte & 127
    for (let shift = 7; byte > 127; shift += 7) {
      byte = posts[byteAt++] ?? 0
      delta |= (byte & 127) << shift
    }
    byteAt += 1 // the frequency
    postNo += delta
    const place = indexes[postNo] ?? 0
    if (place !== 0 && isLive(postNo)) {
      begins[place - 1] = position + 1
      sourceOf[place - 1] = at
    }
    position = endOfPositions(positions, position)
  }
}

/** Where a phrase would begin that has one of the terms at its offset, in ascending order. */
function readStarts({ terms, offset }: LocatedWord, at: number, found: PositionBuffer): void {
  found.count = 0
  let lists = 0
  // A hundred thousand posts are asked for: loops over entries take longer.
  for (let term = 0; term < terms.length; term++) {
    const located = terms[term]
    const begin = located?.begins[at] ?? 0
    const source = begin === 0 ? undefined : located?.sources[located.sourceOf[at] ?? 0]
    if (source === undefined) continue
    lists += 1
    addPositions(found, source.positions, begin - 1, offset)
  }
  if (lists > 1) found.values.subarray(0, found.count).sort()
}

/** Leaves in the first of two ascending lists what the other has, too. */
function intersect(list: PositionBuffer, other: PositionBuffer): void {
  let common = 0
  for (let a = 0, b = 0; a < list.count && b < other.count; ) {
    const x = list.values[a] ?? 0
    const y = other.values[b] ?? 0
    if (x === y) list.values[common++] = x
    if (x <= y) a += 1
    if (y <= x) b += 1
  }
  list.count = common
}
