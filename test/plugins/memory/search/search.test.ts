import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import type { MemoryQuery, SourceTable } from '#plugins/memory'
import {
  preferIndexes,
  searchApproximately,
  searchExactly,
  type VectorQuery
} from '../../../../plugins/memory/repository/vector-search.ts'
import { findNearest, rankBySimilarity } from '../../../../plugins/memory/search/nearest.ts'
import { type MemoryUnderTest, startMemory } from '../service.ts'

/** What a search finds. */
const found = async (query: MemoryQuery) => (await service.memory.search(query)).items

const samples = new URL('../../../../cli/samples/', import.meta.url)

let service: MemoryUnderTest
before(async () => {
  service = await startMemory()
  for (const file of readdirSync(samples)) {
    const text = readFileSync(new URL(file, samples), 'utf8')
    await service.memory.store({ source_table: 'memory', source_id: file, writer: 'demo', text, tags: ['sample'] })
  }
  await service.memory.store({
    source_table: 'issues',
    source_id: 'i1',
    writer: 'claude',
    text: 'Backups run nightly at two.'
  })
  const post = { source_table: 'posts', source_id: 'p1', writer: 'posts' } as const
  await service.memory.store({
    ...post,
    text: '# How PostgreSQL keeps readers and writers apart\n\nA post about readers and writers.'
  })
})
after(() => service.close())

