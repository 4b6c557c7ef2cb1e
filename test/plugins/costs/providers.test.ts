import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import sharp from 'sharp'
import { CONTRACT, definePlugin } from '../../../core/index.ts'
import { SpeechService } from '../../../plugins/media/index.ts'
import { MemoryService } from '../../../plugins/memory/index.ts'
import { TasksService } from '../../../plugins/tasks/index.ts'
import { makePublicPost } from '../../helpers/public-post.ts'
import { startService, type TestService } from '../../helpers/service.ts'
import { until } from '../../helpers/until.ts'
import { makeWav, tone } from '../../helpers/wav.ts'

/** A plugin of somebody else, who knows nothing of costs. */
const forgetful = definePlugin({
  name: 'forgetful',
  contract: CONTRACT,
  describe: 'Models of somebody who knows nothing of costs',
  needs: { tasks: TasksService, memory: MemoryService, speech: SpeechService },
  setup({ needs: { tasks, memory, speech } }) {
    const draft = { title: 'Tides', excerpt: 'Water.', content: 'Water rises.', source_ids: [], model: 'their-writer' }
    tasks.registerWriter({ name: 'their-writer', write: async () => draft }, () => true)
    const critic = { name: 'their-critic', judge: async () => ({ score: 1, note: 'dull' }) }
    tasks.registerCritic(critic, () => true)
    memory.registerEmbedder('theirs', {
      model: 'their-embedder',
      embed: async texts => texts.map(() => Array(768).fill(1))
    })
    const speak = async () => makeWav(tone(0.5, 22_050))
    speech.addDriver('theirs', { voice: 'Theirs', speak })
    speech.addDriver('local', { voice: 'Local', isFree: true, speak })
    return { services: {} }
  }
})

let service: TestService
let provider: Server
let requested: string[] = []
before(async () => {
  const picture = await sharp({ create: { width: 900, height: 900, channels: 3, background: '#00ff00' } })
    .png()
    .toBuffer()
  provider = createServer(async (request, response) => {
    requested.push(request.url ?? '')
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { input } = JSON.parse(Buffer.concat(chunks).toString())
    const json = (body: object) => response.setHeader('content-type', 'application/json').end(JSON.stringify(body))
    if (request.url === '/images/generations') json({ data: [{ b64_json: picture.toString('base64') }] })
    else if (request.url === '/audio/speech') response.end(makeWav(tone(0.5, 22_050)))
    else {
      const data = input.map((_: string, index: number) => ({ index, embedding: Array(768).fill(1) }))
      json({ data, usage: { prompt_tokens: 4 * input.length } })
    }
  })
  provider.listen(0, '127.0.0.1')
  await once(provider, 'listening')
  const url = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`
  service = await startService({
    plugins: [forgetful],
    settings: {
      unknown_price: 'refuse',
      cover_driver: 'openai',
      image_base_url: url,
      image_model: 'painter',
      speech_driver: 'openai',
      speech_base_url: url,
      speech_model: 'speaker',
      embedder: 'openai',
      embedder_base_url: url,
      embedder_model: 'reader'
    }
  })
})
after(async () => {
  await service.close()
  provider.close()
})

const set = (key: string, value: string) => service.bearer('PUT', `/api/settings/${key}`, { value })
const waits = async (kind: string): Promise<void> =>
  until(async () => {
    const rows = await service.db.query('select 1 from cost_waits where kind = $1', [kind])
    return rows.length > 0
  }, `${kind} waits for a price`)
const costs = async (query: string) => (await service.bearer('GET', `/api/costs?${query}`)).body
const made = (query: string, calls: number): Promise<void> =>
  until(async () => {
    const { items } = await costs(query)
    return items.filter(({ status }: { status: string }) => status === 'settled').length >= calls
  }, `${query} is paid`)

test('texts of memory wait for the price of their embedder, and are embedded when there is one', async () => {
  await service.kernel
    .service(MemoryService)
    ?.store({ source_table: 'memory', source_id: 'tides', writer: 'test', text: 'Tides follow the moon.' })
  await waits('embedding')
  assert.deepEqual(requested, [])
  await set('model_prices', '{"reader": {"per_million_input_tokens": 1000}}')
  await made('model=reader', 1)
  const { items } = await costs('model=reader')
  assert.deepEqual([items[0].kind, items[0].amount, items[0].usage], ['embedding', 0.004, { input_tokens: 4 }])
})

test('a cover and a voice wait for their prices, and are made for their post when there are some', async () => {
  requested = []
  await set('media_on_publish', 'image,podcast')
  const { post_id } = await makePublicPost(service, { title: 'Paid media', niche_slug: 'sea' })
  await waits('cover')
  await waits('media')
  assert.deepEqual(
    requested.filter(path => path !== '/embeddings'),
    []
  )
  await set(
    'model_prices',
    '{"*": {"per_million_input_tokens": 1}, "painter": {"per_image": 0.04}, "speaker": {"per_second": 0.01}}'
  )
  await made(`post_id=${post_id}&model=painter`, 1)
  await made(`post_id=${post_id}&model=speaker`, 2)
  const [cover] = (await costs(`post_id=${post_id}&model=painter`)).items
  assert.deepEqual([cover.part, cover.amount, cover.niche_slug], ['cover', 0.04, 'sea'])
  const [voice] = (await costs(`post_id=${post_id}&model=speaker`)).items
  assert.deepEqual([voice.kind, voice.part, voice.amount, voice.usage.seconds], ['speech', 'media', 0.005, 0.5])
})

test('writers, critics, embedders and voices of others count, although they never pay', async () => {
  const price = { per_million_input_tokens: 1, per_million_output_tokens: 1, per_million_characters: 1 }
  await set('model_prices', JSON.stringify({ '*': price }))
  await set('embedder', 'theirs')
  await service.service(MemoryService)?.embed(['A text that is embedded'])
  const { body: task } = await service.bearer('POST', '/api/tasks', { topic: 'What others write' })
  const post = await makePublicPost(service, { title: 'Spoken by others' })
  const speakBy = async (driver: string) => {
    await set('speech_driver', driver)
    return service.bearer('POST', `/generate/${post.post_id}`, { media: ['podcast'] })
  }
  assert.equal((await speakBy('theirs')).status, 202)
  const spokenFor = `model=theirs&post_id=${post.post_id}`
  for (const query of ['model=their-embedder', 'model=their-writer', 'model=their-critic']) await made(query, 1)
  // The title and the text.
  await made(spokenFor, 2)
  const [written] = (await costs('model=their-writer')).items
  assert.deepEqual([written.task_id, written.part, written.basis], [task.task_id, 'draft', 'worst_case'])
  assert.equal((await costs(spokenFor)).items[0].basis, 'usage')
  assert.equal((await costs('model=local')).total, 0)
})
