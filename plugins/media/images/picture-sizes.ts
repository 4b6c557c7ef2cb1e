import { imageSize } from 'image-size'
import { createCache, type Log } from '#core'
import type { MediaStore } from '../storage/media-store.ts'
import { renditionsOf } from './rendition-names.ts'

/** In pixels, as it is seen. */
export interface PictureSize {
  width: number
  height: number
}

/** A stored picture as a page shows it. */
export interface SizedPicture extends PictureSize {
  /** Narrower forms of it, the narrowest first: at most three. Each is made when it is asked for the first time. */
  renditions: readonly { url: string; width: number }[]
}

/** The sizes of the pictures in the media store. */
export interface PictureSizes {
  /** Of the picture with this address; null for one of another site, and for one that is gone. @throws UnavailableError */
  sizeOf(url: string): Promise<SizedPicture | null>
}

/** The same for the files themselves. */
export interface FileSizes extends PictureSizes {
  ofFile(filename: string): Promise<PictureSize | null>
}

/** The size stands in the first bytes of a picture; what cameras write before it was left out when it was stored. */
const headBytes = 65_536
const maxKnown = 10_000

/** Reads the sizes of stored pictures, and remembers them: a picture's name is the hash of its bytes. */
export function createPictureSizes({ store, log }: { store: Pick<MediaStore, 'get'>; log: Log }): FileSizes {
  const known = createCache<PictureSize | null>({ maxEntries: () => maxKnown })
  const read = async (filename: string): Promise<PictureSize | null> => {
    const file = await store.get(`images/${filename}`)
    if (file === null) return null
    try {
      return sizeIn(await file.readRange({ start: 0, end: Math.min(headBytes, file.bytes) - 1 }))
    } catch (error) {
      log.debug({ err: error, filename }, 'the size of a picture could not be read')
      return null
    } finally {
      await file.close()
    }
  }
  const ofFile = async (filename: string): Promise<PictureSize | null> => {
    const size = await known.load(filename, () => read(filename))
    // It may be put there later.
    if (size === null) known.delete(filename)
    return size
  }
  return {
    ofFile,
    async sizeOf(url) {
      const filename = addressPattern.exec(url)?.[1]
      const size = filename === undefined ? null : await ofFile(filename)
      if (filename === undefined || size === null) return null
      const folder = url.slice(0, -filename.length)
      const narrower = renditionsOf(filename).filter(({ width }) => width < size.width)
      return { ...size, renditions: narrower.map(each => ({ url: folder + each.filename, width: each.width })) }
    }
  }
}

/** Whatever the address of the service was then. */
const addressPattern = /\/images\/generated\/([^/?#]+)$/

function sizeIn(head: Buffer): PictureSize {
  const { width, height, orientation = 1 } = imageSize(head)
  // EXIF: from 5 on the picture lies on its side.
  return orientation >= 5 ? { width: height, height: width } : { width, height }
}
