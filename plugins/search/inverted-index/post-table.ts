import { lengthCode, lengthOf } from './frequency.ts'

/** Stands for no time. */
export const notPublished = -2_147_483_648
/** The text of a post stands in no segment. */
export const notIndexed = -1

/** What the index says of a post beside its terms. */
export interface IndexedPost {
  postNo: number
  /** In seconds since 2000; `notPublished` for a post that is not. */
  publishedSeconds: number
  /** The run of indexing that its text was indexed by last, or `notIndexed`. A posting of any other run counts no more. */
  generation: number
  lengthCode: number
  /** Code of the language its text was indexed in; 0 for none. */
  languageCode: number
  /** Counts the changes of its text. */
  textVersion: number
}

/** The same of many, in columns: what stands at one place of each is of the same post. */
export type IndexedPosts = Readonly<
  Record<
    'postNos' | 'publishedSeconds' | 'generations' | 'textVersions' | 'lengthCodes' | 'languageCodes',
    ArrayLike<number>
  >
>

/** All posts by number, as parallel arrays. Never changed while searches read it: a change makes another. */
export interface PostTable {
  readonly publishedSeconds: Int32Array
  readonly generations: Int32Array
  /** The same of published posts, `notIndexed` for others: one look tells whether a posting counts. */
  readonly liveGenerations: Int32Array
  readonly lengthCodes: Uint8Array
  readonly languageCodes: Uint8Array
  /** How many published posts have each code of a length, and each of a language. */
  readonly byLength: Uint32Array
  readonly byLanguage: Uint32Array
  /** Of published posts. */
  readonly count: number
  /** Words of a published post, on average; within 4 %, so that a single post changes no order. */
  readonly meanLength: number
  /** Codes of the languages that published posts are indexed in. */
  readonly languages: readonly number[]
  /** Published posts that stand in no segment: how many, and the numbers of the newest. */
  readonly waitingCount: number
  readonly waiting: readonly number[]
}

const codes = 256
/** So many posts that stand in no segment are analyzed by the process that searches. */
export const maxRecent = 128

export const emptyTable: PostTable = {
  publishedSeconds: new Int32Array(0),
  generations: new Int32Array(0),
  liveGenerations: new Int32Array(0),
  lengthCodes: new Uint8Array(0),
  languageCodes: new Uint8Array(0),
  byLength: new Uint32Array(codes),
  byLanguage: new Uint32Array(codes),
  count: 0,
  meanLength: 1,
  languages: [],
  waitingCount: 0,
  waiting: []
}

interface TableChange {
  /** Nobody reads the table: its arrays are changed. A copy of a million posts is 14 MB, which takes longer than a search. */
  isOwn?: boolean
}

/** The table with these posts in the place of theirs. */
export const withEntries = (table: PostTable, entries: readonly IndexedPost[], options?: TableChange): PostTable =>
  withColumns(
    table,
    {
      postNos: entries.map(({ postNo }) => postNo),
      publishedSeconds: entries.map(({ publishedSeconds }) => publishedSeconds),
      generations: entries.map(({ generation }) => generation),
      textVersions: entries.map(({ textVersion }) => textVersion),
      lengthCodes: entries.map(({ lengthCode }) => lengthCode),
      languageCodes: entries.map(({ languageCode }) => languageCode)
    },
    options
  )

