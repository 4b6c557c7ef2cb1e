import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { UnavailableError } from '#core'
import type { MemoryQuery, NewEntry, SourceTable } from '#plugins/memory'
import { createAxisEmbedder, type MemoryUnderTest, startMemory } from './service.ts'

const entry = (changes: Partial<NewEntry> = {}): NewEntry => ({
  source_table: 'memory',
  source_id: 'rollbacks',
  writer: 'operator',
  text: 'Rollbacks are handled by deploying the previous image again.',
  ...changes
})

let service: MemoryUnderTest
before(async () => {
  service = await startMemory()
})
beforeEach(async () => {
  await service.db.query('delete from memory_entries')
  await service.db.query('delete from memory_models')
  service.set({ embedder: 'embedded', memory_max_bytes: 2_097_152 })
  service.queued()
})
after(() => service.close())

const found = async (query: MemoryQuery) => (await service.memory.search(query)).items
const count = async (table: string) =>
  (await service.db.query<{ count: number }>(`select count(*) as count from ${table}`))[0]?.count
const axis = createAxisEmbedder('axis-v1', text => (text.includes('tide') ? 1 : 2))

async function useAxis(fault: Error | null) {
  if (!axisIsRegistered) service.memory.registerEmbedder('axis', axis)
  axisIsRegistered = true
  axis.fault = fault
  service.set({ embedder: 'axis' })
  // One that failed lately is left alone until it answers.
  if (fault === null) await service.memory.embed(['Is anybody there?'])
}
let axisIsRegistered = false

describe('storing', () => {
  test('keeps the full text, its passages and their vectors', async () => {
    const text = `# Guide\n\n${'First part about images. '.repeat(60)}\n\n## Second\n\n${'Another part about tags. '.repeat(60)}`
    const answer = await service.memory.store(
      entry({ text, tags: ['a', 'b,c "d"'], metadata: { deep: { list: [1] } }, url: 'https://example.org/' })
    )
    assert.equal(answer.stored, true)
    assert.ok(answer.chunks > 2)
    assert.equal(await count('memory_embeddings'), answer.chunks)
    const [row] = await service.db.query('select title, text, tags, metadata, url from memory_entries')
    assert.deepEqual(row, {
      title: 'Guide',
      text,
      tags: ['a', 'b,c "d"'],
      metadata: { deep: { list: [1] } },
      url: 'https://example.org/'
    })
    assert.deepEqual(service.queued(), [])
  })

  test('the same again changes nothing', async () => {
    await service.memory.store(entry())
    const before = await service.db.query('select * from memory_entries')
    assert.deepEqual(await service.memory.store(entry()), {
      source_table: 'memory',
      source_id: 'rollbacks',
      chunks: 1,
      stored: false
    })
    assert.deepEqual(await service.db.query('select * from memory_entries'), before)
  })

  test('another text under the same id replaces passages and vectors', async () => {
    await service.memory.store(entry({ text: 'word. '.repeat(2000) }))
    assert.deepEqual(await service.memory.store(entry({ text: 'Tides follow the moon.' })), {
      source_table: 'memory',
      source_id: 'rollbacks',
      chunks: 1,
      stored: true
    })
    assert.equal(await count('memory_entries'), 1)
    assert.equal(await count('memory_chunks'), 1)
    assert.equal(await count('memory_embeddings'), 1)
  })

  test('the same text by 10 callers at once keeps one entry', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => service.memory.store(entry())))
    assert.equal(answers.filter(answer => answer.stored).length, 1)
    assert.equal(await count('memory_chunks'), 1)
  })

  test('different texts under one id by 10 callers at once keep the passages of one of them', async () => {
    await Promise.all(
      Array.from({ length: 10 }, (_, at) => service.memory.store(entry({ text: `Text number ${at}.` })))
    )
    const rows = await service.db.query<{ same: boolean }>(
      'select c.text = e.text as same from memory_entries e join memory_chunks c using (entry_id)'
    )
    assert.deepEqual(rows, [{ same: true }])
  })

  test('removing takes passages and vectors along', async () => {
    await service.memory.store(entry())
    await service.db.transaction(tx => service.memory.remove(tx, 'memory', 'rollbacks'))
    assert.equal(await count('memory_embeddings'), 0)
    assert.equal(await count('memory_entries'), 0)
  })

  const refused: [string, Partial<NewEntry>, string][] = [
    ['a blank text', { text: ' \n ' }, 'text'],
    ['a NUL in the text', { text: 'a\0b' }, 'text'],
    ['half a surrogate pair in the text', { text: 'a\ud800b' }, 'text'],
    ['an unknown source table', { source_table: 'people' as SourceTable }, 'source_table'],
    ['an empty id', { source_id: '' }, 'source_id'],
    ['an endless id', { source_id: 'x'.repeat(201) }, 'source_id'],
    ['an empty writer', { writer: ' ' }, 'writer'],
    ['half a surrogate pair in a tag', { tags: ['\udc00'] }, 'tags'],
    ['51 tags', { tags: Array.from({ length: 51 }, (_, at) => `t${at}`) }, 'tags'],
    ['a NUL deep in the metadata', { metadata: { a: [{ b: '\0' }] } }, 'metadata'],
    ['a control character in the title', { title: 'a\u009bb' }, 'title'],
    ['metadata of more than 16 kB', { metadata: { a: 'x'.repeat(16_384) } }, 'metadata'],
    ['a text past memory_max_bytes', { text: 'é'.repeat(1_048_577) }, 'text']
  ]
  for (const [name, changes, field] of refused) {
    test(`refuses ${name} and stores nothing`, async () => {
      await assert.rejects(service.memory.store(entry(changes)), { code: 'VALIDATION_ERROR' })
      await service.memory.store(entry(changes)).catch(error => assert.deepEqual(Object.keys(error.fields), [field]))
      assert.equal(await count('memory_entries'), 0)
    })
  }

  test('refuses everything that is wrong at once', async () => {
    const error = await service.memory.store(entry({ writer: '', text: '' })).catch(found => found)
    assert.deepEqual(Object.keys(error.fields).sort(), ['text', 'writer'])
  })
})

