import type { PictureProcess } from '../picture-process/picture-process.ts'
import type { Picture } from '../pictures/decoding.ts'
import { PictureError } from '../pictures/picture-error.ts'
import { CoverError } from './cover-error.ts'

/** A cover of a picture that comes from `from`. @throws CoverError for one that is not taken, saying where it is from */
export async function coverFrom(
  pictures: PictureProcess,
  { bytes, from }: { bytes: Uint8Array; from: string },
  signal: AbortSignal
): Promise<Picture> {
  try {
    return await pictures.make({ name: 'cropToCover', input: bytes }, signal)
  } catch (error) {
    if (!(error instanceof PictureError)) throw error
    throw new CoverError(`The picture of ${from} ${error.message}.`, { cause: error })
  }
}
