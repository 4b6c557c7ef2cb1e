import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { asClient, type Harness, makePost, makePublic, openPosts } from './harness.ts'

let harness: Harness
before(async () => {
  harness = await openPosts({ withMemory: false })
})
after(() => harness.close())
const get = (url: string) => harness.app.inject({ method: 'GET', url })

test('an empty feed is a feed, and is the same every time', async () => {
  const { body, headers } = await get('/feed.xml')
  assert.equal(headers['content-type'], 'application/rss+xml; charset=utf-8')
  assert.match(body, /<rss version="2.0"[^>]*>\s*<channel>/)
  assert.equal((await get('/feed.xml')).body, body)
})

test('the feed has stable ids, a link to itself, and nothing that breaks XML or runs', async () => {
  const title = 'A ]]> B <script>alert(1)</script> & \u0001 C'
  const body =
    'Text ]]> here & \u0008 <script>alert(2)</script>\n\n`]]>`\n\n[in](/images/x.png) ![out](https://x.example/y.png)'
  const { post_id, slug } = await makePublic(harness, { title, body, tags: ['R & D'] })
  const feed = (await get('/feed.xml')).body
  assert.match(feed, new RegExp(`<guid isPermaLink="false">urn:uuid:${post_id}</guid>`))
  assert.match(feed, /<atom:link href="http:\/\/localhost:8000\/feed.xml" rel="self" type="application\/rss\+xml"\/>/)
  assert.ok(feed.includes(`<link>http://localhost:8000/api/posts/${slug}</link>`))
  assert.ok(feed.includes('<category>R &amp; D</category>'), feed)
  assert.ok(feed.includes('href="http://localhost:8000/images/x.png"'))
  assert.doesNotMatch(feed, /<script|[\u0000-\u0008]/)
  const withoutCdata = feed.replace(/<!\[CDATA\[[\s\S]*?\]\]>/g, '')
  assert.equal(withoutCdata.includes(']]>'), false)
  await harness.components.edits.edit(post_id, { slug: 'elsewhere' }, { actor: 'operator' })
  assert.ok((await get('/feed.xml')).body.includes(`urn:uuid:${post_id}`))
})

test('a feed has 5 MB of texts at most: the newest, without one that is too large by itself', async () => {
  await harness.db.query(
    `insert into posts (slug, title, content, content_html, status, published_at)
     select 'large-' || n, 'Large ' || n, 'text', repeat('x', case n when 2 then 5000001 else 2000000 end), 'published',
       now() - make_interval(hours => n)
     from generate_series(1, 5) n`
  )
  await harness.touch()
  const feed = (await get('/feed.xml')).body
  assert.deepEqual(
    [1, 2, 3, 4, 5].filter(n => feed.includes(`<![CDATA[Large ${n}]]>`)),
    [1, 3]
  )
  await harness.db.query("delete from posts where slug like 'large-%'")
  await harness.touch()
})

const tokenOf = async (post_id: string) => (await harness.posts.previewUrl(post_id)).split('/').at(-1) ?? ''

test('a preview shows a draft as JSON and as a page, and is kept by nobody', async () => {
  const title = '<img src=x onerror=alert(1)>'
  const post_id = await makePost(harness, { title, body: 'Draft text <script>alert(1)</script>' })
  const token = await tokenOf(post_id)
  const json = await get(`/api/posts/preview/${token}`)
  assert.deepEqual([json.json().post_id, json.json().status], [post_id, 'draft'])
  for (const field of ['awaiting_gate', 'metadata']) assert.equal(field in json.json(), false)
  const page = await get(`/preview/${token}`)
  assert.equal(page.headers['content-type'], 'text/html; charset=utf-8')
  assert.ok(page.body.includes('&lt;img src=x onerror=alert(1)&gt;'))
  assert.doesNotMatch(page.body, /<script|<img src=x/)
  for (const { headers } of [json, page]) {
    assert.equal(headers['cache-control'], 'no-store')
    assert.match(String(headers['x-robots-tag']), /noindex/)
    assert.match(String(headers['content-security-policy']), /^default-src 'none'/)
  }
})