describe('searching passages', () => {
  test('finds the passage a text was taken from, best first', async () => {
    const items = await found({ q: 'Backups run nightly at two.', min_similarity: 0, limit: 20 })
    assert.equal(items.length, 20)
    const [first] = items
    assert.deepEqual(
      { ...first, created_at: '' },
      {
        source_table: 'issues',
        source_id: 'i1',
        chunk: 0,
        writer: 'claude',
        text: 'Backups run nightly at two.',
        similarity: 1,
        tags: [],
        metadata: {},
        created_at: ''
      }
    )
    assert.match(first?.created_at ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    const similarities = items.map(item => item.similarity)
    assert.deepEqual(
      similarities,
      similarities.toSorted((a, b) => b - a)
    )
    assert.ok(similarities.every(value => value >= 0 && value <= 1))
  })

  test('the hybrid mode puts first what has the rare words of the question, the other what is most similar', async () => {
    const names = async (mode: MemoryQuery['mode']) => {
      const q = 'who runs the nightly jobs of PostgreSQL readers and writers'
      return (await found({ q, min_similarity: 0, limit: 3, mode })).map(item => item.source_id)
    }
    assert.equal((await names('hybrid'))[0], 'i1')
    assert.equal((await names('similarity'))[0], 'p1')
  })

  test('leaves out what is below the least similarity, 0.5 unless told', async () => {
    assert.deepEqual(await found({ q: 'zebra crossings in Peru' }), [])
    assert.equal((await found({ q: 'zebra crossings in Peru', min_similarity: 0 })).length, 5)
  })

  const filters: [Partial<MemoryQuery>, (item: { writer: string; source_table: string }) => boolean][] = [
    [{ writer: 'claude' }, item => item.writer === 'claude'],
    [{ source_table: 'posts' }, item => item.source_table === 'posts'],
    [{ source_table: 'memory', writer: 'demo' }, item => item.source_table === 'memory' && item.writer === 'demo']
  ]
  for (const [filter, fits] of filters) {
    test(`filtered by ${JSON.stringify(filter)} finds those and only those`, async () => {
      const items = await found({ q: 'readers and writers', min_similarity: 0, limit: 100, ...filter })
      assert.ok(items.length > 0)
      assert.ok(items.every(fits))
    })
  }

  test('by an unknown writer finds nothing', async () => {
    assert.deepEqual(await found({ q: 'tides', min_similarity: 0, writer: "x' or 1=1" }), [])
  })

  const refused: [string, Partial<MemoryQuery>, string][] = [
    ['an empty query', { q: '' }, 'q'],
    ['a blank query', { q: ' \t' }, 'q'],
    ['a query of 2,001 characters', { q: 'x'.repeat(2001) }, 'q'],
    ['a NUL', { q: 'a\0' }, 'q'],
    ['half a surrogate pair', { q: '\ud83d' }, 'q'],
    ['a limit of 0', { limit: 0 }, 'limit'],
    ['a limit of 101', { limit: 101 }, 'limit'],
    ['a limit of 1.5', { limit: 1.5 }, 'limit'],
    ['a similarity of 1.1', { min_similarity: 1.1 }, 'min_similarity'],
    ['a similarity that is not a number', { min_similarity: Number.NaN }, 'min_similarity'],
    ['an unknown source table', { source_table: 'people' as SourceTable }, 'source_table']
  ]
  for (const [name, query, field] of refused) {
    test(`refuses ${name}`, async () => {
      const error = await found({ q: 'tides', ...query }).then(
        () => assert.fail('was accepted'),
        found => found
      )
      assert.equal(error.code, 'VALIDATION_ERROR')
      assert.deepEqual(Object.keys(error.fields), [field])
    })
  }

  test('says which source tables there are', async () => {
    await assert.rejects(service.memory.search({ q: 'x', source_table: 'people' as SourceTable }), {
      fields: { source_table: 'must be one of brain, audit, posts, memory, claude_sessions, issues' }
    })
  })

  for (const q of [
    '🙂',
    "'); drop table memory_entries; --",
    'a & | ! <-> (',
    'the of and',
    '深層学習',
    '\\',
    'x'.repeat(2000)
  ]) {
    test(`answers the odd query ${JSON.stringify(q.slice(0, 20))}`, async () => {
      assert.ok(Array.isArray(await found({ q, min_similarity: 0 })))
      assert.ok(Array.isArray(await service.memory.sourcesFor(service.db, q, 5)))
    })
  }

  test('counts every match, however many are shown', async () => {
    const totals = []
    for (const limit of [1, 2, 20, 100]) {
      const { items, total } = await service.memory.search({ q: 'how do caches work', min_similarity: 0.42, limit })
      assert.equal(items.length, Math.min(limit, total))
      totals.push(total)
    }
    assert.ok((totals[0] ?? 0) > 20)
    assert.deepEqual(new Set(totals).size, 1)
    assert.equal((await service.memory.search({ q: 'zebra', min_similarity: 1 })).total, 0)
  })

  test('by the index finds what the exact comparison finds', async () => {
    const { model, embeddings } = await service.memory.embed(['How do caches know that a page is stale?'])
    for (const source_table of [null, 'memory', 'posts']) {
      const query = { model, embedding: embeddings[0] ?? [], limit: 10, source_table }
      const exact = await compareAll(query)
      const walked = await service.db.transaction(async tx => {
        await preferIndexes(tx)
        await tx.query("select set_config('enable_sort', 'off', true)")
        return (await searchApproximately(tx, query, 10)).matches
      })
      const keys = (rows: typeof exact) => rows.map(row => `${row.source_id}/${row.chunk}`)
      assert.deepEqual(keys(walked), keys(exact))
    }
  })
})

const compareAll = async (query: VectorQuery) =>
  (await searchExactly(service.db, query, Number.MAX_SAFE_INTEGER))?.matches ?? []

/** 30 vectors, each farther from the first axis than the one before; the third passage alone holds the word zebra. */
async function storeFan(): Promise<{ model: string; embedding: number[]; writer: string; limit: number }> {
  const model = 'fan'
  const axis = 700
  await service.db.query(
    `with entries as (
       insert into memory_entries (source_table, source_id, writer, text, content_hash)
       select 'audit', 'far-' || to_char(n, 'FM00'), 'auditor', 'A text.', md5(n::text) from generate_series(1, 30) n
       returning entry_id, source_id
     ), chunks as (
       insert into memory_chunks (entry_id, chunk, text)
       select entry_id, 0, case source_id when 'far-03' then 'A zebra.' else 'A text.' end from entries
     )
     insert into memory_embeddings (entry_id, chunk, model, embedding)
     select entry_id, 0, $1, array_fill(0::real, array[$2::int])
       || (31 - row_number() over (order by source_id))::real || array_fill(1::real, array[767 - $2::int])
     from entries`,
    [model, axis]
  )
  const embedding = Array.from({ length: 768 }, (_, at) => (at === axis ? 1 : 0))
  return { model, embedding, writer: 'auditor', limit: 20 }
}

test('few vectors are all compared; of more, those near by the index and those that share a word', async () => {
  const query = await storeFan()
  const exact = rankBySimilarity(await compareAll(query))
  assert.deepEqual(
    exact.slice(0, 3).map(match => match.source_id),
    ['far-01', 'far-02', 'far-03']
  )
  const near = { ...query, min_similarity: exact[2]?.similarity ?? 0 }
  await service.db.transaction(async tx => {
    await preferIndexes(tx)
    await tx.query("select set_config('enable_sort', 'off', true)")
    assert.equal(await searchExactly(tx, query, 29), null)
    assert.equal((await searchExactly(tx, query, 30))?.total, 30)
    const nothing = { matches: [], total: 0 }
    assert.deepEqual(await searchExactly(tx, { ...query, writer: 'nobody' }, 1), nothing)
    assert.deepEqual(await searchExactly(tx, { ...query, model: 'another' }, 30), nothing)
    for (const maxExact of [1, 100]) {
      for (const limit of [1, 3, 5]) {
        const found = await findNearest(tx, { ...near, limit }, maxExact)
        assert.deepEqual(found, { matches: exact.slice(0, limit), total: 3 })
      }
    }
    const idsOf = async (rareWords: string[], given: object = {}) =>
      rankBySimilarity((await searchApproximately(tx, { ...query, rareWords, ...given }, 1)).matches).map(
        match => match.source_id
      )
    assert.deepEqual(await idsOf([]), ['far-01'])
    assert.deepEqual(await idsOf(['zebra', 'nowhere', 'the']), ['far-01', 'far-03'])
    assert.deepEqual(await idsOf(['zebra'], { writer: 'nobody' }), [])
    assert.deepEqual(await idsOf(['zebra'], { model: 'another' }), [])
  })
  await service.db.transaction(async tx => {
    await preferIndexes(tx)
    await tx.query(
      `select set_config('hnsw.iterative_scan', 'off', true), set_config('hnsw.ef_search', '3', true),
         set_config('enable_sort', 'off', true)`
    )
    assert.ok((await searchApproximately(tx, query, 20)).matches.length < 20, 'the scan ended early')
    assert.deepEqual((await findNearest(tx, query, 1)).matches, exact)
  })
})

test('a search whose index scan ends far from what is nearest finds it by a rare word', async t => {
  const seeded = await startMemory()
  t.after(() => seeded.close())
  const { db, memory } = seeded
  const { model, embeddings } = await memory.embed(['Ships sail by the stars.', 'Where do zebras graze?'])
  await db.query(
    `with entries as (
       insert into memory_entries (source_table, source_id, writer, text, content_hash)
       select 'memory', 'ship-' || n, 'captain', 'Ships sail by the stars.', md5(n::text) from generate_series(1, 500) n
       returning entry_id, text
     ), chunks as (
       insert into memory_chunks (entry_id, chunk, text) select entry_id, 0, text from entries
     )
     insert into memory_embeddings (entry_id, chunk, model, embedding) select entry_id, 0, $1, $2::vector from entries`,
    [model, JSON.stringify(embeddings[0])]
  )
  for (const at of [1, 2, 3]) {
    const text = `Zebras graze at well ${at}.`
    await memory.store({ source_table: 'memory', source_id: `zebra-${at}`, writer: 'ranger', text })
  }
  const { transaction } = db
  let scans = 0
  db.transaction = work =>
    transaction(tx => {
      const query: typeof tx.query = (sql, params) => {
        const far = sql.replace('order by embedding <=> $6::vector limit', match =>
          match.replace(' limit', ' desc limit')
        )
        if (far !== sql) scans++
        return tx.query(far, params)
      }
      return work({ ...tx, query })
    })
  const query = { model, embedding: embeddings[1] ?? [], limit: 3 }
  const idsOf = async (rareWords: string[]) =>
    (await findNearest(db, { ...query, rareWords }, 100)).matches
      .map(({ source_id }) => source_id.replace(/\d+$/, ''))
      .sort()
  assert.deepEqual(await idsOf(['zebras', 'graze']), ['zebra-', 'zebra-', 'zebra-'])
  assert.deepEqual(await idsOf([]), ['ship-', 'ship-', 'ship-'])
  assert.equal(scans, 2, 'both scans ended far away')
})

describe('sources for a topic', () => {
  const topics: [string, string][] = [
    ['How PostgreSQL keeps readers and writers apart', 'postgresql-mvcc.md'],
    ['What makes the tide rise?', 'tides.md'],
    ['Caching over HTTP', 'http-caching.md'],
    ['public-key signatures', 'public-key-cryptography.md'],
    ['How do bees make honey', 'honey-bees.md'],
    ['daylight saving time', 'time-zones.md']
  ]
  for (const [topic, expected] of topics) {
    test(`put ${expected} first for "${topic}"`, async () => {
      const [first] = await service.memory.sourcesFor(service.db, topic, 5)
      assert.equal(first?.source_id, expected)
      assert.equal(first?.text, readFileSync(new URL(expected, samples), 'utf8'))
      assert.equal(first?.title, /^# (.*)$/m.exec(first?.text ?? '')?.[1])
    })
  }

  test('leave published posts out and are as many as asked for, best first', async () => {
    const sources = await service.memory.sourcesFor(service.db, 'How PostgreSQL keeps readers and writers apart', 3)
    assert.equal(sources.length, 3)
    const all = await service.memory.sourcesFor(service.db, 'How PostgreSQL keeps readers and writers apart', 20)
    assert.ok(all.every(source => source.source_id !== 'p1'))
    assert.deepEqual(
      sources.map(source => source.score),
      sources.map(source => source.score).toSorted((a, b) => b - a)
    )
  })

  test('can be read inside a transaction', async () => {
    const sources = await service.db.transaction(tx => service.memory.sourcesFor(tx, 'tides', 1))
    assert.equal(sources[0]?.source_id, 'tides.md')
  })

  test('of a topic nobody wrote about are none', async () => {
    assert.deepEqual(await service.memory.sourcesFor(service.db, 'zeppelin', 5), [])
  })
})

describe('entries nearest to a text', () => {
  test('are 1 for the whole text itself, and less for others', async () => {
    const { items: near } = await service.memory.nearest(
      'memory',
      readFileSync(new URL('tides.md', samples), 'utf8'),
      3
    )
    assert.equal(near[0]?.source_id, 'tides.md')
    assert.ok((near[0]?.similarity ?? 0) > 0.999)
    assert.ok((near[1]?.similarity ?? 1) < 0.6)
  })

  test('stand nearer when they are like what answers the question, and are as similar to it as before', async () => {
    const texts = {
      keeper: 'The lighthouse keeper trims the lamp.',
      granite: 'A lighthouse on granite.',
      bricks: 'A house of light bricks.',
      oil: 'The keeper trims lamp after lamp.'
    }
    for (const [source_id, text] of Object.entries(texts))
      await service.memory.store({ source_table: 'audit', source_id, writer: 'keeper', text })
    const ask = async (relevantIds: string[], asked: { q?: string; isQuery?: boolean } = {}) => {
      const { q = 'lighthouse', ...options } = asked
      return (await service.memory.nearest('audit', q, 4, { relevantIds, ...options })).items
    }
    const plain = await ask([])
    const moved = await ask(['keeper'])
    assert.deepEqual(
      [plain, moved].map(found => found.map(each => each.source_id).slice(0, 3)),
      [
        ['granite', 'keeper', 'bricks'],
        ['keeper', 'granite', 'oil']
      ]
    )
    const byId = (found: typeof plain) => found.toSorted((a, b) => (a.source_id < b.source_id ? -1 : 1))
    assert.deepEqual(byId(moved), byId(plain))
    assert.deepEqual(await ask(['nobody']), plain)
    const compare = async (relevantIds: string[]) => {
      const options = { relevantIds, isQuery: true, among: ['oil', 'granite', 'keeper', 'nobody'] }
      const { items } = await service.memory.nearest('audit', 'lighthouse', 4, options)
      return items.map(each => each.source_id)
    }
    assert.deepEqual(
      [await compare([]), await compare(['keeper'])],
      [
        ['granite', 'keeper', 'oil'],
        ['keeper', 'granite', 'oil']
      ],
      'only these are compared'
    )
    // Stop words, so that it asks the same.
    const q = `lighthouse ${'what is it that we are to do with this and of which '.repeat(3)}`
    const firstOf = async (isQuery?: boolean) =>
      (await ask(['keeper'], { q, ...(isQuery !== undefined && { isQuery }) }))[0]?.source_id
    assert.deepEqual([await firstOf(), await firstOf(true)], ['granite', 'keeper'], 'a long question as a short one')
  })

  test('are none for a blank text', async () =>
    assert.deepEqual(await service.memory.nearest('memory', ' ', 3), { items: [], degraded: false }))
})
