import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { asClient, type Harness, makePost, makePublic, openPosts, publish } from './harness.ts'

let harness: Harness
before(async () => {
  harness = await openPosts({ withMemory: false })
})
beforeEach(async () => {
  await harness.db.script('truncate posts, categories cascade')
  await harness.db
    .transaction(tx => harness.components.service.reject(tx, '00000000-0000-4000-8000-000000000000', by))
    .catch(() => {})
  harness.setCurrent(false)
})
after(() => harness.close())
const by = { actor: 'operator', reason: null }
const get = (url: string) => harness.app.inject({ method: 'GET', url })

test('a cold list asks for the next slot once, and a second one for nothing', async () => {
  await makePublic(harness, { title: 'Tides', body: 'About tides.' })
  harness.setCurrent(true)
  harness.statements.length = 0
  assert.equal((await get('/api/posts?limit=7')).json().total, 1)
  assert.equal(harness.statements.filter(sql => sql.includes('min(published_at) - now()')).length, 1)
  harness.statements.length = 0
  await get('/api/posts?limit=7')
  assert.deepEqual(harness.statements, [])
})

describe('what is not public', () => {
  const states: [string, (post_id: string) => Promise<unknown>][] = [
    ['a draft', async () => {}],
    [
      'an archived post',
      id => publish(harness, id).then(() => harness.components.states.archiveChecked(id, by, () => {}))
    ],
    ['an unpublished post', id => publish(harness, id).then(() => harness.components.states.unpublish(id, by))],
    ['a published post whose slot is to come', id => publish(harness, id).then(() => future(id))]
  ]
  const future = (id: string) =>
    harness.db.query("update posts set published_at = now() + interval '1 hour' where post_id = $1", [id])
  for (const [name, arrange] of states) {
    test(`${name} is on no public surface`, async () => {
      const post_id = await makePost(harness, {
        title: 'Hidden herring',
        body: 'A hidden herring.',
        slug: 'hidden-herring'
      })
      await harness.components.edits.edit(post_id, { category: 'fish', tags: ['herring'] }, by)
      await arrange(post_id)
      assert.equal((await get('/api/posts/hidden-herring')).statusCode, 404)
      for (const url of [
        '/api/posts',
        '/api/posts/search?q=herring',
        '/api/categories',
        '/api/tags',
        '/api/posts?category=fish'
      ]) {
        const { items, total } = (await get(url)).json()
        assert.deepEqual([items, total], [[], 0], url)
      }
      assert.equal((await get('/api/categories/fish')).statusCode, 404)
      assert.equal((await get('/feed.xml')).body.includes('herring'), false)
    })
  }
})