test('an archived post is gone from its preview too', async () => {
  const post_id = await makePost(harness)
  const token = await tokenOf(post_id)
  assert.equal((await asClient(harness, 'DELETE', `/api/posts/${post_id}`)).statusCode, 200)
  for (const path of ['/preview', '/api/posts/preview']) {
    const answer = await get(`${path}/${token}`)
    assert.deepEqual([answer.statusCode, answer.json().error_code], [404, 'NOT_FOUND'])
  }
})

test('a preview link opens one post for 24 hours and no longer', async () => {
  const token = await tokenOf(await makePost(harness))
  const bytes = Buffer.from(token, 'base64url')
  const changed = (at: number) =>
    Buffer.from(bytes.map((byte, index) => (index === at ? byte ^ 1 : byte))).toString('base64url')
  const lastLetter = String.fromCharCode(token.charCodeAt(token.length - 1) + 1)
  const bad = [
    ...[0, 16, 19, 20, 51].map(changed),
    'junk',
    `${token}A`,
    token.slice(0, -1),
    `${token.slice(0, -1)}${lastLetter}`,
    `${token}=`
  ]
  for (const text of bad) {
    assert.equal((await get(`/preview/${text}`)).statusCode, 401, text)
    assert.equal((await get(`/api/posts/preview/${text}`)).statusCode, 401, text)
  }
  const later = (hours: number) => harness.setClock(() => new Date(Date.now() + hours * 3_600_000))
  later(23.9)
  assert.equal((await get(`/preview/${token}`)).statusCode, 200)
  later(24.1)
  assert.equal((await get(`/preview/${token}`)).statusCode, 401)
  harness.setClock(() => new Date())
})

test('titles that differ in how a tag is written stay apart in the feeds, and show as they are', async () => {
  const titles = [
    '<b>bold</b>',
    '&lt;b&gt;bold&lt;/b&gt;',
    '&amp;lt;b&amp;gt;',
    'AT&T, R & D',
    'a &lt b',
    '&#60;b&#62;'
  ]
  for (const title of titles) await makePublic(harness, { title, tags: [title.slice(0, 50)] })
  const feed = (await get('/feed.xml')).body
  const shown = [...feed.matchAll(/<item>\s*<title><!\[CDATA\[(.*?)\]\]><\/title>/g)].map(([, title = '']) => title)
  for (const [title, written] of [
    ['<b>bold</b>', '&lt;b&gt;bold&lt;/b&gt;'],
    ['&lt;b&gt;bold&lt;/b&gt;', '&amp;lt;b&amp;gt;bold&amp;lt;/b&amp;gt;'],
    ['&amp;lt;b&amp;gt;', '&amp;amp;lt;b&amp;amp;gt;'],
    ['AT&T, R & D', 'AT&T, R & D'],
    ['a &lt b', 'a &amp;lt b'],
    ['&#60;b&#62;', '&amp;#60;b&amp;#62;']
  ] as const)
    assert.ok(shown.includes(written), `${title} in ${JSON.stringify(shown)}`)
  const categories = [...feed.matchAll(/<category>(.*?)<\/category>/g)].map(([, name]) => name)
  for (const written of [
    '&lt;b&gt;bold&lt;/b&gt;',
    '&amp;lt;b&amp;gt;bold&amp;lt;/b&amp;gt;',
    '&amp;amp;lt;b&amp;amp;gt;'
  ])
    assert.ok(categories.includes(written), written)
  const { items } = JSON.parse(await harness.components.published.feedJson(harness.db)) as {
    items: { title: string }[]
  }
  for (const title of titles)
    assert.ok(
      items.some(item => item.title === title),
      title
    )
})
