import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { type EncodedEpisode, encodeEpisode, type SpokenPiece } from '../../../../plugins/media/audio/encode.ts'
import { createLoudnessMeter } from '../../../../plugins/media/audio/loudness.ts'
import { makeWav, tone } from '../../../helpers/wav.ts'

const folder = mkdtempSync(path.join(os.tmpdir(), 'galley-encode-'))
after(() => rmSync(folder, { recursive: true }))

/** Sounds that come and go as speech does, with clicks that a limiter has to hold. */
const voice = (seconds: number, sampleRate: number): number[] =>
  tone(seconds, sampleRate, 0.2).map((sample, at) => {
    const word = Math.max(0, Math.sin((2 * Math.PI * 2 * at) / sampleRate))
    return at % Math.round(sampleRate / 3) === 0
      ? 0.95
      : sample * word + 0.3 * word * Math.sin((0.9 * at * 22_050) / sampleRate)
  })

const pieceOf = (name: string, wav: Buffer, section: number | null): SpokenPiece => {
  const file = path.join(folder, `${name}.wav`)
  writeFileSync(file, wav)
  return { file, text: name, section, pauseMs: 450 }
}
const cover = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
const tags = {
  title: 'Ebbe und Flut',
  artist: 'Ann Äpfel',
  album: 'Tides',
  date: '2026-11-21T10:00:00.000Z',
  provenance: 'synthetic speech',
  cover: { type: 'image/png' as const, bytes: cover }
}
const tryToEncode = (pieces: SpokenPiece[], output: string) =>
  encodeEpisode({ pieces, sections: ['The Moon', 'The Sun'], tags, output: path.join(folder, output) })
async function encode(pieces: SpokenPiece[], output: string): Promise<EncodedEpisode> {
  const episode = await tryToEncode(pieces, output)
  assert.ok(!('unheard' in episode), 'it has no sound')
  return episode
}

const hasFfmpeg = spawnSync('ffmpeg', ['-version']).status === 0
const skip = hasFfmpeg ? false : 'ffmpeg is not installed'
const run = (program: string, ...args: string[]) => spawnSync(program, args, { encoding: 'utf8', maxBuffer: 1e8 })

