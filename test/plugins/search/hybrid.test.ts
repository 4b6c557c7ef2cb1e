import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { UnavailableError } from '#core'
import { embeddingDimensions } from '#plugins/memory'
import { runProgram } from '../../../cli/framework/run.ts'
import { searchCommand } from '../../../plugins/search/commands/search.ts'
import { recordSession } from '../../helpers/session.ts'
import { until } from '../../helpers/until.ts'
import { asClient, type Harness, makePublic, openPosts } from '../posts/harness.ts'

/** Knows three meanings, by the words that have them; gone or slow when told so. */
const topics = [/boat|ship|vessel/i, /bread|loaf|bakery/i, /star|planet|galaxy/i]
let state: 'well' | 'gone' | 'slow' = 'well'
let asked = 0
const embedder = {
  model: 'three-meanings',
  async embed(texts: readonly string[]) {
    asked += 1
    if (state === 'gone') throw new UnavailableError('The embedder is gone.')
    if (state === 'slow')
      // For ever: it does not even listen to who calls it off.
      await new Promise(() => {})
    return texts.map(text => {
      const vector = new Array<number>(embeddingDimensions).fill(0)
      topics.forEach((topic, at) => {
        vector[at] = topic.test(text) ? 1 : 0
      })
      vector[100] = vector.some(each => each > 0) ? 0 : 1
      const length = Math.hypot(...vector)
      return vector.map(each => each / length)
    })
  }
}

let harness: Harness
let clock = Date.now()
before(async () => {
  harness = await openPosts()
  harness.memory?.registerEmbedder('three', embedder)
  harness.values.embedder = 'three'
  harness.setClock(() => new Date(clock))
  for (const [title, body] of [
    ['Sailing', 'A vessel under sail.'],
    ['Rowing', 'The boat is rowed.'],
    ['Baking', 'A loaf from the oven.'],
    ['Astronomy', 'The planet turns.']
  ])
    await makePublic(harness, { title: title ?? '', body: body ?? '', slug: title?.toLowerCase() })
  await harness.deliver()
})
after(() => harness.close())

/** Memory hears of it by the next text that is embedded, posts after their rest. */
async function recover() {
  state = 'well'
  await harness.memory?.embed(['a ship'])
  clock += 6000
}

const get = async (url: string) => {
  const response = await harness.app.inject({ method: 'GET', url })
  assert.equal(response.statusCode, 200, response.body)
  return response
}
const search = async (q: string, more = '') =>
  (await get(`/api/posts/search?q=${encodeURIComponent(q)}${more}`)).json() as {
    items: { title: string; post_id: string }[]
    total: number
    next_cursor: string | null
    degraded?: boolean
  }
const titles = async (q: string) => (await search(q)).items.map(item => item.title)

test('posts are found by meaning, after one that has the word as well', async () => {
  assert.deepEqual((await titles('boat')).slice(0, 2), ['Rowing', 'Sailing'])
  assert.deepEqual(await titles('ship'), ['Rowing', 'Sailing'])
  assert.deepEqual(await titles('bakery'), ['Baking'])
})

test('the labels of what meaning alone finds are counted, too', async () => {
  const { items, facets } = (await get('/api/posts/search?q=ship&facets=true')).json()
  assert.equal(items.length, 2)
  assert.deepEqual(facets.year, [{ value: String(new Date().getUTCFullYear()), count: 2 }])
})

test('what is excluded, and what lacks a phrase, is not found by meaning either', async () => {
  assert.deepEqual(await titles('ship -boat'), ['Sailing'])
  assert.deepEqual(await titles('"ship"'), [])
  assert.deepEqual(await titles('"vessel boat"'), [])
  assert.deepEqual(await titles('"the boat" ship'), ['Rowing'])
})

