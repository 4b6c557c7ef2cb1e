import { createHash } from 'node:crypto'
import path from 'node:path'
import type { Settings } from '#core'
import { CoverError } from '../cover-error.ts'
import type { PictureProcess } from '../picture-process/picture-process.ts'
import { coverFrom } from './cover-from.ts'
import type { CoverSettings } from './settings.ts'
import { type CoverDriver, type CoverPost, requireSettings } from './source.ts'
import { findStockFault, listPictures, readStockPicture } from './stock-folder.ts'

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
  const make = async (file: string, signal: AbortSignal) =>
    coverFrom(pictures, { bytes: await readStockPicture(file), from: file }, signal)
  return {
    settingsFault,
    findFault: signal => findStockFault(folder(), file => make(file, signal)),
    plan: async post => {
      requireSettings({ settingsFault })
      const file = await chooseFile(folder(), post)
      return { from: { stock: file }, make: signal => make(file, signal) }
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
    `There is no picture for ${category?.slug ?? 'a post without category'} in ${folder}: add a JPEG, PNG, WebP or AVIF, or change cover_stock_folder.`
  )
}
