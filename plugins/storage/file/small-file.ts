import { closeSync, fstatSync, lstatSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { fileEtag } from './file-etag.ts'

/** A file to be written beside its place and renamed. */
export interface SmallFile {
  temporaryFile: string
  file: string
  content: Uint8Array
  mode: number
  /** It may replace none. */
  isNew: boolean
}

/** How that ended: written, refused for what is in its place, failed as the file system says, or unknown as the thread ended. */
export type SmallFileResult =
  | { kind: 'written'; etag: string }
  | { kind: 'link' | 'present' | 'unknown' }
  | { kind: 'failed'; message: string; cause: { code?: unknown; syscall?: unknown } }

/** The same steps as for other files, at once: for a thread that may wait for its disk. */
export function writeSmallFile(file: SmallFile): SmallFileResult {
  try {
    return write(file)
  } catch (error) {
    removeQuietly(file.temporaryFile)
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

function write({ temporaryFile, file, content, mode, isNew }: SmallFile): SmallFileResult {
  const etag = writeTo(temporaryFile, content, mode)
  const present = lstatSync(file, { throwIfNoEntry: false })
  if (present?.isSymbolicLink() || (isNew && present !== undefined)) {
    rmSync(temporaryFile)
    return { kind: present?.isSymbolicLink() ? 'link' : 'present' }
  }
  renameSync(temporaryFile, file)
  return { kind: 'written', etag }
}

function writeTo(file: string, content: Uint8Array, mode: number): string {
  const descriptor = openSync(file, 'wx', mode)
  try {
    writeFileSync(descriptor, content)
    return fileEtag(fstatSync(descriptor, { bigint: true }))
  } finally {
    closeSync(descriptor)
  }
}
