import { eachPosting } from './encoded-list.ts'
import type { ListMemory } from './list-memory.ts'
import { notIndexed, notPublished, type PostTable } from './post-table.ts'
import type { RecentPosts, RecentSegment } from './recent-posts.ts'
import { type Weights, weightIndex } from './weights.ts'

/** The posts that have a term, as parallel arrays; `weights` says how much each says of it, before the term's rarity. */
export interface PostingList {
  readonly postNos: Int32Array
  readonly weights: Float32Array
}

/** The same without posts in other languages. `languages` has 1 at the code of each. */
export function listIn(list: PostingList, languages: Uint8Array, languageCodes: Uint8Array): PostingList {
  const postNos = new Int32Array(list.postNos.length)
  const weights = new Float32Array(list.postNos.length)
  let count = 0
  for (let at = 0; at < list.postNos.length; at++) {
    const post = list.postNos[at] ?? 0
    if (languages[languageCodes[post] ?? 0] !== 1) continue
    postNos[count] = post
    weights[count++] = list.weights[at] ?? 0
  }
  return { postNos: postNos.subarray(0, count), weights: weights.subarray(0, count) }
}

/** A part of a list as it is stored, and which of its posts count. */
export interface ListSource {
  posts: Uint8Array
  /** The generations of its segment; undefined for one that this process analyzed itself. */
  generations: { first: number; last: number } | undefined
  recent: RecentSegment | undefined
}

/** What a list is read with. */
interface ListReading {
  table: PostTable
  weights: Weights
  recent: RecentPosts
  memory: Pick<ListMemory, 'take'>
}

/** The published posts of a list, in `memory`. */
export function readList(sources: readonly ListSource[], reading: ListReading): PostingList {
  // A posting takes two bytes at least.
  const capacity = sources.reduce((sum, { posts }) => sum + (posts.length >> 1), 0)
  const list = reading.memory.take(capacity)
  let count = 0
  for (const source of sources) {
    count =
      source.generations === undefined
        ? readRecent(source, list, count, reading)
        : readStored(source.posts, source.generations, list, count, reading)
  }
  return { postNos: list.postNos.subarray(0, count), weights: list.weights.subarray(0, count) }
}

/** The hot loop of every search: nothing in it calls or allocates. @returns how many the list has now */
function readStored(
  posts: Uint8Array,
  { first, last }: { first: number; last: number },
  list: PostingList,
  from: number,
  { table, weights }: ListReading
): number {
  const { liveGenerations, lengthCodes } = table
  let count = from
  let postNo = 0
  for (let at = 0; at < posts.length; ) {
    let byte = posts[at++] ?? 0
    let delta = byte & 127
    for (let shift = 7; byte > 127; shift += 7) {
      byte = posts[at++] ?? 0
      delta |= (byte & 127) << shift
    }
    postNo += delta
    const frequency = posts[at++] ?? 0
    const generation = liveGenerations[postNo] ?? notIndexed
    if (generation < first || generation > last) continue
    list.postNos[count] = postNo
    list.weights[count++] = weights[weightIndex(frequency, lengthCodes[postNo] ?? 0)] ?? 0
  }
  return count
}

function readRecent(
  { posts, recent: segment }: ListSource,
  list: PostingList,
  from: number,
  { table, weights, recent }: ListReading
): number {
  let count = from
  eachPosting({ posts }, (postNo, frequency) => {
    if (recent.get(postNo)?.segment !== segment || table.generations[postNo] !== notIndexed) return
    if ((table.publishedSeconds[postNo] ?? notPublished) === notPublished) return
    list.postNos[count] = postNo
    list.weights[count++] = weights[weightIndex(frequency, table.lengthCodes[postNo] ?? 0)] ?? 0
  })
  return count
}
