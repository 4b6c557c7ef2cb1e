import { type BoundedMap, createBoundedMap } from '#core'
import type { ByteRange, OpenFile, StoredFile } from '#plugins/storage'
import type { MediaStore } from '../storage/media-store.ts'
import { createOpenFileCache } from './open-file-cache.ts'
import { createRangeReader, type RangeReader } from './range-reader.ts'

/** A file to be sent: in memory, or open. */
export type ServedFile = { file: StoredFile; content: Buffer } | { file: OpenFile; content: null }

/** A file that can be sent at once: in memory, or open. */
export type ReadyFile =
  | { file: StoredFile; content: Buffer; read?: never }
  /** `read` is for ranges of at most `maxRangeBytes`. */
  | { file: StoredFile; content: null; read: (range: ByteRange) => ReturnType<RangeReader> }

/** Files of the store that are asked for again and again lie in memory. */
export interface CachedFiles {
  /** Null where no file has the key. An open file must be read or closed. */
  open(key: string): Promise<ServedFile | null>
  /** One that was asked for before, and was compared with the store within the last second; else undefined. */
  ready(key: string): ReadyFile | undefined
}

export interface CachedFileOptions {
  maxBytes?: number
  /** For so long a file in memory is not compared with the one in the store. */
  freshMs?: number
  now?: () => number
}

interface Entry {
  file: StoredFile
  content: Buffer
  comparedAt: number
}

const maxAsked = 1000
/** Where more files are asked for than there is room for, the readers get the disk, and not the reading ahead. */
const betweenLoadsMs = { withRoom: 100, withoutRoom: 1000 }

type Store = Pick<MediaStore, 'get' | 'stat'>

/** `storeName` tells stores apart: a key may name another file in another store, so each begins with nothing in memory. */
export function createCachedFiles(
  store: Store,
  { storeName = () => '', ...options }: CachedFileOptions & { storeName?: () => string } = {}
): CachedFiles {
  let present: { name: string; files: CachedFiles } | undefined
  const filesOfStore = (): CachedFiles => {
    const name = storeName()
    if (present?.name !== name) present = { name, files: createFilesOfStore(store, options) }
    return present.files
  }
  return { open: key => filesOfStore().open(key), ready: key => filesOfStore().ready(key) }
}

function createFilesOfStore(
  store: Store,
  { maxBytes = 64 * 1024 ** 2, freshMs = 1000, now = () => performance.now() }: CachedFileOptions
): CachedFiles {
  const entries = createBoundedMap<string, Entry>({
    maxBytes: () => maxBytes,
    bytesOf: ({ content }) => content.length
  })
  /** What was asked for once: the second time it is read into memory. */
  const asked = createBoundedMap<string, true>({ maxEntries: () => maxAsked })
  const opened = createOpenFileCache({ freshMs, now })
  const readRange = createRangeReader()
  const load = createLoads({ store, entries, maxBytes, now })
  async function isSame(key: string, entry: Entry): Promise<boolean> {
    if (now() - entry.comparedAt < freshMs) return true
    // Those that come meanwhile do not ask the store, too.
    entry.comparedAt = now()
    return (await store.stat(key))?.etag === entry.file.etag
  }
  return {
    async open(key) {
      const entry = entries.get(key)
      if (entry !== undefined) {
        if (await isSame(key, entry)) return entry
        entries.delete(key)
      }
      const file = await store.get(key)
      if (file === null) return null
      const isAskedAgain = asked.get(key) === true
      asked.set(key, true)
      if (!opened.compare(key, file.etag) && isAskedAgain) void opened.add(key, () => store.get(key))
      if (isAskedAgain) void load(file)
      return { file, content: null }
    },
    ready(key) {
      const entry = entries.get(key)
      if (entry !== undefined) return now() - entry.comparedAt < freshMs ? entry : undefined
      const file = opened.find(key)
      if (file === undefined) return undefined
      void load(file)
      return { file, content: null, read: range => readRange(file, range) }
    }
  }
}

interface LoadDeps {
  store: Pick<MediaStore, 'get'>
  entries: BoundedMap<string, Entry>
  maxBytes: number
  now: () => number
}

/** Reads a file into memory in the background, one at a time. */
function createLoads({ store, entries, maxBytes, now }: LoadDeps): (file: StoredFile) => Promise<void> {
  // The cache takes no larger one: a film must not push out everything else.
  const maxFileBytes = maxBytes / 4
  let isLoading = false
  let loadedAt = Number.NEGATIVE_INFINITY
  const waitMs = (bytes: number) =>
    entries.size().bytes + bytes > maxBytes ? betweenLoadsMs.withoutRoom : betweenLoadsMs.withRoom
  const read = async (key: string): Promise<void> => {
    // From now on it may be replaced.
    const comparedAt = now()
    const file = await store.get(key)
    if (file === null) return
    const { bytes, etag, modifiedAt } = file
    const content = await file.readRange({ start: 0, end: bytes - 1 }).finally(() => file.close())
    entries.set(key, { file: { key, bytes, etag, modifiedAt }, content, comparedAt })
  }
  return async ({ key, bytes }) => {
    if (bytes > maxFileBytes || isLoading || now() - loadedAt < waitMs(bytes)) return
    isLoading = true
    try {
      await read(key)
    } catch {
      // One that was cut meanwhile is read anew. Readers get the file from the store, and its error with it.
    } finally {
      isLoading = false
      loadedAt = now()
    }
  }
}
