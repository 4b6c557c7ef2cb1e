import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { errorBody } from '../../../helpers/search-engine/engine.ts'
import { type Misbehaviour, startSearchEngine } from '../../../helpers/search-engine/search-engine.ts'
import { alias, answering, cut, found, hangs, json, nothing, searchedEngine } from './searched-engine.ts'

const { harness, engine, index, find, status, publish, withdraw, numberOf, names, doctor } = searchedEngine()

const unknownNumbers = [7, 999_999, -1, 1.5, 2 ** 40, null, '1', { post_no: 1 }]

const faults: [name: string, behaviour: Misbehaviour, degraded: boolean][] = [
  ['503', () => errorBody(503, 'unavailable_shards_exception', 'shard'), true],
  ['429', () => errorBody(429, 'es_rejected_execution_exception', 'rejected'), true],
  ['401', answering(401, 'text/plain', 'Unauthorized'), true],
  ['404: the alias is gone', () => errorBody(404, 'index_not_found_exception', 'no such index'), true],
  ['400 for the query', () => errorBody(400, 'search_phase_execution_exception', 'all shards failed'), true],
  ['HTML', answering(200, 'text/html', '<html>Welcome to nginx!</html>'), true],
  ['HTML with 502', answering(502, 'text/html', '<html>Bad Gateway</html>'), true],
  ['half of an answer', cut, true],
  ['nothing at all', (_, response) => void response.destroy(), true],
  ['a list', json([]), true],
  ['hits that are none', json({ hits: { hits: 7 } }), true],
  ['no hits', json({}), true],
  [
    'numbers of no post, and some that are not public',
    json({ hits: { total: { value: 9e9 }, hits: unknownNumbers.map(no => ({ sort: [1, no] })) } }),
    false
  ],
  ['an error beside its hits', json({ error: { type: 'x' }, hits: { total: { value: 0 }, hits: [] } }), true],
  ['the hits of some shards', json({ _shards: { total: 2, failed: 1 }, hits: { total: { value: 0 } } }), true],
  ['what it found in time', json({ timed_out: true, hits: { total: { value: 0 }, hits: [] } }), true],
  ['9 MB', answering(200, 'application/json', `{"hits":"${'x'.repeat(9_000_000)}"}`), true]
]

describe('an engine that answers a search with', () => {
  for (const [name, behaviour, degraded] of faults)
    test(`${name}: nothing false is found`, async () => {
      await publish('Ferries')
      await index()
      assert.deepEqual(await find('fjord'), found('Ferries'))
      engine().misbehaviour = (request, response) =>
        request.path.endsWith('_search') ? behaviour(request, response) : undefined
      assert.deepEqual(await find('fjord', '&limit=19'), degraded ? nothing : found())
      engine().misbehaviour = undefined
      assert.deepEqual(await find('fjord', '&limit=18'), found('Ferries'))
    })

  test('a post again and again, and another total: it is found once', async () => {
    const { post_id } = await publish('Ferries')
    await index()
    const hits = Array(50).fill({ sort: [1, await numberOf(post_id)] })
    engine().misbehaviour = json({ hits: { total: { value: 9e9, relation: 'gte' }, hits } })
    assert.deepEqual(await find('fjord'), found('Ferries'))
  })

  test('a redirect: it is not followed, and the key goes nowhere else', async () => {
    const elsewhere = await startSearchEngine()
    try {
      await publish('Ferries')
      await index()
      harness().values.search_username = 'galley'
      harness().values.search_password = 'secret'
      engine().misbehaviour = answering(307, 'text/plain', '', { location: `${elsewhere.url}/${alias}/_search` })
      assert.deepEqual(await find('fjord'), nothing)
      await assert.rejects(index(), /Redirects are not followed: set search_url/)
      assert.equal(elsewhere.requests.length, 0)
      assert.equal(engine().requests.at(-1)?.headers.authorization, `Basic ${btoa('galley:secret')}`)
      assert.ok(!harness().warnings.join().includes('secret'))
    } finally {
      delete harness().values.search_username
      delete harness().values.search_password
      await elsewhere.close()
    }
  })

  test('silence: it is not waited for, and the request ends', async () => {
    await publish('Ferries')
    await index()
    harness().values.search_time_limit_ms = 50
    const ended = Promise.withResolvers<void>()
    engine().misbehaviour = async (request, response) => {
      await hangs(request, response)
      ended.resolve()
      return undefined
    }
    assert.deepEqual(await find('fjord'), nothing)
    await ended.promise
  })
})

