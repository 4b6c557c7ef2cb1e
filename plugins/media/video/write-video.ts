import { createReadStream } from 'node:fs'
import {
  ALL_FORMATS,
  EncodedAudioPacketSource,
  EncodedPacket,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  FilePathTarget,
  Input,
  type InputAudioTrack,
  Mp4OutputFormat,
  Output,
  ReadableStreamSource
} from 'mediabunny'
import { audioDelay } from '../audio/mp3-header.ts'
import { type FrameSize, type Still, toStill } from './still.ts'

/** A picture, from a moment of the audio on. */
export interface Slide {
  /** Called once, when it is needed: a JPEG, PNG or WebP. */
  draw(): Promise<Uint8Array>
  fromSeconds: number
}

export interface VideoInput {
  /** Path of the MP3. */
  audio: string
  /** In their order; the first from 0. */
  slides: readonly Slide[]
  size: FrameSize
  /** The film ends here, or with the audio. */
  maxSeconds?: number
  /** Shown by players. */
  title: string
  /** Path of the MP4 to write. */
  target: string
}

/** Of what is read and written. The library takes 8 and 16 MB. */
const bufferBytes = 1024 * 1024
/** So that a player that is set to a moment has a key frame near it. */
const keyFrameSeconds = 5
/** A frame of MP3 has 576 samples at least. */
const maxAudioPacketsPerSecond = 48_000 / 576

/**
 * Writes an MP4 of pictures and speech: AV1 key frames and the packets of the MP3 as they are. Every browser of today plays it,
 * and it takes a second, since nothing but the pictures is encoded. @returns the seconds it takes
 */
export async function writeVideo(film: VideoInput, onProgress: (share: number) => void): Promise<number> {
  using input = openAudio(film.audio)
  const track = await input.getPrimaryAudioTrack()
  if (track === null) throw new Error('the audio file has no audio')
  const wholeSeconds = (await input.getDurationFromMetadata()) ?? (await countSeconds(film.audio))
  const seconds = Math.min(wholeSeconds, film.maxSeconds ?? Number.POSITIVE_INFINITY)
  const output = new Output({
    // The index stands before the data: a browser plays before it has everything.
    format: new Mp4OutputFormat({ fastStart: 'reserve' }),
    target: new FilePathTarget(film.target, { chunkSize: bufferBytes })
  })
  const video = new EncodedVideoPacketSource('av1')
  const audio = new EncodedAudioPacketSource('mp3')
  const frames = frameTimes(film.slides, seconds)
  output.addVideoTrack(video, { maximumPacketCount: frames.length })
  output.addAudioTrack(audio, { maximumPacketCount: Math.ceil(seconds * maxAudioPacketsPerSecond) + 2 })
  output.setMetadataTags({ title: film.title })
  await output.start()
  const decoderConfig = await track.getDecoderConfig()
  // An MP4 has no Info frame: its edit list skips the delay, so that words and cards come together.
  const delaySeconds = audioDelay / track.sampleRate
  const addFrame = createFrameWriter(video, film)
  let at = 0
  // In the order of time: a track that runs ahead would wait in memory.
  for await (const packet of packetsOf(track)) {
    const timestamp = packet.timestamp - delaySeconds
    if (timestamp >= seconds) break
    for (let frame = frames[at]; frame !== undefined && frame.from <= timestamp; frame = frames[++at])
      await addFrame(frame)
    await audio.add(packet.clone({ timestamp }), decoderConfig === null ? undefined : { decoderConfig })
    onProgress(Math.max(0, timestamp / seconds))
  }
  for (const frame of frames.slice(at)) await addFrame(frame)
  await output.finalize()
  return seconds
}

/**
 * Read from its beginning to its end. To read it at positions takes eight times as long: for each packet the library looks at the
 * next 64 KiB, and copies them where they do not lie in one piece.
 */
function openAudio(file: string): Input {
  const stream = createReadStream(file, { highWaterMark: bufferBytes })
  const chunks = stream.iterator()
  const source = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await chunks.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: () => void stream.destroy()
  })
  return new Input({ source: new ReadableStreamSource(source, { maxCacheSize: bufferBytes }), formats: ALL_FORMATS })
}

/** Our MP3s tell how many frames they have. Those of others are read once more. */
async function countSeconds(file: string): Promise<number> {
  using input = openAudio(file)
  return await input.computeDuration()
}

/** One at a time. The library's own iterator reads ahead as many as are taken in a second: ten thousand and more. */
async function* packetsOf(track: InputAudioTrack): AsyncGenerator<EncodedPacket> {
  const sink = new EncodedPacketSink(track)
  for (let packet = await sink.getFirstPacket(); packet !== null; packet = await sink.getNextPacket(packet))
    yield packet
}

interface Frame {
  slide: number
  from: number
  to: number
}

/** Which slide is shown when: a new key frame with each slide, and every few seconds. */
export function frameTimes(slides: readonly Pick<Slide, 'fromSeconds'>[], seconds: number): Frame[] {
  const frames: Frame[] = []
  for (const [slide, { fromSeconds }] of slides.entries()) {
    const end = Math.min(slides[slide + 1]?.fromSeconds ?? seconds, seconds)
    for (let from = fromSeconds; from < end; from += keyFrameSeconds)
      frames.push({ slide, from, to: Math.min(from + keyFrameSeconds, end) })
  }
  return frames
}

function createFrameWriter(source: EncodedVideoPacketSource, { slides, size }: VideoInput) {
  let shown: { slide: number; still: Still } | undefined
  const picture = drawAhead(slides)
  return async ({ slide, from, to }: Frame): Promise<void> => {
    if (shown?.slide !== slide) shown = { slide, still: await toStill(await picture(slide), size) }
    const { frame, codec, description } = shown.still
    const decoderConfig = { codec, description, codedWidth: size.width, codedHeight: size.height }
    await source.add(new EncodedPacket(frame, 'key', from, to - from), { decoderConfig })
  }
}

/** Draws a slide while the one before it is encoded: a quarter of the time less, 20 MB more. */
function drawAhead(slides: VideoInput['slides']): (slide: number) => Promise<Uint8Array> {
  let ahead: { slide: number; picture: Promise<Uint8Array> } | undefined
  return async slide => {
    const picture = await (ahead?.slide === slide ? ahead.picture : drawn(slides[slide]))
    ahead = { slide: slide + 1, picture: drawn(slides[slide + 1]) }
    // Its fault is thrown when the slide is needed.
    ahead.picture.catch(() => {})
    return picture
  }
}

const drawn = async (slide: Slide | undefined): Promise<Uint8Array> => (await slide?.draw()) ?? new Uint8Array()
