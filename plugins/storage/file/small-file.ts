import { hash } from 'node:crypto'
import { closeSync, fstatSync, lstatSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { makeFoldersSync } from '#files/make-folders'
import { fileEtag } from './file-etag.ts'

/** A file to be written beside its place and renamed. */
export interface SmallFile {
  /** The folder of the store. Those between it and the file are made. */
  root: string
  /** Its path below the root. */
  key: string
  temporaryName: string
  content: string | Uint8Array
  mode: number
  folderMode: number
  /** It may replace none. */
  isNew: boolean
}

/** How that ended: written, refused for what is in its place, failed as the file system says, or unknown as the thread ended. */
export type SmallFileResult =
  | { kind: 'written'; bytes: number; etag: string; sha256: string }
  /** `path`: of the link, below the root. */
  | { kind: 'link'; path: string }
  | { kind: 'present' | 'unknown' }
  | { kind: 'failed'; message: string; cause: { code?: unknown; syscall?: unknown } }

/** The same steps as for other files, at once: for a thread that may wait for its disk. `folders`: known to be there, and no links. */
export function writeSmallFile(file: SmallFile, folders: Set<string>): SmallFileResult {
  try {
    return linkAmongFolders(file, folders) ?? write(file)
  } catch (error) {
    removeQuietly(temporaryFileOf(file))
    return failureOf(error)
  }
}

/** The fault before is the one to tell, and one file must not end the thread of all. What is left is removed later, by `clean`. */
function removeQuietly(file: string): void {
  try {
    rmSync(file, { force: true })
  } catch {}
}

/** In parts: an error that is sent to another thread loses its code. */
function failureOf(error: unknown): SmallFileResult {
  const fault: { message?: unknown; code?: unknown; syscall?: unknown } = error instanceof Error ? error : {}
  return { kind: 'failed', message: String(fault.message), cause: { code: fault.code, syscall: fault.syscall } }
}

const temporaryFileOf = ({ root, key, temporaryName }: SmallFile): string =>
  path.join(root, path.dirname(key), temporaryName)

/** Makes the folders of a file; one behind a link would be somebody else's. */
function linkAmongFolders({ root, key, folderMode: mode }: SmallFile, folders: Set<string>): SmallFileResult | null {
  let folder = ''
  for (const segment of path.dirname(key).split('/')) {
    folder = path.join(folder, segment)
    const directory = path.join(root, folder)
    if (folders.has(directory)) continue
    const present = lstatSync(directory, { throwIfNoEntry: false })
    if (present?.isSymbolicLink()) return { kind: 'link', path: folder }
    // Those of the root are made too. A file in the place of a folder: the error says so.
    if (!present?.isDirectory()) makeFoldersSync(directory, mode)
    folders.add(directory)
  }
  return null
}

function write(small: SmallFile): SmallFileResult {
  const { root, key, content, mode, isNew } = small
  const temporaryFile = temporaryFileOf(small)
  const file = path.join(root, key)
  const written = writeTo(temporaryFile, content, mode)
  const present = lstatSync(file, { throwIfNoEntry: false })
  if (present?.isSymbolicLink() || (isNew && present !== undefined)) {
    rmSync(temporaryFile)
    return present?.isSymbolicLink() ? { kind: 'link', path: key } : { kind: 'present' }
  }
  renameSync(temporaryFile, file)
  return { kind: 'written', ...written, sha256: hash('sha256', content) }
}

function writeTo(file: string, content: string | Uint8Array, mode: number): { bytes: number; etag: string } {
  const descriptor = openSync(file, 'wx', mode)
  try {
    writeFileSync(descriptor, content)
    const stat = fstatSync(descriptor, { bigint: true })
    return { bytes: Number(stat.size), etag: fileEtag(stat) }
  } finally {
    closeSync(descriptor)
  }
}
