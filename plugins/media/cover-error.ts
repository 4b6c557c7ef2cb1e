import { UnavailableError } from '#core'

/** No cover, and another try would end as this one: settings, a picture or an answer are to be corrected first. */
export class CoverError extends UnavailableError {}

/** A cover was not drawn here: its texts, its fonts or the limits may be why, or something that passes. */
export class DrawingError extends UnavailableError {}

/** The endpoint may do better later. `retryAfterMs`: not sooner; 0 where it did not say. */
export class CoverDelayedError extends UnavailableError {
  readonly retryAfterMs: number

  constructor(message: string, retryAfterMs: number) {
    super(message)
    this.retryAfterMs = retryAfterMs
  }
}