describe('storing many', () => {
  const many = (count: number, text = 'Tides rise') =>
    Array.from({ length: count }, (_, n) => entry({ source_id: `tide-${n}`, text: `${text} ${n}.`, tags: [`t"${n}`] }))

  test('keeps each as storing it alone does, and one job makes their vectors', async () => {
    await service.memory.store(entry({ source_id: 'tide-1', text: 'Tides rise 1.', tags: ['t"1'] }))
    const [before] = await service.db.query('select * from memory_entries')
    await service.memory.storeMany(many(3))
    const rows = await service.db.query('select * from memory_entries order by source_id')
    assert.deepEqual(rows[1], before)
    assert.deepEqual(
      rows.map(({ source_id, title, text, tags, metadata, url }) => ({ source_id, title, text, tags, metadata, url })),
      [0, 1, 2].map(n => ({
        ...{ source_id: `tide-${n}`, title: null, text: `Tides rise ${n}.`, tags: [`t"${n}`], metadata: {}, url: null }
      }))
    )
    assert.deepEqual([await count('memory_chunks'), (await service.memory.stats()).pending], [1, 2])
    await service.runQueued()
    assert.deepEqual([await count('memory_embeddings'), (await service.memory.stats()).pending], [3, 0])
    const [match] = await found({ q: 'Tides rise 2.' })
    assert.deepEqual([match?.source_id, match?.similarity], ['tide-2', 1])
  })

  test('what is there already just so queues nothing; another text replaces passages and vectors', async () => {
    await service.memory.storeMany(many(2))
    await service.runQueued()
    await service.memory.storeMany(many(2))
    assert.deepEqual(service.queued(), [])
    await service.memory.storeMany([...many(1, 'Tides fall'), ...many(2).slice(1)])
    assert.deepEqual([await count('memory_chunks'), await count('memory_embeddings')], [1, 1])
    await service.runQueued()
    assert.equal((await found({ q: 'Tides fall 0.' }))[0]?.similarity, 1)
  })

  test('of the same id twice the last counts; one that cannot be stored keeps all out, by name', async () => {
    await service.memory.storeMany([...many(1, 'First'), ...many(1, 'Last')])
    assert.deepEqual(await service.db.query('select text from memory_entries'), [{ text: 'Last 0.' }])
    await service.memory.storeMany([])
    const wrong = [...many(1, 'Neither'), entry({ source_id: 'nul', text: 'a\0b' })]
    await assert.rejects(service.memory.storeMany(wrong), { code: 'VALIDATION_ERROR' })
    assert.deepEqual(await service.db.query('select text from memory_entries'), [{ text: 'Last 0.' }])
  })

  test('while the embedder is away one job waits for it, however many were stored', async () => {
    await useAxis(new UnavailableError('The endpoint is down.'))
    await service.memory.storeMany(many(2, 'The tide'))
    await service.runQueued()
    assert.deepEqual(service.queued(), ['memory.embed'])
    await useAxis(null)
    await service.runJob()
    assert.equal((await service.memory.stats()).pending, 0)
  })

  test('a text of many passages is stored at once, found by its words, and gets its vectors from the job', async () => {
    const text = Array.from({ length: 120 }, (_, n) => `# Part ${n}\n\nLighthouse ${n} keeps ${'light '.repeat(150)}.`)
    const { chunks } = await service.memory.store(entry({ source_id: 'long', text: text.join('\n\n') }))
    assert.ok(chunks > 100)
    assert.equal((await service.memory.stats()).pending, chunks)
    assert.equal((await found({ q: 'lighthouse 7 keeps', min_similarity: 0 }))[0]?.source_id, 'long')
    await service.runQueued()
    assert.deepEqual([await count('memory_embeddings'), await count('memory_waiting')], [chunks, 0])
  })

  test('a text stored while its job was lost is found by the one that runs every five minutes', async () => {
    await service.memory.storeMany(many(3))
    assert.deepEqual(service.queued(), ['memory.embed_entries'])
    await service.runJob()
    assert.deepEqual([await count('memory_chunks'), (await service.memory.stats()).pending], [3, 0])
  })

  test('vectors are made at once, or at the time that is given', async () => {
    const startAt = new Date('2030-01-01T00:00:00Z')
    await service.memory.storeMany(many(2))
    await service.memory.storeMany(many(3, 'Tides fall'), { startAt })
    assert.deepEqual(service.queuedFor(), [undefined, startAt])
    await service.runQueued()
    assert.equal(await count('memory_embeddings'), 3)
  })

  test('two that make the same passages make them once, and a text replaced meanwhile keeps only its own', async () => {
    await service.memory.storeMany(many(40))
    await Promise.all([
      service.runQueued(),
      service.runJob(),
      service.memory.store(many(40, 'Tides fall')[7] as NewEntry)
    ])
    await service.runJob()
    const texts = await service.db.query<{ text: string }>("select text from memory_chunks where text like '% 7.'")
    assert.deepEqual(texts, [{ text: 'Tides fall 7.' }])
    assert.deepEqual([await count('memory_chunks'), await count('memory_embeddings')], [40, 40])
  })
})

