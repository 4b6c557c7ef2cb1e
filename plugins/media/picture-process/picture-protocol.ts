import type { CoverOrder } from '../drawing/cover-order.ts'
import type { JpegOrder, Picture, RenditionOrder, Upload } from '../pictures/decoding.ts'
import type { PictureError } from '../pictures/picture-error.ts'

/** What the child process is asked for: one thing at a time. */
export type PictureCall =
  | { name: 'convertUpload'; input: Upload }
  | { name: 'drawCover'; input: CoverOrder }
  | { name: 'cropToCover'; input: Uint8Array }
  | { name: 'toJpeg'; input: JpegOrder }
  | { name: 'toRendition'; input: RenditionOrder }

/** What became of it. */
export type PictureAnswer =
  | { kind: 'done'; picture: Picture }
  | ({ kind: 'refused' } & Pick<PictureError, 'code' | 'found' | 'remedy'>)
  /** Something it needs cannot be used. */
  | { kind: 'unavailable'; reason: string }
  | { kind: 'failed'; reason: string }
