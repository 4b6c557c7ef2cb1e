import { AppError, InputError, type Installation } from '#core'
import type { PictureProcess } from '../picture-process/picture-process.ts'
import type { Picture, Upload } from '../pictures/decoding.ts'
import { PictureError } from '../pictures/picture-error.ts'
import type { MediaStore } from '../storage/media-store.ts'
import { readPicture } from './read-picture.ts'
import type { Renditions } from './renditions.ts'

/** A stored picture, as the API answers it. */
export interface StoredImage {
  filename: string
  /** Where it is served. */
  url: string
  width: number
  height: number
  bytes: number
  content_type: string
}

export interface Images {
  /** Checks and stores a picture of anybody. @throws InputError (`body`), AppError `PAYLOAD_TOO_LARGE`, UnavailableError */
  add(upload: Upload, signal: AbortSignal): Promise<StoredImage>
  /** Stores a picture that was made here. */
  store(picture: Picture): Promise<StoredImage>
  isStored(filename: string): Promise<boolean>
  /** With its smaller forms. */
  remove(filename: string): Promise<void>
  /** Address of a stored picture. */
  urlOf(filename: string): string
  /** File name of a stored picture by its address; null for a picture of another site, and for one that is gone. */
  find(url: string | null): Promise<string | null>
  /** A stored picture as a JPEG, for tags and films. Null when it is gone, or cannot be decoded. @throws UnavailableError */
  toJpeg(filename: string, maxSidePixels: number, signal: AbortSignal): Promise<Uint8Array | null>
}

export interface ImageDeps {
  store: MediaStore
  pictures: PictureProcess
  installation: Pick<Installation, 'baseUrl'>
  renditions: Pick<Renditions, 'removeAll'>
}

export const imageTypes: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  avif: 'image/avif',
  gif: 'image/gif'
}

export function createImages({ store, pictures, installation, renditions }: ImageDeps): Images {
  const urlOf = (filename: string) => `${installation.baseUrl()}/images/generated/${filename}`
  const isStored = async (filename: string) => (await store.stat(`images/${filename}`)) !== null
  const storePicture = async ({ bytes, width, height, extension }: Picture): Promise<StoredImage> => {
    const stored = await store.put('images', extension, bytes)
    const filename = stored.key.slice('images/'.length)
    const content_type = imageTypes[extension] ?? ''
    return { filename, url: urlOf(filename), width, height, bytes: stored.bytes, content_type }
  }
  return {
    urlOf,
    store: storePicture,
    isStored,
    find: async url => {
      const filename = addressPattern.exec(url ?? '')?.[1]
      return filename !== undefined && (await isStored(filename)) ? filename : null
    },
    toJpeg: (filename, maxSidePixels, signal) => toJpeg({ store, pictures }, { filename, maxSidePixels }, signal),
    remove: async filename => {
      await store.delete(`images/${filename}`)
      await renditions.removeAll(filename)
    },
    add: async (upload, signal) =>
      storePicture(await pictures.make({ name: 'convertUpload', input: upload }, signal).catch(toInputError))
  }
}

/** Whatever the address of the service was then. */
const addressPattern = /\/images\/generated\/([^/]+)$/

async function toJpeg(
  { store, pictures }: Pick<ImageDeps, 'store' | 'pictures'>,
  { filename, maxSidePixels }: { filename: string; maxSidePixels: number },
  signal: AbortSignal
): Promise<Uint8Array | null> {
  const bytes = await readPicture(store, filename)
  if (bytes === null) return null
  try {
    return (await pictures.make({ name: 'toJpeg', input: { bytes, maxSidePixels } }, signal)).bytes
  } catch (error) {
    if (error instanceof PictureError) return null
    throw error
  }
}

function toInputError(error: unknown): never {
  if (!(error instanceof PictureError)) throw error
  const fields = { body: error.message }
  const message = `The picture ${error.message}.`
  if (error.code === 'PAYLOAD_TOO_LARGE') throw new AppError(error.code, message, { fields })
  throw new InputError(fields, message)
}