describe('while the embedder is away', () => {
  const unavailable = new UnavailableError('The endpoint is down.')

  test('texts are stored, found by words, and get their vectors from the job', async () => {
    await useAxis(unavailable)
    await service.memory.store(entry({ source_id: 'tides', text: 'The tide follows the moon.' }))
    assert.deepEqual(service.queued(), ['memory.embed'])
    assert.equal(await count('memory_embeddings'), 0)
    assert.deepEqual(
      (await service.memory.sourcesFor(service.db, 'What moves the tides?', 5)).map(source => source.source_id),
      ['tides']
    )
    const { items, degraded } = await service.memory.search({ q: 'What moves the tides?' })
    assert.deepEqual([items.map(item => item.source_id), degraded], [['tides'], true])
    assert.deepEqual(await service.memory.nearest('memory', 'tide', 5), { items: [], degraded: true })
    await assert.rejects(service.runJob(), { code: 'SERVICE_UNAVAILABLE' })

    await useAxis(null)
    await service.runJob()
    assert.equal((await found({ q: 'tide' }))[0]?.similarity, 1)
    assert.equal((await service.memory.stats()).pending, 0)
  })

  test('what waits for its vector is found by its words once the embedder is back, among those that have one', async () => {
    await useAxis(null)
    await service.memory.store(entry({ source_id: 'old', text: 'The tide follows the moon.' }))
    await useAxis(unavailable)
    await service.memory.store(entry({ source_id: 'new', text: 'The tide turns twice a day.' }))
    await service.memory.storeMany([entry({ source_id: 'bulk', text: 'No tide without a moon.', writer: 'claude' })])
    await service.runQueued().catch(() => {})
    await useAxis(null)
    const ids = async (query: object) => (await found({ q: 'the tide', ...query })).map(({ source_id }) => source_id)
    assert.deepEqual((await ids({})).sort(), ['bulk', 'new', 'old'])
    assert.deepEqual(await ids({ writer: 'claude' }), ['bulk'])
    assert.deepEqual(await ids({ limit: 1 }), ['old'])
    assert.deepEqual(await ids({ q: 'rockets' }), [])
    assert.equal(await count('memory_waiting'), 2)
    await service.runJob()
    assert.equal(await count('memory_waiting'), 0)
    assert.deepEqual(
      (await found({ q: 'the tide' })).map(({ similarity }) => similarity),
      [1, 1, 1]
    )
  })

  test("another fault of the embedder is the caller's to see", async () => {
    await useAxis(new TypeError('a bug'))
    await assert.rejects(service.memory.store(entry()), TypeError)
  })

  test('one that is not set up yet leaves the one before at work', async () => {
    await service.memory.store(entry())
    for (const [embedder, missing] of [
      ['openai', /embedder_base_url or embedder_model is empty: set both/],
      ['onnx', /embedder_model_path is empty: set it/]
    ] as const) {
      service.set({ embedder })
      await service.memory.store(entry({ source_id: embedder, text: `Rollbacks by ${embedder}.` }))
      const { items, degraded } = await service.memory.search({ q: `rollbacks by ${embedder}` })
      assert.deepEqual([items[0]?.source_id, degraded], [embedder, false])
      const { fault, total, pending, model, serving_model } = await service.memory.stats()
      assert.match(fault ?? '', missing)
      assert.deepEqual([model, serving_model, pending], ['galley-hash-v3', 'galley-hash-v3', 0])
      assert.equal(total, await count('memory_embeddings'))
      await service.runJob()
      assert.equal(await count('memory_models'), 1)
    }
  })

  test('one whose vectors point away from each other has no fewer matches than it shows', async () => {
    const embed = async (texts: readonly string[]) =>
      texts.map(text => Array.from({ length: 768 }, (_, at) => (at === 5 ? (text.startsWith('Why') ? -1 : 1) : 0)))
    service.memory.registerEmbedder('away', { model: 'away-v1', embed })
    service.set({ embedder: 'away' })
    await service.memory.store(entry())
    const { items, total } = await service.memory.search({ q: 'Why?', min_similarity: 0 })
    assert.deepEqual([items.map(({ similarity }) => similarity), total], [[0], 1])
    assert.equal((await service.memory.search({ q: 'Why?', min_similarity: 0.1 })).total, 0)
  })

  test('a setting that names no embedder leaves texts stored', async () => {
    service.set({ embedder: 'nobody' })
    assert.equal((await service.memory.store(entry())).stored, true)
    assert.equal((await service.memory.search({ q: 'deploying images' })).degraded, true)
    const { fault, model, pending } = await service.memory.stats()
    assert.match(fault ?? '', /embedder is nobody.*embedded or openai or onnx/)
    assert.deepEqual([model, pending], ['', 1])
  })
})

