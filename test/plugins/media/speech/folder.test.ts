import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, describe, test } from 'node:test'
import { readWav } from '../../../../plugins/media/audio/wav.ts'
import { createFolderSpeech } from '../../../../plugins/media/speech/folder.ts'
import { createSpeechDrivers } from '../../../../plugins/media/speech/registry.ts'
import { speechSettings } from './speech-settings.ts'
import { checkedWavBy, wavBy } from './spoken-wav.ts'

const runtime = new URL('../../../fixtures/sherpa-onnx-stand-in.js', import.meta.url).href
const root = mkdtempSync(path.join(os.tmpdir(), 'galley-voice-'))
after(() => rmSync(root, { recursive: true }))
const folderWith = (...names: string[]) => {
  const folder = mkdtempSync(path.join(root, 'voice-'))
  for (const name of names) writeFileSync(path.join(folder, name), '')
  return folder
}
const speak = (values: Record<string, unknown>, text = 'Hello.', by = runtime) =>
  wavBy(createFolderSpeech(speechSettings(values), by), { text, language: 'en' })

describe('a voice in a folder, by a stand-in for its runtime', () => {
  test('of VITS speaks, with 32-bit samples at its own rate', async () => {
    const { samples, sampleRate } = readWav(await speak({ speech_model_path: folderWith('en.onnx', 'tokens.txt') }))
    assert.deepEqual([samples.length, sampleRate, samples[0]], [600, 22_050, 0.25])
  })

  test('of Kokoro speaks, with the speaker that is set', async () => {
    const speech_model_path = folderWith('model.onnx', 'tokens.txt', 'voices.bin')
    assert.equal(readWav(await speak({ speech_model_path, speech_voice: '1' })).samples[0], 1)
  })

  test('that is no voice is told of', () =>
    assert.rejects(
      speak({ speech_model_path: folderWith('readme.md') }),
      /does not speak: it holds no \*\.onnx with a tokens\.txt/
    ))

  const faults: [what: string, text: string, message: RegExp][] = [
    ['fails at a text', 'fail', /cannot speak/],
    ['dies of a text', 'die', /does not speak: its process ended with SIGSEGV/],
    ['hangs at a text', 'hang', /did not speak a sentence within 0\.5 s/]
  ]
  for (const [what, text, message] of faults)
    test(`that ${what} speaks the next`, async () => {
      const settings = { speech_model_path: folderWith('en.onnx', 'tokens.txt'), speech_timeout_seconds: 0.5 }
      const waiting = createSpeechDrivers(speechSettings({ speech_timeout_seconds: 60 }))
      const quick = createSpeechDrivers(speechSettings(settings))
      const driver = createFolderSpeech(speechSettings(settings), runtime)
      const speakers = text === 'hang' ? quick : waiting
      await assert.rejects(checkedWavBy(speakers, driver, { text, language: 'en' }), message)
      assert.ok((await checkedWavBy(waiting, driver, { text: 'on', language: 'en' })).length > 44)
    })

  test('needs its runtime', () =>
    assert.rejects(
      speak({ speech_model_path: folderWith('en.onnx', 'tokens.txt') }, 'x', 'no-such-runtime'),
      /npm install sherpa-onnx-node/
    ))

  test('takes the number of a speaker, and no voice of another engine', async () => {
    const named = { speech_model_path: folderWith('en.onnx', 'tokens.txt'), speech_voice: 'alloy' }
    assert.match(createFolderSpeech(speechSettings(named)).settingsFault ?? '', /speech_voice is alloy, but/)
    await assert.rejects(speak(named), /speech_voice is alloy, but/)
  })

  test('needs its folder', () => {
    assert.match(createFolderSpeech(speechSettings()).settingsFault ?? '', /speech_model_path is empty/)
  })
})
