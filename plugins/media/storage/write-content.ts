import { createHash, randomUUID } from 'node:crypto'
import { lstat, open, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { errorCode } from '#core'
import type { MediaContent } from './media-store.ts'

const unfinished = /^\.galley-[0-9a-f-]{36}\.tmp$/

/** Whether a file of this name is one that is, or was, being written. */
export const isTemporaryName = (name: string): boolean => unfinished.test(name)

/** Writes a file named by the hash of its bytes. A crash at any time leaves the whole file under its name, or none. */
export async function writeContent(directory: string, extension: string, content: MediaContent): Promise<string> {
  if (!/^[a-z0-9]{2,5}$/.test(extension)) throw new TypeError(`${JSON.stringify(extension)} is no file extension.`)
  const temporaryFile = path.join(directory, `.galley-${randomUUID()}.tmp`)
  try {
    const { sha256, bytes } = await writeTo(temporaryFile, content)
    const name = `${sha256}.${extension}`
    const file = path.join(directory, name)
    // A file that is there already keeps its time, and so readers their cached copies.
    if ((await sizeOf(file)) !== bytes) {
      await rename(temporaryFile, file)
      await syncDirectory(directory)
    }
    return name
  } finally {
    await rm(temporaryFile, { force: true })
  }
}

async function writeTo(temporaryFile: string, content: MediaContent): Promise<{ sha256: string; bytes: number }> {
  const hash = createHash('sha256')
  let bytes = 0
  const handle = await open(temporaryFile, 'wx', 0o600)
  try {
    for await (const chunk of content instanceof Uint8Array ? [content] : content) {
      hash.update(chunk)
      bytes += chunk.length
      await handle.writeFile(chunk)
    }
    // The name must not outlive the bytes in a power cut.
    await handle.sync()
  } finally {
    await handle.close()
  }
  return { sha256: hash.digest('hex'), bytes }
}

async function sizeOf(file: string): Promise<number | null> {
  try {
    return (await lstat(file)).size
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  }
}

async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
