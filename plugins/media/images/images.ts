import { AppError, InputError, type Installation } from '#core'
import type { PictureProcess } from '../picture-process/picture-process.ts'
import type { Picture, Upload } from '../pictures/decoding.ts'
import { PictureError } from '../pictures/picture-error.ts'
import type { MediaStore } from '../storage/media-store.ts'

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
  remove(filename: string): Promise<void>
  /** Address of a stored picture. */
  urlOf(filename: string): string
}

export interface ImageDeps {
  store: MediaStore
  pictures: PictureProcess
  installation: Pick<Installation, 'baseUrl'>
}

export const imageTypes: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  avif: 'image/avif',
  gif: 'image/gif'
}

export function createImages({ store, pictures, installation }: ImageDeps): Images {
  const urlOf = (filename: string) => `${installation.baseUrl()}/images/generated/${filename}`
  const storePicture = async ({ bytes, width, height, extension }: Picture): Promise<StoredImage> => {
    const stored = await store.put('images', extension, bytes)
    const filename = stored.key.slice('images/'.length)
    const content_type = imageTypes[extension] ?? ''
    return { filename, url: urlOf(filename), width, height, bytes: stored.bytes, content_type }
  }
  return {
    urlOf,
    store: storePicture,
    isStored: async filename => (await store.stat(`images/${filename}`)) !== null,
    remove: filename => store.delete(`images/${filename}`),
    add: async (upload, signal) =>
      storePicture(await pictures.make({ name: 'convertUpload', input: upload }, signal).catch(toInputError))
  }
}

function toInputError(error: unknown): never {
  if (!(error instanceof PictureError)) throw error
  if (error.code === 'PAYLOAD_TOO_LARGE') throw new AppError(error.code, `The picture ${error.message}.`)
  throw new InputError({ body: error.message }, `The picture ${error.message}.`)
}
