import { stat } from 'node:fs/promises'
import { errorCode, type Settings, withAbort } from '#core'
import { createDrivers, type Drivers } from '#requests'
import { truncateText } from '#text/excerpts'
import { maxWavBytes, WavError } from '../audio/wav.ts'
import type { Speech, SpeechDriver, SpokenText } from '../index.ts'
import type { MediaSettings } from '../settings.ts'
import { noWav, SpeechError, tooLong } from './speech-error.ts'
import { readWavFile, type WavFile, writeWavFile } from './wav-file.ts'

/** The engines by name, and the one the setting chooses. */
export interface SpeechDrivers extends Speech, Omit<Drivers<SpeechDriver>, 'register'> {
  /** Has `driver` write a WAV in the time that the settings allow. @throws UnavailableError; the reason of an aborted signal */
  speak(driver: SpeechDriver, spoken: SpokenText, signal: AbortSignal): Promise<WavFile>
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
): Promise<WavFile> {
  const timeout = new AbortController()
  const timer = setTimeout(() => timeout.abort(tooSlow(driver, spoken, timeoutSeconds)), timeoutSeconds * 1000)
  const either = AbortSignal.any([signal, timeout.signal])
  const answer = driver.speak(spoken, either)
  // It may fail when nobody waits for it any more.
  answer.catch(() => {})
  try {
    const wav = await withAbort(either, answer, () => rejectWith(either))
    return await checked(driver, spoken.file, wav)
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

async function checked({ voice }: SpeechDriver, file: string, wav: Uint8Array | null): Promise<WavFile> {
  if (wav !== null && (await writeWavFile(file, [wav])) === null) throw tooLong(voice)
  try {
    if ((await stat(file)).size > maxWavBytes) throw tooLong(voice)
    return await readWavFile(file)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') throw new SpeechError(`The engine ${voice} wrote no file.`, { cause: error })
    if (!(error instanceof WavError)) throw error
    throw noWav(`The engine ${voice}`, error)
  }
}
