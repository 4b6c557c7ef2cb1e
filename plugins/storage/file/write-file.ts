import { createHash, type Hash } from 'node:crypto'
import { lstat, open, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { errorCode, UnavailableError } from '#core'
import { syncFolder, temporaryName } from '#files'
import type { FileContent, FileStore, HashedKey, PutOptions, WrittenFile } from '../index.ts'
import { keyOfHash, requireKey } from '../keys.ts'
import { fileEtag } from './file-etag.ts'
import { changedMeanwhile, createFolderMaker, type FilePlace, fileModeOf, linked } from './folders.ts'
import { isWhole, putSmall } from './put-small.ts'
import type { WriteThread } from './write-thread.ts'

interface WriterDeps {
  place: FilePlace
  stat: FileStore['stat']
  thread: WriteThread
}

/** Writes files of a store. A crash at any time leaves the whole file under its name, or what was there. */
export function createFileWriter(deps: WriterDeps): FileStore['put'] {
  const folders = createFolderMaker(deps.place)
  return async (key, content, options = {}) => {
    const folder = folderOf(key)
    const write = async () => {
      const written = await putSmall(deps, key, content, options)
      if (written !== null) return written
      await folders.make(folder)
      return put(deps, { key, folder }, content, options)
    }
    try {
      return await write()
    } catch (error) {
      folders.forget()
      // Another may have removed the folder, with its last file.
      if (errorCode(error) !== 'ENOENT' || !isWhole(content)) throw error
      return write()
    }
  }
}

/** Of a key that is checked. */
function folderOf(key: string | HashedKey): string {
  if (typeof key !== 'string') return path.dirname(keyOfHash(key, 'hash'))
  requireKey(key)
  return path.dirname(key)
}

async function put(
  { place, stat }: WriterDeps,
  { key, folder }: { key: string | HashedKey; folder: string },
  content: FileContent,
  { isDurable = true, ifMatch }: PutOptions
): Promise<WrittenFile> {
  const directory = path.join(place.root, folder)
  const temporaryFile = path.join(directory, temporaryName())
  try {
    const hash = typeof key === 'string' ? null : createHash('sha256')
    const written = await writeTo(temporaryFile, content, { isDurable, mode: fileModeOf(place), hash })
    const finalKey = typeof key === 'string' ? key : keyOfHash(key, hash?.digest('hex') ?? '')
    const present = await sizeOf(place, finalKey)
    // A file of the same hash keeps its time, and so readers their cached copies.
    if (typeof key !== 'string' && present === written.bytes)
      return await keepPresent(place, finalKey, stat, temporaryFile)
    if (ifMatch === null && present !== null) throw changedMeanwhile(finalKey)
    if (typeof ifMatch === 'string' && (await stat(finalKey))?.etag !== ifMatch) throw changedMeanwhile(finalKey)
    await rename(temporaryFile, path.join(place.root, finalKey))
    if (isDurable) await syncFolder(directory)
    return { key: finalKey, ...written }
  } catch (error) {
    await rm(temporaryFile, { force: true })
    throw error
  }
}

async function keepPresent(
  { root }: FilePlace,
  key: string,
  stat: FileStore['stat'],
  temporaryFile: string
): Promise<WrittenFile> {
  await rm(temporaryFile, { force: true })
  const file = await stat(key)
  if (file === null) throw new UnavailableError(`${key} was removed from ${root} as it was stored: try again.`)
  return { key, bytes: file.bytes, etag: file.etag }
}

interface WriteOptions {
  isDurable: boolean
  mode: number
  /** Gets the bytes; null where nobody asks for it. */
  hash: Hash | null
}

async function writeTo(file: string, content: FileContent, { isDurable, mode, hash }: WriteOptions) {
  const handle = await open(file, 'wx', mode)
  try {
    for await (const chunk of isWhole(content) ? [content] : content) {
      hash?.update(chunk)
      await handle.writeFile(chunk)
    }
    // The name must not outlive the bytes in a power cut.
    if (isDurable) await handle.sync()
    const stat = await handle.stat({ bigint: true })
    return { bytes: Number(stat.size), etag: fileEtag(stat) }
  } finally {
    await handle.close()
  }
}

/** Null where there is nothing. @throws UnavailableError for a link, which is somebody's */
async function sizeOf(place: FilePlace, key: string): Promise<number | null> {
  try {
    const found = await lstat(path.join(place.root, key))
    if (found.isSymbolicLink()) throw linked(place, key)
    return found.size
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  }
}
