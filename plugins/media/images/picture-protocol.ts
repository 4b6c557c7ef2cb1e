import type { PictureError } from './picture-error.ts'
import type { Picture, Upload } from './picture-tasks.ts'

/** What the child process is asked for: one thing at a time. */
export type PictureCall = { name: 'convertUpload'; input: Upload } | { name: 'convertPicture'; input: Uint8Array }

/** What became of it. */
export type PictureAnswer =
  | { kind: 'done'; picture: Picture }
  | { kind: 'refused'; code: PictureError['code']; reason: string }
  | { kind: 'failed'; reason: string }
