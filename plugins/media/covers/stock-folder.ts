import { open, readdir } from 'node:fs/promises'
import path from 'node:path'
import { errorCode } from '#core'
import { withoutFullStop } from '#text/excerpts'
import { CoverError } from '../cover-error.ts'
import { pictureLimits } from '../pictures/picture-limits.ts'
import type { SettingsFault } from './source.ts'

/** Names of the pictures in a folder; none where there is no folder. @throws CoverError */
export async function listPictures(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true })
    const files = entries.filter(entry => entry.isFile() && /\.(jpe?g|png|webp|avif)$/i.test(entry.name))
    return files.map(({ name }) => name).sort()
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')) return []
    throw unreadable(folder, error)
  }
}

/** @throws CoverError */
export async function readStockPicture(file: string): Promise<Buffer> {
  const handle = await open(file).catch(error => {
    throw unreadable(file, error)
  })
  try {
    const { size } = await handle.stat()
    if (size > pictureLimits.maxBytes)
      throw new CoverError(`${file} has ${size} bytes: at most ${pictureLimits.maxBytes} are read.`)
    return await handle.readFile()
  } finally {
    await handle.close()
  }
}

const unreadable = (file: string, cause: unknown) =>
  new CoverError(`${file} cannot be read (${errorCode(cause)}): check its permissions, or cover_stock_folder.`, {
    cause
  })

/** Folders of categories that are looked into, and pictures that are tried. */
const maxFolders = 1000
const maxTried = 5

/** What an operator is to correct in a folder of pictures: tries the first picture of the folder and of some categories. */
export async function findStockFault(
  folder: string,
  make: (file: string) => Promise<unknown>
): Promise<SettingsFault | null> {
  const remedy = 'correct it, or change cover_stock_folder.'
  try {
    const entries = await readdir(folder, { withFileTypes: true }).catch(error => {
      const found = `cover_stock_folder is ${folder}, which is no folder that can be read (${errorCode(error)})`
      throw new CoverError(found, { cause: error })
    })
    const categories = entries.filter(entry => entry.isDirectory()).map(({ name }) => path.join(folder, name))
    const first: string[] = []
    for (const each of [folder, ...categories.slice(0, maxFolders)]) {
      const [name] = await listPictures(each)
      if (name !== undefined && first.length < maxTried) first.push(path.join(each, name))
    }
    if (first.length === 0)
      return {
        found: `There is no JPEG, PNG, WebP or AVIF picture in ${folder}`,
        remedy: 'add some, or change cover_stock_folder.'
      }
    for (const file of first) await make(file)
    return null
  } catch (error) {
    if (!(error instanceof CoverError)) throw error
    return { found: withoutFullStop(error.message), remedy }
  }
}
