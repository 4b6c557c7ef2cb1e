import { imageSize } from 'image-size'
import { createCache, type Log } from '#core'
import type { MediaStore } from '../storage/media-store.ts'

/** In pixels, as it is seen. */
export interface PictureSize {
  width: number
  height: number
}

/** The sizes of the pictures in the media store. */
export interface PictureSizes {
  /** Of the picture with this address; null for one of another site, and for one that is gone. @throws UnavailableError */
  sizeOf(url: string): Promise<PictureSize | null>
}
/** The size stands in the first bytes of a picture; what cameras write before it was left out when it was stored. */
const headBytes = 65_536
const maxKnown = 10_000

/** Reads the sizes of stored pictures, and remembers them: a picture's name is the hash of its bytes. */
export function createPictureSizes({ store, log }: { store: Pick<MediaStore, 'get'>; log: Log }): PictureSizes {
  const known = createCache<PictureSize | null>({ maxEntries: () => maxKnown })
  const read = async (filename: string): Promise<PictureSize | null> => {
    const file = await store.get(`images/${filename}`)
    if (file === null) return null
    try {
      return sizeIn(await file.readPart({ start: 0, end: Math.min(headBytes, file.bytes) - 1 }))
    } catch (error) {
      log.debug({ err: error, filename }, 'the size of a picture could not be read')
      return null
    } finally {
      await file.close()
    }
  }
  return {
    async sizeOf(url: string): Promise<PictureSize | null> {
      const filename = addressPattern.exec(url)?.[1]
      if (filename === undefined) return null
      const size = await known.load(filename, () => read(filename))
      // It may be put there later.
      if (size === null) known.delete(filename)
      return size
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
