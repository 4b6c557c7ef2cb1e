import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, beforeEach, describe, test } from 'node:test'
import { createOpenAiSpeech } from '../../../../plugins/media/speech/openai.ts'
import { createSpeechDrivers } from '../../../../plugins/media/speech/registry.ts'
import { makeWav, tone } from '../../../helpers/wav.ts'
import { speechSettings } from './speech-settings.ts'
import { checkedWavBy } from './spoken-wav.ts'

const wav = makeWav(tone(0.2, 24_000), { sampleRate: 24_000, claimed: 0xffff_ffff })
let answer: RequestListener
const bodyOf = async (request: IncomingMessage) => JSON.parse(await text(request))
let base: string
const server = createServer((request, response) => answer(request, response))
before(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
})
after(() => server.close())
beforeEach(() => {
  answer = (_, response) => response.end(wav)
})

const words: unknown[] = []
const log = { warn: (said: unknown) => void words.push(said) }
const speak = (values: Record<string, unknown> = {}, signal = new AbortController().signal) => {
  const settings = speechSettings({
    speech_base_url: `${base}/`,
    speech_model: 'tts',
    speech_api_key: 'sk-key',
    ...values
  })
  const driver = createOpenAiSpeech({ settings, log, now: () => new Date() })
  return checkedWavBy(createSpeechDrivers(settings), driver, { text: 'Hello.', language: 'en' }, signal)
}

describe('an endpoint that speaks', () => {
  test('is asked for a WAV, with its key', async () => {
    let seen: unknown
    answer = async (request, response) => {
      const body = await bodyOf(request)
      seen = [request.method, request.url, request.headers.authorization, body]
      response.end(wav)
    }
    assert.deepEqual(await speak(), wav)
    const body = { model: 'tts', voice: 'alloy', input: 'Hello.', response_format: 'wav' }
    assert.deepEqual(seen, ['POST', '/v1/audio/speech', 'Bearer sk-key', body])
  })

  test('is asked for the voice that is set', async () => {
    let voice: unknown
    answer = async (request, response) => {
      voice = (await bodyOf(request)).voice
      response.end(wav)
    }
    await speak({ speech_voice: 'nova' })
    assert.equal(voice, 'nova')
  })

  const refusals: [what: string, behave: RequestListener, message: RegExp][] = [
    ['HTML', (_, response) => response.end('<!doctype html>'), /gave 15 bytes that are no WAV/],
    ['nothing', (_, response) => response.end(), /gave no sound: 0 bytes/],
    [
      '401',
      (_, response) => response.writeHead(401).end('your key sk-key'),
      /answered 401: check the setting speech_api_key/
    ],
    [
      '404',
      (_, response) => response.writeHead(404).end(),
      /answered 404: check speech_base_url, speech_model \(tts\) and speech_voice \(alloy\)/
    ],
    ['429', (_, response) => response.writeHead(429, { 'retry-after': '7' }).end(), /answered 429: try again later/],
    ['500', (_, response) => response.writeHead(500).end('stack of sk-key'), /answered 500: try again later/],
    [
      'an answer that breaks off',
      (_, response) => response.writeHead(200).write(wav, () => response.destroy()),
      /broke off \(/
    ],
    [
      'a redirect, which is not followed',
      (_, response) => response.writeHead(302, { location: '/v1/other?key=1' }).end(),
      /answered 302 and redirects to http:\/\/127\.0\.0\.1:\d+\/v1\/other\. Redirects are not followed: set speech_base_url/
    ]
  ]
  for (const [what, behave, message] of refusals)
    test(`that answers ${what} is told of`, async () => {
      answer = behave
      await assert.rejects(speak(), message)
    })

  test('that sends without end is not read to the end', async () => {
    answer = (_, response) => {
      const block = Buffer.alloc(1_000_000)
      const more = () => {
        if (!response.destroyed) response.write(block, more)
      }
      more()
    }
    await assert.rejects(speak(), /sent more than 18000000 bytes/)
  })

  test('that hangs is given up', async () => {
    answer = () => {}
    await assert.rejects(speak({ speech_timeout_seconds: 0.1 }), /within 0\.1 s/)
    server.closeAllConnections()
  })

  test('that refuses has its words in the log, without the key', () => {
    assert.ok(words.length > 0)
    assert.ok(!JSON.stringify(words).includes('sk-key'))
  })

  test('needs an address and a model', async () => {
    await assert.rejects(speak({ speech_model: '' }), /speech_base_url or speech_model is empty: set both/)
  })
})
