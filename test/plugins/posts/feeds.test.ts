import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { parseFeed } from 'feedsmith'
import { type Harness, makePublic, openPosts } from './harness.ts'

let harness: Harness
/** What the hub of the feeds is now. */
let hub = ''
before(async () => {
  harness = await openPosts({ withMemory: false })
  harness.posts.registerFeedHub(() => hub)
  const { values } = harness
  values.site_title = 'Bees ]]> & <b>\u0001 \ud800'
  for (const [n, title] of titles.entries()) {
    const category = n % 2 === 0 ? 'tides' : 'bees'
    const post_id = (await makePublic(harness, { title, body: `Text ${n} ]]> here.`, category, tags: ['R & D <x>'] }))
      .post_id
    await harness.components.edits.edit(post_id, { author: 'Ada "<&\'> Lovelace', excerpt: 'A & <b>B</b>' }, operator)
  }
})
after(() => harness.close())

const operator = { actor: 'operator' }
const titles = [
  'Plain',
  'A ]]> B',
  '<script>alert(1)</script>',
  'AT&T &lt; &#60; ]]&gt;',
  'c\u0008d\ud800e',
  '日本語 🐝 ‮'
]
const files = ['feed.xml', 'atom.xml', 'feed.json']
const get = (url: string, headers = {}) => harness.app.inject({ method: 'GET', url, headers })

/** Every format in the words of one: what a reader's program makes of the feed. */
async function read(url: string) {
  const { body, statusCode } = await get(url)
  assert.equal(statusCode, 200, body)
  assert.doesNotMatch(body, /[\0-\x08\x0b\x0c\x0e-\x1f]/)
  // biome-ignore lint/suspicious/noExplicitAny: the parser's formats have other names for the same
  const { feed } = parseFeed(body) as { feed: any }
  // biome-ignore lint/suspicious/noExplicitAny: as above
  const items = (feed.items ?? feed.entries ?? []) as any[]
  return {
    title: textOf(feed.title),
    self: feed.feed_url ?? linkOf(feed.links ?? feed.atom?.links, 'self'),
    hub: feed.hubs?.[0].url ?? linkOf(feed.links ?? feed.atom?.links, 'hub'),
    items: items.map(item => ({
      id: item.guid?.value ?? item.id,
      url: item.url ?? item.link ?? item.links[0].href,
      title: textOf(item.title) ?? '',
      text: item.content_html ?? item.content?.encoded ?? textOf(item.content),
      author: item.authors?.[0].name ?? item.dc?.creators?.[0],
      labels: item.tags ?? item.categories.map((each: { name?: string; label?: string }) => each.name ?? each.label),
      published: new Date(item.published ?? item.date_published ?? item.pubDate).getTime()
    }))
  }
}
/** Atom's texts say how they are written, too. */
const textOf = (text: string | { value?: string } | undefined) => (typeof text === 'object' ? text.value : text)
const linkOf = (links: { rel: string; href: string }[] | undefined, rel: string) =>
  links?.find(link => link.rel === rel)?.href

/** A title as it reads, where it stands as HTML. */
const asShown = (text: string): string => text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')

test('the three formats say the same, whatever titles and names hold', async () => {
  const [rss, atom, json] = await Promise.all(files.map(file => read(`/${file}`)))
  assert.equal(rss?.items.length, titles.length)
  for (const feed of [rss, atom]) {
    assert.equal(feed?.title, 'Bees ]]> & <b> \ufffd')
    assert.deepEqual(
      feed?.items.map(item => asShown(item.title)),
      json?.items.map(item => item.title)
    )
    for (const key of ['id', 'url', 'author', 'labels'] as const)
      assert.deepEqual(
        feed?.items.map(item => item[key]),
        json?.items.map(item => item[key]),
        key
      )
  }
  assert.deepEqual(json?.items[0]?.labels, ['Bees', 'R & D <x>'])
  assert.match((await get('/atom.xml')).body, /<category term="bees" label="Bees"/)
  assert.equal(json?.items[0]?.author, 'Ada "<&\'> Lovelace')
  assert.match(atom?.items[0]?.text, /Text 5 \]\]&gt; here/)
})

test('a category and a tag have feeds of their own, with their name, and 404 where no public post has them', async () => {
  for (const file of files) {
    const bees = await read(`/categories/bees/${file}`)
    assert.deepEqual([bees.items.length, bees.title], [3, 'Bees ]]> & <b> \ufffd: Bees'])
    assert.equal(bees.self, `http://localhost:8000/categories/bees/${file}`)
    const tagged = await read(`/tags/r-and-d-x/${file}`)
    assert.deepEqual([tagged.items.length, tagged.title], [titles.length, 'Bees ]]> & <b> \ufffd: R & D <x>'])
    for (const url of [`/categories/nothing/${file}`, `/tags/nothing/${file}`]) {
      const { statusCode, body } = await get(url)
      assert.deepEqual([statusCode, JSON.parse(body).error_code], [404, 'NOT_FOUND'])
    }
  }
})

