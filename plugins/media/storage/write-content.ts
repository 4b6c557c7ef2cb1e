import { createHash } from 'node:crypto'
import { lstat, open, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { errorCode } from '#core'
import { syncFolder, temporaryName } from '#files'
import type { MediaContent } from './media-store.ts'

/** Writes a file named by the hash of its bytes. A crash at any time leaves the whole file under its name, or none. */
export async function writeContent(directory: string, extension: string, content: MediaContent): Promise<string> {
  if (!/^[a-z0-9]{2,5}$/.test(extension)) throw new TypeError(`${JSON.stringify(extension)} is no file extension.`)
  const temporaryFile = path.join(directory, temporaryName())
  try {
    const { sha256, bytes } = await writeTo(temporaryFile, content)
    const name = `${sha256}.${extension}`
    const file = path.join(directory, name)
    // A file that is there already keeps its time, and so readers their cached copies.
    if ((await sizeOf(file)) !== bytes) {
      await rename(temporaryFile, file)
      await syncFolder(directory)
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
