import { errorCode } from '#core'
import type { CallUsage } from '#plugins/costs'
import { readWavFormat, WavError } from '../audio/wav.ts'
import type { SpokenText } from '../index.ts'
import { readWavFile } from './wav-file.ts'

/** A slow voice takes this long for a sign, and pauses around a text. */
const maxSecondsPerSign = 0.8
const maxPauseSeconds = 10

/** The most that a text uses. */
export const speechWorst = ({ text }: SpokenText): CallUsage => ({
  characters: text.length,
  seconds: maxPauseSeconds + text.length * maxSecondsPerSign
})

/** Of what an engine returned, or has written. What is no sound is refused elsewhere: it has no length. */
export async function secondsOf({ file }: Pick<SpokenText, 'file'>, wav: Uint8Array | null = null): Promise<number> {
  try {
    if (wav === null) return (await readWavFile(file)).seconds
    const { length, sampleRate } = readWavFormat(wav)
    return length / sampleRate
  } catch (error) {
    if (error instanceof WavError || errorCode(error) === 'ENOENT') return 0
    throw error
  }
}
