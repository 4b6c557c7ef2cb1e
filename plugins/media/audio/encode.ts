// Runs in a process of its own: see child-process/long-call.ts.
import { createHash } from 'node:crypto'
import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs'
import { createMp3Encoder } from 'wasm-media-encoders'
import { progressBetween } from '../progress.ts'
import { type Chapter, type Cue, chaptersOf, cuesOf, type SpokenLength } from '../transcript/cues.ts'
import { isAudible } from './audible.ts'
import { type EpisodeTags, id3Tag } from './id3.ts'
import { amplify } from './limiter.ts'
import { createLoudnessMeter } from './loudness.ts'
import { frameBytes, infoFrame, type Mp3Format, mp3FormatFor } from './mp3-header.ts'
import { resample } from './resample.ts'
import { readWav, readWavFormat } from './wav.ts'

/** What the engine made of an utterance. */
export interface SpokenPiece {
  /** Path of a WAV. */
  file: string
  text: string
  section: number | null
  pauseMs: number
}

export interface EncodeInput {
  pieces: readonly SpokenPiece[]
  /** Titles of the sections. */
  sections: readonly string[]
  tags: EpisodeTags
  /** Path of the MP3. */
  output: string
}

export interface EncodedEpisode {
  durationMs: number
  /** LUFS. */
  loudness: number
  /** SHA-256 of the MP3 without its tag. */
  audioHash: string
  cues: Cue[]
  chapters: Chapter[]
}

/** Most of a text has no sound: its engine does not know the letters, or gives silence. */
export interface SoundlessText {
  /** A sentence without sound. */
  unheard: string
}

/** What podcast directories ask of one channel. */
const targetLoudness = -16
/** −3 dBTP: the codec added up to 1.6 dB to a moment of an hour, and −1 is what directories allow. */
const ceiling = 10 ** (-3 / 20)
/** LAME makes everything quieter by this factor at constant bit rates, so that the codec does not clip. */
const lameScale = 0.95
/** Near enough: the limiter takes away a little of what is amplified. */
const toleranceLu = 0.1
const maxCorrections = 4
/** The limiter takes most of what is added to the loudest moments. */
const correction = 1.3
/** What is quieter than −70 LUFS counts as silence. The limiter takes a little of what is amplified. */
const maxGainDb = 60
/** Samples encoded at once: what the encoder needs of memory grows with them. */
const blockLength = 65_536

/** What is done of the whole when the sound is measured, and when its gain is found. */
const shares = { measured: 0.3, leveled: 0.6 }
type OnProgress = (share: number) => void

/**
 * Makes an MP3 of spoken pieces: of one loudness, with tags and chapters. None where most of the text has no sound. Called with
 * the share that is done, 0–1.
 */
export async function encodeEpisode(
  input: EncodeInput,
  onProgress: OnProgress = () => {}
): Promise<EncodedEpisode | SoundlessText> {
  const { pieces, sections, tags, output } = input
  const format = mp3FormatFor(firstRate(pieces))
  const { lengths, loudness, unheard } = measure(pieces, format, share => onProgress(shares.measured * share))
  if (isMostlySilent(pieces, unheard) || loudness === Number.NEGATIVE_INFINITY)
    return { unheard: (unheard[0] ?? pieces[0])?.text ?? '' }
  const leveled = level(pieces, format, loudness, onProgress)
  const samples = lengths.reduce((sum, length) => sum + length.samples + length.pause, 0)
  const durationMs = Math.round((samples * 1000) / format.sampleRate)
  const cues = cuesOf(pieces, lengths, format.sampleRate)
  const chapters = chaptersOf(sections, cues, durationMs)
  const tag = id3Tag(tags, chapters, durationMs)
  const audio = audioOf(pieces, format, leveled.gain, share => onProgress(progressBetween(shares.leveled, 1, share)))
  const audioHash = await writeMp3(output, tag, format, audio)
  return { durationMs, loudness: leveled.loudness, audioHash, cues, chapters }
}

const firstRate = ([first]: readonly SpokenPiece[]): number =>
  first === undefined ? 0 : readWavFormat(readFileSync(first.file)).sampleRate

function samplesOf({ file }: SpokenPiece, format: Mp3Format): Float32Array {
  const { sampleRate, samples } = readWav(readFileSync(file))
  return resample(samples, sampleRate, format.sampleRate)
}

