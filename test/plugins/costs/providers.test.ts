import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import sharp from 'sharp'
import { MemoryService } from '../../../plugins/memory/index.ts'
import { makePublicPost } from '../../helpers/public-post.ts'
import { startService, type TestService } from '../../helpers/service.ts'
import { until } from '../../helpers/until.ts'
import { makeWav, tone } from '../../helpers/wav.ts'

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
  await made(`post_id=${post_id}&model=speaker`, 1)
  const [cover] = (await costs(`post_id=${post_id}&model=painter`)).items
  assert.deepEqual([cover.part, cover.amount, cover.niche_slug], ['cover', 0.04, 'sea'])
  const [voice] = (await costs(`post_id=${post_id}&model=speaker`)).items
  assert.deepEqual([voice.kind, voice.part, voice.amount, voice.usage.seconds], ['speech', 'media', 0.005, 0.5])
})
