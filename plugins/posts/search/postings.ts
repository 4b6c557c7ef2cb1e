import type { Changes, Db } from '#core'
import { type IndexSize, listPostings, readIndexSize } from '../repository/search.ts'
import { postsTopic } from '../totals.ts'

/** The posts that have a term, as parallel arrays; `weights` says how much each says of it, before the term's rarity. */
export interface PostingList {
  readonly posts: Int32Array
  readonly seconds: Int32Array
  readonly weights: Float32Array
}

/** What one search reads: all of it from one state of the index, unless a post changes meanwhile. */
export interface Index {
  /** How many posts there are. */
  readonly posts: number
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
  let size: (IndexSize & { readAtMs: number }) | undefined
  let generation = 0
  changes.on(postsTopic, () => {
    generation += 1
    kept.clear()
    bytes = 0
    size = undefined
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
  const read = async (terms: readonly string[], averageWords: number) => {
    const begun = generation
    const found = new Map<string, PostingList>()
    for (const { term, postings } of await listPostings(db, terms)) {
      const list = decode(postings, averageWords)
      found.set(term, list)
      if (begun === generation) keep(term, list)
    }
    return found
  }
  const reading = createReading(() => (changes.isCurrent() ? generation : undefined))
  const readSize = async () => {
    const begun = generation
    const readAtMs = now().getTime()
    const found = { ...(await readIndexSize(db)), readAtMs }
    if (begun === generation) size = found
    return found
  }
  return {
    open: async () => {
      const of = (changes.isCurrent() ? size : undefined) ?? (await reading('', readSize))
      return {
        posts: of.posts,
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
          const found = await reading(missing.join(' '), () => read(missing, of.words))
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

const postingBytes = 14
const keptOverhead = 300
const bytesOf = ({ posts }: Pick<PostingList, 'posts'>) => posts.length * 12 + keptOverhead

/** BM25's constants: how soon repetition stops counting, and how much a long text is held against it. */
const saturation = 1.2
const lengthShare = 0.75
/** What one mention in a title or a heading is worth, in mentions in the text. */
const titleWeight = 5
const headingWeight = 1.5

function decode(bytes: Buffer, averageWords: number): PostingList {
  const count = bytes.length / postingBytes
  const posts = new Int32Array(count)
  const seconds = new Int32Array(count)
  const weights = new Float32Array(count)
  for (let at = 0, from = 0; at < count; at++, from += postingBytes) {
    posts[at] = bytes.readInt32BE(from)
    seconds[at] = bytes.readInt32BE(from + 4)
    const length = bytes.readInt16BE(from + 8) / averageWords
    const said = bytes.readInt16BE(from + 10)
    const title = bytes.readUInt8(from + 12)
    const headings = bytes.readUInt8(from + 13)
    const mentions = said + titleWeight * title + headingWeight * headings
    const norm = saturation * (1 - lengthShare + lengthShare * length)
    weights[at] = ((saturation + 1) * mentions) / (mentions + norm)
  }
  return { posts, seconds, weights }
}