test('an engine that is not there: searches say so, changes wait, doctor says it', async () => {
  await publish('Ferries')
  harness().values.search_url = 'http://127.0.0.1:9'
  try {
    await harness().touch()
    assert.deepEqual(await find('fjord'), nothing)
    const suggested = await harness().app.inject({ method: 'GET', url: '/api/posts/suggest?q=fer' })
    assert.deepEqual(suggested.json().completions, ['ferries'], 'from memory')
    await assert.rejects(index(), /127\.0\.0\.1:9 needs another port: HTTP clients refuse this one/)
    await harness().deliver()
    const found = await doctor()
    assert.equal(found.status, 'critical')
    const { engine: name, waiting } = await status()
    assert.deepEqual([name, waiting], [null, 1])
  } finally {
    harness().values.search_url = engine().url
  }
  await index()
  assert.deepEqual(await find('fjord'), found('Ferries'))
})

test('an engine that is silent is named by status and doctor', async () => {
  await publish('Ferries')
  await index()
  engine().misbehaviour = hangs
  const [{ fault, waiting }, check] = await Promise.all([status(), doctor()])
  assert.match(fault ?? '', /did not answer within 5 s: check search_url/)
  assert.deepEqual([check.status, waiting], ['critical', 0])
})

test('settings that lack something are named, and what was sent is not forgotten', async () => {
  await publish('Ferries')
  await index()
  for (const [values, fault] of [
    [{ search_url: '' }, /search_url is empty/],
    [{ search_url: 'http://user:pw@127.0.0.1' }, /set search_username and search_password instead/],
    [{ search_driver: 'unknown' }, /search_driver is unknown, which no plugin provides/]
  ] as const) {
    const before = { ...harness().values }
    Object.assign(harness().values, values)
    await harness().touch()
    assert.deepEqual(await find('fjord'), nothing)
    await assert.rejects(index(), fault)
    assert.match((await status()).fault ?? '', fault)
    Object.assign(harness().values, before)
  }
  await harness().touch()
  assert.deepEqual(await find('fjord'), found('Ferries'))
  assert.equal(names().length, 1)
})

test('titles that begin with what was typed are suggested first, then the newest; none that is not public', async () => {
  for (const title of ['Sailing', 'Old sails', 'New sails']) await publish(title)
  const { post_id } = await publish('Sails')
  await index()
  await withdraw(post_id)
  const { body } = await harness().app.inject({ method: 'GET', url: '/api/posts/suggest?q=sai' })
  const { items } = JSON.parse(body)
  assert.deepEqual(
    items.map(({ title }: { title: string }) => title),
    ['Sailing', 'New sails', 'Old sails']
  )
})

test('of more than 10,000 posts the first are found, and the answer says that there are more', async () => {
  await index()
  const { post_id } = await publish('Walrus')
  const last = await numberOf(post_id)
  const rows = await harness().db.query<{ post_no: number }>(
    'insert into search_posts (post_no, published) select 1000000 + n, n from generate_series(1, 10010) n returning post_no'
  )
  // As if they had been sent.
  await harness().db.query('update search_feed set horizon = pg_snapshot_xmin(pg_current_snapshot())')
  await harness().touch()
  engine().misbehaviour = (request, response) => {
    if (!request.path.endsWith('_search')) return undefined
    const { size } = JSON.parse(request.body)
    const others = rows.slice(0, size - 1).map(({ post_no }) => ({ sort: [2, post_no] }))
    const hits = [...others, { sort: [1, last] }]
    return json({ hits: { total: { value: size, relation: 'gte' }, hits } })(request, response)
  }
  const { total, total_is_minimum, titles } = await find('walrus', '&limit=5&offset=9999')
  assert.deepEqual({ total, total_is_minimum, titles }, { total: 10_000, total_is_minimum: true, titles: ['Walrus'] })
})

test('beside or, a phrase in quotes is found only as it stands', async () => {
  await publish('Baking', 'An apple pie with cream.')
  await publish('Orchard', 'A pie apple is sour.')
  await publish('Zoo', 'The quokka smiles at people.')
  await index()
  const titlesOf = async (q: string) => (await find(q)).titles.sort()
  assert.deepEqual(await titlesOf('"pie apple" or quokka'), ['Orchard', 'Zoo'])
  assert.deepEqual(await titlesOf('"apple pie" or quokka cream'), ['Baking', 'Zoo'])
})

test('of a beginning of more words than are looked for, the answer says that there are more', async () => {
  const words = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => `uq${from + at}x`).join(' ')
  await publish('Some', `A pelican. ${words(1_000, 1_090)}`)
  await publish('Alone', 'A pelican alone.')
  await index()
  assert.deepEqual(await find('uq*'), found('Some'))
  assert.deepEqual(await find('pelican -uq*'), found('Alone'))
  await publish('Many', words(1_090, 2_010))
  await index()
  assert.equal((await find('uq*')).total_is_minimum, true)
  assert.equal((await find('pelican -uq*')).degraded, true)
})