/** The same of many posts. What is counted follows the changes: to look at all would take longer. */
export function withColumns(table: PostTable, posts: IndexedPosts, { isOwn = false }: TableChange = {}): PostTable {
  const { postNos } = posts
  if (postNos.length === 0) return table
  let length = table.publishedSeconds.length
  for (let at = 0; at < postNos.length; at++) length = Math.max(length, (postNos[at] ?? 0) + 1)
  const arrays = isOwn && hasRoom(table, length) ? extended(table, length) : copyOf(table, length)
  let { count, waitingCount } = table
  const countPost = (postNo: number, by: 1 | -1) => {
    if (arrays.publishedSeconds[postNo] === notPublished) return
    const length = arrays.lengthCodes[postNo] ?? 0
    const language = arrays.languageCodes[postNo] ?? 0
    arrays.byLength[length] = (arrays.byLength[length] ?? 0) + by
    arrays.byLanguage[language] = (arrays.byLanguage[language] ?? 0) + by
    count += by
    if (arrays.generations[postNo] === notIndexed) waitingCount += by
  }
  for (let at = 0; at < postNos.length; at++) {
    const postNo = postNos[at] ?? 0
    countPost(postNo, -1)
    const seconds = posts.publishedSeconds[at] ?? notPublished
    const generation = posts.generations[at] ?? notIndexed
    arrays.publishedSeconds[postNo] = seconds
    arrays.generations[postNo] = generation
    arrays.liveGenerations[postNo] = seconds === notPublished ? notIndexed : generation
    arrays.lengthCodes[postNo] = posts.lengthCodes[at] ?? 0
    arrays.languageCodes[postNo] = posts.languageCodes[at] ?? 0
    countPost(postNo, 1)
  }
  return {
    ...arrays,
    count,
    waitingCount,
    ...statisticsOf(arrays, count),
    waiting: newestWaiting(arrays, waitingCount)
  }
}

type Arrays = Pick<
  PostTable,
  'publishedSeconds' | 'generations' | 'liveGenerations' | 'lengthCodes' | 'languageCodes' | 'byLength' | 'byLanguage'
>

/** Room for posts to come: else each new post would copy all. */
const capacityFor = (length: number) => Math.ceil(length * 1.1) + 1024

function copyOf(table: Arrays, length: number): Arrays {
  const capacity = capacityFor(length)
  const numbers = (of: Int32Array, none: number) => {
    const copy = new Int32Array(capacity).fill(none, of.length)
    copy.set(of)
    return copy.subarray(0, length)
  }
  const bytes = (of: Uint8Array) => {
    const copy = new Uint8Array(capacity)
    copy.set(of)
    return copy.subarray(0, length)
  }
  return {
    publishedSeconds: numbers(table.publishedSeconds, notPublished),
    generations: numbers(table.generations, notIndexed),
    liveGenerations: numbers(table.liveGenerations, notIndexed),
    lengthCodes: bytes(table.lengthCodes),
    languageCodes: bytes(table.languageCodes),
    byLength: table.byLength.slice(),
    byLanguage: table.byLanguage.slice()
  }
}

const hasRoom = ({ lengthCodes }: Arrays, length: number) => length <= lengthCodes.buffer.byteLength

/** The same memory with more posts, which are none yet. */
function extended(table: Arrays, length: number): Arrays {
  if (length === table.lengthCodes.length) return table
  const { publishedSeconds, generations, liveGenerations, lengthCodes, languageCodes } = table
  return {
    ...table,
    publishedSeconds: new Int32Array(publishedSeconds.buffer, 0, length),
    generations: new Int32Array(generations.buffer, 0, length),
    liveGenerations: new Int32Array(liveGenerations.buffer, 0, length),
    lengthCodes: new Uint8Array(lengthCodes.buffer, 0, length),
    languageCodes: new Uint8Array(languageCodes.buffer, 0, length)
  }
}

function statisticsOf({ byLength, byLanguage }: Arrays, count: number) {
  const words = byLength.reduce((sum, posts, code) => sum + posts * lengthOf(code), 0)
  return {
    meanLength: count === 0 ? 1 : Math.max(1, lengthOf(lengthCode(words / count))),
    languages: Array.from(byLanguage.keys()).filter(code => code > 0 && (byLanguage[code] ?? 0) > 0)
  }
}

/** The newest published posts that stand in no segment: the search for them ends with the last one. */
function newestWaiting({ publishedSeconds, generations }: Arrays, waitingCount: number): number[] {
  const waiting: number[] = []
  const wanted = Math.min(waitingCount, maxRecent)
  for (let postNo = generations.length - 1; postNo >= 0 && waiting.length < wanted; postNo--)
    if (generations[postNo] === notIndexed && publishedSeconds[postNo] !== notPublished) waiting.push(postNo)
  return waiting
}
