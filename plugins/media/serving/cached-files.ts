import { createCache } from '#core'
import type { OpenFile, StoredFile } from '#plugins/storage'
import type { MediaStore } from '../storage/media-store.ts'

/** A file to be sent: in memory, or open. */
export type ServedFile = { file: StoredFile; content: Buffer } | { file: OpenFile; content: null }

/** Files of the store that are asked for again and again lie in memory. */
export interface CachedFiles {
  /** Null where no file has the key. An open file must be read or closed. */
  open(key: string): Promise<ServedFile | null>
}

export interface CachedFileOptions {
  maxBytes?: number
  /** For so long a file in memory is not compared with the one in the store. */
  freshMs?: number
  now?: () => number
  /** Tells stores apart: a key may name another file in another store. */
  storeName?: () => string
}

interface Entry {
  file: StoredFile
  content: Buffer
  comparedAt: number
}

const maxAsked = 1000
/** Where more files are asked for than there is room for, the readers get the disk, and not the reading ahead. */
const betweenLoadsMs = 100

export function createCachedFiles(
  store: Pick<MediaStore, 'get' | 'stat'>,
  {
    maxBytes = 64 * 1024 ** 2,
    freshMs = 1000,
    now = () => performance.now(),
    storeName = () => ''
  }: CachedFileOptions = {}
): CachedFiles {
  // The cache takes no larger one: a film must not push out everything else.
  const maxFileBytes = maxBytes / 4
  const entries = createCache<Entry>({ maxBytes: () => maxBytes, bytesOf: ({ content }) => content.length })
  /** What was asked for once: the second time it is read into memory. */
  const asked = createCache<true>({ maxEntries: () => maxAsked })
  let isLoading = false
  let nextLoadAt = 0

  async function load(id: string, key: string): Promise<void> {
    if (isLoading || now() < nextLoadAt) return
    isLoading = true
    try {
      const file = await store.get(key)
      if (file === null) return
      const { bytes, etag, modifiedAt } = file
      const content = await contentOf(file)
      // One that was cut while it was read is read anew.
      if (content.length !== bytes) return
      entries.begin()(id, { file: { key, bytes, etag, modifiedAt }, content, comparedAt: now() })
    } catch {
      // Readers get the file from the store, and its error with it.
    } finally {
      isLoading = false
      nextLoadAt = now() + betweenLoadsMs
    }
  }
  async function isSame(key: string, entry: Entry): Promise<boolean> {
    if (now() - entry.comparedAt < freshMs) return true
    // Those that come meanwhile do not ask the store, too.
    entry.comparedAt = now()
    return (await store.stat(key))?.etag === entry.file.etag
  }
  return {
    async open(key) {
      const id = `${storeName()} ${key}`
      const entry = entries.get(id)
      if (entry !== undefined) {
        if (await isSame(key, entry)) return entry
        entries.delete(id)
      }
      const file = await store.get(key)
      if (file === null) return null
      if (file.bytes <= maxFileBytes) {
        if (asked.get(id)) void load(id, key)
        asked.begin()(id, true)
      }
      return { file, content: null }
    }
  }
}

async function contentOf(file: OpenFile): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of file.read()) pieces.push(piece)
  return Buffer.concat(pieces)
}