test('an address may have parameters that others added: it is the same feed', async () => {
  for (const file of files)
    for (const url of [`/${file}`, `/categories/bees/${file}`, `/tags/r-and-d-x/${file}`]) {
      const { body, headers } = await get(url)
      const tagged = await get(`${url}?utm_source=reader&t=1`)
      assert.deepEqual([tagged.statusCode, tagged.body], [200, body])
      const again = await get(`${url}?t=2`, { 'if-none-match': headers.etag })
      assert.deepEqual([again.statusCode, again.headers.etag], [304, headers.etag])
    }
})

test('feed_content decides on whole texts or excerpts', async () => {
  harness.values.feed_content = 'excerpt'
  await harness.touch()
  for (const file of files) {
    const { body } = await get(`/${file}`)
    assert.doesNotMatch(body, /Text \d/)
    const [item] = (await read(`/${file}`)).items
    assert.ok(item)
  }
  assert.equal(JSON.parse((await get('/feed.json')).body).items[0].content_text, 'A & <b>B</b>')
  harness.values.feed_content = 'full'
  await harness.touch()
})

test('a hub is named in every feed, and in the headers that subscribers read first', async () => {
  assert.equal((await read('/atom.xml')).hub, undefined)
  assert.equal((await get('/atom.xml')).headers.link, undefined)
  hub = 'https://hub.example/?a=1&b=2'
  await harness.touch()
  for (const file of files) {
    assert.equal((await read(`/${file}`)).hub, hub)
    const { link } = (await get(`/tags/r-and-d-x/${file}`)).headers
    assert.equal(link, `<${hub}>; rel="hub", <http://localhost:8000/tags/r-and-d-x/${file}>; rel="self"`)
  }
  hub = 'https://bücher.example/ä<>'
  await harness.touch()
  assert.match(
    String((await get('/atom.xml')).headers.link),
    /^<https:\/\/xn--bcher-kva.example\/%C3%A4%3C%3E>; rel="hub"/
  )
  assert.throws(() => harness.posts.registerFeedHub(() => ''), TypeError)
  hub = ''
})

test('they are public reads: HEAD, a strong ETag, 304, and a withdrawn post is gone at once', async () => {
  for (const file of files) {
    const { headers } = await get(`/${file}`)
    assert.match(String(headers.etag), /^"/)
    const head = await harness.app.inject({ method: 'HEAD', url: `/${file}` })
    assert.deepEqual([head.headers.etag, head.body], [headers.etag, ''])
    assert.equal((await get(`/${file}`, { 'if-none-match': headers.etag })).statusCode, 304)
  }
  const { post_id } = await makePublic(harness, { title: 'Soon gone', category: 'short-lived' })
  assert.match((await get('/categories/short-lived/atom.xml')).body, /Soon gone/)
  await harness.db.transaction(tx => harness.posts.archive(tx, post_id, operator))
  assert.equal((await get('/categories/short-lived/atom.xml')).statusCode, 404)
  for (const file of files) assert.doesNotMatch((await get(`/${file}`)).body, /Soon gone/)
})

test('a category that is a tag, too, stands in RSS once', async () => {
  await makePublic(harness, { title: 'Twice said', category: 'moons', tags: ['Moons', 'Ebb'] })
  const [, item = ''] =
    /<item><title><!\[CDATA\[Twice said\]\]>([\s\S]*?)<\/item>/.exec((await get('/feed.xml')).body) ?? []
  assert.deepEqual(
    Array.from(item.matchAll(/<category>(.*?)<\/category>/g), ([, name]) => name),
    ['Moons', 'Ebb']
  )
})

test('addresses within a post lead to its page, and those of its site to the site; code stays as it is', async () => {
  const body =
    '[About](/about), [ebb](ebb), [Flow](HTTP://example.net), [?](?a=1) and a note[^1].\n\n    <a href="/x"> <a href="#y">\n\n[^1]: [There](https://example.net/n).'
  const { slug } = await makePublic(harness, { title: 'Notes', body, category: 'tides' })
  const [item] = (await read('/feed.xml')).items.filter(({ title }) => title === 'Notes')
  const text = String(item?.text)
  const addresses = [...text.matchAll(/<a href="([^"]*)"/g)].map(([, address]) => address)
  const page = String(item?.url)
  assert.ok(page.endsWith(`/posts/${slug}`))
  assert.deepEqual(addresses, [
    `${new URL(page).origin}/about`,
    `${new URL('ebb', page)}`,
    'HTTP://example.net',
    `${page}?a=1`,
    `${page}#note-1`,
    'https://example.net/n',
    `${page}#noteref-1`
  ])
  assert.match(text, /&lt;a href="\/x"&gt; &lt;a href="#y"&gt;/)
})
