import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type SearchEngine, startSearchEngine } from '../../helpers/search-engine/search-engine.ts'
import { asClient, type Harness, makePost, makePublic, openPosts } from '../posts/harness.ts'
import { findsByWords, postsOfSuite } from './conformance.ts'

let harness: Harness
before(async () => {
  harness = await openPosts({ withMemory: false })
  // Half of them stand in a segment, half are analyzed by the search.
  for (const [at, [title, body]] of Object.entries(postsOfSuite).entries()) {
    await makePublic(harness, { title, body })
    if (at === 5) await harness.index()
  }
  await harness.deliver()
})
after(() => harness.close())

describe('the index in the database', () => {
  findsByWords({ harness: () => harness, sync: async () => {} })

  test('while changes could be missed, nothing kept is used', async () => {
    assert.equal(await total('tulip'), 1)
    await harness.db.query("update posts set status = 'draft' where title = 'Gardening'")
    harness.setCurrent(false)
    assert.equal(await total('tulip'), 0)
    harness.setCurrent(true)
    await harness.db.query("update posts set status = 'published' where title = 'Gardening'")
  })
})

describe('a search engine beside it', () => {
  let engine: SearchEngine
  before(async () => {
    engine = await startSearchEngine()
    harness.values.search_driver = 'opensearch'
    harness.values.search_url = engine.url
    await harness.index()
    await harness.touch()
  })
  after(async () => {
    harness.values.search_driver = 'builtin'
    await harness.touch()
    await engine.close()
  })

  findsByWords({ harness: () => harness, sync: () => harness.index() })
})

const total = async (q: string) =>
  (await harness.app.inject({ method: 'GET', url: `/api/posts/search?q=${encodeURIComponent(q)}` })).json().total

const suggest = async (q: string, more = '') => {
  const url = `/api/posts/suggest?q=${encodeURIComponent(q)}${more}`
  const response = await harness.app.inject({ method: 'GET', url })
  assert.equal(response.statusCode, 200, `${q}: ${response.body}`)
  return response.json() as { items: { title: string; slug: string }[]; completions: string[] }
}
const suggested = async (q: string, more = '') => (await suggest(q, more)).items.map(({ title }) => title)

test('titles and words are suggested from the second letter on', async () => {
  assert.deepEqual(await suggest('l'), { items: [], completions: [] })
  const { items, completions } = await suggest('Li')
  assert.deepEqual([items.map(item => item.title), completions], [['Lighthouses'], ['lighthouses']])
  const { statusCode } = await harness.app.inject({ method: 'GET', url: `/api/posts/${items[0]?.slug}` })
  assert.equal(statusCode, 200)
  assert.deepEqual(await suggested('of ke'), ['Of keepers'])
  assert.deepEqual(await suggested('ro'), ['Rose wine', 'Rockets 🚀 and joy'])
  assert.deepEqual(await suggested('ro', '&limit=1'), ['Rose wine'])
  assert.deepEqual(await suggested('rose'), ['Rose wine'], 'a word that is a beginning, too')
  for (const [q, title] of Object.entries({
    CAFE: 'Café culture',
    京: '東京',
    'node.j': 'Node.js releases',
    Еж: 'Ёжик'
  }))
    assert.deepEqual(await suggested(q), [title], q)
  for (const q of ['" *', '-', 'roses', 'keepers ofx', '%', 'x'.repeat(100)])
    assert.deepEqual(await suggested(q), [], q)
  for (const query of ['', 'q=', `q=${'x'.repeat(101)}`, 'q=ab&limit=0', 'q=ab&limit=21', 'q=ab&cursor=x'])
    assert.equal(
      (await harness.app.inject({ method: 'GET', url: `/api/posts/suggest?${query}` })).statusCode,
      400,
      query
    )
})

test('suggestions follow what is public, and its titles', async () => {
  const post_id = await makePost(harness, { title: 'Zeppelins', body: 'They fly.' })
  assert.deepEqual(await suggested('zep'), [])
  await asClient(harness, 'POST', `/api/posts/${post_id}/publish`)
  assert.deepEqual(await suggested('zep'), ['Zeppelins'])
  await harness.parts.edits.edit(post_id, { title: 'Airships' }, { actor: 'operator' })
  assert.deepEqual([await suggested('zep'), await suggested('air')], [[], ['Airships']])
  await harness.db.query('update posts set status = $1 where post_id = $2', ['archived', post_id])
  assert.deepEqual(await suggested('air', '&limit=7'), [], 'withdrawn where nobody was told')
  await harness.touch()
  assert.deepEqual((await suggest('air', '&limit=6')).completions, [])
})
