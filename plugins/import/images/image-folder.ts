import { constants } from 'node:fs'
import { open, realpath } from 'node:fs/promises'
import path from 'node:path'
import { errorCode, messageOf } from '#core'
import type { LocalImage } from '../source-post.ts'
import { fetchLimits } from './fetch-image.ts'
import { ImageFault } from './image-fault.ts'

/** Pictures by their paths with `/`, from a folder or an archive. */
export interface ImageFiles {
  /** Null when there is no such file. @throws ImageFault for one that is not read */
  find(file: string): Promise<LocalImage | null>
}

/** The files of a folder, and of none outside of it: links that lead out are not followed. */
export function openImageFolder(folder: string): ImageFiles {
  const root = realpath(folder)
  root.catch(() => {})
  return {
    async find(file) {
      const inside = path.posix.normalize(file).replace(/^\/+/, '')
      if (inside === '' || inside.startsWith('..') || inside.includes('\0')) return null
      const real = await realOf(path.join(await root, inside))
      if (real === null) return null
      if (!real.startsWith((await root) + path.sep)) throw new ImageFault('leads out of the folder')
      return { key: real, read: () => readBounded(real) }
    }
  }
}

async function realOf(file: string): Promise<string | null> {
  try {
    return await realpath(file)
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'].includes(errorCode(error) ?? '')) return null
    throw new ImageFault(`cannot be read (${messageOf(error)})`)
  }
}

async function readBounded(file: string): Promise<Uint8Array> {
  // Without waiting: a named pipe would never open.
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(error => {
    throw new ImageFault(`cannot be read (${messageOf(error)})`)
  })
  try {
    const found = await handle.stat()
    if (!found.isFile()) throw new ImageFault('is no regular file')
    if (found.size > fetchLimits.maxBytes)
      throw new ImageFault(`has ${found.size} bytes; at most ${fetchLimits.maxBytes} are taken`)
    return await handle.readFile()
  } finally {
    await handle.close()
  }
}
