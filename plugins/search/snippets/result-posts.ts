import { setImmediate } from 'node:timers/promises'
import { createLoader } from '#coalescing'
import { type Changes, createCache, type Db } from '#core'
import { type NumberedPost, type PublishedPosts, postsCacheTag } from '#plugins/posts'
import { listVersions, type VersionRow } from '../repository/posts.ts'
import { maxSearchedLength } from '../repository/texts.ts'
import { markdownToText, snippetTextLength } from './plain-text.ts'
import { createTextRing, type TextRing, type TextSpan } from './text-ring.ts'

/** A public post as answers of a search have it. */
export interface ResultPost {
  /** Its summary as JSON, the closing brace left out. */
  readonly json: string
  /** What its snippets are made of. */
  readonly text: string
  /** The post's text goes on after it. */
  readonly isBeginning: boolean
}

export interface ResultPosts {
  /** The public ones among the posts, by number. */
  read(post_nos: readonly number[]): Promise<ReadonlyMap<number, ResultPost>>
  /** All of the public ones that is searched, for snippets; one after the other, as each takes some milliseconds. */
  wholeTexts(post_nos: readonly number[]): AsyncIterable<[post_no: number, text: string]>
}

interface ResultPostsDeps {
  db: Db
  changes: Changes
  published: PublishedPosts
  maxBytes: () => number
}

interface CachedPost {
  /** Its JSON and its text. */
  readonly span: TextSpan
  readonly isBeginning: boolean
  readonly version: string
  /** The settings it was made with. */
  readonly settings: string
  /** The count of changes up to which it is known to be right. */
  generation: number
}

/** A cached post, as answers have it. */
interface CachedResult {
  readonly cached: CachedPost
  readonly post: ResultPost
}

const maxPostsPerStatement = 100
/** Posts that were found of late. */
const recentPosts = 16_384

/**
 * Caches posts as answers have them. After a change of any post they are compared by version before they are used again,
 * and only those that differ are read.
 */
export function createResultPosts({ db, changes, published, maxBytes }: ResultPostsDeps): ResultPosts {
  const cache = createPostCache(changes, maxBytes)
  const loader = createLoader<NumberedPost>({
    read: keys => published.byNumber(db, keys.map(Number), snippetTextLength),
    keyOf: row => String(row.post_no),
    maxKeys: maxPostsPerStatement
  })
  const load = async (post_nos: readonly number[], settings: string) => {
    const { store } = cache.begin()
    const rows = await loader.loadMany(post_nos.map(String))
    return rows.flatMap(row => {
      if (row === undefined) return []
      const post = toResultPost(row)
      store(row, post, settings)
      return [[row.post_no, post] as const]
    })
  }
  /** Of cached ones, those that are as they were. */
  const revalidate = async (stale: ReadonlyMap<number, CachedResult>) => {
    const { generation } = cache.begin()
    const rows = await listVersions(db, [...stale.keys()])
    return rows.flatMap(row => {
      const found = stale.get(row.post_no)
      if (found?.cached.version !== versionOf(row)) return []
      found.cached.generation = generation
      return [[row.post_no, found.post] as const]
    })
  }
  return {
    read: async post_nos => {
      const settings = published.settingsKey()
      const { fresh, stale } = cache.get(post_nos, settings)
      const found = new Map(Array.from(fresh, ([post_no, { post }]) => [post_no, post]))
      if (stale.size > 0) for (const [post_no, post] of await revalidate(stale)) found.set(post_no, post)
      const missing = post_nos.filter(post_no => !found.has(post_no))
      if (missing.length > 0) for (const [post_no, post] of await load(missing, settings)) found.set(post_no, post)
      return found
    },
    async *wholeTexts(post_nos) {
      for (const { post_no, beginning } of await published.byNumber(db, post_nos, maxSearchedLength)) {
        yield [post_no, markdownToText(beginning)]
        await setImmediate()
      }
    }
  }
}

/**
 * The cached posts, and the count of changes by which they are known to be right. A post is cached when it is found again:
 * most of a large archive are found once in a long time, and would take the memory of the others.
 */
function createPostCache(changes: Changes, maxBytes: () => number) {
  const cache = createCache<CachedPost>({ maxBytes: () => maxBytes() * (1 - textsShare), bytesOf: () => bytesOfEntry })
  const texts = createTextRing(() => maxBytes() * textsShare)
  const recent = new Int32Array(recentPosts).fill(-1)
  const isFoundAgain = (post_no: number) => {
    const at = post_no % recentPosts
    const found = recent[at] === post_no
    recent[at] = post_no
    return found
  }
  let generation = 0
  changes.on(postsCacheTag, () => {
    generation += 1
  })
  return {
    /** What is cached of the posts: `fresh` since the last change, `stale` from before it. */
    get(post_nos: readonly number[], settings: string) {
      const fresh = new Map<number, CachedResult>()
      const stale = new Map<number, CachedResult>()
      if (!changes.isCurrent() || maxBytes() === 0) return { fresh, stale }
      for (const post_no of post_nos) {
        const cached = cache.get(String(post_no))
        if (cached?.settings !== settings) continue
        const post = readPost(texts, cached)
        if (post !== undefined) (cached.generation === generation ? fresh : stale).set(post_no, { cached, post })
      }
      return { fresh, stale }
    },
    /** Call before reading posts: what changes meanwhile is not stored. */
    begin() {
      const begun = generation
      const storeValue = cache.begin()
      const store = (row: NumberedPost, post: ResultPost, settings: string) => {
        const isWanted = isFoundAgain(row.post_no)
        if (!isWanted || begun !== generation || !changes.isCurrent()) return
        const version = versionOf({ ...row.post, revision: row.revision })
        const span = texts.write(`${post.json}${separator}${post.text}`)
        const { isBeginning } = post
        if (span !== undefined)
          storeValue(String(row.post_no), { span, isBeginning, version, settings, generation: begun })
      }
      return { generation: begun, store }
    }
  }
}

const versionOf = ({ post_id, revision, updated_at }: Omit<VersionRow, 'post_no'>) =>
  `${post_id} ${revision} ${updated_at}`

/** Of the memory. With texts of 4.5 kB both parts are full. */
const textsShare = 0.9
const bytesOfEntry = 500

function toResultPost({ post, beginning }: NumberedPost): ResultPost {
  const isBeginning = beginning.length >= snippetTextLength
  return { json: JSON.stringify(post).slice(0, -1), text: markdownToText(beginning), isBeginning }
}

/** JSON has no such character. */
const separator = '\0'

function readPost(texts: TextRing, { span, isBeginning }: CachedPost): ResultPost | undefined {
  const both = texts.read(span)
  if (both === undefined) return undefined
  const end = both.indexOf(separator)
  return { json: both.slice(0, end), text: both.slice(end + 1), isBeginning }
}