describe('the job', () => {
  test('embeds everything again when another embedder is chosen, while searches go on with the one before', async () => {
    for (let at = 0; at < 150; at++)
      await service.memory.store(entry({ source_id: `n${at}`, text: `Note number ${at} on the tide.` }))
    const before = await found({ q: 'tide', limit: 100 })
    await useAxis(null)
    assert.deepEqual(await found({ q: 'tide', limit: 100 }), before)
    const during = await service.memory.stats()
    assert.deepEqual(
      [during.total, during.pending, during.model, during.serving_model],
      [150, 150, 'axis-v1', 'galley-hash-v3']
    )
    await service.memory.store(entry({ source_id: 'late', text: 'A late note on the tide tables.' }))
    assert.equal((await found({ q: 'tide tables' }))[0]?.source_id, 'late')
    assert.equal(await count('memory_embeddings'), 152)
    await service.runJob()
    const items = await found({ q: 'tide', limit: 100 })
    assert.deepEqual([items.length, items[99]?.similarity], [100, 1])
    const { total, pending, model, serving_model } = await service.memory.stats()
    assert.deepEqual(
      { total, pending, model, serving_model },
      { total: 151, pending: 0, model: 'axis-v1', serving_model: 'axis-v1' }
    )
    assert.equal(await count('memory_embeddings'), 151)
    axis.calls.length = 0
    await service.runJob()
    assert.deepEqual(axis.calls, [])
  })

  test('that drops the vectors a search is about to look in does not empty its answer', async () => {
    await useAxis(null)
    await service.memory.store(entry({ text: 'The tide follows the moon.' }))
    service.memory.registerEmbedder(
      'next',
      createAxisEmbedder('next-v1', text => (text.includes('tide') ? 1 : 2))
    )
    const { embed } = axis
    axis.embed = async (...asked) => {
      axis.embed = embed
      service.set({ embedder: 'next' })
      await service.runJob()
      return await embed.apply(axis, asked)
    }
    const { items, total, degraded } = await service.memory.search({ q: 'Which tide?' })
    assert.deepEqual([items.length, total, degraded], [1, 1, false])
    assert.equal((await service.memory.stats()).serving_model, 'next-v1')
  })

  test('leaves the work to whoever is at it', async () => {
    await useAxis(new UnavailableError('down'))
    await service.memory.store(entry())
    axis.fault = null
    await service.db.query(
      `insert into memory_models (model, embedder, leased_by, leased_until)
       values ('axis-v1', 'axis', 'another', now() + interval '9 s')`
    )
    await service.runJob()
    assert.equal(await count('memory_embeddings'), 0)
    await service.db.query("update memory_models set leased_until = now() - interval '9 s'")
    await service.runJob()
    assert.equal(await count('memory_embeddings'), 1)
    assert.deepEqual(await service.db.query('select leased_by from memory_models'), [{ leased_by: null }])
  })

  test('leaves out a passage that was replaced while its vector was made', async () => {
    await useAxis(new UnavailableError('down'))
    await service.memory.store(entry({ text: 'The tide.' }))
    const replacing = createAxisEmbedder('replacing', () => 3)
    const { embed } = replacing
    replacing.embed = async (texts, signal) => {
      await service.db.query("update memory_chunks set text = 'Another text.'")
      return embed.call(replacing, texts, signal)
    }
    service.memory.registerEmbedder('replacing', replacing)
    service.set({ embedder: 'replacing' })
    await service.runJob()
    const [made] = await service.db.query<{ text: string }>(
      'select text from memory_embeddings join memory_chunks using (entry_id, chunk)'
    )
    assert.equal(made, undefined)
  })

  for (const [name, vector] of [
    ['of 1,024 numbers', Array(1024).fill(0.1)],
    ['with NaN', Array(768).fill(Number.NaN)],
    ['of zeros', Array(768).fill(0)]
  ] as const) {
    test(`does not keep vectors ${name}`, async () => {
      service.memory.registerEmbedder(name, { model: name, embed: async texts => texts.map(() => [...vector]) })
      service.set({ embedder: name })
      assert.equal((await service.memory.store(entry())).stored, true)
      assert.equal(await count('memory_embeddings'), 0)
      await assert.rejects(service.memory.embed(['x']), { code: 'SERVICE_UNAVAILABLE' })
    })
  }
})

