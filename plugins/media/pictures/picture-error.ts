/** A picture that is not taken. `message` completes "the picture …": what was found, and what its sender can do. */
export class PictureError extends Error {
  override readonly name = 'PictureError'
  readonly code: 'VALIDATION_ERROR' | 'PAYLOAD_TOO_LARGE'
  readonly found: string
  readonly remedy: string | null

  constructor(code: PictureError['code'], found: string, remedy: string | null = null) {
    super(remedy === null ? found : `${found}: ${remedy}`)
    this.code = code
    this.found = found
    this.remedy = remedy
  }
}
