import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { SpeechDriver, SpokenText } from '#plugins/media'
import type { SpeechDrivers } from '../../../../plugins/media/speech/registry.ts'

type Words = Omit<SpokenText, 'file'>
const never = new AbortController().signal

/** The WAV that a driver returns or writes. */
export const wavBy = (driver: SpeechDriver, words: Words, signal = never): Promise<Buffer> =>
  inFile(async file => (await driver.speak({ ...words, file }, signal)) ?? readFileSync(file))

/** The WAV that is there once it was checked, and what is reported of it. */
export const checkedWavBy = (speech: SpeechDrivers, driver: SpeechDriver, words: Words, signal = never) =>
  inFile(async file => {
    const { bytes } = await speech.speak(driver, { ...words, file }, signal)
    const wav = readFileSync(file)
    if (bytes !== wav.byteLength) throw new Error(`${bytes} bytes were told of ${wav.byteLength}`)
    return wav
  })

async function inFile(work: (file: string) => Promise<Uint8Array>): Promise<Buffer> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'galley-spoken-'))
  try {
    return Buffer.from(await work(path.join(folder, 'spoken.wav')))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
