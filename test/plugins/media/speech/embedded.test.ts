import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readWav } from '../../../../plugins/media/audio/wav.ts'
import { createEmbeddedSpeech } from '../../../../plugins/media/speech/embedded.ts'
import { SpeechError } from '../../../../plugins/media/speech/speech-error.ts'
import { speechSettings } from './speech-settings.ts'
import { wavBy } from './spoken-wav.ts'

const driver = createEmbeddedSpeech(speechSettings())
const speak = (text: string, language = 'en', signal = new AbortController().signal, by = driver) =>
  wavBy(by, { text, language }, signal)
const secondsOf = (wav: Uint8Array) => {
  const { samples, sampleRate } = readWav(wav)
  return samples.length / sampleRate
}

describe('the embedded voice', () => {
  test('speaks, and the same text twice alike', async () => {
    const first = await speak('Twice a day the sea rises.')
    const second = await speak('Twice a day the sea rises.')
    assert.deepEqual(first, second)
    assert.ok(secondsOf(first) > 1 && secondsOf(first) < 4)
  })

  test('speaks texts that are asked for at once, each its own', async () => {
    const texts = ['One.', 'Twice a day the sea rises.', 'Two.']
    const concurrent = await Promise.all(texts.map(text => speak(text)))
    for (const [at, text] of texts.entries()) assert.deepEqual(concurrent[at], await speak(text))
  })

  test('takes the language of the post, a region that it has, and else the language alone', async () => {
    const text = 'Hundert Jahre, nation, chance.'
    const english = await speak(text)
    const german = await speak(text, 'de')
    const austrian = await speak(text, 'de-AT')
    const british = await speak(text, 'en-GB')
    assert.notDeepEqual(german, english)
    assert.deepEqual(austrian, german)
    assert.ok(british.length > 1000)
  })

  test('knows Chinese by the name that posts have for it', async () => {
    assert.ok(secondsOf(await speak('海水上涨。', 'zh-CN')) > 0.5)
  })

  test('refuses Japanese with kanji, of which it would only say that they are Chinese letters', async () => {
    assert.ok(secondsOf(await speak('しおがみちる。', 'ja')) > 0.5)
    const unread = (error: unknown) =>
      error instanceof SpeechError &&
      error.retryAfterMs === null &&
      /cannot read kanji.* choose another speech_driver/.test(error.message)
    for (const language of ['ja', 'ja-JP']) await assert.rejects(speak('潮が満ちる。', language), unread)
    const variant = createEmbeddedSpeech(speechSettings({ speech_voice: '+f3' }))
    await assert.rejects(speak('潮が満ちる。', 'ja', new AbortController().signal, variant), unread)
    const chinese = createEmbeddedSpeech(speechSettings({ speech_voice: 'cmn' }))
    assert.ok(secondsOf(await speak('潮が満ちる。', 'ja', new AbortController().signal, chinese)) > 0.5)
  })

  test('says that it has no such language, and speaks on', async () => {
    await assert.rejects(speak('Hello.', 'xx-YY'), /espeak-ng has no voice xx-yy or xx: correct the post's language/)
    assert.ok(secondsOf(await speak('Hello.')) > 0.2)
  })

  // espeak-ng takes the first, and says nothing in it.
  for (const voice of ['alloy', 'f3', 'onyx'])
    test(`says that the setting ${voice} is none of its voices, once and for all`, async () => {
      const other = createEmbeddedSpeech(speechSettings({ speech_voice: voice }))
      await assert.rejects(
        speak('Hello.', 'en', new AbortController().signal, other),
        (error: unknown) =>
          error instanceof SpeechError &&
          error.retryAfterMs === null &&
          error.message.startsWith(`The setting speech_voice is ${voice}, which is no voice of espeak-ng: set one`)
      )
    })

  test('changes its voice by the setting', async () => {
    const variant = createEmbeddedSpeech(speechSettings({ speech_voice: '+f3' }))
    assert.notDeepEqual(await speak('Hello.', 'en', new AbortController().signal, variant), await speak('Hello.'))
    assert.equal(variant.voice, 'espeak-ng 1.0.2 +f3')
  })

  test('does not take brackets for its own phonemes', async () => {
    assert.ok(
      secondsOf(await speak('[[h@l@U w3:ld h@l@U w3:ld]]')) > secondsOf(await speak('hello world hello world')) * 1.2
    )
  })

  test('says which folder it cannot write to, and speaks on', async () => {
    const spoken = { text: 'Hello.', language: 'en', file: '/no/such/folder/spoken.wav' }
    await assert.rejects(
      driver.speak(spoken, new AbortController().signal),
      /The work folder \/no\/such\/folder cannot be used \(ENOENT\): make room on its disk/
    )
    assert.ok(secondsOf(await speak('Hello.')) > 0.2)
  })

  test('goes on for others where one caller ends it', async () => {
    const caller = new AbortController()
    const first = speak('word '.repeat(80), 'en', caller.signal)
    const others = [speak('The sea rises.'), speak('It falls.')]
    caller.abort()
    await assert.rejects(first)
    for (const spoken of others) assert.ok(secondsOf(await spoken) > 0.2)
  })

  test('is ended with its caller, and speaks to the next', async () => {
    const caller = new AbortController()
    const spoken = speak('word '.repeat(80), 'en', caller.signal)
    caller.abort()
    await assert.rejects(spoken)
    assert.ok(secondsOf(await speak('Hello.')) > 0.2)
  })
})