const pauseOf = ({ pauseMs }: SpokenPiece, { sampleRate }: Mp3Format) => Math.round((pauseMs * sampleRate) / 1000)

interface Measured {
  lengths: SpokenLength[]
  loudness: number
  /** The pieces without sound. */
  unheard: SpokenPiece[]
}

function measure(pieces: readonly SpokenPiece[], format: Mp3Format, onProgress: OnProgress): Measured {
  const meter = createLoudnessMeter(format.sampleRate)
  const unheard: SpokenPiece[] = []
  const lengths = pieces.map((piece, at) => {
    const samples = samplesOf(piece, format)
    if (!isAudible(samples)) unheard.push(piece)
    const pause = pauseOf(piece, format)
    meter.add(samples)
    meter.add(new Float32Array(pause))
    onProgress((at + 1) / pieces.length)
    return { samples: samples.length, pause }
  })
  return { lengths, loudness: meter.integrated(), unheard }
}

/** An engine may skip a word of another language, and signs have no sound for many: letters and digits count. */
const isMostlySilent = (pieces: readonly SpokenPiece[], unheard: readonly SpokenPiece[]): boolean =>
  lettersIn(unheard) > lettersIn(pieces) / 2

const lettersIn = (pieces: readonly SpokenPiece[]): number =>
  pieces.reduce((sum, { text }) => sum + (text.match(/[\p{L}\p{N}]/gu)?.length ?? 0), 0)

/** The gain with which the limited sound has the loudness wanted. */
function level(pieces: readonly SpokenPiece[], format: Mp3Format, loudness: number, onProgress: OnProgress) {
  let gainDb = Math.min(maxGainDb, targetLoudness - loudness)
  let reached = loudness
  let done = shares.measured
  for (let tries = 0; tries <= maxCorrections; tries++) {
    const meter = createLoudnessMeter(format.sampleRate)
    // How many tries there will be is not known: each takes half of what is left.
    const begun = done
    const end = progressBetween(begun, shares.leveled, 0.5)
    const report: OnProgress = share => onProgress(progressBetween(begun, end, share))
    for (const piece of audioOf(pieces, format, factorOf(gainDb), report)) meter.add(piece)
    done = end
    reached = meter.integrated()
    const missing = targetLoudness - reached
    if (Math.abs(missing) <= toleranceLu || tries === maxCorrections) break
    gainDb = Math.min(maxGainDb, gainDb + missing * correction)
  }
  return { gain: factorOf(gainDb), loudness: reached }
}

const factorOf = (db: number): number => 10 ** (db / 20)

/** The pieces with their pauses, one in memory at a time. */
function* audioOf(
  pieces: readonly SpokenPiece[],
  format: Mp3Format,
  gain: number,
  onProgress: OnProgress
): Generator<Float32Array> {
  for (const [at, piece] of pieces.entries()) {
    yield amplify(samplesOf(piece, format), gain, ceiling, format.sampleRate)
    yield new Float32Array(pauseOf(piece, format))
    onProgress((at + 1) / pieces.length)
  }
}

/** @returns what names the sound */
async function writeMp3(file: string, tag: Buffer, format: Mp3Format, audio: Iterable<Float32Array>): Promise<string> {
  const encoder = await createMp3Encoder()
  const { sampleRate, kilobits } = format
  encoder.configure({ channels: 1, sampleRate, outputSampleRate: sampleRate, bitrate: kilobits })
  const hash = createHash('sha256')
  const descriptor = openSync(file, 'w', 0o600)
  const write = (encoded: Uint8Array): number => {
    hash.update(encoded)
    return writeSync(descriptor, encoded)
  }
  try {
    writeSync(descriptor, tag)
    writeSync(descriptor, Buffer.alloc(frameBytes(format)))
    let samples = 0
    let bytes = 0
    for (const piece of audio) {
      samples += piece.length
      for (let at = 0; at < piece.length; at += blockLength) {
        const block = piece.subarray(at, at + blockLength).map(sample => sample / lameScale)
        bytes += write(encoder.encode([block]))
      }
    }
    bytes += write(encoder.finalize())
    writeSync(descriptor, infoFrame(format, bytes, samples), 0, undefined, tag.length)
    fsyncSync(descriptor)
    return hash.digest('hex')
  } finally {
    closeSync(descriptor)
  }
}
