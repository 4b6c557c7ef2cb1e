import { createHash } from 'node:crypto'
import { open, readdir } from 'node:fs/promises'
import path from 'node:path'
import { errorCode, type Settings } from '#core'
import type { PictureProcess } from '../picture-process/picture-process.ts'
import { pictureLimits } from '../pictures/picture-limits.ts'
import { CoverError } from './cover-error.ts'
import { coverFrom } from './cover-from.ts'
import type { CoverSettings } from './settings.ts'
import { type CoverDriver, type CoverPost, requireSettings } from './source.ts'

export interface StockDriverDeps {
  settings: Pick<Settings<CoverSettings>, 'get'>
  pictures: PictureProcess
}

/** Covers from the operator's pictures: of the post's category where it has a folder, else of all. */
export function createStockDriver({ settings, pictures }: StockDriverDeps): CoverDriver {
  const folder = () => settings.get('cover_stock_folder')
  const settingsFault = () =>
    folder() === ''
      ? { found: 'cover_driver is stock, and cover_stock_folder is empty', remedy: 'set it to a folder of pictures.' }
      : null
  return {
    settingsFault,
    plan: async post => {
      requireSettings({ settingsFault })
      const file = await chooseFile(folder(), post)
      return {
        from: { stock: file },
        make: async signal => coverFrom(pictures, { bytes: await readPicture(file), from: file }, signal)
      }
    }
  }
}

/** A post keeps its picture while the folder stays as it is. */
async function chooseFile(folder: string, { post_id, category }: CoverPost): Promise<string> {
  const folders = category === null ? [folder] : [path.join(folder, category.slug), folder]
  for (const each of folders) {
    const names = await listPictures(each)
    const chosen = names[createHash('sha256').update(post_id).digest().readUInt32BE(0) % names.length]
    if (chosen !== undefined) return path.join(each, chosen)
  }
  throw new CoverError(
    `There is no picture for ${category?.slug ?? 'a post without category'} in ${folder}: add a JPEG, PNG or WebP, or change cover_stock_folder.`
  )
}

async function listPictures(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true })
    const files = entries.filter(entry => entry.isFile() && /\.(jpe?g|png|webp|avif)$/i.test(entry.name))
    return files.map(({ name }) => name).sort()
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return []
    throw unreadable(folder, error)
  }
}

async function readPicture(file: string): Promise<Buffer> {
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
