import { UnavailableError } from '#core'

/** The engine did not speak. `retryAfterMs`: asking again may help, but not sooner; null where it cannot help. */
export class SpeechError extends UnavailableError {
  readonly retryAfterMs: number | null

  constructor(message: string, { retryAfterMs = null, cause }: { retryAfterMs?: number | null; cause?: unknown } = {}) {
    super(message, { cause })
    this.retryAfterMs = retryAfterMs
  }
}

/** Of one utterance: 90 s at 48,000 samples in stereo. An engine that sends more has not spoken 400 characters. */
export const maxWavBytes = 18_000_000

export const tooLong = (who: string): SpeechError =>
  new SpeechError(`${who} sent more than ${maxWavBytes} bytes for one sentence: the rest was not read.`)
