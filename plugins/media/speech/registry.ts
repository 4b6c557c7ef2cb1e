import { messageOf, type Settings, settleUnlessAborted } from '#core'
import { createDrivers, type Drivers } from '#requests'
import { truncateText } from '#text/excerpts'
import { readWavFormat, WavError } from '../audio/wav.ts'
import type { Speech, SpeechDriver, SpokenText } from '../index.ts'
import type { MediaSettings } from '../settings.ts'
import { maxWavBytes, SpeechError, tooLong } from './speech-error.ts'

/** The engines by name, and the one the setting chooses. */
export interface SpeechDrivers extends Speech, Omit<Drivers<SpeechDriver>, 'register'> {
  /** A WAV by `driver`, in the time that the settings allow. @throws UnavailableError; the reason of an aborted signal */
  speak(driver: SpeechDriver, spoken: SpokenText, signal: AbortSignal): Promise<Uint8Array>
}

export function createSpeechDrivers(settings: Pick<Settings<MediaSettings>, 'get'>): SpeechDrivers {
  const { register, ...drivers } = createDrivers<SpeechDriver>({
    kind: 'A speech driver',
    setting: 'speech_driver',
    chosenName: () => settings.get('speech_driver')
  })
  const installFaultOf = (name: string) => drivers.named(name)?.installFault ?? null
  return {
    ...drivers,
    faultOf: name => drivers.faultOf(name) ?? installFaultOf(name),
    chosenFault: () => {
      const fault = installFaultOf(drivers.chosenName())
      return drivers.chosenFault() ?? (fault === null ? null : `The setting speech_driver ${fault}.`)
    },
    addDriver: register,
    speak: (driver, spoken, signal) => speak(driver, spoken, signal, settings.get('speech_timeout_seconds'))
  }
}

/** A driver of somebody else may ignore its signal: it is not waited for beyond the time. */
async function speak(
  driver: SpeechDriver,
  spoken: SpokenText,
  signal: AbortSignal,
  timeoutSeconds: number
): Promise<Uint8Array> {
  const timeout = new AbortController()
  const timer = setTimeout(() => timeout.abort(tooSlow(driver, spoken, timeoutSeconds)), timeoutSeconds * 1000)
  const either = AbortSignal.any([signal, timeout.signal])
  const answer = driver.speak(spoken, either)
  // It may fail when nobody waits for it any more.
  answer.catch(() => {})
  try {
    return checked(driver, await settleUnlessAborted(either, answer, () => rejectWith(either)))
  } catch (error) {
    either.throwIfAborted()
    throw error
  } finally {
    clearTimeout(timer)
  }
}

const rejectWith = (signal: AbortSignal): never => {
  throw signal.reason
}

/** The machine or the engine may be busy: another try may do better. */
const tooSlow = ({ voice }: SpeechDriver, { text }: SpokenText, timeoutSeconds: number) =>
  new SpeechError(
    `${voice} did not speak a sentence within ${timeoutSeconds} s (speech_timeout_seconds): "${truncateText(text, 60)}".`,
    { retryAfterMs: 0 }
  )

/** Only the header: the process that makes the episode reads the samples. */
function checked({ voice }: SpeechDriver, wav: Uint8Array): Uint8Array {
  if (wav.byteLength > maxWavBytes) throw tooLong(voice)
  try {
    readWavFormat(wav)
    return wav
  } catch (error) {
    if (!(error instanceof WavError)) throw error
    throw new SpeechError(`The engine ${voice} ${messageOf(error)}.`, { cause: error })
  }
}
