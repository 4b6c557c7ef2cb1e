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

/** All posts by number, as parallel arrays. Never changed: a change makes another. */
export interface PostTable {
  readonly publishedSeconds: Int32Array
  readonly generations: Int32Array
  readonly lengthCodes: Uint8Array
  readonly languageCodes: Uint8Array
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

export const emptyTable: PostTable = {
  publishedSeconds: new Int32Array(0),
  generations: new Int32Array(0),
  lengthCodes: new Uint8Array(0),
  languageCodes: new Uint8Array(0),
  count: 0,
  meanLength: 1,
  languages: [],
  waitingCount: 0,
  waiting: []
}

/** The table with other entries in the place of theirs. */
export function withEntries(table: PostTable, entries: readonly IndexedPost[]): PostTable {
  if (entries.length === 0) return table
  const highest = entries.reduce((max, { postNo }) => Math.max(max, postNo), table.publishedSeconds.length - 1)
  const arrays = copyOf(table, highest + 1)
  for (const { postNo, publishedSeconds, generation, lengthCode, languageCode } of entries) {
    arrays.publishedSeconds[postNo] = publishedSeconds
    arrays.generations[postNo] = generation
    arrays.lengthCodes[postNo] = lengthCode
    arrays.languageCodes[postNo] = languageCode
  }
  return { ...arrays, ...statisticsOf(arrays) }
}

function copyOf(table: PostTable, length: number) {
  const publishedSeconds = new Int32Array(length).fill(notPublished, table.publishedSeconds.length)
  const generations = new Int32Array(length).fill(notIndexed, table.generations.length)
  const lengthCodes = new Uint8Array(length)
  const languageCodes = new Uint8Array(length)
  publishedSeconds.set(table.publishedSeconds)
  generations.set(table.generations)
  lengthCodes.set(table.lengthCodes)
  languageCodes.set(table.languageCodes)
  return { publishedSeconds, generations, lengthCodes, languageCodes }
}

type Arrays = ReturnType<typeof copyOf>

const codes = 256
/** So many posts that stand in no segment are analyzed by the process that searches. */
export const maxRecent = 128

function statisticsOf({ publishedSeconds, generations, lengthCodes, languageCodes }: Arrays) {
  const byLength = new Uint32Array(codes)
  const byLanguage = new Uint32Array(codes)
  const waiting: number[] = []
  let waitingCount = 0
  let count = 0
  for (let postNo = publishedSeconds.length - 1; postNo >= 0; postNo--) {
    if (publishedSeconds[postNo] === notPublished) continue
    count += 1
    if (generations[postNo] === notIndexed) {
      waitingCount += 1
      if (waiting.length < maxRecent) waiting.push(postNo)
    }
    const length = lengthCodes[postNo] ?? 0
    const language = languageCodes[postNo] ?? 0
    byLength[length] = (byLength[length] ?? 0) + 1
    byLanguage[language] = (byLanguage[language] ?? 0) + 1
  }
  const words = byLength.reduce((sum, posts, code) => sum + posts * lengthOf(code), 0)
  const languages = Array.from(byLanguage.keys()).filter(code => code > 0 && (byLanguage[code] ?? 0) > 0)
  return {
    count,
    meanLength: count === 0 ? 1 : Math.max(1, lengthOf(lengthCode(words / count))),
    languages,
    waitingCount,
    waiting
  }
}
