import type { FileContent, FileStore, OpenFile, StoredFile, WrittenFile } from '#plugins/storage'

/** The parts of the store. */
export const mediaFolders = ['images', 'episodes'] as const
export type MediaFolder = (typeof mediaFolders)[number]

/** Where media files lie, each named by the hash of its bytes. Every method throws UnavailableError when the store cannot be used. */
export interface MediaStore {
  /** Stores bytes, so that the same bytes are one file. `extension` has no dot. */
  put(folder: MediaFolder, extension: string, content: FileContent): Promise<WrittenFile>
  /** Stores what was made of another file under a name that follows from that file's. @throws TypeError for what is no key */
  putAs(key: string, content: FileContent): Promise<WrittenFile>
  /** Null where no file has the key; a key from outside needs no check before. */
  get(key: string): Promise<OpenFile | null>
  stat(key: string): Promise<StoredFile | null>
  /** The keys of a folder, in no order. */
  list(folder: MediaFolder): AsyncIterable<string>
  /** A file that is not there counts as deleted. */
  delete(key: string): Promise<void>
  /** Removes what a killed process left half-written. To be called now and then. @returns how many */
  clean(): Promise<number>
}

/** A name with one dot, so that no key leaves its folder. Files that an operator put there have names of their own. */
const keyPattern = new RegExp(`^(${mediaFolders.join('|')})/[A-Za-z0-9][A-Za-z0-9_-]{0,150}\\.[a-z0-9]{2,5}$`)

const isMediaKey = (key: string): boolean => keyPattern.test(key)

/** What a bucket answers whoever reads it there. */
const types: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  webp: 'image/webp',
  avif: 'image/avif',
  gif: 'image/gif',
  mp3: 'audio/mpeg',
  mp4: 'video/mp4',
  vtt: 'text/vtt; charset=utf-8',
  srt: 'application/x-subrip; charset=utf-8',
  json: 'application/json'
}
const cacheControl = 'public, max-age=31536000, immutable'
const optionsOf = (extension: string) => ({ type: types[extension] ?? 'application/octet-stream', cacheControl })

/** Media in the store that `chosen` answers at each call. */
export function createMediaStore(chosen: () => FileStore): MediaStore {
  return {
    put: async (folder, extension, content) => chosen().put({ folder, extension }, content, optionsOf(extension)),
    putAs: async (key, content) => {
      if (!isMediaKey(key)) throw new TypeError(`${key} is no key of the media store.`)
      return chosen().put(key, content, optionsOf(key.slice(key.lastIndexOf('.') + 1)))
    },
    get: async key => (isMediaKey(key) ? chosen().get(key) : null),
    stat: async key => (isMediaKey(key) ? chosen().stat(key) : null),
    async *list(folder) {
      for await (const { key } of chosen().list(`${folder}/`)) if (isMediaKey(key)) yield key
    },
    delete: async key => {
      if (isMediaKey(key)) await chosen().delete(key)
    },
    async clean() {
      let removed = 0
      for (const folder of mediaFolders) removed += await chosen().clean(`${folder}/`)
      return removed
    }
  }
}
