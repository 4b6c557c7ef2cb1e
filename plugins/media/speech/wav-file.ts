import { type FileHandle, open } from 'node:fs/promises'
import path from 'node:path'
import { truncateText } from '#text/excerpts'
import { maxWavBytes, readWavFormat, WavError, type WavFormat } from '../audio/wav.ts'
import type { SpokenText } from '../index.ts'
import { guardWriting } from '../work-fault.ts'

/** A WAV in a file. */
export interface WavFile {
  bytes: number
  seconds: number
  /** As in `WavFormat`. */
  isComplete: boolean
}

/**
 * Writes what a source sends to a file, which keeps little of it in memory. Null when there was more than a sentence may have:
 * the rest is not read. @throws UnavailableError where the file cannot be written; what the source throws
 */
export async function writeWavFile(
  file: string,
  source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>
): Promise<number | null> {
  const folder = path.dirname(file)
  const handle = await guardWriting(folder, () => open(file, 'w', 0o600))
  try {
    let bytes = 0
    for await (const part of source) {
      bytes += part.byteLength
      if (bytes > maxWavBytes) return null
      await guardWriting(folder, () => handle.appendFile(part))
    }
    return bytes
  } finally {
    await handle.close()
  }
}

/** The samples begin there in nearly every WAV; else more of the file is read. */
const headBytes = 2000

/** Reads the header alone: the process that makes the episode reads the samples. @throws WavError */
export async function readWavFile(file: string): Promise<WavFile> {
  const handle = await open(file, 'r')
  try {
    const { size } = await handle.stat()
    const { length, sampleRate, isComplete } = await formatIn(handle, size)
    return { bytes: size, seconds: length / sampleRate, isComplete }
  } finally {
    await handle.close()
  }
}

/** A cue of a transcript has at least a millisecond. */
const minSeconds = 0.001
/** A letter takes the fastest voice twice as long. */
const minLetterSeconds = 0.01

/**
 * The same of what an engine made of a text. Only a text without letters may have no sound. One whose header does not say how much
 * there is may have broken off: nothing but the length of its text tells. @throws WavError
 */
export async function readSpokenFile({ file, text }: Pick<SpokenText, 'file' | 'text'>): Promise<WavFile> {
  const wav = await readWavFile(file)
  const letters = text.match(/[\p{L}\p{N}]/gu)?.length ?? 0
  const isTruncated = !wav.isComplete
  const shown = `"${truncateText(text, 60)}"`
  if (letters > 0 && wav.seconds < minSeconds)
    throw new WavError(`gave no sound: a WAV without samples for ${shown}`, { isTruncated })
  if (isTruncated && wav.seconds < letters * minLetterSeconds)
    throw new WavError(`gave a WAV that breaks off: ${wav.seconds.toFixed(2)} s for ${letters} letters, ${shown}`, {
      isTruncated
    })
  return wav
}

async function formatIn(handle: FileHandle, size: number): Promise<WavFormat> {
  const read = async (length: number) => {
    const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(length), 0, length, 0)
    return readWavFormat(buffer.subarray(0, bytesRead), size)
  }
  try {
    return await read(headBytes)
  } catch (error) {
    if (!(error instanceof WavError) || size <= headBytes) throw error
    return read(Math.min(size, maxWavBytes))
  }
}