test('an embedder that is gone leaves the search by words, which says so and is not kept', async () => {
  state = 'gone'
  const response = await get('/api/posts/search?q=vessel&limit=7')
  assert.equal(response.json().degraded, true)
  assert.deepEqual(
    response.json().items.map((item: { title: string }) => item.title),
    ['Sailing']
  )
  assert.equal(response.headers['cache-control'], 'no-store')
  const before = asked
  assert.equal((await search('vessel', '&limit=7')).degraded, true)
  assert.equal(asked, before, 'it is left alone for a while')
  await recover()
  const { items, degraded } = await search('vessel', '&limit=7')
  assert.deepEqual([items.length, degraded], [2, undefined])
})

test('the command says on stderr, once, that the embedder is gone', async () => {
  const program = { posts: { describe: 'Posts', load: async () => ({ search: searchCommand(harness.search) }) } }
  // The vectors of questions that were asked before are kept.
  for (const argv of [['oven'], ['turns', '--json']]) {
    state = 'gone'
    harness.warnings.length = 0
    const session = recordSession()
    const options = { name: 'galley', version: '0.0.0', program }
    assert.equal(await runProgram(options, ['posts', 'search', ...argv], session), 0)
    assert.deepEqual(session.err, [
      'The embedder does not answer: this was found by words alone. galley doctor says why.'
    ])
    assert.deepEqual(harness.warnings, [], 'a warning of the log would be a second sentence')
    assert.doesNotMatch(session.out.join(''), /does not answer/)
    assert.match(session.out.join(''), argv.length === 1 ? /^SCORE/ : /"degraded": true/)
    await recover()
  }
})

test('the command says which words it searched for instead', async () => {
  const program = { posts: { describe: 'Posts', load: async () => ({ search: searchCommand(harness.search) }) } }
  const session = recordSession()
  assert.equal(
    await runProgram(
      { name: 'galley', version: '0.0.0', program },
      ['posts', 'search', 'astronmoy', '--json'],
      session
    ),
    0
  )
  assert.deepEqual(session.err, ['No post has astronmoy: this was found with astronomy.'])
})

test('an embedder that is slow is not waited for', async () => {
  state = 'slow'
  harness.values.search_time_limit_ms = 250
  const warned = harness.warnings.length
  const { items, degraded } = await search('loaf', '&limit=8')
  assert.deepEqual([items.map(item => item.title), degraded], [['Baking'], true])
  // Nobody waits for it any more, but it is noted that it did not answer.
  await until(() => harness.warnings.length > warned)
  harness.values.search_time_limit_ms = 10_000
  await recover()
})

test('related posts are like the post in words or meaning, without itself and without what is not public', async () => {
  const { post_id: draft } = await makePublic(harness, { title: 'Ships in bottles', body: 'A ship of matches.' })
  await harness.deliver()
  const response = await get('/api/posts/sailing/related')
  const { items, total, degraded } = response.json()
  assert.deepEqual(items.map((item: { title: string }) => item.title).sort(), ['Rowing', 'Ships in bottles'])
  assert.deepEqual([total, degraded, typeof items[0].score, items[0].content], [2, undefined, 'number', undefined])
  assert.match(String(response.headers.etag), /^".+"$/)
  const { statusCode } = await harness.app.inject({
    method: 'GET',
    url: '/api/posts/sailing/related',
    headers: { 'if-none-match': String(response.headers.etag) }
  })
  assert.equal(statusCode, 304)
  assert.equal((await get('/api/posts/sailing/related?limit=1')).json().items.length, 1)
  await asClient(harness, 'POST', `/api/posts/${draft}/unpublish`)
  assert.deepEqual(
    (await get('/api/posts/sailing/related')).json().items.map((item: { title: string }) => item.title),
    ['Rowing']
  )
})

