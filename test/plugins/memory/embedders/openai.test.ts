import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, afterEach, before, beforeEach, describe, mock, test } from 'node:test'
import type { Log, Settings } from '#core'
import { TextsRefusedError } from '#plugins/memory'
import { createOpenAiEmbedder } from '../../../../plugins/memory/embedders/openai.ts'
import { createEmbedders } from '../../../../plugins/memory/embedders/registry.ts'
import type { MemorySettings } from '../../../../plugins/memory/settings.ts'

type Behaviour = (request: IncomingMessage, response: ServerResponse, input: string[]) => void

const vector = (value: number) => Array.from({ length: 768 }, (_, place) => (place === 0 ? value : 0.5))
const send = (response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}) =>
  void response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body))
const answer = (data: unknown) => (_: IncomingMessage, response: ServerResponse) =>
  send(response, 200, { object: 'list', data })
const refuse =
  (status: number, headers = {}): Behaviour =>
  (_, response) =>
    send(response, status, { error: { message: 'no' } }, headers)
const good: Behaviour = (_, response, input) =>
  send(response, 200, {
    data: input.map((text, index) => ({ object: 'embedding', index, embedding: vector(text.length) })).reverse()
  })

let script: Behaviour[] = []
let requests: { url: string | undefined; authorization: string | undefined; body: Record<string, unknown> }[] = []
const pauses: number[] = []
const values: Record<string, unknown> = {}

const server = createServer(async (request, response) => {
  let text = ''
  for await (const part of request) text += part
  const body = JSON.parse(text)
  requests.push({ url: request.url, authorization: request.headers.authorization, body })
  const behave = script.length > 1 ? script.shift() : script[0]
  behave?.(request, response, body.input)
})

