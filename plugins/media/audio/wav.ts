/** A speech engine's answer that is no WAV, or none that can be read. `message` completes "the engine …". */
export class WavError extends Error {
  override readonly name = 'WavError'
  /** It ends before its header says. */
  readonly isTruncated: boolean

  constructor(message: string, { isTruncated = false } = {}) {
    super(message)
    this.isTruncated = isTruncated
  }
}

/** Of one utterance: 90 s at 48,000 samples in stereo. An engine that sends more has not spoken 400 characters. */
export const maxWavBytes = 18_000_000

/** Where the samples of a WAV lie, and how they are written. */
export interface WavFormat {
  sampleRate: number
  channels: number
  /** Bytes of one sample of one channel. */
  sampleBytes: number
  isFloat: boolean
  dataStart: number
  /** Samples of each channel. */
  length: number
  /** The header says how many bytes there are, and so many came: it was not written by an engine that streams, and did not break off. */
  isComplete: boolean
}

const formats = { pcm: 1, float: 3, extensible: 0xfffe }

/**
 * Reads the header. `bytes`: of the whole WAV, where `wav` is only its beginning. An engine that streams does not know the length:
 * 0, or more than a sentence may have, counts as far as there are bytes. @throws WavError
 */
export function readWavFormat(wav: Uint8Array, bytes: number = wav.byteLength): WavFormat {
  if (bytes === 0) throw new WavError('gave no sound: 0 bytes')
  const view = viewOf(wav)
  if (wav.byteLength < 12 || tagAt(view, 0) !== 'RIFF' || tagAt(view, 8) !== 'WAVE')
    throw new WavError(`gave ${bytes} bytes that are no WAV`)
  const chunks = chunksOf(view)
  const format = chunks.get('fmt ')
  const data = chunks.get('data')
  if (format === undefined || format.bytes < 16 || data === undefined)
    throw new WavError('gave a WAV without its format or its samples')
  const sampleFormat = readSampleFormat(view, format)
  const { channels, sampleBytes } = sampleFormat
  const there = sampleBytesIn(data, bytes)
  // An engine that streams leaves 0 or the largest number here, too.
  const stated = view.getUint32(4, true) + 8
  return Object.assign(sampleFormat, {
    dataStart: data.start,
    length: Math.floor(there / (channels * sampleBytes)),
    isComplete: data.bytes <= there && stated >= data.start && stated <= bytes
  })
}

/** Some engines count a header. */
const maxMissingBytes = 100

function sampleBytesIn({ start, bytes: claimed }: Chunk, fileBytes: number): number {
  const there = Math.max(0, fileBytes - start)
  if (claimed === 0 || claimed > maxWavBytes) return there
  if (claimed - there > maxMissingBytes)
    throw new WavError(
      `gave a WAV that breaks off: its header promises ${claimed} bytes of samples, and ${there} came`,
      {
        isTruncated: true
      }
    )
  return Math.min(claimed, there)
}

/** `bytes`: by its own header. */
type Chunk = { start: number; bytes: number }

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
const tagAt = (view: DataView, at: number): string =>
  String.fromCharCode(...[0, 1, 2, 3].map(offset => view.getUint8(at + offset)))

/** Chunks by name, up to the samples; of a name that comes twice, the first. */
function chunksOf(view: DataView): Map<string, Chunk> {
  const chunks = new Map<string, Chunk>()
  for (let at = 12; at + 8 <= view.byteLength && !chunks.has('data'); ) {
    const start = at + 8
    const claimed = view.getUint32(at + 4, true)
    const name = tagAt(view, at)
    if (!chunks.has(name)) chunks.set(name, { start, bytes: claimed })
    // Chunks begin at even bytes.
    at = start + claimed + (claimed % 2)
  }
  return chunks
}

function readSampleFormat(view: DataView, { start, bytes }: Chunk) {
  const stated = view.getUint16(start, true)
  const code = stated === formats.extensible && bytes >= 26 ? view.getUint16(start + 24, true) : stated
  const channels = view.getUint16(start + 2, true)
  const sampleRate = view.getUint32(start + 4, true)
  const bits = view.getUint16(start + 14, true)
  const isFloat = code === formats.float
  const isKnown = isFloat ? [32, 64].includes(bits) : code === formats.pcm && [8, 16, 24, 32].includes(bits)
  if (!isKnown) throw new WavError(`gave a WAV of the format ${code} with ${bits} bits, which is not read`)
  if (channels < 1 || channels > 8) throw new WavError(`gave a WAV with ${channels} channels`)
  if (sampleRate < 4000 || sampleRate > 192_000) throw new WavError(`gave a WAV with ${sampleRate} samples a second`)
  return { sampleRate, channels, sampleBytes: bits / 8, isFloat }
}

/** The samples, −1 to 1, all channels mixed to one. What is no number counts as silence. @throws WavError */
export function readWav(wav: Uint8Array): { sampleRate: number; samples: Float32Array } {
  const { sampleRate, channels, sampleBytes, isFloat, dataStart, length } = readWavFormat(wav)
  const read = readerOf(viewOf(wav), sampleBytes, isFloat)
  const samples = new Float32Array(length)
  for (let index = 0, at = dataStart; index < length; index++) {
    let sum = 0
    for (let channel = 0; channel < channels; channel++, at += sampleBytes) sum += read(at)
    samples[index] = Number.isFinite(sum) ? Math.max(-1, Math.min(1, sum / channels)) : 0
  }
  return { sampleRate, samples }
}

function readerOf(view: DataView, sampleBytes: number, isFloat: boolean): (at: number) => number {
  if (isFloat && sampleBytes === 4) return at => view.getFloat32(at, true)
  if (isFloat) return at => view.getFloat64(at, true)
  if (sampleBytes === 1) return at => (view.getUint8(at) - 128) / 128
  if (sampleBytes === 2) return at => view.getInt16(at, true) / 32_768
  if (sampleBytes === 3) return at => (view.getInt8(at + 2) * 65_536 + view.getUint16(at, true)) / 8_388_608
  return at => view.getInt32(at, true) / 2_147_483_648
}
