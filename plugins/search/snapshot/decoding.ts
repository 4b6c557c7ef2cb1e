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
  // What a segment is known to lack is not seen by the lists that are read.
  let isDamaged = segments.some(segment => segment.is_damaged)
  let running = 0
  return {
    decoded,
    isDamaged: () => isDamaged,
    close() {
      // A search that failed may leave a list that is still being read.
      if (running === 0) memory.release()
    },
    async decode(terms: readonly string[]) {
      running += 1
      const stored = await load(segments, terms)
      // The shortest first: they say most of a query, when there is no time for all.
      const inOrder = terms
        .map(term => ({ term, sources: [...sourcesOf(segments, stored.get(term)), ...recentSources(term, state)] }))
        .sort((a, b) => bytesIn(a.sources) - bytesIn(b.sources))
      for (const { term, sources } of inOrder) {
        const list = pacing.hasTime() ? readList(sources, { table, recent, weights, memory }) : unreadList
        decoded.set(term, list)
        isDamaged ||= segments.some(({ segment_id }) => stored.get(term)?.damaged.includes(segment_id) === true)
        await pacing.spend(list.postNos.length)
      }
      running -= 1
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
    const list = segment.lists.get(term)
    return list === undefined ? [] : [{ posts: list.posts, generations: undefined, recent: segment }]
  })
}

const bytesIn = (sources: readonly ListSource[]) => sources.reduce((sum, { posts }) => sum + posts.length, 0)
