import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { resample } from '../../../../plugins/media/audio/resample.ts'
import { readWav, readWavFormat, WavError } from '../../../../plugins/media/audio/wav.ts'
import { makeWav, tone } from '../../../helpers/wav.ts'

const tones = tone(0.01, 8000)
const near = (found: ArrayLike<number>, expected: readonly number[], tolerance: number) => {
  assert.equal(found.length, expected.length)
  for (const [at, value] of expected.entries())
    assert.ok(Math.abs((found[at] ?? Number.NaN) - value) <= tolerance, `sample ${at}`)
}

describe('a WAV is read', () => {
  const rows = [
    { bits: 8, tolerance: 0.02 },
    { bits: 16, tolerance: 1e-4 },
    { bits: 24, tolerance: 1e-6 },
    { bits: 32, tolerance: 1e-6 },
    { bits: 32, format: 3, tolerance: 1e-6 },
    { bits: 64, format: 3, tolerance: 1e-7 },
    { bits: 16, channels: 2, tolerance: 1e-4 }
  ]
  for (const { tolerance, ...options } of rows)
    test(`of ${JSON.stringify(options)}`, () => {
      const { samples, sampleRate } = readWav(makeWav(tones, { sampleRate: 8000, ...options }))
      near(samples, tones, tolerance)
      assert.equal(sampleRate, 8000)
    })

  for (const claimed of [0xffff_ffff, 2_000_000_000, 0, tones.length * 2 + 44])
    test(`with ${claimed} bytes by its header, as far as there are bytes`, () => {
      assert.equal(readWav(makeWav(tones, { claimed })).samples.length, tones.length)
    })

  test('with chunks before its samples', () => {
    const wav = makeWav(tones)
    const list = Buffer.from('LIST\x03\0\0\0abc\0', 'latin1')
    assert.equal(readWav(Buffer.concat([wav.subarray(0, 36), list, wav.subarray(36)])).samples.length, tones.length)
  })

  test('what is no number counts as silence', () => {
    const { samples } = readWav(makeWav([Number.NaN, Number.POSITIVE_INFINITY, 7], { bits: 32, format: 3 }))
    assert.deepEqual([...samples], [0, 0, 1])
  })
})

describe('no WAV is', () => {
  const rows: [what: string, bytes: Uint8Array, message: RegExp][] = [
    ['nothing', new Uint8Array(), /0 bytes/],
    ['HTML', Buffer.from('<!doctype html><title>Welcome</title>'), /that are no WAV/],
    ['a header alone', makeWav(tones).subarray(0, 20), /without its format/],
    ['MP3 in a WAV', makeWav(tones, { format: 85 }), /format 85/],
    ['a sample rate of 1 Hz', makeWav(tones, { sampleRate: 1 }), /1 samples a second/],
    [
      'one that breaks off',
      makeWav(tones).subarray(0, 44 + 40),
      /breaks off: its header promises 160 bytes of samples, and 40 came/
    ],
    ['no channel', makeWav(tones, { channels: 0 }), /0 channels/]
  ]
  for (const [what, bytes, message] of rows)
    test(what, () =>
      assert.throws(
        () => readWavFormat(bytes),
        error => error instanceof WavError && message.test(error.message)
      )
    )

  test('anything else, and it is told without another error', () => {
    const header = makeWav(tones)
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), fc.nat(43), (junk, at) => {
        const bytes = Buffer.from(header)
        bytes.set(junk.subarray(0, bytes.length - at), at)
        try {
          assert.ok(readWav(bytes).samples.every(sample => Math.abs(sample) <= 1))
        } catch (error) {
          assert.ok(error instanceof WavError)
        }
      })
    )
  })
})

describe('another sample rate', () => {
  for (const [from, to] of [
    [16_000, 22_050],
    [44_100, 22_050],
    [8000, 16_000],
    [48_000, 44_100]
  ] as const)
    test(`${from} to ${to}: the same tone, as long and as loud`, () => {
      const output = resample(Float32Array.from(tone(0.5, from)), from, to)
      const expected = tone(0.5, to)
      assert.equal(output.length, expected.length)
      near([...output.slice(200, -200)], expected.slice(200, -200), 0.002)
    })

  test('what a lower rate cannot hold is filtered away', () => {
    const high = Float32Array.from({ length: 4800 }, (_, at) => Math.sin((2 * Math.PI * 15_000 * at) / 48_000))
    const output = resample(high, 48_000, 16_000)
    assert.ok(output.slice(100, -100).every(sample => Math.abs(sample) < 0.002))
  })
})
