import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Harness, makePublic, openPosts } from '../posts/harness.ts'
import { withEngine } from './with-engine.ts'

let harness: Harness
before(async () => {
  harness = await openPosts({ withMemory: false })
  const posts = [
    { title: 'Boats', category: 'sea', tags: ['Sails', 'Wood'], language: 'en', published: '2024-05-01' },
    { title: 'Rafts', category: 'sea', tags: ['Wood'], language: null, published: '2025-05-01T12:00:00Z' },
    { title: 'Boote', category: 'sea', tags: [], language: 'de-AT', published: '2025-06-01' },
    { title: 'Planes', category: 'air', tags: ['Sails'], language: 'en', published: '2026-01-01' }
  ]
  for (const { title, category, tags, language, published } of posts) {
    const { post_id } = await makePublic(harness, { title, body: 'They carry cargo.', category, tags })
    if (language !== null) await harness.components.edits.edit(post_id, { language }, { actor: 'operator' })
    await harness.db.query('update posts set published_at = $2 where post_id = $1', [post_id, published])
  }
  // One of them waits for a segment.
  await harness.index()
  await makePublic(harness, { title: 'Ferries', body: 'They carry cargo.', category: 'sea' })
  await harness.touch()
})
after(() => harness.close())

const get = (query: string) => harness.app.inject({ method: 'GET', url: `/api/posts/search?${query}` })
const found = async (filter: string) => {
  const { items, total, degraded } = (await get(`q=cargo&${filter}`)).json()
  assert.deepEqual([total, degraded], [items.length, undefined])
  return items.map(({ title }: { title: string }) => title).sort()
}

const filters: [filter: string, titles: string[], why: string][] = [
  ['', ['Boats', 'Boote', 'Ferries', 'Planes', 'Rafts'], 'no filter'],
  ['category=sea', ['Boats', 'Boote', 'Ferries', 'Rafts'], 'a category'],
  ['category=sea&tag=wood', ['Boats', 'Rafts'], 'a tag as well'],
  ['tag=sails', ['Boats', 'Planes'], 'a tag'],
  ['language=de', ['Boote'], 'a language, whatever the region'],
  ['language=en', ['Boats', 'Ferries', 'Planes', 'Rafts'], 'that of the site for posts without one'],
  ['from=2025-05-01&to=2025-06-01', ['Rafts'], 'a period without its end'],
  ['from=2025-05-01T12:00:01Z&to=2025-06-02', ['Boote'], 'times'],
  ['to=2024-05-01', [], 'before the first'],
  ['category=none', [], 'a category that nothing has']
]
const filterTests = () => {
  for (const [filter, titles, why] of filters)
    test(`${filter === '' ? 'all' : filter}: ${why}`, async () => assert.deepEqual(await found(filter), titles))
}
describe('in the index of the database', filterTests)

describe('in a search engine', () => {
  withEngine(() => harness)
  filterTests()
})

test('a filter that is none is refused with the reason', async () => {
  for (const [filter, field] of [
    ['from=2025-02-30', 'from'],
    ['to=yesterday', 'to'],
    ['language=??', 'language'],
    ['category=', 'category']
  ] as const) {
    const { statusCode, body } = await get(`q=cargo&${filter}`)
    assert.equal(statusCode, 400, filter)
    assert.match(body, new RegExp(`"${field}"`))
  }
})

test('all that is wrong with a search is said at once', async () => {
  const { statusCode, body } = await get('q=cargo&from=zz&to=2026-13-01&language=xx_y&facets=maybe&limit=0')
  const { errors } = JSON.parse(body)
  assert.deepEqual([statusCode, Object.keys(errors).sort()], [400, ['facets', 'from', 'language', 'limit', 'to']])
})

test('the labels of what is found are counted when asked for', async () => {
  assert.equal((await get('q=cargo')).json().facets, undefined)
  assert.deepEqual((await get('q=cargo&facets=true&category=sea&limit=1')).json().facets, {
    category: [{ value: 'sea', count: 4 }],
    tag: [
      { value: 'wood', count: 2 },
      { value: 'sails', count: 1 }
    ],
    language: [
      { value: 'en', count: 3 },
      { value: 'de', count: 1 }
    ],
    year: [
      { value: '2025', count: 2 },
      { value: '2024', count: 1 },
      { value: String(new Date().getUTCFullYear()), count: 1 }
    ]
  })
})

test('a cursor of one filter is refused by another', async () => {
  const { next_cursor } = (await get('q=cargo&category=sea&limit=2')).json()
  const page = (filter: string) => get(`q=cargo&limit=2&cursor=${encodeURIComponent(next_cursor)}${filter}`)
  assert.equal((await page('&category=sea')).json().items.length, 2)
  assert.equal((await page('&category=air')).statusCode, 400)
  assert.equal((await page('')).statusCode, 400)
})