test('related posts: a moved slug leads on, an unknown or hidden one answers 404, a wrong limit 400', async () => {
  const [row] = await harness.db.query<{ post_id: string }>("select post_id from posts where title = 'Baking'")
  await harness.components.edits.edit(row?.post_id ?? '', { slug: 'baking-bread' }, { actor: 'operator' })
  const moved = await harness.app.inject({ method: 'GET', url: '/api/posts/baking/related?limit=3' })
  assert.deepEqual([moved.statusCode, moved.headers.location], [301, '/api/posts/baking-bread/related?limit=3'])
  const plain = await harness.app.inject({ method: 'GET', url: '/api/posts/baking/related' })
  assert.equal(plain.headers.location, '/api/posts/baking-bread/related')
  const [draft] = await harness.db.query<{ slug: string }>("select slug from posts where title = 'Ships in bottles'")
  for (const [url, status] of [
    ['/api/posts/nowhere/related', 404],
    [`/api/posts/${draft?.slug}/related`, 404],
    ['/api/posts/sailing/related?limit=0', 400],
    ['/api/posts/sailing/related?limit=101', 400],
    ['/api/posts/sailing/related?limit=3&cursor=x', 400],
    ['/api/posts/sailing/related?q=x', 400]
  ] as const) {
    assert.equal((await harness.app.inject({ method: 'GET', url })).statusCode, status, url)
  }
  state = 'gone'
  assert.equal((await get('/api/posts/rowing/related?limit=4')).json().degraded, true)
  await recover()
})

test('pages hold every post once and the total, wherever words and meaning meet', async () => {
  await harness.db.query(
    `insert into posts (slug, title, content, content_html, status, published_at)
     select 'fleet-' || n, 'Fleet ' || n, repeat('boat ', 1 + n % 7) || repeat('word ', n % 11), '', 'published', now() - make_interval(mins => n / 3)
     from generate_series(1, 450) n`
  )
  await harness.index()
  for (const size of [7, 100]) {
    const seen: string[] = []
    let total = 0
    for (let cursor = ''; ; ) {
      const page = await search('boat', `&limit=${size}${cursor}`)
      total = page.total
      seen.push(...page.items.map(item => item.post_id))
      if (page.next_cursor === null) break
      cursor = `&cursor=${page.next_cursor}`
    }
    assert.equal(new Set(seen).size, seen.length)
    assert.equal(seen.length, total)
    assert.equal(total, 452)
    const byOffset = []
    for (let offset = 0; offset < total; offset += size)
      byOffset.push(...(await search('boat', `&limit=${size}&offset=${offset}`)).items)
    assert.deepEqual(
      byOffset.map(item => item.post_id),
      seen
    )
  }
})

test('related posts have one order and one total, whichever part of them is asked for', async () => {
  const related = async (query: string) => (await get(`/api/posts/rowing/related?${query}`)).json()
  const ids = ({ items }: { items: { post_id: string }[] }) => items.map(item => item.post_id)
  const whole = await related('limit=100')
  assert.ok(whole.total >= 100, String(whole.total))
  const all = [...ids(whole), ...ids(await related(`limit=100&offset=100`))]
  assert.deepEqual([all.length, new Set(all).size], [whole.total, whole.total])
  const few = await related('')
  assert.deepEqual([few.limit, few.offset, few.total], [5, 0, whole.total])
  assert.deepEqual(ids(few), all.slice(0, 5))
  const seen: string[] = []
  for (let cursor = ''; ; ) {
    const page = await related(`limit=30${cursor}`)
    assert.equal(page.total, whole.total)
    seen.push(...ids(page))
    if (page.next_cursor === null) break
    cursor = `&cursor=${page.next_cursor}`
  }
  assert.deepEqual(seen, all)
  const past = await get('/api/posts/rowing/related?limit=10&offset=1000')
  assert.deepEqual([past.json().items, past.json().total], [[], whole.total])
})

