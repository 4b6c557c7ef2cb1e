import { stat } from 'node:fs/promises'
import { errorCode, type Settings, withAbort } from '#core'
import { createDrivers, type Drivers } from '#requests'
import { truncateText } from '#text/excerpts'
import { maxWavBytes, WavError } from '../audio/wav.ts'
import type { Speech, SpeechDriver, SpokenText } from '../index.ts'
import type { MediaSettings } from '../settings.ts'
import { noWav, SpeechError, tooLong } from './speech-error.ts'
import { readSpokenFile, type WavFile, writeWavFile } from './wav-file.ts'

/** The engines by name, and the one the setting chooses. */
export interface SpeechDrivers extends Speech, Omit<Drivers<SpeechDriver>, 'register'> {
  /** Has `driver` write a WAV in the time that the settings allow. @throws UnavailableError; the reason of an aborted signal */
  speak(driver: SpeechDriver, spoken: SpokenText, signal: AbortSignal): Promise<WavFile>
  /** The same for one of many texts: as many at once as the driver takes, whoever asks; others wait, in their order. */
  speakInTurn(driver: SpeechDriver, spoken: SpokenText, signal: AbortSignal): Promise<WavFile>
}

export function createSpeechDrivers(settings: Pick<Settings<MediaSettings>, 'get'>): SpeechDrivers {
  const { register, ...drivers } = createDrivers<SpeechDriver>({
    kind: 'A speech driver',
    setting: 'speech_driver',
    chosenName: () => settings.get('speech_driver')
  })
  const whenFree = createLimiter()
  const speakFor: SpeechDrivers['speak'] = (driver, spoken, signal) =>
    speak(driver, spoken, signal, settings.get('speech_timeout_seconds'))
  const installFaultOf = (name: string) => drivers.named(name)?.installFault ?? null
  return {
    ...drivers,
    faultOf: name => drivers.faultOf(name) ?? installFaultOf(name),
    chosenFault: () => {
      const fault = installFaultOf(drivers.chosenName())
      return drivers.chosenFault() ?? (fault === null ? null : `The setting speech_driver ${fault}.`)
    },
    addDriver: register,
    speak: speakFor,
    speakInTurn: (driver, spoken, signal) =>
      whenFree(driver, async () => {
        signal.throwIfAborted()
        return speakFor(driver, spoken, signal)
      })
  }
}

/** Two posts are spoken at once: an engine is not asked for more than it said. */
function createLimiter() {
  const queues = new WeakMap<SpeechDriver, { speaking: number; waiting: (() => void)[] }>()
  return async <Result>(driver: SpeechDriver, work: () => Promise<Result>): Promise<Result> => {
    const queue = queues.get(driver) ?? { speaking: 0, waiting: [] }
    queues.set(driver, queue)
    if (queue.speaking < (driver.concurrency ?? 1)) queue.speaking += 1
    else await new Promise<void>(resolve => queue.waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = queue.waiting.shift()
      if (next === undefined) queue.speaking -= 1
      else next()
    }
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
    return await checked(driver, spoken, wav)
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

async function checked({ voice }: SpeechDriver, spoken: SpokenText, wav: Uint8Array | null): Promise<WavFile> {
  const { file } = spoken
  if (wav !== null && (await writeWavFile(file, [wav])) === null) throw tooLong(voice)
  try {
    if ((await stat(file)).size > maxWavBytes) throw tooLong(voice)
    return await readSpokenFile(spoken)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') throw new SpeechError(`The engine ${voice} wrote no file.`, { cause: error })
    if (!(error instanceof WavError)) throw error
    throw noWav(`The engine ${voice}`, error)
  }
}
