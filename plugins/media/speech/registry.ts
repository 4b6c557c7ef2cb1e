import { messageOf, type Settings, settleUnlessAborted, UnavailableError } from '#core'
import { readWavFormat, WavError } from '../audio/wav.ts'
import type { Speech, SpeechDriver, SpokenText } from '../index.ts'
import type { MediaSettings } from '../settings.ts'
import { maxWavBytes, SpeechError, tooLong } from './speech-error.ts'

/** The engines by name, and the one the setting chooses. */
export interface SpeechDrivers extends Speech {
  /** @throws UnavailableError when nobody registered the one that the setting names */
  chosen(): SpeechDriver
  /** Why the chosen one cannot be used: its name is unknown, or a setting of it is missing. Else null. */
  chosenFault(): string | null
  /** What is wrong with a name for the setting; null when somebody registered it. */
  faultOf(name: string): string | null
  /** A WAV by `driver`, in the time that the settings allow. @throws UnavailableError; the reason of an aborted signal */
  speak(driver: SpeechDriver, spoken: SpokenText, signal: AbortSignal): Promise<Uint8Array>
}

export function createSpeechDrivers(settings: Pick<Settings<MediaSettings>, 'get'>): SpeechDrivers {
  const known = new Map<string, SpeechDriver>()
  const name = () => settings.get('speech_driver')
  const unknownName = () =>
    `The setting speech_driver is ${name()}, which no plugin provides: set it to ${[...known.keys()].join(' or ')}.`
  return {
    addDriver(added, driver) {
      if (known.has(added)) throw new TypeError(`A speech driver named ${added} is registered already.`)
      known.set(added, driver)
    },
    chosen: () => {
      const driver = known.get(name())
      if (driver === undefined) throw new UnavailableError(unknownName())
      return driver
    },
    chosenFault: () => {
      const driver = known.get(name())
      return driver === undefined ? unknownName() : (driver.settingsFault ?? null)
    },
    faultOf: given => (known.has(given) ? null : `must be one of ${[...known.keys()].join(', ')}`),
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
  const timer = setTimeout(() => timeout.abort(tooSlow(driver, timeoutSeconds)), timeoutSeconds * 1000)
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

const tooSlow = ({ voice }: SpeechDriver, timeoutSeconds: number) =>
  new SpeechError(`${voice} did not speak a sentence within ${timeoutSeconds} s (speech_timeout_seconds).`)

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