before(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
after(() => {
  server.closeAllConnections()
  server.close()
})
const now = () => new Date()

beforeEach(() => {
  script = [good]
  requests = []
  pauses.length = 0
  logged.length = 0
  keyHost = undefined
  // What an endpoint asked for in one test does not hold in the next.
  embedders = createEmbedders(settings, now)
  embedders.register('openai', createOpenAiEmbedder({ settings, log, now, pause: async ms => void pauses.push(ms) }))
  const { port } = server.address() as AddressInfo
  Object.assign(values, {
    embedder: 'openai',
    embedder_base_url: `http://127.0.0.1:${port}/v1/`,
    embedder_api_key: 'sk-top-secret',
    embedder_model: 'nomic-embed-text',
    embedder_requests_per_minute: 0,
    embedder_timeout_seconds: 5
  })
})

/** The key belongs to the host of `keyHost`; absent: to any. */
let keyHost: string | undefined
const settings = {
  get: (key: string) => values[key],
  secretFor: (key: string, address: string) =>
    keyHost === undefined || new URL(address).host === keyHost
      ? { value: values[key], fault: null }
      : { value: '', fault: `${key} was set for ${keyHost}.` }
} as unknown as Settings<MemorySettings>
const logged: { words: string }[] = []
const log = { warn: (entry: { words: string }) => void logged.push(entry) } as unknown as Pick<Log, 'warn'>
let embedders: ReturnType<typeof createEmbedders>
const embed = (texts: string[], signal = new AbortController().signal) => embedders.embed(texts, signal)

describe('an OpenAI-compatible embeddings endpoint', () => {
  test('is asked for floats in its own form, and its vectors are put in order and made unit length', async () => {
    const { model, embeddings } = await embed(['a', 'four'])
    assert.equal(model, 'nomic-embed-text')
    assert.deepEqual(requests, [
      {
        url: '/v1/embeddings',
        authorization: 'Bearer sk-top-secret',
        body: { model: 'nomic-embed-text', input: ['a', 'four'], encoding_format: 'float' }
      }
    ])
    assert.ok((embeddings[0]?.[0] ?? 0) < (embeddings[1]?.[0] ?? 0))
    for (const each of embeddings) assert.ok(Math.abs(Math.hypot(...each) - 1) < 1e-9)
  })

  test('is asked in batches of 64', async () => {
    const { embeddings } = await embed(Array.from({ length: 130 }, (_, at) => 'x'.repeat(at + 1)))
    assert.equal(embeddings.length, 130)
    assert.deepEqual(
      requests.map(request => (request.body.input as string[]).length),
      [64, 64, 2]
    )
  })

  test('is not asked when there is nothing to embed', async () => {
    assert.deepEqual((await embed([])).embeddings, [])
    assert.equal(requests.length, 0)
  })

  test('gets no Authorization header without a key, and the dimensions where they can be chosen', async () => {
    Object.assign(values, { embedder_api_key: '', embedder_model: 'text-embedding-3-small' })
    await embed(['a'])
    assert.equal(requests[0]?.authorization, undefined)
    assert.equal(requests[0]?.body.dimensions, 768)
  })

  const recovered: [string, Behaviour, number][] = [
    ['429 with Retry-After', refuse(429, { 'retry-after': '2' }), 2000],
    ['429 with a Retry-After in the past', refuse(429, { 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' }), 500],
    ['429 without Retry-After', refuse(429), 500],
    ['500', refuse(500), 500],
    ['503 with a junk Retry-After', refuse(503, { 'retry-after': 'soon' }), 500],
    ['a connection cut before the answer', request => request.socket.destroy(), 500],
    [
      'a connection cut within the answer',
      (request, response) => {
        response.writeHead(200, { 'content-length': '5000' }).write('{"data": [')
        setImmediate(() => request.socket.destroy())
      },
      500
    ]
  ]
  for (const [name, behaviour, minMs] of recovered) {
    test(`is asked again after ${name}`, async () => {
      script = [behaviour, good]
      assert.equal((await embed(['a'])).embeddings.length, 1)
      assert.equal(requests.length, 2)
      assert.equal(pauses.length, 1)
      assert.ok((pauses[0] ?? 0) >= minMs && (pauses[0] ?? 0) <= minMs * 1.25, `${pauses[0]}`)
    })
  }

  for (const host of ['127.0.0.1', 'localhost']) {
    test(`is not asked again when nothing listens at ${host}`, async () => {
      const gone = createServer().listen(0)
      await once(gone, 'listening')
      const { port } = gone.address() as AddressInfo
      gone.close()
      await once(gone, 'close')
      values.embedder_base_url = `http://${host}:${port}/v1`
      await assert.rejects(embed(['a']), /could not be reached/)
      assert.equal(pauses.length, 0)
    })
  }

  const data = (embedding: unknown, index = 0) => [{ index, embedding }]
  const failed: [string, Behaviour, RegExp, number][] = [
    ['500 three times', refuse(500), /answered 500/, 3],
    ['429 that asks for an hour', refuse(429, { 'retry-after': '3600' }), /answered 429/, 1],
    ['401', refuse(401), /401: check the setting embedder_api_key/, 1],
    ['404', refuse(404), /404: check the settings embedder_base_url and embedder_model/, 1],
    ['400', refuse(400), /400 for the model nomic-embed-text/, 1],
    [
      'a redirect',
      refuse(307, { location: 'https://other.example/v1/embeddings?key=1' }),
      /answered 307 and redirects to https:\/\/other\.example\/v1\/embeddings\. Redirects are not followed: set embedder_base_url/,
      1
    ],
    ['junk', (_, response) => send(response, 200, '<html>busy</html>'), /list of embeddings/, 1],
    ['JSON of another form', (_, response) => send(response, 200, 'null'), /list of embeddings/, 1],
    ['too few embeddings', answer([]), /0 embeddings for 1 texts/, 1],
    ['an item without an embedding', answer([null]), /without an embedding/, 1],
    ['base64', answer(data('AAAA')), /without an embedding/, 1],
    ['a wrong index', answer(data(vector(1), 7)), /wrong indexes/, 1],
    ['a negative index', answer(data(vector(1), -1)), /wrong indexes/, 1],
    ['1,024 numbers', answer(data(Array(1024).fill(0.1))), /gives 1024 numbers a text, and 768 are needed/, 1],
    ['null among the numbers', answer(data([...vector(1).slice(1), null])), /not a finite number/, 1],
    ['numbers past the range', answer(data([...vector(1).slice(1), 1e300])), /not a finite number/, 1],
    ['only zeros', answer(data(Array(768).fill(0))), /zero/, 1],
    [
      '11 MB',
      (_, response) => send(response, 200, `{"data": ["${'x'.repeat(11_000_000)}"]}`),
      /more than 10485760 bytes/,
      1
    ]
  ]
  for (const [name, behaviour, message, times] of failed) {
    test(`that answers ${name} is unavailable, and the message says what to do`, async () => {
      script = [behaviour]
      await assert.rejects(embed(['a']), error => {
        assert.ok(error instanceof Error && 'code' in error)
        assert.equal(error.code, 'SERVICE_UNAVAILABLE')
        assert.match(error.message, message)
        assert.doesNotMatch(error.message, /sk-top-secret/)
        return true
      })
      assert.equal(requests.length, times)
    })
  }

  for (const [status, isOfTexts] of [
    [400, true],
    [413, true],
    [422, true],
    [404, false],
    [408, false]
  ] as const) {
    test(`that answers ${status} refuses ${isOfTexts ? 'the texts' : 'everything'}`, async () => {
      script = [refuse(status)]
      await assert.rejects(embed(['a']), error => error instanceof TextsRefusedError === isOfTexts)
    })
  }

  const saying =
    (body: unknown, status = 400): Behaviour =>
    (_, response) =>
      send(response, status, body)
  const words: [string, unknown, string][] = [
    [
      'of OpenAI',
      { error: { message: 'maximum context length\n is 8192 tokens', type: 'x' } },
      'maximum context length is 8192 tokens'
    ],
    ['of Ollama', { error: 'input too long' }, 'input too long'],
    ['of vLLM', { object: 'error', message: 'too long' }, 'too long'],
    ['of FastAPI', { detail: [{ loc: ['body'], msg: 'field required' }] }, 'field required'],
    ['that are long', { error: '🌊'.repeat(300) }, `${'🌊'.repeat(199)}…`],
    [
      'with secrets',
      { error: 'sk-top-secret is no key, Bearer abc, sk-proj-12**9a, nul\0 and \ud800' },
      '… is no key, … …, nul and \ufffd'
    ]
  ]
  for (const [name, body, expected] of words) {
    test(`that refuses a text is quoted in the log, and nowhere else: words ${name}`, async () => {
      script = [saying(body)]
      await assert.rejects(embed(['a']), (error: Error) => {
        assert.deepEqual(
          logged.map(entry => entry.words),
          [expected]
        )
        return error instanceof TextsRefusedError && !error.message.includes(expected)
      })
    })
  }

  for (const [name, behaviour] of [
    ['a page', saying('<html>no</html>')],
    ['no message', saying({ error: { code: 7 } })],
    ['null', saying('null')],
    ['a wrong key, quoting it', saying({ error: 'sk-another is wrong' }, 401)],
    ['more than 10 MB', saying('x'.repeat(11_000_000))]
  ] as const) {
    test(`that refuses with ${name} is not quoted`, async () => {
      script = [behaviour]
      await assert.rejects(embed(['a']))
      assert.deepEqual(logged.map(entry => entry.words).join(''), '')
    })
  }

  test('that is busy is quoted in the log, too', async () => {
    script = [saying({ error: { message: 'You exceeded your quota.' } }, 429)]
    await assert.rejects(embed(['a']), /429: too many requests\. Try again later\.$/)
    assert.equal(logged[0]?.words, 'You exceeded your quota.')
  })

  test('that answers the same index twice is unavailable', async () => {
    script = [answer([...data(vector(1)), ...data(vector(1))])]
    await assert.rejects(embed(['a', 'b']), /two embeddings with the index 0/)
  })

  test('that hangs is unavailable after the time of the setting, and is not asked again', async () => {
    // Long enough for the request to arrive on a busy machine.
    values.embedder_timeout_seconds = 0.5
    script = [() => undefined]
    await assert.rejects(embed(['a']), { code: 'SERVICE_UNAVAILABLE', message: /did not answer within 0.5 s/ })
    assert.equal(requests.length, 1)
  })

  test('that drips is unavailable after the time of the setting', async () => {
    values.embedder_timeout_seconds = 0.5
    script = [(_, response) => void response.writeHead(200).write('{"data": [')]
    await assert.rejects(embed(['a']), { code: 'SERVICE_UNAVAILABLE', message: /did not answer within/ })
  })

  test('is left at once when the caller gives up', async () => {
    const caller = new AbortController()
    script = [() => caller.abort()]
    await assert.rejects(embed(['a'], caller.signal), { code: 'SERVICE_UNAVAILABLE' })
    assert.equal(requests.length, 1)
  })

  test('that is not there is unavailable', async () => {
    values.embedder_base_url = 'http://127.0.0.1:9/v1'
    await assert.rejects(embed(['a']), { code: 'SERVICE_UNAVAILABLE', message: /embedder_base_url/ })
  })

  for (const key of ['embedder_base_url', 'embedder_model']) {
    test(`without ${key} is unavailable, and the message names the setting`, async () => {
      values[key] = ''
      await assert.rejects(embed(['a']), new RegExp(key))
    })
  }
})

describe('a Retry-After', () => {
  const ask = () => embedders.embedWith(embedders.chosen(), ['q'], new AbortController().signal)
  const busy = (seconds: number): Behaviour => refuse(429, { 'retry-after': String(seconds) })
  beforeEach(() => mock.timers.enable({ apis: ['Date'], now: Date.now() }))
  afterEach(() => mock.timers.reset())

  test('holds for the other calls of the process, which wait for its end', async () => {
    script = [busy(4), good]
    for (const text of ['a', 'b', 'c']) await embed([text])
    assert.deepEqual(pauses, [4000, 4000, 4000])
    assert.equal(requests.length, 4)
  })

  test('longer than 5 s is not waited for, and the endpoint not asked before its end', async () => {
    script = [busy(60), good]
    for (let n = 0; n < 3; n++) await assert.rejects(embed(['a']), /answered 429/)
    assert.deepEqual([requests.length, pauses.length], [1, 0])
  })

  test('is forgotten at its end, and after five minutes however long it is', async () => {
    script = [busy(100_000), good]
    await assert.rejects(embed(['a']), /answered 429/)
    mock.timers.tick(299_000)
    assert.equal(embedders.isUnavailable(embedders.chosen()), true)
    mock.timers.tick(2000)
    assert.equal(embedders.isUnavailable(embedders.chosen()), false)
    assert.equal((await ask()).embeddings.length, 1)
    assert.equal(pauses.length, 0)
  })

  test('is not waited for by a question, nor held against the embedder after its end', async () => {
    script = [busy(2), good]
    await assert.rejects(ask(), /answered 429/)
    assert.deepEqual([requests.length, pauses.length], [1, 0])
    await assert.rejects(ask(), /answered 429/)
    assert.equal(requests.length, 1)
    assert.deepEqual(
      [embedders.isUnavailable(embedders.chosen()), embedders.isUnavailableForStored(embedders.chosen())],
      [true, true]
    )
    mock.timers.tick(2001)
    assert.equal(embedders.isUnavailable(embedders.chosen()), false)
  })

  test('holds for one address and key, and for the model used before at that address', async () => {
    script = [busy(60), good]
    const chosen = embedders.chosen()
    const before = chosen.forModel?.('older', { ...chosen.origin })
    await assert.rejects(embed(['a']), /answered 429/)
    assert.deepEqual([chosen.isRateLimited, before?.isRateLimited], [true, true])
    values.embedder_api_key = 'sk-another'
    assert.equal(chosen.isRateLimited, false)
    assert.equal((await embed(['a'])).embeddings.length, 1)
  })

  test('ends when another model is chosen', async () => {
    script = [busy(60), good]
    await assert.rejects(embed(['a']), /answered 429/)
    values.embedder_model = 'another'
    assert.equal(embedders.chosen().isRateLimited, false)
    assert.equal((await embed(['a'])).embeddings.length, 1)
  })

  test('is said with the moment of the next request', async () => {
    script = [busy(60)]
    const at = new Date(Date.now() + 60_000).toISOString()
    await assert.rejects(embed(['a']), new RegExp(`It is asked again from ${at} on, or once another embedder_api_key`))
  })
})

describe('the embeddings endpoint of a model used before', () => {
  test('is asked at its own address for that model, with the key of its host and never with another’s', async () => {
    const embedder = createOpenAiEmbedder({ settings, log, now })
    const origin = { ...embedder.origin }
    Object.assign(values, { embedder_base_url: 'http://127.0.0.1:1/v1', embedder_model: 'newer' })
    const before = embedder.forModel?.('nomic-embed-text', origin)
    assert.equal((await before?.embed(['a'], new AbortController().signal))?.length, 1)
    assert.deepEqual(
      [requests[0]?.body.model, requests[0]?.authorization],
      ['nomic-embed-text', 'Bearer sk-top-secret']
    )
    keyHost = '127.0.0.1:1'
    values.embedder_api_key = 'sk-of-the-new-host'
    await before?.embed(['a'], new AbortController().signal)
    assert.equal(requests[1]?.authorization, undefined)
    script = [refuse(401)]
    await assert.rejects(
      async () => before?.embed(['a'], new AbortController().signal),
      /401: embedder_api_key was set for/
    )
  })
})

describe('a limit of requests a minute', () => {
  test('spreads them evenly, and 0 is none', async () => {
    values.embedder_requests_per_minute = 1
    await embed(Array(200).fill('text'))
    assert.equal(requests.length, 4)
    assert.equal(pauses.length, 3)
    // Each a minute after the one before, less what the requests themselves took.
    assert.deepEqual(
      pauses.map(pause => Math.round(pause / 60_000)),
      [1, 2, 3]
    )
    values.embedder_requests_per_minute = 0
    await embed(Array(200).fill('text'))
    assert.equal(pauses.length, 3)
  })
})
