import type { Changes, Db } from '#core'
import { postsTopic } from '#plugins/posts'
import { termFrequencyWeight } from '#text'
import { listPostings, type PublishedRow, readPublished } from './repository/search.ts'

/** The posts that have a term, as parallel arrays; `weights` says how much each says of it, before the term's rarity. */
export interface PostingList {
  readonly posts: Int32Array
  readonly weights: Float32Array
}

/** What one search reads: all of it from one state of the index, unless a post changes meanwhile. */
export interface Index {
  /** How many posts there are. */
  readonly posts: number
  /** By number of the post, when it is published, in seconds since 2000; `notPublished` for others. */
  readonly times: Int32Array
  /** Now by the database's clock, in seconds since 2000: later posts are not public yet. */
  readonly nowSeconds: number
  /** The lists of terms; a term no post has is left out. */
  lists(terms: readonly string[]): Promise<Map<string, PostingList>>
}

export interface Postings {
  open(): Promise<Index>
}

export interface PostingsDeps {
  db: Db
  changes: Changes
  maxBytes: () => number
  now: () => Date
}

/** Reads lists of the index, and keeps those used last until a post changes. */
export function createPostings({ db, changes, maxBytes, now }: PostingsDeps): Postings {
  const kept = new Map<string, PostingList>()
  let bytes = 0
  let published: Published | undefined
  let generation = 0
  changes.on(postsTopic, () => {
    generation += 1
    kept.clear()
    bytes = 0
    published = undefined
  })
  const keep = (term: string, list: PostingList) => {
    if (kept.has(term)) return
    kept.set(term, list)
    bytes += bytesOf(list)
    for (const [oldest, { posts }] of kept) {
      if (bytes <= maxBytes()) return
      kept.delete(oldest)
      bytes -= bytesOf({ posts })
    }
  }
  const use = (term: string) => {
    const list = changes.isCurrent() ? kept.get(term) : undefined
    if (list === undefined) return undefined
    // The order of the map is the order of use.
    kept.delete(term)
    kept.set(term, list)
    return list
  }
  const read = async (terms: readonly string[], of: Published) => {
    const begun = generation
    const found = new Map<string, PostingList>()
    for (const { term, postings } of await listPostings(db, terms)) {
      const list = decode(postings, of)
      // Drafts alone have it.
      if (list.posts.length === 0) continue
      found.set(term, list)
      if (begun === generation) keep(term, list)
    }
    return found
  }
  const reading = createReading(() => (changes.isCurrent() ? generation : undefined))
  const readAll = async () => {
    const begun = generation
    const read = publishedOf(await readPublished(db), now().getTime())
    if (begun === generation) published = read
    return read
  }
  return {
    open: async () => {
      const of = (changes.isCurrent() ? published : undefined) ?? (await reading('', readAll))
      return {
        posts: of.posts,
        times: of.times,
        nowSeconds: of.seconds + Math.floor((now().getTime() - of.readAtMs) / 1000),
        lists: async terms => {
          const lists = new Map<string, PostingList>()
          const missing: string[] = []
          for (const term of new Set(terms)) {
            const list = use(term)
            if (list === undefined) missing.push(term)
            else lists.set(term, list)
          }
          if (missing.length === 0) return lists
          const found = await reading(missing.join(' '), () => read(missing, of))
          for (const [term, list] of found) lists.set(term, list)
          return lists
        }
      }
    }
  }
}

/** Joins callers that want the same read while it is under way, of one state of the index; undefined: each reads for itself. */
function createReading(state: () => number | undefined) {
  const underWay = new Map<string, Promise<unknown>>()
  return <T>(what: string, read: () => Promise<T>): Promise<T> => {
    const now = state()
    if (now === undefined) return read()
    const key = `${now} ${what}`
    const begun = underWay.get(key)
    // The key says what is read, and so its type.
    if (begun !== undefined) return begun as Promise<T>
    const begins = read().finally(() => underWay.delete(key))
    underWay.set(key, begins)
    return begins
  }
}

/** Which posts are published: by number of the post, when, in seconds since 2000. */
interface Published {
  times: Int32Array
  posts: number
  words: number
  seconds: number
  readAtMs: number
}

/** Stands for no time. */
export const notPublished = -2_147_483_648

function publishedOf({ published, words, seconds }: PublishedRow, readAtMs: number): Published {
  const bytes = published ?? Buffer.alloc(0)
  let highest = -1
  for (let at = 0; at < bytes.length; at += 8) highest = Math.max(highest, bytes.readInt32BE(at))
  const times = new Int32Array(highest + 1).fill(notPublished)
  for (let at = 0; at < bytes.length; at += 8) times[bytes.readInt32BE(at)] = bytes.readInt32BE(at + 4)
  return { times, posts: bytes.length / 8, words, seconds, readAtMs }
}

const postingBytes = 10
const keptOverhead = 300
const bytesOf = ({ posts }: Pick<PostingList, 'posts'>) => posts.length * 8 + keptOverhead

/** What one mention in a title or a heading is worth, in mentions in the text. */
const titleWeight = 5
const headingWeight = 1.5

/** The published posts of a list. */
function decode(bytes: Buffer, { times, words }: Published): PostingList {
  const most = bytes.length / postingBytes
  const posts = new Int32Array(most)
  const weights = new Float32Array(most)
  let count = 0
  for (let from = 0; from < bytes.length; from += postingBytes) {
    const post = bytes.readInt32BE(from)
    if ((times[post] ?? notPublished) === notPublished) continue
    posts[count] = post
    const said = bytes.readInt16BE(from + 6)
    const mentions = said + titleWeight * bytes.readUInt8(from + 8) + headingWeight * bytes.readUInt8(from + 9)
    weights[count++] = termFrequencyWeight(mentions, bytes.readInt16BE(from + 4) / words)
  }
  return { posts: posts.slice(0, count), weights: weights.slice(0, count) }
}
