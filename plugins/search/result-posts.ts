import { type Changes, createLoader, type Db, type Installation } from '#core'
import { type NumberedPost, type PublishedPosts, postsTopic } from '#plugins/posts'
import { type IndexedText, indexText } from './positions.ts'
import { listVersions, type VersionRow } from './repository/search.ts'
import { plainText, snippetTextLength } from './snippet.ts'

/** A public post as answers of a search have it. */
export interface Shown {
  /** Its summary as JSON, the closing brace left out. */
  readonly json: string
  /** What its snippets are made of. */
  readonly text: IndexedText
}

export interface ShownPosts {
  /** The public ones among the posts, by number. */
  read(post_nos: readonly number[]): Promise<ReadonlyMap<number, Shown>>
}

export interface ShownPostsDeps {
  db: Db
  changes: Changes
  published: PublishedPosts
  installation: Installation
  maxBytes: () => number
}

interface Kept extends Shown {
  readonly version: string
  /** What the addresses in it begin with. */
  readonly home: string
  readonly bytes: number
  /** The count of changes up to which it is known to be right. */
  generation: number
}

/** Posts read in one statement. */
const mostAtOnce = 100

/**
 * Keeps posts ready for answers, those used last. After a change of any post they are compared by version before they are
 * shown again, and only those that differ are read.
 */
export function createShownPosts({ db, changes, published, installation, maxBytes }: ShownPostsDeps): ShownPosts {
  const store = createStore(maxBytes)
  let generation = 0
  changes.on(postsTopic, () => {
    generation += 1
  })
  const loader = createLoader<NumberedPost>({
    read: keys => published.byNumber(db, keys.map(Number), snippetTextLength),
    keyOf: row => String(row.post_no),
    maxKeys: mostAtOnce
  })
  const readAnew = async (post_nos: readonly number[], home: string) => {
    const begun = generation
    const rows = await loader.loadMany(post_nos.map(String))
    return rows.flatMap(row => {
      if (row === undefined) return []
      const shown = { ...shownOf(row), home, generation: begun }
      if (begun === generation && changes.isCurrent()) store.put(row.post_no, shown)
      return [[row.post_no, shown] as const]
    })
  }
  /** Of kept ones, those that are as they were. */
  const confirm = async (doubtful: ReadonlyMap<number, Kept>) => {
    const begun = generation
    const rows = await listVersions(db, [...doubtful.keys()])
    return rows.flatMap(row => {
      const kept = doubtful.get(row.post_no)
      if (kept?.version !== versionOf(row)) return []
      kept.generation = begun
      return [[row.post_no, kept] as const]
    })
  }
  return {
    read: async post_nos => {
      const home = installation.baseUrl()
      const mayUse = changes.isCurrent() && maxBytes() > 0
      const found = new Map<number, Shown>()
      const doubtful = new Map<number, Kept>()
      for (const post_no of post_nos) {
        const kept = mayUse ? store.use(post_no) : undefined
        if (kept === undefined || kept.home !== home) continue
        if (kept.generation === generation) found.set(post_no, kept)
        else doubtful.set(post_no, kept)
      }
      if (doubtful.size > 0) for (const [post_no, kept] of await confirm(doubtful)) found.set(post_no, kept)
      const missing = post_nos.filter(post_no => !found.has(post_no))
      if (missing.length > 0) for (const [post_no, shown] of await readAnew(missing, home)) found.set(post_no, shown)
      return found
    }
  }
}

const versionOf = ({ post_id, revision, updated_at }: Omit<VersionRow, 'post_no'>) =>
  `${post_id} ${revision} ${updated_at}`

const keptOverhead = 500

function shownOf({ post, revision, beginning }: NumberedPost) {
  const json = JSON.stringify(post).slice(0, -1)
  const text = indexText(plainText(beginning))
  const bytes = bytesOf(json) + bytesOf(text.text) + text.words.byteLength + keptOverhead
  return { json, text, version: versionOf({ ...post, revision }), bytes }
}

/** A text of the first 256 characters alone takes a byte for each. */
const bytesOf = (text: string) => (/[^\u0000-\u00ff]/.test(text) ? 2 : 1) * text.length

/** Holds posts by number up to a number of bytes; what was not used longest goes first. */
function createStore(maxBytes: () => number) {
  // The order of the map is the order of use.
  const kept = new Map<number, Kept>()
  let bytes = 0
  const remove = (post_no: number) => {
    bytes -= kept.get(post_no)?.bytes ?? 0
    kept.delete(post_no)
  }
  return {
    use: (post_no: number) => {
      const found = kept.get(post_no)
      if (found === undefined) return undefined
      kept.delete(post_no)
      kept.set(post_no, found)
      return found
    },
    put: (post_no: number, shown: Kept) => {
      remove(post_no)
      kept.set(post_no, shown)
      bytes += shown.bytes
      for (const oldest of kept.keys()) {
        if (bytes <= maxBytes()) return
        remove(oldest)
      }
    }
  }
}
