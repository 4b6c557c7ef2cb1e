import { messageOf, UnavailableError } from '#core'
import { maxWavBytes, type WavError } from '../audio/wav.ts'

/** The engine did not speak. `retryAfterMs`: asking again may help, but not sooner; null where it cannot help. */
export class SpeechError extends UnavailableError {
  readonly retryAfterMs: number | null

  constructor(message: string, { retryAfterMs = null, cause }: { retryAfterMs?: number | null; cause?: unknown } = {}) {
    super(message, { cause })
    this.retryAfterMs = retryAfterMs
  }
}

export const tooLong = (who: string): SpeechError =>
  new SpeechError(`${who} sent more than ${maxWavBytes} bytes for one sentence: the rest was not read.`)

/** `words`: what else is known of it. One that breaks off may be whole the next time. */
export const noWav = (who: string, error: WavError, words = ''): SpeechError =>
  new SpeechError(`${who} ${messageOf(error)}${words}.`, { retryAfterMs: error.isTruncated ? 0 : null, cause: error })
