// Loaded by the child process only: what is decoded here comes from anywhere.
import sharp, { type Sharp } from 'sharp'
import { PictureError } from './picture-error.ts'
import { pictureLimits } from './picture-limits.ts'
import { pngFrames } from './png-frames.ts'
import { pictureInForm } from './upload-form.ts'

/** A picture as it is stored: of one of these kinds, upright, in sRGB, without metadata. */
export interface Picture {
  bytes: Uint8Array
  width: number
  height: number
  extension: 'jpg' | 'png' | 'webp'
}

/** What was sent: a picture, or a form with one. */
export interface Upload {
  bytes: Uint8Array
  contentType: string
}

export interface JpegInput {
  bytes: Uint8Array
  maxSidePixels: number
}

export interface RenditionInput {
  bytes: Uint8Array
  /** In pixels; a picture that is not wider stays as wide as it is. */
  width: number
}

sharp.cache(false)
sharp.concurrency(1)
// Whatever the first bytes of a file say, no other decoder of the library is reached.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif', 'Svg'].map(kind => `VipsForeignLoad${kind}Buffer`)
})

/** Decodes what was sent and encodes it again, which leaves nothing of it but the pixels. @throws PictureError */
export async function convertUpload({ bytes, contentType }: Upload): Promise<Picture> {
  const sent = /^multipart\/form-data\b/i.test(contentType) ? await pictureInForm(bytes, contentType) : bytes
  const image = await openPicture(sent)
  const side = pictureLimits.maxStoredSidePixels
  return encode(image.resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true }), kindOf(sent))
}

/** A picture of our own for where it is seen small. @throws PictureError */
export async function toJpeg({ bytes, maxSidePixels }: JpegInput): Promise<Picture> {
  const image = await openPicture(bytes)
  const size = { width: maxSidePixels, height: maxSidePixels, fit: 'inside', withoutEnlargement: true } as const
  return encode(image.resize(size).flatten({ background: '#fff' }), 'jpeg')
}

/** A smaller form of a stored picture, in the type that takes the fewest bytes to send. @throws PictureError */
export async function toRendition({ bytes, width }: RenditionInput): Promise<Picture> {
  const image = await openPicture(bytes)
  const { data, info } = await guardDecoding(() =>
    image.resize({ width, withoutEnlargement: true }).webp({ quality: 80 }).toBuffer({ resolveWithObject: true })
  )
  return { bytes: data, width: info.width, height: info.height, extension: 'webp' }
}

/** A picture that is decoded when it is used, upright. @throws PictureError for what is none, or passes the limits. */
export async function openPicture(bytes: Uint8Array, minSidePixels = 1): Promise<Sharp> {
  if (bytes.length > pictureLimits.maxBytes) throw tooLarge(bytes.length)
  if (kindOf(bytes) === undefined)
    throw new PictureError(
      'VALIDATION_ERROR',
      'is no JPEG, PNG, WebP, AVIF or GIF picture',
      'convert it to one of these'
    )
  const { width, height, pages = 1 } = await guardDecoding(() => sharp(bytes, { limitInputPixels: false }).metadata())
  const { maxPixels, maxSidePixels } = pictureLimits
  if (width * height > maxPixels || Math.max(width, height) > maxSidePixels)
    throw new PictureError(
      'VALIDATION_ERROR',
      `has ${width} × ${height} pixels: at most ${maxPixels / 1e6} million are taken, and ${maxSidePixels} on a side`
    )
  if (Math.min(width, height) < minSidePixels)
    throw new PictureError(
      'VALIDATION_ERROR',
      `has ${width} × ${height} pixels: at least ${minSidePixels} on a side are needed`
    )
  const frames = kindOf(bytes) === 'png' ? pngFrames(bytes) : pages
  if (frames > 1) throw new PictureError('VALIDATION_ERROR', `is animated (${frames} frames)`, 'send one frame of it')
  return sharp(bytes, { limitInputPixels: maxPixels, failOn: 'error' }).autoOrient().toColourspace('srgb')
}

type Kind = 'jpeg' | 'png' | 'other'

/** By the first bytes. SVG is none of them: it can contain scripts, and text in the fonts of the machine. */
function kindOf(bytes: Uint8Array): Kind | undefined {
  const start = Buffer.from(bytes.subarray(0, 32)).toString('latin1')
  if (start.startsWith('\xff\xd8\xff')) return 'jpeg'
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'png'
  return /^(GIF8[79]a|RIFF....WEBP|....ftyp(avif|mif1))/s.test(start) ? 'other' : undefined
}

/** JPEG and PNG stay what they are, because every reader and directory takes them. */
async function encode(image: Sharp, kind: Kind | undefined): Promise<Picture> {
  const encoded = {
    jpeg: () => image.jpeg({ quality: 85, mozjpeg: true }),
    png: () => image.png({ compressionLevel: 9 }),
    other: () => image.webp({ quality: 85 })
  }
  const { data, info } = await guardDecoding(() => encoded[kind ?? 'other']().toBuffer({ resolveWithObject: true }))
  const extension = { jpeg: 'jpg', png: 'png', other: 'webp' } as const
  return { bytes: data, width: info.width, height: info.height, extension: extension[kind ?? 'other'] }
}

/** What the library says of a picture becomes a fault of the picture. */
export async function guardDecoding<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    const found = error instanceof Error ? error.message.split('\n')[0] : String(error)
    throw new PictureError('VALIDATION_ERROR', `cannot be decoded (${found?.slice(0, 150)})`, 'save it anew')
  }
}

const tooLarge = (bytes: number) =>
  new PictureError('PAYLOAD_TOO_LARGE', `has ${bytes} bytes; at most ${pictureLimits.maxBytes} are taken`)
