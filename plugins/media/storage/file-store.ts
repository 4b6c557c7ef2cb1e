import { constants } from 'node:fs'
import { type FileHandle, lstat, mkdir, open, opendir, rm, unlink } from 'node:fs/promises'
import path from 'node:path'
import { errorCode, UnavailableError } from '#core'
import { createFolderGuard, folderFault, isTemporaryName, type NamedFolder } from '#files'
import {
  isMediaKey,
  type MediaContent,
  type MediaFolder,
  type MediaStore,
  mediaFolders,
  type OpenFile,
  type StoredFile
} from './media-store.ts'
import { writeContent } from './write-content.ts'

/** The driver `file:`. A store is a folder with a folder for each part. */
export function createFileStore(root: string): MediaStore {
  const guarded = createFolderGuard(namedFolder(root))
  const get = async (key: string) => (isMediaKey(key) ? openFile(key, path.join(root, key)) : null)
  return {
    get: guarded(get),
    stat: guarded(async key => {
      const file = await get(key)
      await file?.close()
      return file === null ? null : { key, bytes: file.bytes, etag: file.etag, modifiedAt: file.modifiedAt }
    }),
    put: guarded((folder, extension, content) => putFile(root, folder, extension, content)),
    list: folder => listKeys(root, folder),
    delete: guarded(async key => {
      if (isMediaKey(key)) await unlink(path.join(root, key)).catch(ignoreMissing)
    }),
    clean: guarded(() => removeUnfinished(root))
  }
}

async function putFile(
  root: string,
  folder: MediaFolder,
  extension: string,
  content: MediaContent
): Promise<StoredFile> {
  const directory = path.join(root, folder)
  await mkdir(directory, { recursive: true, mode: 0o700 })
  if ((await lstat(directory)).isSymbolicLink()) throw linked(directory)
  const name = await writeContent(directory, extension, content)
  const key = `${folder}/${name}`
  const file = await openFile(key, path.join(root, key))
  if (file === null) throw new UnavailableError(`${name} was removed from ${directory} as it was stored: try again.`)
  await file.close()
  return { key, bytes: file.bytes, etag: file.etag, modifiedAt: file.modifiedAt }
}

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
  return {
    key,
    bytes: Number(stat.size),
    // A file replaced or changed in place has another inode or another time, to the nanosecond.
    etag: `"${[stat.ino, stat.size, stat.mtimeNs].map(part => part.toString(36)).join('-')}"`,
    modifiedAt: stat.mtime,
    read: range => handle.createReadStream({ start: range?.start, end: range?.end }),
    readPart: range => readPart(handle, range),
    close: () => closeOnce(handle)
  }
}

async function readPart(handle: FileHandle, { start, end }: { start: number; end: number }): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read({ buffer: Buffer.allocUnsafe(end - start + 1), position: start })
  if (bytesRead === buffer.length) return buffer
  throw new UnavailableError('The file was cut while it was read: try again.')
}

const closeOnce = (handle: FileHandle): Promise<void> => handle.close().catch(() => {})

async function* listKeys(root: string, folder: MediaFolder): AsyncGenerator<string> {
  try {
    const directory = await opendir(path.join(root, folder)).catch(nullWhenNoFile)
    if (directory === null) return
    for await (const entry of directory) {
      const key = `${folder}/${entry.name}`
      if (entry.isFile() && isMediaKey(key)) yield key
    }
  } catch (error) {
    throw folderFault(namedFolder(root), error)
  }
}

/** A file still being written changes all the time: one that did not for an hour has lost its process. */
const abandonedMs = 3_600_000

async function removeUnfinished(root: string): Promise<number> {
  let removed = 0
  for (const folder of mediaFolders) {
    const directory = await opendir(path.join(root, folder)).catch(nullWhenNoFile)
    if (directory === null) continue
    for await (const { name } of directory) {
      if (!isTemporaryName(name)) continue
      const file = path.join(root, folder, name)
      if (Date.now() - (await lstat(file)).mtimeMs < abandonedMs) continue
      await rm(file, { force: true })
      removed += 1
    }
  }
  return removed
}

function nullWhenNoFile(error: unknown): null {
  if (['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG', 'ENXIO'].includes(errorCode(error) ?? '')) return null
  throw error
}

function ignoreMissing(error: unknown): void {
  nullWhenNoFile(error)
}

/** Writing through a link would change a folder that nobody named. */
const linked = (directory: string) =>
  new UnavailableError(`${directory} is a link: put a folder in its place, or name another one with media_store.`)

const namedFolder = (root: string): NamedFolder => ({ name: `The media folder ${root}`, setting: 'media_store' })