test('a cursor of one ranking is refused by every other', async () => {
  const lists = [
    '/api/posts/search?q=boat&limit=2',
    '/api/posts/search?q=fleet%20or%20boat&limit=2',
    '/api/posts/search?q=rowing&limit=2',
    '/api/posts/rowing/related?limit=2',
    '/api/posts/sailing/related?limit=2'
  ]
  for (const from of lists) {
    const { next_cursor } = (await get(from)).json()
    if (next_cursor === null) continue
    for (const to of lists) {
      const response = await harness.app.inject({ method: 'GET', url: `${to}&cursor=${next_cursor}` })
      assert.equal(response.statusCode, to === from ? 200 : 400, `${from} ${to}`)
      if (to !== from) assert.match(response.json().errors.cursor, /^is not a cursor of this list/)
    }
  }
})

test('posts published and withdrawn between two pages put no other on both, or on none', async () => {
  for (const [list, q] of [
    ['/api/posts/search?q=boat', 'words and meaning'],
    ['/api/posts/search?q=fleet', 'words alone'],
    ['/api/posts/rowing/related?', 'related']
  ] as const) {
    const page = async (more: string) => (await get(`${list}&limit=20${more}`.replace('?&', '?'))).json()
    const ids = ({ items }: { items: { post_id: string }[] }) => items.map(item => item.post_id)
    const whole = [...ids(await page('')), ...ids(await page('&offset=20')), ...ids(await page('&offset=40'))]
    const first = await page('')
    const added = await makePublic(harness, { title: 'Boat fleet boat fleet', body: 'A boat of the fleet, rowed.' })
    await asClient(harness, 'POST', `/api/posts/${ids(first).at(-2)}/unpublish`)
    const second = await page(`&cursor=${first.next_cursor}`)
    await asClient(harness, 'POST', `/api/posts/${added.post_id}/unpublish`)
    for (const post_id of ids(second).slice(-2)) await asClient(harness, 'POST', `/api/posts/${post_id}/unpublish`)
    const third = await page(`&cursor=${second.next_cursor}`)
    assert.deepEqual([first, second, third].flatMap(ids), whole, q)
  }
})

test('a page follows what is left of the posts before it, on pages of one post too', async () => {
  const page = async (more: string) => (await get(`/api/posts/search?q=fleet&limit=1${more}`)).json()
  const whole = (await get('/api/posts/search?q=fleet&limit=4')).json()
  const first = await page('')
  const second = await page(`&cursor=${first.next_cursor}`)
  await asClient(harness, 'POST', `/api/posts/${second.items[0].post_id}/unpublish`)
  const third = await page(`&cursor=${second.next_cursor}`)
  const slugs = [first, second, third].map(({ items }) => items[0].slug)
  assert.deepEqual(
    slugs,
    whole.items.slice(0, 3).map(({ slug }: { slug: string }) => slug)
  )
})

test('an embedder that knows words alone is asked only when few posts have them all, or when it was told to count', async () => {
  const { memory } = harness
  assert.ok(memory)
  let asked = 0
  let relevantIds: readonly string[] = []
  let isQuery = false
  let isReversed = false
  const { nearest } = memory
  memory.nearest = async (...given) => {
    asked += 1
    relevantIds = given[3]?.relevantIds ?? []
    isQuery = given[3]?.isQuery ?? false
    const found = await nearest(...given)
    return isReversed ? { ...found, items: found.items.reverse() } : found
  }
  let limit = 30
  const isAsked = async (q: string) => {
    asked = 0
    // No page is asked for twice: answers are kept.
    limit += 1
    // A memory without vectors of this embedder is left alone for ten seconds.
    clock += 11_000
    await search(q, `&limit=${limit}`)
    return asked > 0
  }
  harness.values.embedder = 'embedded'
  assert.equal(await isAsked('boat fleet'), true, 'the one chosen before serves until the new one is complete')
  await memory.backfill('posts')
  assert.deepEqual([await isAsked('boat fleet'), await isAsked('loaf fleet')], [false, true])
  const [baking] = (await search('loaf oven')).items
  assert.deepEqual(
    [relevantIds.length, relevantIds.includes(baking?.post_id ?? ''), isQuery],
    [1, true, true],
    'what is like the posts found by words'
  )
  for (const [title, body] of [
    ['Of glass', 'Clear glass, tinted glass and glass again: all that a lantern needs.'],
    ['Of oil', '## Lanterns\n\nWhale oil was burnt.'],
    ['Lantern', 'A light that is carried.']
  ] as const)
    await makePublic(harness, { title, body })
  await harness.deliver()
  await memory.backfill('posts')
  isReversed = true
  for (const q of ['lantern', 'lanten']) assert.deepEqual(await titles(q), ['Lantern', 'Of oil', 'Of glass'], q)
  isReversed = false
  harness.values.embedder = 'three'
  assert.deepEqual([await isAsked('boat fleet'), await isAsked('loaf fleet')], [false, true])
  harness.values.search_meaning_weight = 1
  assert.deepEqual([await isAsked('boat fleet'), relevantIds.length, isQuery], [true, 3, true])
})

