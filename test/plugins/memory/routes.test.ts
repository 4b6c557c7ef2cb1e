import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import fastify, { type FastifyInstance } from 'fastify'
import { type MemoryUnderTest, startMemory } from './service.ts'

let service: MemoryUnderTest
let app: FastifyInstance
before(async () => {
  service = await startMemory()
  app = fastify()
  const { routes } = service.contribution
  if (routes === undefined) throw new TypeError('the plugin has no routes')
  app.register(routes)
  const entry = { source_table: 'memory', writer: 'operator' } as const
  await service.memory.store({ ...entry, source_id: 'a', text: 'Rollbacks deploy the previous image.', tags: ['ops'] })
  await service.memory.store({ ...entry, source_id: 'b', text: 'Tides follow the moon.', writer: 'claude' })
})
after(async () => {
  await app.close()
  await service.close()
})

const get = async (url: string) => {
  const response = await app.inject(url)
  return { status: response.statusCode, body: response.json() }
}

describe('GET /api/memory/search', () => {
  test('answers a list with the defaults of the specification', async () => {
    const { status, body } = await get('/api/memory/search?q=rollbacks+deploy+the+previous+image')
    assert.equal(status, 200)
    const { items, ...list } = body
    assert.deepEqual(list, { total: 1, limit: 5, offset: 0 })
    assert.deepEqual(Object.keys(items[0]), [
      'source_table',
      'source_id',
      'chunk',
      'writer',
      'text',
      'similarity',
      'tags',
      'metadata',
      'created_at'
    ])
    assert.equal(items[0].similarity, 1)
  })

  test('takes a limit, a least similarity, a writer and a source table', async () => {
    const { body } = await get('/api/memory/search?q=moon&limit=1&min_similarity=0&writer=claude&source_table=memory')
    assert.equal(body.limit, 1)
    assert.deepEqual(
      body.items.map((item: { source_id: string }) => item.source_id),
      ['b']
    )
  })

  for (const query of [
    '',
    '?q=',
    '?q=x&limit=0',
    '?q=x&limit=101',
    '?q=x&min_similarity=2',
    '?q=x&limit=a',
    `?q=${'x'.repeat(2001)}`
  ]) {
    test(`refuses ${JSON.stringify(query.slice(0, 30))}`, async () => {
      assert.equal((await get(`/api/memory/search${query}`)).status, 400)
    })
  }

  test('refuses an unknown source table and lists the six', async () => {
    const { body } = await get('/api/memory/search?q=x&source_table=people')
    assert.equal(body.code, 'VALIDATION_ERROR')
    assert.match(body.message, /brain, audit, posts, memory, claude_sessions, issues/)
  })
})

describe('GET /api/memory/stats', () => {
  test('counts embeddings by source table and writer', async () => {
    const { status, body } = await get('/api/memory/stats')
    assert.equal(status, 200)
    assert.deepEqual(Object.keys(body), ['total', 'model', 'dimensions', 'by_source_table', 'by_writer'])
    assert.equal(body.total, 2)
    assert.equal(body.dimensions, 768)
    assert.deepEqual(
      body.by_writer.map(({ key, count }: { key: string; count: number }) => [key, count]),
      [
        ['claude', 1],
        ['operator', 1]
      ]
    )
  })
})
