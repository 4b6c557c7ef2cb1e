import type { Readable } from 'node:stream'

/** The parts of the store. */
export const mediaFolders = ['images', 'episodes'] as const
export type MediaFolder = (typeof mediaFolders)[number]

/** What is stored: all bytes at once, or as they come. */
export type MediaContent = Uint8Array | AsyncIterable<Uint8Array>

/** A file of the store. `key` is its folder and name: `images/0f3a….webp`. */
export interface StoredFile {
  key: string
  bytes: number
  /** Strong: other bytes under the same key have another one. */
  etag: string
  modifiedAt: Date
}

/** A stored file that can be read, as it was when it was opened. Read it once, or close it. */
export interface OpenFile extends StoredFile {
  /** The bytes `start` to `end`, both included; all without a range. Closes the file at its end. */
  read(range?: { start: number; end: number }): Readable
  /** A small part at once, both ends included. Leaves the file open. @throws UnavailableError when it was cut meanwhile */
  readPart(range: { start: number; end: number }): Promise<Buffer>
  close(): Promise<void>
}

/**
 * Where media files lie. A driver passes the suite in test/plugins/media/storage/conformance.ts. Every method throws
 * UnavailableError when the store cannot be used.
 */
export interface MediaStore {
  /**
   * Stores bytes under their hash, so that the same bytes are one file. Nobody sees half of a file: one whose content
   * ends with an error is not stored. `extension` has no dot.
   */
  put(folder: MediaFolder, extension: string, content: MediaContent): Promise<StoredFile>
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

export const isMediaKey = (key: string): boolean => keyPattern.test(key)
