import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { ALL_FORMATS, EncodedPacketSink, FilePathSource, Input } from 'mediabunny'
import sharp from 'sharp'
import { encodeEpisode } from '../../../../plugins/media/audio/encode.ts'
import { toStill } from '../../../../plugins/media/video/still.ts'
import { frameTimes, writeVideo } from '../../../../plugins/media/video/write-video.ts'
import { makeWav, tone } from '../../../helpers/wav.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'galley-video-'))
const audio = path.join(folder, 'episode.mp3')
const size = { width: 320, height: 180 }
before(async () => {
  const file = path.join(folder, 'voice.wav')
  writeFileSync(file, makeWav(tone(13, 22_050)))
  const tags = { title: 'Tides', artist: '', album: '', date: '2026-11-21T10:00:00.000Z', provenance: '', cover: null }
  await encodeEpisode({
    pieces: [{ file, text: 'Tides', section: null, pauseMs: 0 }],
    sections: [],
    tags,
    output: audio
  })
})
after(() => rmSync(folder, { recursive: true }))

const picture = (background: string) =>
  sharp({ create: { width: 400, height: 400, channels: 3, background } })
    .png()
    .toBuffer()
async function read(file: string) {
  using input = new Input({ source: new FilePathSource(file), formats: ALL_FORMATS })
  const video = await input.getPrimaryVideoTrack()
  const track = await input.getPrimaryAudioTrack()
  assert.ok(video && track)
  const frames: [at: number, type: string][] = []
  for await (const { timestamp, type } of new EncodedPacketSink(video).packets()) frames.push([timestamp, type])
  let packets = 0
  for await (const _ of new EncodedPacketSink(track).packets()) packets += 1
  const { codec, codedWidth, codedHeight } = video
  return {
    frames,
    packets,
    trackFrom: await track.getFirstTimestamp(),
    ...{ codec, codedWidth, codedHeight, track: track.codec },
    seconds: await input.computeDuration(),
    title: (await input.getMetadataTags()).title
  }
}

test('a film shows each picture from its moment on, and has the audio as it is', async () => {
  const target = path.join(folder, 'episode.mp4')
  const slides = [
    { draw: () => picture('#135'), fromSeconds: 0 },
    { draw: () => picture('#531'), fromSeconds: 7.5 }
  ]
  let progress = 0
  const order = { audio, slides, size, title: 'Tides', target }
  const seconds = await writeVideo(order, share => {
    assert.ok(share >= progress && share <= 1)
    progress = share
  })
  const film = await read(target)
  assert.deepEqual(film.frames, [
    [0, 'key'],
    [5, 'key'],
    [7.5, 'key'],
    [12.5, 'key']
  ])
  const { codec, codedWidth, codedHeight, track, title } = film
  assert.deepEqual(
    { codec, codedWidth, codedHeight, track, title },
    { codec: 'av1', ...codedSize, track: 'mp3', title: 'Tides' }
  )
  assert.ok(Math.abs(film.seconds - seconds) < 0.1 && Math.abs(seconds - 13) < 0.2, String([film.seconds, seconds]))
  // What the codec puts before the sound is skipped, so that cards come with their words.
  assert.ok(Math.abs(film.trackFrom + 1105 / 22_050) < 0.001, String(film.trackFrom))
  // A browser plays before it has everything: the index stands before the data.
  const bytes = readFileSync(target)
  assert.ok(bytes.indexOf('moov') < bytes.indexOf('mdat'))
})
const codedSize = { codedWidth: 320, codedHeight: 180 }

test('a short film ends where it is told to', async () => {
  const target = path.join(folder, 'short.mp4')
  const slides = [{ draw: () => picture('#135'), fromSeconds: 0 }]
  await writeVideo({ audio, slides, size, title: '', target, maxSeconds: 6 }, () => {})
  const film = await read(target)
  assert.deepEqual(film.frames, [
    [0, 'key'],
    [5, 'key']
  ])
  assert.ok(film.seconds <= 6.1 && film.packets > 100, String([film.seconds, film.packets]))
})

test('an episode whose length no frame tells is read twice, and filmed whole', async () => {
  const mp3 = readFileSync(audio)
  const info = mp3.indexOf('Info')
  assert.ok(info > 0)
  mp3.fill(0, info, info + 4)
  const unknown = path.join(folder, 'unknown.mp3')
  writeFileSync(unknown, mp3)
  const target = path.join(folder, 'unknown.mp4')
  const slides = [{ draw: () => picture('#135'), fromSeconds: 0 }]
  const seconds = await writeVideo({ audio: unknown, slides, size, title: '', target }, () => {})
  const film = await read(target)
  assert.ok(seconds > 12.9 && Math.abs(film.seconds - seconds) < 0.1, String([film.seconds, seconds]))
})

test('slides that begin after the end are left out, and the last one stays', () => {
  const at = (...moments: number[]) => moments.map(fromSeconds => ({ fromSeconds }))
  assert.deepEqual(frameTimes(at(0, 4, 20), 12), [
    { slide: 0, from: 0, to: 4 },
    { slide: 1, from: 4, to: 9 },
    { slide: 1, from: 9, to: 12 }
  ])
  assert.deepEqual(frameTimes(at(0), 0), [])
})

test('a picture of any form becomes a frame of the size', async () => {
  const still = await toStill(
    await sharp(await picture('#fff'))
      .webp()
      .toBuffer(),
    size
  )
  assert.match(still.codec, /^av01\.0\.\d\d[MH]\.08$/)
  await assert.rejects(toStill(Buffer.from('no picture'), size))
})
