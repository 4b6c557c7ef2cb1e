import { settleWithin } from '#core'
import type { PictureSize, PictureSizes } from '#plugins/media'
import { decodeHtmlEntities } from '#text/html-entities'

/** Of one text; what comes behind stays without. */
const maxPictures = 100
/** Readers came for the text: they do not wait longer. */
const maxMs = 500
const pictureTag = /<img\s[^>]*>/g

export interface SizedText {
  html: string
  /** False when the sizes could not be read in time: later they may be. */
  isComplete: boolean
}

/**
 * Gives the stored pictures of a sanitised text their width and height, so that nothing moves when they arrive. `sizes` is
 * undefined where no media are.
 */
export async function withPictureSizes(html: string, sizes: PictureSizes | undefined): Promise<SizedText> {
  if (sizes === undefined) return { html, isComplete: true }
  const addresses = [...new Set([...html.matchAll(pictureTag)].map(([tag]) => addressOf(tag)))].slice(0, maxPictures)
  if (addresses.length === 0) return { html, isComplete: true }
  const known = await settleWithin(maxMs, readAll(addresses, sizes), () => undefined)
  if (known === undefined) return { html, isComplete: false }
  return { html: html.replace(pictureTag, tag => sized(tag, known.get(addressOf(tag)))), isComplete: true }
}

/** Undefined when the store cannot be used. */
async function readAll(
  addresses: readonly string[],
  { sizeOf }: PictureSizes
): Promise<ReadonlyMap<string, PictureSize | null> | undefined> {
  try {
    const sizes = new Map<string, PictureSize | null>()
    // One after another: a bucket is not asked for a hundred pictures at once for one page.
    for (const address of addresses) sizes.set(address, await sizeOf(address))
    return sizes
  } catch {
    return undefined
  }
}

const addressOf = (tag: string): string => decodeHtmlEntities(/\ssrc="([^"]*)"/.exec(tag)?.[1] ?? '')

/** What the author wrote stays. */
function sized(tag: string, size: PictureSize | null | undefined): string {
  if (size === null || size === undefined || /\s(width|height)="/.test(tag)) return tag
  return tag.replace('<img ', `<img width="${size.width}" height="${size.height}" `)
}
