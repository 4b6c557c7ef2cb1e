import { messageOf } from '#core'
import type { PictureSizes } from '../images/picture-sizes.ts'

/** PSP-1, and Apple's rules. */
const side = { min: 1400, max: 3000 }

/**
 * Why directories refuse a picture, to go on with after "the picture …"; null where they may take it. Its name is all that is known
 * of one on another site.
 */
export async function artFault(url: string, sizes: Pick<PictureSizes, 'sizeOf'>): Promise<string | null> {
  if (!/\.(jpe?g|png)([?#]|$)/i.test(url)) return `${url} is no .jpg or .png by its name`
  // A store that cannot be read is reported by itself, and the feed has to be there meanwhile.
  const size = await sizes.sizeOf(url).catch(error => messageOf(error))
  if (typeof size === 'string') return `${url} cannot be read: ${size}`
  if (size === null) return null
  const { width, height } = size
  if (width === height && width >= side.min && width <= side.max) return null
  return `${url} has ${width} × ${height} pixels: a square of ${side.min} to ${side.max} is taken`
}
