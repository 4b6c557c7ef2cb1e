import { forEachAsync } from '#concurrency'
import { withTimeout } from '#core'
import type { PictureSizes, SizedPicture } from '#plugins/media'
import { decodeHtmlEntities } from '#text/html-entities'
import { srcsetOf } from './srcset.ts'

/** Of one text; what comes behind stays without. */
const maxPictures = 100

/** How the sizes are read from the store, which may be a bucket far away. */
export interface PictureReads {
  waitMs: number
  atOnce: number
}
/** Readers came for the text: they do not wait longer. */
const forReaders: PictureReads = { waitMs: 500, atOnce: 4 }
/** An export shows many posts, and nobody waits for one of its pages. */
export const forExports: PictureReads = { waitMs: 20_000, atOnce: 32 }

const pictureTag = /<img\s[^>]*>/g

/** As wide as the text is, at most. Browsers that know `auto` measure the picture itself. */
const shownWidth = 'auto, (min-width: 42rem) 39rem, 100vw'

interface SizedText {
  html: string
  /** False when the sizes could not be read in time: later they may be. */
  isComplete: boolean
}

/**
 * Gives the stored pictures of a text their width and height, so that nothing moves when they arrive, and narrower forms for small
 * screens. The text is sanitised, with every link as the page has it. `sizes` is undefined where no media are.
 */
export async function withPictureSizes(
  html: string,
  sizes: PictureSizes | undefined,
  reads?: PictureReads
): Promise<SizedText> {
  if (sizes === undefined || !html.includes('<img ')) return { html, isComplete: true }
  const addresses = [...new Set([...html.matchAll(pictureTag)].map(([tag]) => addressOf(tag)))].slice(0, maxPictures)
  const known = await readPictures(addresses, sizes, reads)
  if (known === undefined) return { html, isComplete: false }
  return { html: html.replace(pictureTag, tag => sized(tag, known.get(addressOf(tag)))), isComplete: true }
}

/** The pictures at these addresses. Undefined when the store cannot be used, or not in time. */
export const readPictures = (
  addresses: Iterable<string>,
  sizes: PictureSizes,
  { waitMs, atOnce }: PictureReads = forReaders
): Promise<KnownPictures | undefined> => withTimeout(waitMs, readAll([...addresses], sizes, atOnce), () => undefined)

type KnownPictures = ReadonlyMap<string, SizedPicture | null>

async function readAll(
  addresses: readonly string[],
  { sizeOf }: PictureSizes,
  atOnce: number
): Promise<KnownPictures | undefined> {
  const pictures = new Map<string, SizedPicture | null>()
  const read = async (address: string) => pictures.set(address, await sizeOf(address))
  try {
    await forEachAsync(addresses, read, { concurrency: atOnce })
    return pictures
  } catch {
    return undefined
  }
}

const addressOf = (tag: string): string => decodeHtmlEntities(/\ssrc="([^"]*)"/.exec(tag)?.[1] ?? '')

/** What the author wrote stays. */
function sized(tag: string, picture: SizedPicture | null | undefined): string {
  if (picture === null || picture === undefined) return tag
  const { width, height } = picture
  const size = /\s(width|height)="/.test(tag) ? '' : `width="${width}" height="${height}" `
  return tag.replace('<img ', `<img ${size}${srcsetFor(tag, picture)}`)
}

/** Empty where the picture has no narrower forms. The address in the tag is escaped, and what is added to it needs no escape. */
function srcsetFor(tag: string, picture: SizedPicture): string {
  const [, address = ''] = /\ssrc="([^"]*)"/.exec(tag) ?? []
  const folder = address.slice(0, address.lastIndexOf('/') + 1)
  const srcset = srcsetOf(address, picture, url => folder + url.slice(url.lastIndexOf('/') + 1))
  return srcset === null ? '' : `srcset="${srcset}" sizes="${shownWidth}" `
}