test('a list has summaries; only a client with a token sees what is not for readers', async () => {
  await makePublic(harness, { title: 'One' })
  const [anonymous] = (await get('/api/posts')).json().items
  const [known] = (await asClient(harness, 'GET', '/api/posts')).json().items
  for (const field of ['content', 'content_html']) assert.equal(field in anonymous || field in known, false, field)
  for (const field of ['awaiting_gate', 'metadata'])
    assert.deepEqual([field in anonymous, field in known], [false, true], field)
  assert.match(anonymous.published_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
})

test('other statuses need a token, unknown ones and parameters are refused', async () => {
  await makePost(harness)
  assert.equal((await get('/api/posts?status=draft')).statusCode, 401)
  assert.equal((await asClient(harness, 'GET', '/api/posts?status=draft')).json().total, 1)
  for (const query of [
    'status=nonsense',
    'limit=0',
    'limit=101',
    'limit=x',
    'offset=-1',
    'colour=red',
    'cursor=junk'
  ]) {
    assert.equal((await get(`/api/posts?${query}`)).statusCode, 400, query)
  }
  const junk = ['["2026-99-99 00:00:00+00","x"]', '["","",""]', '["2026-01-01 00:00:00+00","\' or 1=1"]']
  for (const text of junk)
    assert.equal((await get(`/api/posts?cursor=${Buffer.from(text).toString('base64url')}`)).statusCode, 400, text)
})

test('pages by cursor hold every post once, however many are inserted meanwhile and though many share a moment', async () => {
  for (let n = 0; n < 7; n += 1) await makePublic(harness, { title: `Old ${n}` })
  await harness.db.query("update posts set published_at = '2026-01-01 00:00:00.123456+00' where title <> 'Old 0'")
  const seen: string[] = []
  let cursor: string | null = null
  do {
    const page: { items: { title: string }[]; next_cursor: string | null } = (
      await get(`/api/posts?limit=2${cursor === null ? '' : `&cursor=${cursor}`}`)
    ).json()
    seen.push(...page.items.map(post => post.title))
    cursor = page.next_cursor
    await makePublic(harness, { title: `New ${seen.length}` })
  } while (cursor !== null)
  assert.deepEqual(
    seen.toSorted(),
    Array.from({ length: 7 }, (_, n) => `Old ${n}`)
  )
})

test('lists are filtered by category and tag, and counts count what is public', async () => {
  await makePublic(harness, { title: 'A', category: 'Data Bases', tags: ['SQL', 'Speed'] })
  await makePublic(harness, { title: 'B', category: 'data-bases', tags: ['sql'] })
  await makePublic(harness, { title: 'C', tags: ['speed'] })
  const hidden = await makePost(harness)
  await harness.components.edits.edit(hidden, { category: 'secret', tags: ['secret'] }, by)
  assert.deepEqual((await get('/api/categories')).json().items, [
    { slug: 'data-bases', name: 'Data Bases', description: '', post_count: 2 }
  ])
  assert.deepEqual((await get('/api/tags')).json().items, [
    { slug: 'speed', name: 'speed', post_count: 2 },
    { slug: 'sql', name: 'sql', post_count: 2 }
  ])
  assert.equal((await get('/api/posts?tag=sql&category=data-bases&limit=1')).json().total, 2)
  assert.deepEqual((await get('/api/posts?tag=sql&category=data-bases&offset=9')).json().total, 2)
  assert.deepEqual((await get('/api/tags?offset=9')).json().total, 2)
  const next = (await get('/api/tags?limit=1')).json().next_cursor
  assert.deepEqual((await get(`/api/tags?cursor=${next}`)).json().items[0].slug, 'sql')
  const category = (await get('/api/categories/data-bases?limit=1')).json()
  assert.deepEqual([category.post_count, category.posts.total, category.posts.items.length], [2, 2, 1])
  assert.equal((await get('/api/categories/nothing')).statusCode, 404)
  const linkOf = async (query: string) => (await get(`/api/categories/data-bases?${query}`)).headers.link
  assert.equal(await linkOf('limit=1'), '</api/categories/data-bases?limit=1&offset=1>; rel="next"')
  assert.equal(await linkOf('limit=1&offset=1'), '</api/categories/data-bases?limit=1&offset=0>; rel="prev"')
})

test('a post read or a page of a list is one statement while the counts are known', async () => {
  const { slug } = await makePublic(harness)
  harness.setCurrent(true)
  const ask = async (url: string) => {
    harness.statements.splice(0)
    assert.equal((await get(url)).statusCode, 200)
    return harness.statements.length
  }
  await ask('/api/posts?limit=19')
  assert.equal(await ask('/api/posts'), 1)
  assert.equal(await ask('/api/posts'), 0)
  assert.equal(await ask('/api/posts?offset=3'), 1)
  assert.equal(await ask(`/api/posts/${slug}`), 1)
  assert.equal(await ask('/api/categories'), 1)
  assert.equal(await ask('/feed.xml'), 1)
})

test('many posts asked for at once are read with few statements, and each reader gets the post asked for', async () => {
  const slugs = await Promise.all(
    Array.from(
      { length: 30 },
      async (_, n) => (await makePublic(harness, { title: `Herring ${n}`, slug: `herring-${n}` })).slug
    )
  )
  harness.statements.splice(0)
  const answers = await Promise.all([...slugs, 'no-herring'].map(slug => get(`/api/posts/${slug}`)))
  assert.deepEqual(
    answers.map(answer => answer.json().slug ?? answer.statusCode),
    [...slugs, 404]
  )
  const reads = harness.statements.filter(statement => statement.includes('content_html'))
  assert.ok(reads.length < 10, `${reads.length} statements`)
})

test('counts follow every change, and are read through while changes could be missed', async () => {
  harness.setCurrent(true)
  const total = async () => (await get('/api/posts')).json().total
  const { post_id } = await makePublic(harness)
  assert.equal(await total(), 1)
  await makePublic(harness)
  assert.equal(await total(), 2)
  await harness.components.states.unpublish(post_id, by)
  assert.equal(await total(), 1)
  await harness.db.query("update posts set status = 'published', published_at = now() where post_id = $1", [post_id])
  assert.equal(await total(), 1)
  harness.setCurrent(false)
  assert.equal(await total(), 2)
})

test('cached answers expire when the next slot is reached', async () => {
  const { post_id } = await makePublic(harness)
  await harness.db.query("update posts set published_at = now() + interval '1 hour' where post_id = $1", [post_id])
  harness.setCurrent(true)
  await makePublic(harness)
  await get('/api/posts')
  const until = harness.components.nextPublication.at()
  assert.ok(until !== null && Math.abs(until.getTime() - Date.now() - 3_600_000) < 60_000)
  await harness.db.query('update posts set published_at = now() where post_id = $1', [post_id])
  harness.setClock(() => new Date(Date.now() + 7_200_000))
  assert.equal((await get('/api/posts')).json().total, 2)
  assert.equal(harness.components.nextPublication.at(), null)
  harness.setClock(() => new Date())
})
