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
  /** Those of these posts that have the words at their offsets. */
  withPhrase(words: readonly PhraseWord[], posts: Iterable<number>): Set<number>
}

interface PositionSource {
  posts: Uint8Array
  positions: Uint8Array
  isLive(postNo: number): boolean
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
  for (const row of await listPositions(db, [...byId.keys()], [...sources.keys()])) {
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
  return { damaged, withPhrase: (words, posts) => withPhrase(sources, words, posts) }
}

/** Where a phrase may begin in each post: narrowed by one word after the other. */
function withPhrase(
  sources: ReadonlyMap<string, readonly PositionSource[]>,
  words: readonly PhraseWord[],
  posts: Iterable<number>
): Set<number> {
  let candidates = new Set(posts)
  let starts = new Map<number, Set<number>>()
  for (const [at, { terms, offset }] of words.entries()) {
    const found = new Map<number, Set<number>>()
    for (const source of terms.flatMap(term => sources.get(term) ?? []))
      eachPositions(source, (postNo, _, from) => {
        if (!candidates.has(postNo) || !source.isLive(postNo)) return
        const before = starts.get(postNo)
        for (const position of readPositions(source.positions, from)) {
          const start = position - offset
          if (at > 0 && before?.has(start) !== true) continue
          const ofPost = found.get(postNo)
          if (ofPost === undefined) found.set(postNo, new Set([start]))
          else ofPost.add(start)
        }
      })
    starts = found
    candidates = new Set(found.keys())
  }
  return candidates
}