test('with the engine away, an embedder that knows words alone goes on finding, and the answer is degraded', async t => {
  const own = await openPosts()
  t.after(() => own.close())
  await makePublic(own, { title: 'Lantern', body: 'A light that is carried.' })
  await own.deliver()
  await own.memory?.backfill('posts')
  own.values.search_driver = 'opensearch'
  // A port of nobody.
  own.values.search_url = 'http://127.0.0.1:1'
  own.values.search_time_limit_ms = 10_000
  await own.touch()
  const find = async (q: string) => {
    const { body } = await own.app.inject({ method: 'GET', url: `/api/posts/search?q=${encodeURIComponent(q)}` })
    const { items, degraded } = JSON.parse(body)
    return [items.map(({ title }: { title: string }) => title), degraded]
  }
  assert.deepEqual(await find('lantern'), [['Lantern'], true])
  assert.deepEqual(await find('lantern -carried'), [[], true], 'nobody can say what has the excluded word')
})

test('where the memory holds no post the embedder is asked once, and its failure is told from finding nothing', async t => {
  const empty = await openPosts()
  t.after(() => empty.close())
  empty.memory?.registerEmbedder('three', embedder)
  empty.values.embedder = 'three'
  await makePublic(empty, { title: 'Sailing', body: 'A vessel under sail.' })
  const find = async (q: string) => {
    const response = await empty.app.inject({ method: 'GET', url: `/api/posts/search?q=${q}` })
    return response.json() as { total: number; degraded?: boolean }
  }
  const before = asked
  assert.equal((await find('boat')).degraded, undefined)
  assert.equal(asked, before + 1)
  state = 'gone'
  empty.setClock(() => new Date(Date.now() + 60_000))
  assert.equal((await find('ship')).degraded, true)
  state = 'well'
})

test('a memory that holds none of the first posts by words is left alone for a second, if it holds none at all', async t => {
  const empty = await openPosts()
  t.after(() => empty.close())
  const { memory } = empty
  assert.ok(memory)
  let clock = Date.now()
  empty.setClock(() => new Date(clock))
  for (let n = 0; n < 11; n++)
    await makePublic(empty, { title: `Post ${n}`, body: n % 2 === 0 ? 'A lantern.' : 'A harbour.' })
  const asked: ('some' | 'all')[] = []
  let looking: Promise<unknown> = Promise.resolve()
  const { nearest } = memory
  memory.nearest = (...given) => {
    const isAll = given[3]?.among === undefined
    asked.push(isAll ? 'all' : 'some')
    const found = nearest(...given)
    if (isAll) looking = found
    return found
  }
  // No page is asked for twice: answers are kept.
  let limit = 30
  const find = async () => {
    await empty.app.inject({ method: 'GET', url: `/api/posts/search?q=lantern+harbour&limit=${limit++}` })
    await looking
    return asked.splice(0)
  }
  assert.deepEqual(await find(), ['some', 'all'])
  assert.deepEqual(await find(), [])
  clock += 1_100
  assert.deepEqual(await find(), ['some', 'all'])
  await empty.deliver()
  assert.deepEqual(await find(), ['some'], 'posts have vectors')
})
