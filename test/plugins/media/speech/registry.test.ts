import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, test } from 'node:test'
import type { SpeechDriver } from '#plugins/media'
import { createSpeechDrivers } from '../../../../plugins/media/speech/registry.ts'
import { SpeechError } from '../../../../plugins/media/speech/speech-error.ts'
import { until } from '../../../helpers/until.ts'
import { makeWav, tone } from '../../../helpers/wav.ts'
import { speechSettings } from './speech-settings.ts'
import { checkedWavBy } from './spoken-wav.ts'

const spoken = { text: 'Hello.', language: 'en' }
const wav = makeWav(tone(0.2, 16_000), { sampleRate: 16_000 })
/** As some programs write it: with a picture of the voice before the sound. */
const withChunk = (bytes: number) => {
  const head = Buffer.from('LIST\0\0\0\0')
  head.writeUInt32LE(bytes, 4)
  return Buffer.concat([wav.subarray(0, 12), head, Buffer.alloc(bytes), wav.subarray(12)])
}
/** With another size of the whole in its header. */
const withSize = (whole: Buffer, bytes: number) => {
  const changed = Buffer.from(whole)
  changed.writeUInt32LE(bytes, 4)
  return changed
}
const drivers = createSpeechDrivers(speechSettings())
const checked = (speak: SpeechDriver['speak'], text = spoken.text) =>
  checkedWavBy(drivers, { voice: 'Mine', speak }, { ...spoken, text })

describe('an engine that several posts need', () => {
  for (const concurrency of [1, 2])
    test(`speaks ${concurrency} at once, in the order they came`, async () => {
      const begun: string[] = []
      const ends = new Map<string, () => void>()
      const driver: SpeechDriver = {
        voice: 'Mine',
        concurrency,
        speak: async ({ text }) => {
          begun.push(text)
          await new Promise<void>(resolve => ends.set(text, resolve))
          return wav
        }
      }
      const folder = mkdtempSync(path.join(tmpdir(), 'galley-speech-'))
      const all = ['a', 'b', 'c', 'd'].map(text =>
        drivers.speakInTurn(
          driver,
          { text, language: 'en', file: path.join(folder, text) },
          new AbortController().signal
        )
      )
      for (const [at, text] of ['a', 'b', 'c', 'd'].entries()) {
        await until(() => ends.has(text))
        assert.deepEqual(begun, ['a', 'b', 'c', 'd'].slice(0, at + concurrency))
        ends.get(text)?.()
        await all[at]
      }
      rmSync(folder, { recursive: true })
    })
})

describe('the sound of an engine', () => {
  for (const [what, answered] of [
    ['as usual', wav],
    ['behind other chunks', withChunk(5000)]
  ] as const) {
    test(`${what} is written where it is returned`, async () => {
      assert.deepEqual(await checked(async () => answered), answered)
    })

    test(`${what} may be written by the engine`, async () => {
      const written = await checked(async ({ file }) => {
        writeFileSync(file, answered)
        return null
      })
      assert.deepEqual(written, answered)
    })
  }

  const junk: [what: string, bytes: number, message: RegExp][] = [
    ['empty', 0, /Mine gave no sound: 0 bytes/],
    ['of zeros', 5000, /Mine gave 5000 bytes that are no WAV/],
    ['too long', 18_000_001, /Mine sent more than 18000000 bytes/]
  ]
  for (const [what, bytes, message] of junk)
    test(`that is ${what} is refused, returned or written`, async () => {
      await assert.rejects(
        checked(async () => Buffer.alloc(bytes)),
        message
      )
      const write = async ({ file }: { file: string }) => {
        writeFileSync(file, Buffer.alloc(bytes))
        return null
      }
      await assert.rejects(checked(write), message)
    })

  test('that breaks off is refused, and may be asked for again', () =>
    assert.rejects(
      checked(async () => wav.subarray(0, 2044)),
      (error: unknown) =>
        error instanceof SpeechError &&
        error.retryAfterMs === 0 &&
        /^The engine Mine gave a WAV that breaks off/.test(error.message)
    ))

  for (const [what, header, retryAfterMs] of [
    ['without samples is refused for good where its header says so', makeWav([]), null],
    [
      'of an engine that streams may be asked for again where nothing follows',
      makeWav([], { claimed: 0xffff_ffff }),
      0
    ],
    ['without a size of its own likewise', withSize(makeWav([]), 0), 0],
    ['that promises a little, and has nothing, likewise', makeWav([], { claimed: 80 }), 0]
  ] as const)
    test(`that is a header alone, ${what}`, () =>
      assert.rejects(
        checked(async () => header),
        (error: unknown) =>
          error instanceof SpeechError && error.retryAfterMs === retryAfterMs && /without samples/.test(error.message)
      ))

  const longText = 'The sea rises and falls twice a day. '.repeat(8)
  const briefTone = tone(0.5, 22_050)
  test('of an engine that streams, and far too short for its text, breaks off and may be asked for again', async () => {
    await assert.rejects(
      checked(async () => makeWav(briefTone, { claimed: 0xffff_ffff }), longText),
      (error: unknown) =>
        error instanceof SpeechError &&
        error.retryAfterMs === 0 &&
        /^The engine Mine gave a WAV that breaks off: 0\.50 s for 224 letters, "The sea/.test(error.message)
    )
  })

  test('as short as its own header says is taken', async () => {
    const brief = makeWav(briefTone)
    assert.deepEqual(await checked(async () => brief, longText), brief)
  })

  test('that was not written is told of', () =>
    assert.rejects(
      checked(async () => null),
      /The engine Mine wrote no file/
    ))
})

test('an engine of somebody else that ignores its time is not waited for', async () => {
  const settings = speechSettings({ speech_driver: 'mine', speech_timeout_seconds: 0.05 })
  const drivers = createSpeechDrivers(settings)
  assert.match(drivers.chosenFault() ?? '', /speech_driver is mine, which no plugin provides/)
  drivers.addDriver('mine', { voice: 'Mine', speak: () => new Promise(() => {}) })
  assert.equal(drivers.chosenFault(), null)
  await assert.rejects(
    checkedWavBy(drivers, drivers.chosen(), { text: 'x', language: 'en' }),
    /Mine did not speak a sentence within 0\.05 s/
  )
  assert.throws(() => drivers.addDriver('mine', { voice: 'x', speak: () => new Promise(() => {}) }), TypeError)
})
