import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { MemoryService } from '#plugins/memory'
import { startService, type TestService } from '../../helpers/service.ts'

let service: TestService
before(async () => {
  service = await startService({ worker: false })
  const memory = service.kernel.service(MemoryService)
  const entry = { source_table: 'memory', writer: 'operator' } as const
  await memory?.store({ ...entry, source_id: 'a', text: 'Rollbacks deploy the previous image.', tags: ['ops'] })
  await memory?.store({ ...entry, source_id: 'b', text: 'Tides follow the moon.', writer: 'claude' })
})
after(() => service.close())

const get = (url: string) => service.bearer('GET', url)

describe('GET /api/memory/search', () => {
  test('answers a list with the defaults of the specification', async () => {
    const { status, body } = await get('/api/memory/search?q=rollbacks+deploy+the+previous+image')
    assert.equal(status, 200)
    const { items, ...list } = body
    assert.deepEqual(list, { total: 1, limit: 5, offset: 0, next_cursor: null, degraded: false })
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

  test('fuses words and vectors in the hybrid mode: a word counts whatever the similarity', async () => {
    const found = async (mode: string) => {
      const q = 'moon+keepers+harbour+masters+pilots+and+their+ledgers'
      const { body } = await get(`/api/memory/search?q=${q}&min_similarity=0.9&mode=${mode}`)
      return [body.total, body.items.map((item: { source_id: string }) => item.source_id)]
    }
    assert.deepEqual(await found('similarity'), [0, []])
    assert.deepEqual(await found('hybrid'), [1, ['b']])
    const { body } = await get('/api/memory/search?q=rollbacks+of+the+moon&mode=hybrid&min_similarity=0&limit=1')
    assert.deepEqual([body.total, body.items.length, body.degraded], [2, 1, false])
    assert.ok(body.items[0].similarity > 0)
  })

  for (const query of [
    '',
    '?q=',
    '?q=x&mode=words',
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

  test('counts characters of a question, not what they take', async () => {
    assert.equal((await get(`/api/memory/search?q=${encodeURIComponent('🌊'.repeat(1001))}`)).status, 200)
  })

  test('refuses an unknown source table and lists the six, beside all else that is wrong', async () => {
    const { body } = await get('/api/memory/search?q=%20&limit=0&foo=1&source_table=people')
    assert.equal(body.error_code, 'VALIDATION_ERROR')
    assert.deepEqual(Object.keys(body.errors).sort(), ['foo', 'limit', 'q', 'source_table'])
    assert.match(body.errors.source_table, /"brain", "audit", "posts", "memory", "claude_sessions", "issues"/)
  })
})

describe('GET /api/memory/stats', () => {
  test('counts embeddings by source table and writer', async () => {
    const { status, body } = await get('/api/memory/stats')
    assert.equal(status, 200)
    assert.deepEqual(Object.keys(body), [
      'total',
      'pending',
      'fault',
      'refused',
      'refusals',
      'model',
      'serving_model',
      'dimensions',
      'by_source_table',
      'by_writer'
    ])
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

describe('POST and DELETE /api/memory', () => {
  const send = async (payload: object) => {
    const { status, body } = await service.bearer('POST', '/api/memory', payload)
    return { status, body }
  }
  const remove = async (path: string) => (await service.bearer('DELETE', `/api/memory/${path}`)).status

  test('store a text once under an id made from it, find it by its tags, and delete it', async () => {
    const entry = { text: 'Invoices go out on the first.', writer: 'claude', tags: ['finance', 'monthly'] }
    const first = await send(entry)
    assert.equal(first.status, 201)
    assert.match(first.body.source_id, /^text-[0-9a-f]{16}$/)
    assert.deepEqual(await send(entry), { status: 200, body: { ...first.body, stored: false } })
    const tagged = async (tags: string) =>
      (await get(`/api/memory/search?q=invoices&min_similarity=0&tags=${tags}`)).body.items.length
    assert.deepEqual([await tagged('monthly,finance'), await tagged('monthly,ops'), await tagged('')], [1, 0, 3])
    assert.equal(await remove(`memory/${first.body.source_id}`), 204)
    assert.equal(await remove(`memory/${first.body.source_id}`), 404)
    assert.equal((await get('/api/memory/search?q=invoices')).body.total, 0)
  })

  test('replace what is stored under the same id', async () => {
    const entry = { writer: 'claude', source_table: 'issues', source_id: 'i/7' }
    assert.equal((await send({ ...entry, text: 'One.' })).status, 201)
    assert.equal((await send({ ...entry, text: 'Two.' })).status, 201)
    assert.equal(await remove('issues/i%2F7'), 204)
  })

  for (const [name, payload, fields] of [
    ['a blank text', { text: ' ', writer: 'x' }, ['text']],
    ['everything that is wrong', { text: '', writer: '', tags: ['x'.repeat(101)] }, ['tags.0', 'text', 'writer']],
    ['tags with a comma', { text: 'a', writer: 'x', tags: ['x', 'a,b', ','] }, ['tags.1', 'tags.2']],
    ['an id that no address can hold', { text: 'a', writer: 'x', source_id: '..' }, ['source_id']],
    ['51 tags', { text: 'a', writer: 'x', tags: Array.from({ length: 51 }, (_, at) => `t${at}`) }, ['tags']],
    ['an unknown table', { text: 'a', writer: 'x', source_table: 'people' }, ['source_table']],
    ['an address that is no web page', { text: 'a', writer: 'x', url: 'javascript:alert(1)' }, ['url']],
    [
      'what the schema finds and what it cannot know, together',
      { text: '', writer: '', source_table: 'zz', foo: 1, tags: 'a', metadata: [], source_id: '', url: 'ftp://x' },
      ['foo', 'metadata', 'source_id', 'source_table', 'tags', 'text', 'url', 'writer']
    ]
  ] as const) {
    test(`refuse ${name}`, async () => {
      const { status, body } = await send(payload)
      assert.deepEqual([status, Object.keys(body.errors).sort()], [400, [...fields]])
    })
  }

  test('answer 413 to a text over the limit, unless more is wrong', async () => {
    const text = 'x'.repeat(2_097_153)
    const { status, body } = await send({ text, writer: 'x' })
    assert.deepEqual([status, body.error_code, Object.keys(body.errors)], [413, 'PAYLOAD_TOO_LARGE', ['text']])
    assert.deepEqual((await send({ text, writer: '' })).status, 400)
  })

  test('keep the same text of two writers, each with its own tags', async () => {
    const text = 'Falcons nest on the tower.'
    const alice = await send({ text, writer: 'alice', tags: ['keep', 'birds'] })
    const bob = await send({ text, writer: 'bob' })
    assert.notEqual(alice.body.source_id, bob.body.source_id)
    assert.equal((await send({ text, writer: 'alice', tags: ['birds', 'keep'] })).status, 200)
    const { body } = await get('/api/memory/search?q=falcons%20nest&tags=keep')
    assert.deepEqual(
      body.items.map(({ writer }: { writer: string }) => writer),
      ['alice']
    )
  })

  test('refuse to delete from an unknown table', async () => assert.equal(await remove('people/x'), 400))
})

describe('GET /api/memory', () => {
  const ids = (body: { items: { source_id: string }[] }) => body.items.map(({ source_id }) => source_id)

  test('lists what is stored, newest first, without the texts, by cursor and by filter', async () => {
    await service.db.query(`delete from memory_entries where source_id not in ('a', 'b')`)
    await service.db.query(`update memory_entries set created_at = now() + interval '1 hour' where source_id = 'b'`)
    const { status, body } = await get('/api/memory')
    assert.equal(status, 200)
    const { items, ...list } = body
    assert.deepEqual(list, { total: 2, limit: 20, offset: 0, next_cursor: null })
    assert.deepEqual(ids(body), ['b', 'a'])
    assert.deepEqual(
      [items[1].source_table, items[1].writer, items[1].excerpt, items[1].bytes, items[1].passages, items[1].tags],
      ['memory', 'operator', 'Rollbacks deploy the previous image.', 36, 1, ['ops']]
    )
    assert.equal(items[0].text, undefined)
    const first = await get('/api/memory?limit=1')
    assert.deepEqual([ids(first.body), first.body.total], [['b'], 2])
    assert.deepEqual(ids((await get(`/api/memory?limit=1&cursor=${first.body.next_cursor}`)).body), ['a'])
    assert.equal((await get(`/api/memory?writer=claude&cursor=${first.body.next_cursor}`)).status, 400)
    assert.deepEqual(ids((await get('/api/memory?writer=claude')).body), ['b'])
    assert.deepEqual(ids((await get('/api/memory?source_table=audit')).body), [])
    for (const query of ['limit=0', 'limit=101', 'source_table=x', 'kind=x'])
      assert.equal((await get(`/api/memory?${query}`)).status, 400)
    assert.equal((await service.anonymous('GET', '/api/memory')).status, 401)
  })

  test('one entry has its text; another is 404', async () => {
    const { status, body } = await get('/api/memory/memory/a')
    assert.deepEqual([status, body.text, body.metadata], [200, 'Rollbacks deploy the previous image.', {}])
    const missing = await get('/api/memory/memory/none')
    assert.equal(missing.status, 404)
    assert.match(missing.body.message, /There is no entry memory\/none/)
    assert.equal((await service.anonymous('GET', '/api/memory/memory/a')).status, 401)
  })

  test('the commands show the same, in the shapes of the API', async () => {
    const json = async (...argv: string[]) => JSON.parse((await service.run('memory', ...argv, '--json')).out)
    const { next_cursor: _, ...listed } = (await get('/api/memory')).body
    assert.deepEqual(await json('list'), listed)
    const entry = (await get('/api/memory/memory/a')).body
    for (const argv of [['a'], ['memory/a'], ['a', '--source-table', 'memory']])
      assert.deepEqual(await json('get', ...argv), entry)
    assert.match((await service.run('memory', 'list')).out, /^ENTRY .*\nmemory\/b .*\nmemory\/a .*\n2 of 2$/)
    assert.match((await service.run('memory', 'list', '--writer', 'nobody')).out, /^Nothing is stored that fits: /)
    assert.match((await service.run('memory', 'get', 'a')).out, /\n\nRollbacks deploy the previous image\.$/)
    const missing = await service.run('memory', 'get', 'audit/a')
    assert.deepEqual([missing.status, missing.err.startsWith('error: There is no entry audit/a')], [1, true])
  })
})
