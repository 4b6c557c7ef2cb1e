import { type BigIntStats, constants } from 'node:fs'
import { lstat, open, opendir, rm, rmdir, unlink } from 'node:fs/promises'
import path from 'node:path'
import { errorCode } from '#core'
import { createFolderGuard, folderFault, isTemporaryName, type NamedFolder } from '#files'
import type { FileStore, ListedFile, OpenFile, OpenOptions, StoredFile } from '../index.ts'
import { isStoreKey } from '../keys.ts'
import { fileEtag } from './file-etag.ts'
import type { FilePlace } from './folders.ts'
import { createRangeReads } from './range-reads.ts'
import { createFileWriter } from './write-file.ts'
import { createWriteThread, type WriteThread } from './write-thread.ts'

/** One for the process: exports of several folders take their turns. */
const sharedThread = createWriteThread()

/** The driver `file:`. A store is a folder, and its keys are paths below it. */
export function createFileStore(
  root: string,
  { setting, isPublic = false }: OpenOptions,
  thread: WriteThread = sharedThread
): FileStore {
  const place: FilePlace = { root, setting, isPublic }
  const guarded = createFolderGuard(namedFolder(place))
  const get = async (key: string) => (isStoreKey(key) ? openFile(key, path.join(root, key)) : null)
  const stat = async (key: string) => (isStoreKey(key) ? statFile(key, path.join(root, key)) : null)
  return {
    name: root,
    get: guarded(get),
    stat: guarded(stat),
    put: guarded(createFileWriter({ place, stat, thread })),
    supportsConditions: async () => true,
    list: prefix => listFiles(place, prefix),
    delete: guarded(async key => {
      if (!isStoreKey(key)) return
      await unlink(path.join(root, key)).catch(ignoreMissing)
      // The name of a folder would still show the slug of a post that was withdrawn.
      if (isPublic) await removeEmptyFolders(root, path.dirname(key))
    }),
    clean: guarded((prefix, { isOnlyWriter = false } = {}) =>
      removeUnfinished(root, prefix, isOnlyWriter ? Number.NEGATIVE_INFINITY : abandonedMs)
    )
  }
}

/** A folder, and then those above it, as long as they are empty. The root stays. */
async function removeEmptyFolders(root: string, folder: string): Promise<void> {
  if (folder === '.') return
  const isRemoved = await rmdir(path.join(root, folder)).then(
    () => true,
    () => false
  )
  if (isRemoved) await removeEmptyFolders(root, path.dirname(folder))
}

/** The file need not be readable: one that is not holds up no other. */
async function statFile(key: string, file: string): Promise<StoredFile | null> {
  const stat = await lstat(file, { bigint: true }).catch(nullWhenNoFile)
  return stat?.isFile() ? factsOf(key, stat) : null
}

const factsOf = (key: string, stat: BigIntStats): StoredFile => ({
  key,
  bytes: Number(stat.size),
  etag: fileEtag(stat),
  modifiedAt: stat.mtime
})

/** Null for whatever is no plain file: links could lead out of the folder, and opening a pipe waits for its other end. */
async function openFile(key: string, file: string): Promise<OpenFile | null> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
  const handle = await open(file, flags).catch(nullWhenNoFile)
  if (handle === null) return null
  const stat = await handle.stat({ bigint: true })
  if (!stat.isFile()) {
    await handle.close()
    return null
  }
  return { ...factsOf(key, stat), ...createRangeReads(handle, Number(stat.size)) }
}

async function* listFiles(place: FilePlace, prefix: string): AsyncGenerator<ListedFile> {
  try {
    for await (const key of keysIn(place.root, prefix)) {
      const found = isStoreKey(key) ? await lstat(path.join(place.root, key)).catch(nullWhenNoFile) : null
      if (found?.isFile()) yield { key, bytes: found.size, etag: null }
    }
  } catch (error) {
    throw folderFault(namedFolder(place), error)
  }
}

/** The paths of all files in a folder and those below. */
async function* keysIn(root: string, prefix: string): AsyncGenerator<string> {
  const directory = await opendir(path.join(root, prefix)).catch(nullWhenNoFile)
  if (directory === null) return
  for await (const entry of directory) {
    if (entry.isDirectory()) yield* keysIn(root, `${prefix}${entry.name}/`)
    else if (entry.isFile()) yield prefix + entry.name
  }
}

/** A file still being written changes all the time: one that did not for an hour has lost its process. */
const abandonedMs = 3_600_000

async function removeUnfinished(root: string, prefix: string, unchangedForMs: number): Promise<number> {
  let removed = 0
  for await (const key of keysIn(root, prefix)) {
    if (!isTemporaryName(path.basename(key))) continue
    const file = path.join(root, key)
    const found = await lstat(file).catch(nullWhenNoFile)
    if (found === null || Date.now() - found.mtimeMs < unchangedForMs) continue
    await rm(file, { force: true })
    removed += 1
  }
  return removed
}

function nullWhenNoFile(error: unknown): null {
  if (['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG', 'ENXIO'].includes(errorCode(error) ?? '')) return null
  throw error
}

/** A folder is no file: there is none of its name. */
function ignoreMissing(error: unknown): void {
  if (errorCode(error) !== 'EISDIR') nullWhenNoFile(error)
}

const namedFolder = ({ root, setting }: FilePlace): NamedFolder => ({ name: `The folder ${root}`, setting })
