import type { ListMemory } from '../inverted-index/list-memory.ts'
import { type ListSource, type PostingList, readList } from '../inverted-index/posting-list.ts'
import type { Weights } from '../inverted-index/weights.ts'
import type { Segment } from '../repository/segments.ts'
import type { IndexState } from './index-state.ts'
import type { Pacing } from './pacing.ts'
import { eachStoredList, type LoadLists, type StoredLists } from './stored-lists.ts'

/** Of what there was no time for. */
export const unreadList: PostingList = { postNos: new Int32Array(0), weights: new Float32Array(0) }

interface DecodingDeps {
  state: IndexState
  weights: Weights
  memory: ListMemory
  load: LoadLists
  pacing: Pacing
}

/** Decodes the lists of one search, until its time is up. */
export function createDecoding({ state, weights, memory, load, pacing }: DecodingDeps) {
  const { table, segments, recent } = state
  const decoded = new Map<string, PostingList>()
  const found = new Map<string, StoredLists>()
  // What a segment is known to lack is not seen by the lists that are read.
  let isDamaged = segments.some(segment => segment.is_damaged)
  // However late it is, the reader gets to see something.
  let hasPosts = false
  const hasTimeToRead = () => !hasPosts || pacing.hasTimeToRead()
  return {
    decoded,
    /** The lists as they are stored. */
    stored: found,
    isDamaged: () => isDamaged,
    async decode(terms: readonly string[]) {
      await memory.use(async () => {
        for await (const stored of load(segments, terms, { ...pacing, hasTimeToRead })) await read(stored)
      })
      for (const term of terms) if (!decoded.has(term)) decoded.set(term, unreadList)
    }
  }

  async function read(stored: ReadonlyMap<string, StoredLists>): Promise<void> {
    // The shortest first: they say most of a query, when there is no time for all.
    const inOrder = Array.from(stored, ([term, lists]) => ({
      term,
      sources: [...sourcesOf(segments, lists), ...recentSources(term, state)],
      isDamaged: segments.some(({ segment_id }) => lists.damaged.includes(segment_id))
    })).sort((a, b) => bytesIn(a.sources) - bytesIn(b.sources))
    for (const [term, lists] of stored) found.set(term, lists)
    for (const each of inOrder) {
      const list = pacing.hasTime() ? readList(each.sources, { table, recent, weights, memory }) : unreadList
      decoded.set(each.term, list)
      hasPosts ||= list.postNos.length > 0
      isDamaged ||= each.isDamaged
      await pacing.spend(list.postNos.length)
    }
  }
}

function sourcesOf(segments: readonly Segment[], lists: StoredLists | undefined): ListSource[] {
  if (lists === undefined) return []
  const byId = new Map(segments.map(segment => [segment.segment_id, segment]))
  return Array.from(eachStoredList(lists)).flatMap(([segment_id, posts]) => {
    const segment = byId.get(segment_id)
    if (segment === undefined) return []
    const { first_generation: first, last_generation: last } = segment
    return [{ posts, generations: { first, last }, recent: undefined }]
  })
}

function recentSources(term: string, { recent }: IndexState): ListSource[] {
  const segments = new Set(Array.from(recent.values(), ({ segment }) => segment))
  return [...segments].flatMap(segment => {
    const list = segment.listOf(term)
    return list === undefined ? [] : [{ posts: list.posts, generations: undefined, recent: segment }]
  })
}

const bytesIn = (sources: readonly ListSource[]) => sources.reduce((sum, { posts }) => sum + posts.length, 0)
