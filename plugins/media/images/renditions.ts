import { createBoundedMap, type Log, UnavailableError } from '#core'
import type { PictureProcess } from '../picture-process/picture-process.ts'
import { PictureError } from '../pictures/picture-error.ts'
import type { MediaStore } from '../storage/media-store.ts'
import type { FileSizes } from './picture-sizes.ts'
import { readPicture } from './read-picture.ts'
import { type RenditionName, readRenditionName, renditionsOf } from './rendition-names.ts'

/** Smaller forms of stored pictures, for small screens. Each is made when it is asked for the first time. */
export interface Renditions {
  /** Makes one and stores it; null for a name of none. `isStored` false: the picture itself has to do for now. */
  make(filename: string): Promise<{ source: string; isStored: boolean } | null>
  /** Removes those of a picture that was removed. */
  removeAll(source: string): Promise<void>
}

export interface RenditionDeps {
  store: MediaStore
  pictures: Pick<PictureProcess, 'make'>
  sizes: Pick<FileSizes, 'ofFile'>
  log: Log
}

/** More of them would keep uploads and covers waiting. */
const maxAtOnce = 4
const maxFailed = 1000

/** What became of one: `gone` with its picture, or `refused`, since it cannot be made, or not now. */
type Made = 'stored' | 'gone' | 'refused'

export function createRenditions(deps: RenditionDeps): Renditions {
  const underWay = new Map<string, Promise<Made>>()
  /** What could not be decoded will not be tomorrow. */
  const failed = createBoundedMap<string, true>({ maxEntries: () => maxFailed })
  const makeOnce = async (filename: string, name: RenditionName): Promise<Made> => {
    if (failed.get(filename) === true) return 'refused'
    const joined = underWay.get(filename)
    if (joined !== undefined) return joined
    if (underWay.size >= maxAtOnce) return 'refused'
    const making = makeRendition(deps, filename, name).catch((error): Made => {
      if (error instanceof PictureError) failed.set(filename, true)
      else if (!(error instanceof UnavailableError)) throw error
      deps.log.warn({ err: error, filename }, 'a smaller form of a picture could not be made')
      return 'refused'
    })
    underWay.set(filename, making)
    return making.finally(() => underWay.delete(filename))
  }
  return {
    async make(filename) {
      const name = readRenditionName(filename)
      if (name === null) return null
      const size = await deps.sizes.ofFile(name.source)
      if (size === null || size.width <= name.width) return null
      const made = await makeOnce(filename, name)
      return made === 'gone' ? null : { source: name.source, isStored: made === 'stored' }
    },
    removeAll: async source => {
      for (const { filename } of renditionsOf(source)) await deps.store.delete(`images/${filename}`)
    }
  }
}

/** @throws PictureError, UnavailableError */
async function makeRendition(
  { store, pictures }: RenditionDeps,
  filename: string,
  { source, width }: RenditionName
): Promise<Made> {
  const bytes = await readPicture(store, source)
  if (bytes === null) return 'gone'
  const picture = await pictures.make({ name: 'toRendition', input: { bytes, width } })
  const key = `images/${filename}`
  await store.putAs(key, picture.bytes)
  // A removal deletes the picture first and its forms then: one of the two sees the other.
  if ((await store.stat(`images/${source}`)) !== null) return 'stored'
  await store.delete(key)
  return 'gone'
}
