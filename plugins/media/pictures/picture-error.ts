/** A picture that is not taken. `message` completes "the picture …". */
export class PictureError extends Error {
  override readonly name = 'PictureError'
  readonly code: 'VALIDATION_ERROR' | 'PAYLOAD_TOO_LARGE'

  constructor(code: PictureError['code'], message: string) {
    super(message)
    this.code = code
  }
}