describe('an episode', () => {
  let episode: EncodedEpisode
  const file = path.join(folder, 'episode.mp3')
  const samples = 22_050 * 9 + 3 * Math.round(0.45 * 22_050)
  before(async () => {
    const pieces = [
      pieceOf('Title', makeWav(voice(2, 22_050)), null),
      pieceOf('The Moon', makeWav(voice(3, 44_100), { sampleRate: 44_100, channels: 2 }), 0),
      pieceOf('The Sun', makeWav(voice(4, 16_000), { sampleRate: 16_000 }), 1)
    ]
    episode = await encode(pieces, 'episode.mp3')
  })

  test('has cues at the sums of the samples, whatever the rates of its pieces', () => {
    assert.deepEqual(
      episode.cues.map(({ text, startMs, endMs }) => [text, startMs, endMs]),
      [
        ['Title', 0, 2000],
        ['The Moon', 2450, 5450],
        ['The Sun', 5900, 9900]
      ]
    )
    assert.equal(episode.durationMs, 10_350)
  })

  test('tells after each piece how far it is, from the first one that is measured', async () => {
    const pieces = [1, 2, 3, 4, 5].map(at => pieceOf(`Progress ${at}`, makeWav(voice(1, 22_050)), null))
    const reported: number[] = []
    await encodeEpisode({ pieces, sections: [], tags, output: path.join(folder, 'progress.mp3') }, share =>
      reported.push(share)
    )
    const inOrder = [...reported].sort((a, b) => a - b)
    assert.deepEqual(reported, inOrder)
    assert.deepEqual([reported[0], reported.at(-1)], [0.06, 1])
    const leaps = reported.slice(1).map((share, at) => share - (reported[at] ?? 0))
    assert.ok(Math.max(...leaps) <= 0.3, `${reported}`)
    assert.equal(new Set(reported).size, reported.length)
  })

  test('has a chapter for each section', () => {
    assert.deepEqual(episode.chapters, [
      { title: 'The Moon', startMs: 2450, endMs: 5900 },
      { title: 'The Sun', startMs: 5900, endMs: 10_350 }
    ])
  })

  test('is as loud as directories ask for', () =>
    assert.ok(Math.abs(episode.loudness + 16) < 0.5, `${episode.loudness}`))

  test('decodes to exactly its samples', { skip }, () => {
    const raw = execFileSync('ffmpeg', ['-v', 'error', '-i', file, '-f', 's16le', '-'], { maxBuffer: 1e8 })
    assert.equal(raw.length / 2, samples)
  })

  test('has each word where its cue says', { skip }, () => {
    const raw = execFileSync('ffmpeg', ['-v', 'error', '-i', file, '-f', 's16le', '-'], { maxBuffer: 1e8 })
    const energy = (fromMs: number, ms: number) => {
      const from = Math.round(fromMs * 22.05)
      let sum = 0
      for (let at = from; at < from + ms * 22.05; at++) sum += Math.abs(raw.readInt16LE(at * 2))
      return sum / (ms * 22.05)
    }
    for (const { startMs } of episode.cues.slice(1)) {
      assert.ok(energy(startMs - 100, 90) < 200, `silence before ${startMs}`)
      assert.ok(energy(startMs + 50, 90) > 1000, `sound after ${startMs}`)
    }
  })

  test('has chapters that ffprobe reads, however long their titles are', { skip }, async () => {
    const sections = [
      'A long way '.repeat(25).trim(),
      'الفصل الأول '.repeat(15).trim(),
      'x'.repeat(126),
      '\u{1f469}\u200d\u{1f467}'.repeat(20)
    ]
    const pieces = [0, 1, 2, 3].map(at => pieceOf(`Long ${at}`, makeWav(voice(1, 22_050)), at))
    const output = path.join(folder, 'long.mp3')
    const made = await encodeEpisode({ pieces, sections, tags, output })
    assert.ok(!('unheard' in made))
    assert.deepEqual(
      made.chapters.map(({ title }) => title),
      sections
    )
    const probed = JSON.parse(run('ffprobe', '-v', 'error', '-show_chapters', '-of', 'json', output).stdout)
    assert.deepEqual(
      probed.chapters.map((chapter: { tags: { title: string } }) => chapter.tags.title),
      [
        `${sections[0]?.slice(0, 123)}…`,
        `${sections[1]?.slice(0, 67)}…`,
        sections[2],
        `${'\u{1f469}\u200d\u{1f467}'.repeat(11)}…`
      ]
    )
  })

  test('is read by ffprobe with its tags, picture and chapters', { skip }, () => {
    const probed = JSON.parse(
      run('ffprobe', '-v', 'error', '-show_format', '-show_chapters', '-show_streams', '-of', 'json', file).stdout
    )
    const { title, artist, album, date, provenance } = probed.format.tags
    assert.deepEqual(
      [title, artist, album, date, provenance],
      ['Ebbe und Flut', 'Ann Äpfel', 'Tides', '2026-11-21', 'synthetic speech']
    )
    assert.deepEqual(
      probed.chapters.map((chapter: { start: number; end: number; tags: { title: string } }) => [
        chapter.start,
        chapter.end,
        chapter.tags.title
      ]),
      [
        [2450, 5900, 'The Moon'],
        [5900, 10_350, 'The Sun']
      ]
    )
    const [audio, picture] = probed.streams
    assert.deepEqual(
      [audio.codec_name, audio.channels, audio.sample_rate, picture.codec_name],
      ['mp3', 1, '22050', 'png']
    )
  })

  // −1 dBTP is allowed: the loudest moment of an hour is 1 dB above those of a few sentences.
  test('is measured by ffmpeg at −16 LUFS, with no peak over −2 dBTP', { skip }, () => {
    const { stderr } = run(
      'ffmpeg',
      '-hide_banner',
      '-nostats',
      '-i',
      file,
      '-map',
      '0:a',
      '-af',
      'ebur128=peak=true',
      '-f',
      'null',
      '-'
    )
    const summary = stderr.slice(stderr.lastIndexOf('Summary'))
    const loudness = Number(/I:\s+(-?[\d.]+) LUFS/.exec(summary)?.[1])
    const peak = Number(/Peak:\s+(-?[\d.]+) dBFS/.exec(summary)?.[1])
    assert.ok(Math.abs(loudness + 16) <= 1, `${loudness} LUFS`)
    assert.ok(peak < -2, `${peak} dBTP`)
  })
})