describe('a passage', () => {
  test('that the memory holds already is not sent to an endpoint again', async () => {
    await useAxis(null)
    axis.calls.length = 0
    await service.memory.store(entry({ text: 'The tide follows the moon.' }))
    await service.memory.store(entry({ source_id: 'again', text: 'The tide follows the moon.' }))
    await service.memory.store(entry({ text: 'The tide follows the moon.', tags: ['moon'] }))
    assert.deepEqual(axis.calls, [['The tide follows the moon.']])
    assert.equal(await count('memory_embeddings'), 2)
  })
})

describe('an embedder that fails', () => {
  test('is not asked by every search, and at once again when it answers', async () => {
    await useAxis(null)
    await service.memory.store(entry({ text: 'The tide follows the moon.' }))
    axis.fault = new UnavailableError('down')
    axis.calls.length = 0
    for (let at = 0; at < 5; at++) assert.equal((await service.memory.search({ q: `tide ${at}` })).degraded, true)
    assert.equal(axis.calls.length, 1)
    axis.fault = null
    await service.memory.embed(['Is anybody there?'])
    assert.equal((await service.memory.search({ q: 'tide 7' })).degraded, false)
  })

  test('to answer for ten minutes does not keep a text from being stored', async () => {
    service.memory.registerEmbedder('hanging', { model: 'hanging', embed: () => new Promise(() => {}) })
    service.set({ embedder: 'hanging', embedder_timeout_seconds: 600 })
    assert.equal((await service.memory.store(entry())).stored, true)
    assert.deepEqual(service.queued(), ['memory.embed'])
    service.set({ embedder_timeout_seconds: 10 })
  })

  test('to hear its signal keeps nobody waiting', async () => {
    service.memory.registerEmbedder('deaf', { model: 'deaf', embed: () => new Promise(() => {}) })
    service.set({ embedder: 'deaf', embedder_timeout_seconds: 0.05 })
    assert.equal((await service.memory.store(entry())).stored, true)
    assert.deepEqual(service.queued(), ['memory.embed'])
    // Another wait would outlast the test.
    service.set({ embedder_timeout_seconds: 600 })
    assert.equal((await service.memory.store(entry({ source_id: 'next' }))).stored, true)
    await service.db.transaction(tx => service.memory.remove(tx, 'memory', 'next'))
    const { items, degraded } = await service.memory.search({ q: 'deploying the previous image' })
    assert.deepEqual([items.length, degraded], [1, true])
    service.set({ embedder_timeout_seconds: 10 })
  })
})

