import sharp from 'sharp'
import type { FrameSize } from './still.ts'

/** Bars up to this share of the frame continue the edge of the picture, as those of a cover. */
const maxEdgeShare = 0.05

/** A picture as a whole, in a frame of another shape: no part is cut away, and no bars are black. */
export async function wholePicture(picture: Uint8Array, { width, height }: FrameSize): Promise<Uint8Array> {
  const { data, info } = await sharp(picture)
    .resize({ width, height, fit: 'inside' })
    .png({ compressionLevel: 1 })
    .toBuffer({ resolveWithObject: true })
  const bars = { x: width - info.width, y: height - info.height }
  const isNear = bars.x <= width * maxEdgeShare * 2 && bars.y <= height * maxEdgeShare * 2
  const framed = isNear
    ? sharp(data).extend({ ...halves('left', 'right', bars.x), ...halves('top', 'bottom', bars.y), extendWith: 'copy' })
    : sharp(await blurred(picture, { width, height })).composite([{ input: data }])
  return framed.jpeg({ quality: 95, chromaSubsampling: '4:4:4' }).toBuffer()
}

const halves = (first: string, second: string, length: number) => ({
  [first]: Math.floor(length / 2),
  [second]: Math.ceil(length / 2)
})

/** The picture fills the frame. It is blurred while it is small: that looks the same, and is a hundred times as fast. */
async function blurred(picture: Uint8Array, { width, height }: FrameSize): Promise<Buffer> {
  const small = { width: Math.round(width / 10), height: Math.round(height / 10) }
  const soft = await sharp(picture)
    .resize({ ...small, fit: 'cover' })
    .blur(4)
    .png()
    .toBuffer()
  return sharp(soft).resize({ width, height }).png({ compressionLevel: 1 }).toBuffer()
}
