import { type Changes, createCache, type Db } from '#core'
import { postsCacheTag } from '#plugins/posts'
import { termFrequencyWeight } from '#text'
import { listPostings, type PublishedRow, readPublished } from '../repository/postings.ts'

/** The posts that have a term, as parallel arrays; `weights` says how much each says of it, before the term's rarity. */
export interface PostingList {
  readonly postNos: Int32Array
  readonly weights: Float32Array
}

/** What one search reads: all of it from one state of the index, unless a post changes meanwhile. */
export interface IndexSnapshot {
  /** How many posts there are. */
  readonly postCount: number
  /** By number of the post, when it is published, in seconds since 2000; `notPublished` for others. */
  readonly publishedSeconds: Int32Array
  /** Now by the database's clock, in seconds since 2000: later posts are not public yet. */
  readonly nowSeconds: number
  /** The lists of terms; a term no post has is left out. */
  lists(terms: readonly string[]): Promise<Map<string, PostingList>>
}

export interface Postings {
  open(): Promise<IndexSnapshot>
}

export interface PostingsDeps {
  db: Db
  changes: Changes
  maxBytes: () => number
  now: () => Date
}

/** The inverted index, with the lists used last in memory until a post changes. */
export function createPostings({ db, changes, maxBytes, now }: PostingsDeps): Postings {
  const tags = [postsCacheTag]
  const lists = createCache<PostingList>({ changes, tags, maxBytes, bytesOf })
  const published = createCache<Published>({ changes, tags })
  // Stores nothing: who wants the same lists at the same time gets the same read.
  const reads = createCache<ReadonlyMap<string, PostingList>>({ changes, tags, maxEntries: () => 0 })
  const readLists = async (terms: readonly string[], of: Published) => {
    const found = new Map<string, PostingList>()
    for (const { term, postings } of await listPostings(db, terms)) {
      const list = decode(postings, of)
      // Drafts alone have it.
      if (list.postNos.length > 0) found.set(term, list)
    }
    return found
  }
  return {
    open: async () => {
      const of = await published.load('', async () => publishedOf(await readPublished(db), now().getTime()))
      return {
        postCount: of.count,
        publishedSeconds: of.publishedSeconds,
        nowSeconds: of.nowSeconds + Math.floor((now().getTime() - of.readAtMs) / 1000),
        lists: terms => lists.loadMany(terms, missing => reads.load(missing.join(' '), () => readLists(missing, of)))
      }
    }
  }
}

/** Which posts are published, and when. */
interface Published {
  publishedSeconds: Int32Array
  count: number
  /** Words of a post, on average. */
  meanWords: number
  nowSeconds: number
  readAtMs: number
}

/** Stands for no time. */
export const notPublished = -2_147_483_648

const publishedBytes = 8

function publishedOf({ published, words, seconds }: PublishedRow, readAtMs: number): Published {
  const bytes = published ?? Buffer.alloc(0)
  let highest = -1
  for (let at = 0; at < bytes.length; at += publishedBytes) highest = Math.max(highest, bytes.readInt32BE(at))
  const publishedSeconds = new Int32Array(highest + 1).fill(notPublished)
  for (let at = 0; at < bytes.length; at += publishedBytes)
    publishedSeconds[bytes.readInt32BE(at)] = bytes.readInt32BE(at + 4)
  return { publishedSeconds, count: bytes.length / publishedBytes, meanWords: words, nowSeconds: seconds, readAtMs }
}

const cachedOverhead = 300
const bytesOf = ({ postNos }: PostingList) => postNos.length * 8 + cachedOverhead

const postingBytes = 10
/** What one mention in a title or a heading is worth, in mentions in the text. */
const titleWeight = 5
const headingWeight = 1.5

/** The published posts of a list. */
function decode(bytes: Buffer, { publishedSeconds, meanWords }: Published): PostingList {
  const length = bytes.length / postingBytes
  const postNos = new Int32Array(length)
  const weights = new Float32Array(length)
  let count = 0
  for (let from = 0; from < bytes.length; from += postingBytes) {
    const post = bytes.readInt32BE(from)
    if ((publishedSeconds[post] ?? notPublished) === notPublished) continue
    postNos[count] = post
    const inText = bytes.readInt16BE(from + 6)
    const frequency = inText + titleWeight * bytes.readUInt8(from + 8) + headingWeight * bytes.readUInt8(from + 9)
    weights[count++] = termFrequencyWeight(frequency, bytes.readInt16BE(from + 4) / meanWords)
  }
  return { postNos: postNos.slice(0, count), weights: weights.slice(0, count) }
}

/** Merges the lists of terms that stand for one word: a post counts with the term it says most. */
export function mergeLists(lists: readonly PostingList[]): PostingList {
  const [only, ...others] = lists
  if (only !== undefined && others.length === 0) return only
  const weights = new Map<number, number>()
  for (const { postNos, weights: ofList } of lists)
    for (const [at, post] of postNos.entries()) weights.set(post, Math.max(weights.get(post) ?? 0, ofList[at] ?? 0))
  return { postNos: Int32Array.from(weights.keys()), weights: Float32Array.from(weights.values()) }
}