describe('episodes of any voice', () => {
  for (const sampleRate of [8000, 16_000, 24_000, 32_000, 44_100, 48_000, 96_000])
    test(`at ${sampleRate} samples a second last as long as they are`, { skip }, async () => {
      await encode([pieceOf('one', makeWav(voice(1, sampleRate), { sampleRate }), null)], 'rate.mp3')
      const file = path.join(folder, 'rate.mp3')
      const raw = execFileSync('ffmpeg', ['-v', 'error', '-i', file, '-f', 's16le', '-ar', '48000', '-'], {
        maxBuffer: 1e8
      })
      assert.ok(Math.abs(raw.length / 2 / 48 - 1450) <= 1, `${raw.length / 2 / 48} ms`)
    })

  const silence = makeWav(new Array(22_050).fill(0))
  const unheard: [what: string, pieces: () => SpokenPiece[], unheard: string | null][] = [
    ['nothing but silence', () => [pieceOf('Silence', silence, null)], 'Silence'],
    ['nothing but silence for a text of signs', () => [pieceOf('🌊', silence, null)], '🌊'],
    [
      'no sample for most of a text',
      () => [
        pieceOf('Flite', makeWav(voice(1, 22_050)), null),
        pieceOf('القمر', makeWav([]), 0),
        pieceOf('y', silence, 0)
      ],
      'القمر'
    ],
    [
      'silence for a word of another language and for signs',
      () => [
        pieceOf('The moon is', makeWav(voice(1, 22_050)), null),
        pieceOf('القمر', silence, 0),
        pieceOf('🌊🌊🌊🌊🌊🌊🌊🌊', silence, 1)
      ],
      null
    ]
  ]
  for (const [what, pieces, text] of unheard)
    test(`with ${what} are ${text === null ? 'encoded' : 'told of'}`, async () => {
      const episode = await tryToEncode(pieces(), 'unheard.mp3')
      assert.equal('unheard' in episode ? episode.unheard : null, text)
    })

  for (const amplitude of [0.003, 0.0006])
    test(`a whisper of ${amplitude} is made as loud as a voice`, async () => {
      const { loudness } = await encode([pieceOf('whisper', makeWav(tone(3, 22_050, amplitude)), null)], 'whisper.mp3')
      assert.ok(Math.abs(loudness + 16) < 0.5, `${loudness}`)
    })

  test('the bit rate is constant', async () => {
    await encode([pieceOf('long', makeWav(voice(5, 22_050)), null)], 'long.mp3')
    const bytes = readFileSync(path.join(folder, 'long.mp3'))
    // The length of the tag has seven bits a byte.
    const tag = 10 + bytes.subarray(6, 10).reduce((sum, byte) => sum * 128 + byte, 0)
    assert.equal(bytes.readUInt16BE(tag), 0xfff3)
    assert.ok(Math.abs((bytes.length - tag) / 8000 - 5.45) < 0.15)
  })
})

describe('loudness', () => {
  test('of a full-scale sine of 997 Hz is −3.01 LUFS, at any rate', () => {
    for (const sampleRate of [16_000, 22_050, 48_000]) {
      const meter = createLoudnessMeter(sampleRate)
      meter.add(
        Float32Array.from({ length: sampleRate * 3 }, (_, at) => Math.sin((2 * Math.PI * 997 * at) / sampleRate))
      )
      assert.ok(Math.abs(meter.integrated() + 3.01) < 0.05, `${sampleRate}: ${meter.integrated()}`)
    }
  })

  test('does not count the pauses', () => {
    const meter = createLoudnessMeter(48_000)
    const loud = Float32Array.from(tone(3, 48_000))
    meter.add(loud)
    const before = meter.integrated()
    meter.add(new Float32Array(48_000 * 20))
    assert.ok(Math.abs(meter.integrated() - before) < 0.4)
  })

  test('of nothing is minus infinity', () => {
    assert.equal(createLoudnessMeter(48_000).integrated(), Number.NEGATIVE_INFINITY)
  })
})
