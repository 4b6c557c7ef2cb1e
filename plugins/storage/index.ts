import type { Readable } from 'node:stream'
import { service } from '#core'

/** What is stored: a text, as UTF-8, or all bytes at once, or as they come. */
export type FileContent = string | Uint8Array | AsyncIterable<Uint8Array>

/** A file as it was written. `key` is its path with `/`: `images/0f3a….webp`. */
export interface WrittenFile {
  key: string
  bytes: number
  /** Strong: other bytes under the same key have another one. */
  etag: string
  /** Of the content, in hex, where the store has made it. */
  sha256?: string
}

/** A file of a store. */
export interface StoredFile extends WrittenFile {
  modifiedAt: Date
}

/** Bytes of a file: `start` to `end`, both included. */
export interface ByteRange {
  start: number
  end: number
}

/** A stored file that can be read, as it was when it was opened. Read it once, or close it. */
export interface OpenFile extends StoredFile {
  /** The bytes of a range; all without one. Closes the file at its end. */
  read(range?: ByteRange): Readable
  /**
   * The bytes of a range at once. Leaves the file open, so that others can be read meanwhile and afterwards. A store may
   * read into the beginning of `buffer`. @throws UnavailableError when the file was cut meanwhile
   */
  readRange(range: ByteRange, buffer?: Buffer): Promise<Buffer>
  /** Ranges that are being read are read to their end. */
  close(): Promise<void>
}

/** A file as a list has it. */
export interface ListedFile {
  key: string
  bytes: number
  /** As `put` and `stat` say it; null where only reading the file tells whether it changed. */
  etag: string | null
}

/** Where a file goes by the hash of its bytes: `<folder>/<sha256>.<extension>`. `extension` has no dot. */
export interface HashedKey {
  folder: string
  extension: string
}

/** What a store says of a file to whoever reads it there. */
export interface PutOptions {
  /** Media type; default `application/octet-stream`. A folder does not keep it. */
  type?: string
  /** `Cache-Control`. A folder does not keep it. */
  cacheControl?: string
  /** False: the file may be lost in a power cut soon after, which saves a folder the wait for its disk. Default true. */
  isDurable?: boolean
  /** Replaces only the file with this ETag, or with null none, where the store can do that. @throws ConflictError when it is another */
  ifMatch?: string | null
}

/**
 * Where files lie. A driver passes the suite in test/plugins/storage/conformance.ts. Every method throws UnavailableError
 * when the store cannot be used, with what to do in its message.
 */
export interface FileStore {
  /** For people: the folder, or the address of the bucket. */
  readonly name: string
  /**
   * Stores bytes under a key, or under their hash, so that the same bytes are one file that stays as it was. Nobody sees
   * half of a file: one whose content ends with an error is not stored. @throws TypeError for what is no key
   */
  put(key: string | HashedKey, content: FileContent, options?: PutOptions): Promise<WrittenFile>
  /** Null where no file has the key; a key from outside needs no check before. `isWhole`: all of it is going to be read. */
  get(key: string, options?: { isWhole?: boolean }): Promise<OpenFile | null>
  stat(key: string): Promise<StoredFile | null>
  /** The files whose keys begin with `prefix`, which is empty or ends with `/`. In no order, read page by page. */
  list(prefix: string): AsyncIterable<ListedFile>
  /** A file that is not there counts as deleted. Afterwards it is not there. */
  delete(key: string): Promise<void>
  /** Whether it keeps `PutOptions.ifMatch`. A bucket is probed with a small file, once for each process and access. */
  supportsConditions(): Promise<boolean>
  /**
   * Removes what a killed process left half-written under a prefix: by its age, or all of it where the caller is the only
   * writer there. To be called now and then. @returns how many
   */
  clean(prefix: string, options?: { isOnlyWriter?: boolean }): Promise<number>
}

/** For whom a store is opened. */
export interface OpenOptions {
  /** The setting that holds the address, for messages. */
  setting: string
  /** The machine's other users, such as a web server, may read what is stored in a folder. Default false. */
  isPublic?: boolean
  /** Its requests do not wait for those of other stores. For a few small ones. Default false. */
  isUrgent?: boolean
}

/** A kind of place for files. */
export interface StorageDriver {
  /** What is wrong with an address, or with the settings it needs: "must …"; null for nothing. */
  faultOf(address: string): string | null
  /** Asks the place itself, within 10 s: what is wrong for certain, "must …"; null for nothing, or no answer. */
  probe?(address: string): Promise<string | null>
  /** The store at an address. No I/O. */
  open(address: string, options: OpenOptions): FileStore
}

/** The places where files can lie: folders as `file:/absolute/folder`, buckets as `s3://bucket/prefix`, and others' own. */
export interface Storage extends Required<StorageDriver> {
  /** Offers a driver for addresses that begin with `scheme:`. Call it in `setup`. @throws TypeError when there is one */
  addDriver(scheme: string, driver: StorageDriver): void
}
export const StorageService = service<Storage>('storage')
