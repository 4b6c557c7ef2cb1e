import { CoverError } from '../cover-error.ts'
import type { PictureProcess } from '../picture-process/picture-process.ts'
import type { Picture } from '../pictures/decoding.ts'
import { PictureError } from '../pictures/picture-error.ts'

/**
 * A cover of a picture that comes from `from`. @throws CoverError for one that is not taken, saying where it is from and what to
 * do: `remedy` where nobody can change the picture itself
 */
export async function coverFrom(
  pictures: PictureProcess,
  { bytes, from, remedy }: { bytes: Uint8Array; from: string; remedy?: string },
  signal: AbortSignal
): Promise<Picture> {
  try {
    return await pictures.make({ name: 'cropToCover', input: bytes }, signal)
  } catch (error) {
    if (!(error instanceof PictureError)) throw error
    const fault = remedy === undefined ? `${error.message}.` : `${error.found}. ${remedy}`
    throw new CoverError(`The picture of ${from} ${fault}`, { cause: error })
  }
}
