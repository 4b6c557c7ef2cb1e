import type { CoverDesign } from '../drawing/cover-design.ts'
import type { JpegInput, Picture, RenditionInput, Upload } from '../pictures/decoding.ts'
import type { PictureError } from '../pictures/picture-error.ts'

/** What the child process is asked for: one thing at a time. */
export type PictureCall =
  | { name: 'convertUpload'; input: Upload }
  | { name: 'drawCover'; input: CoverDesign }
  | { name: 'cropToCover'; input: Uint8Array }
  | { name: 'toJpeg'; input: JpegInput }
  | { name: 'toRendition'; input: RenditionInput }

/** What became of it. */
export type PictureAnswer =
  | { kind: 'done'; picture: Picture }
  | ({ kind: 'refused' } & Pick<PictureError, 'code' | 'found' | 'remedy'>)
  /** Something it needs cannot be used. */
  | { kind: 'unavailable'; reason: string }
  | { kind: 'failed'; reason: string }