describe('a backfill', () => {
  test('stores what its source gives, and says when there is no source', async () => {
    await assert.rejects(service.memory.backfill('issues'), /No plugin gives the entries of issues/)
    service.memory.registerBackfill('posts', async function* () {
      for (const id of ['p1', 'p2']) yield entry({ source_table: 'posts', source_id: id, text: `Post ${id}.` })
    })
    assert.deepEqual(await service.memory.backfill('posts'), {
      source_table: 'posts',
      entries: 2,
      stored: 2,
      embedded: 2,
      fault: null
    })
    assert.deepEqual(await service.memory.backfill('posts'), {
      source_table: 'posts',
      entries: 2,
      stored: 0,
      embedded: 0,
      fault: null
    })
  })
})

describe('the counts', () => {
  test('are by source table and by writer, with the oldest and newest entry', async () => {
    await service.memory.store(entry({ source_id: 'a', writer: 'claude' }))
    await service.memory.store(entry({ source_id: 'b' }))
    await service.memory.store(entry({ source_id: 'c', source_table: 'brain' }))
    await service.db.query("update memory_entries set created_at = '2026-01-02T03:04:05.678Z' where source_id = 'a'")
    const { total, model, dimensions, by_source_table, by_writer } = await service.memory.stats()
    assert.deepEqual({ total, model, dimensions }, { total: 3, model: 'galley-hash-v3', dimensions: 768 })
    assert.deepEqual(
      by_source_table.map(({ key, count }) => [key, count]),
      [
        ['memory', 2],
        ['brain', 1]
      ]
    )
    assert.deepEqual(
      by_writer.map(({ key, count }) => [key, count]),
      [
        ['operator', 2],
        ['claude', 1]
      ]
    )
    assert.equal(by_source_table[0]?.oldest, '2026-01-02T03:04:05.678Z')
  })

  test('of an empty memory are zero', async () => {
    const { total, pending, by_source_table, by_writer } = await service.memory.stats()
    assert.deepEqual(
      { total, pending, by_source_table, by_writer },
      { total: 0, pending: 0, by_source_table: [], by_writer: [] }
    )
  })
})
