import { forEachAsync } from '#concurrency'
import { truncateText } from '#text/excerpts'
import type { SpokenPiece } from '../audio/encode.ts'
import type { SpeechDriver } from '../index.ts'
import type { Utterance } from '../narration/utterances.ts'
import type { SpeechDrivers } from '../speech/registry.ts'
import { SpeechError } from '../speech/speech-error.ts'
import type { Steps } from './steps.ts'
import type { WorkFolder } from './work-folder.ts'

export interface ToSpeak {
  utterances: readonly Utterance[]
  /** BCP 47. */
  language: string
  folder: WorkFolder
}

export interface SpokenPieces {
  pieces: SpokenPiece[]
  /** Of all of them. */
  bytes: number
}

/**
 * Has a text spoken, sentence by sentence. Pieces that are there already are not spoken again. `report` gets the share that is
 * done, 0–1. @throws UnavailableError; the reason of an aborted signal
 */
export async function speakAll(
  speech: SpeechDrivers,
  driver: SpeechDriver,
  { utterances, language, folder }: ToSpeak,
  { report, onSaved }: Steps,
  signal: AbortSignal
): Promise<SpokenPieces> {
  const spoken: SpokenPieces = { pieces: [], bytes: 0 }
  const requirePace = createPaceCheck(driver, language)
  let done = 0
  /** Once is enough for a try. */
  let isRecorded = false
  const speak = async ([at, { text, section, pauseMs }]: [number, Utterance]) => {
    const file = folder.pieceOf(JSON.stringify([driver.voice, language, text]))
    let bytes = await folder.bytesOf(file)
    if (bytes === null) {
      await folder.requireRoom()
      bytes = await folder.fill(file, async unfinished => {
        const wav = await speech.speakInTurn(driver, { text, language, file: unfinished }, signal)
        requirePace(text, wav.seconds)
        return wav.bytes
      })
      if (!isRecorded) await onSaved()
      isRecorded = true
    }
    spoken.pieces[at] = { file, text, section, pauseMs }
    spoken.bytes += bytes
    await report(++done / utterances.length)
  }
  await forEachAsync(utterances.entries(), speak, { concurrency: driver.concurrency ?? 1, signal })
  return spoken
}

/** A fair voice takes 0.07 s for a letter, a slow one 0.15 s, and 0.3 s for a character of Chinese. */
const maxSeconds = { letter: 0.35, ideograph: 0.8 }
/** A few signs may have long names. */
const freeSeconds = 90
const ideograph = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu

/**
 * An engine that does not know the letters of a text may tell the name of each: an hour becomes days. What is spoken is
 * compared with the length of its text, and the work ends once it is far too long.
 */
function createPaceCheck({ voice }: SpeechDriver, language: string): (text: string, seconds: number) => void {
  let allowed = freeSeconds
  let all = 0
  return (text, seconds) => {
    all += seconds
    const ideographs = text.match(ideograph)?.length ?? 0
    allowed += ideographs * maxSeconds.ideograph + (text.length - ideographs) * maxSeconds.letter
    if (all <= allowed) return
    throw new SpeechError(
      `${voice} speaks this text far too slowly, ${Math.round(all)} s so far, as at "${truncateText(text, 60)}": is ${language} the language of the post?`
    )
  }
}
