// Loaded by the child process only.
import sharp, { type Sharp } from 'sharp'
import { guardDecoding, openPicture, type Picture } from '../pictures/decoding.ts'
import { pictureLimits } from '../pictures/picture-limits.ts'
import type { CoverDesign, CoverFormat } from './cover-design.ts'
import { coverText, isRightToLeft } from './cover-text.ts'
import { loadFonts } from './fonts.ts'
import { paletteOf } from './palettes.ts'
import { type CoverLayout, coverTemplates } from './templates.ts'
import { drawInBox, type TextBox } from './text-box.ts'

interface Format {
  width: number
  /** Of the height, in 1/1200 of the width. */
  units: number
  title?: Partial<TextBox>
  line?: Partial<TextBox>
}

/** A caption is a sentence or two, read on a phone. */
const short: Format = {
  width: 1080,
  units: (1200 * 1920) / 1080,
  title: { sizes: [150, 134, 118, 108, 98, 90, 82, 76, 70, 64, 58, 52], maxLines: 18 },
  line: { sizes: [44], height: 62 }
}
const formats: Readonly<Record<CoverFormat, Format>> = {
  post: { width: 1200, units: 630 },
  podcast: { width: 3000, units: 1200 },
  film: { width: 1280, units: 675 },
  short
}

/** Draws a cover by a template. A text that the fonts cannot write is left out. */
export async function drawCover(design: CoverDesign): Promise<Picture> {
  const { width, units, title, line } = formats[design.format]
  const fonts = await loadFonts(design.fontFolder)
  const layout = layoutOf(design, units)
  const scale = width / 1200
  const texts: [string, TextBox][] = [
    [design.label ?? design.category, { ...layout.category, ...line }],
    [design.title, { ...layout.title, ...title }],
    [design.site, { ...layout.site, ...line }]
  ]
  const page = { language: design.language, isFromRight: isRightToLeft(coverText(design.title, fonts)) }
  const drawn = await Promise.all(
    texts.map(([text, box]) => drawInBox(coverText(text, fonts), page, placed(box, scale, page.isFromRight)))
  )
  const shapes = page.isFromRight ? `<g transform="matrix(-1 0 0 1 1200 0)">${layout.svg}</g>` : layout.svg
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${Math.round(units * scale)}" viewBox="0 0 1200 ${units}">${shapes}</svg>`
  return toCover(sharp(Buffer.from(svg)).composite(drawn.flat()))
}

function layoutOf({ template, category }: CoverDesign, height: number): CoverLayout {
  const create = coverTemplates[template]
  if (create === undefined) throw new TypeError(`There is no cover template ${template}.`)
  return create(paletteOf(category), height)
}

/** In pixels; mirrored on a cover that reads from the right. */
const placed = (box: TextBox, scale: number, isFromRight: boolean): TextBox => ({
  ...box,
  x: (isFromRight ? 1200 - box.x - box.width : box.x) * scale,
  y: box.y * scale,
  width: box.width * scale,
  height: box.height * scale,
  sizes: box.sizes.map(size => size * scale)
})

/** A picture of anybody as a post's cover: its most noticeable part. @throws PictureError as for an upload */
export async function cropToCover(bytes: Uint8Array): Promise<Picture> {
  const { width, units: height } = formats.post
  const picture = await openPicture(bytes, pictureLimits.minCoverSidePixels)
  return guardDecoding(() => toCover(picture.resize({ width, height, fit: 'cover', position: 'attention' })))
}

/** Podcast directories refuse an alpha channel. Without subsampling the edges of letters keep their colour. */
async function toCover(image: Sharp): Promise<Picture> {
  const encoded = image.flatten({ background: '#fff' }).jpeg({ quality: 88, chromaSubsampling: '4:4:4' })
  const { data, info } = await encoded.toBuffer({ resolveWithObject: true })
  return { bytes: data, width: info.width, height: info.height, extension: 'jpg' }
}
