// Runs in a process of its own, so that a picture that fills the memory or never ends takes only this one down.
import { beChild } from '#child-process/be-child'
import { cropToCover, drawCover } from '../drawing/draw-cover.ts'
import { FontError } from '../drawing/fonts.ts'
import { convertUpload, type Picture, toJpeg, toRendition } from '../pictures/decoding.ts'
import { PictureError } from '../pictures/picture-error.ts'
import type { PictureAnswer, PictureCall } from './picture-protocol.ts'

beChild()
process.on('message', (call: PictureCall) => {
  void answerOf(call).then(answer => process.send?.(answer))
})

async function answerOf(call: PictureCall): Promise<PictureAnswer> {
  try {
    return { kind: 'done', picture: await pictureOf(call) }
  } catch (error) {
    if (error instanceof PictureError) {
      const { code, found, remedy } = error
      return { kind: 'refused', code, found, remedy }
    }
    if (error instanceof FontError) return { kind: 'unavailable', reason: error.message }
    return { kind: 'failed', reason: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}

function pictureOf(call: PictureCall): Promise<Picture> {
  switch (call.name) {
    case 'convertUpload':
      return convertUpload(call.input)
    case 'drawCover':
      return drawCover(call.input)
    case 'cropToCover':
      return cropToCover(call.input)
    case 'toJpeg':
      return toJpeg(call.input)
    case 'toRendition':
      return toRendition(call.input)
  }
}
