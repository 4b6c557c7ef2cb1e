import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { asClient, type Harness, historyOf, makePost, makePublic, openPosts } from './harness.ts'

let harness: Harness
before(async () => {
  harness = await openPosts({ withMemory: false })
})
after(() => harness.close())
const get = (url: string) => harness.app.inject({ method: 'GET', url })
const patch = (id: string, body: object, headers?: Record<string, string>) =>
  asClient(harness, 'PATCH', `/api/posts/${id}`, body, headers)

test('an edit writes the fields, history and event together and answers the post', async () => {
  const { post_id, slug } = await makePublic(harness)
  harness.events.splice(0)
  const body = {
    ...{
      title: '  New   title ',
      excerpt: 'Short.',
      content: '# T\n\nBody **bold**.',
      category: 'Data Bases',
      tags: ['One', 'one', 'Two']
    },
    ...{ seo_title: 'S', seo_description: 'D', seo_keywords: ['k'], featured_image_url: 'https://x.example/a.png' }
  }
  const response = await patch(post_id.slice(0, 8), body)
  assert.equal(response.statusCode, 200)
  const post = response.json()
  assert.deepEqual(
    [post.title, post.excerpt, post.category, post.tags, post.content_html, post.word_count, post.slug],
    ['New title', 'Short.', 'data-bases', ['One', 'Two'], '<p>Body <strong>bold</strong>.</p>\n', 2, slug]
  )
  assert.equal((await historyOf(harness, post_id)).at(-1), 'edit published published')
  assert.deepEqual(harness.events, [
    { type: 'posts.edited', payload: { post_id, slug, actor: 'client', previous_slug: slug } }
  ])
})

test('tags that differ in their signs only are counted apart', async () => {
  const { post_id } = await makePublic(harness)
  await patch(post_id, { tags: ['C', 'C++', 'C#'] })
  const names = new Map(
    (await get('/api/tags?limit=100')).json().items.map(({ slug, name }: Record<string, string>) => [slug, name])
  )
  assert.deepEqual(
    ['c', 'c-plus-plus', 'c-sharp'].map(slug => names.get(slug)),
    ['C', 'C++', 'C#']
  )
})

test("a post without a language has the site's; its own and its author are edited and cleared", async () => {
  const { post_id, slug } = await makePublic(harness)
  const read = async () => (await get(`/api/posts/${slug}`)).json()
  assert.deepEqual([(await read()).language, (await read()).author], ['en', null])
  harness.values.site_language = 'de'
  await patch(post_id, { author: ' Ada Lovelace ' })
  assert.deepEqual([(await read()).language, (await read()).author], ['de', 'Ada Lovelace'])
  await patch(post_id, { language: 'pt-BR', author: null })
  assert.deepEqual([(await read()).language, (await read()).author], ['pt-BR', null])
  for (const language of ['english language', 'x', 'en_US'])
    assert.equal((await patch(post_id, { language })).statusCode, 400, language)
  delete harness.values.site_language
})

test('null clears an optional field', async () => {
  const { post_id } = await makePublic(harness, { category: 'x', tags: ['y'] })
  const cleared = ['excerpt', 'category', 'seo_title', 'seo_description', 'featured_image_url']
  const body = Object.fromEntries([...cleared, 'tags', 'seo_keywords'].map(field => [field, null]))
  const post = (await patch(post_id, body)).json()
  for (const field of cleared) assert.equal(post[field], null, field)
  assert.deepEqual([post.tags, post.seo_keywords], [[], []])
})

test('a blank text clears an optional field, and a field of one line has one', async () => {
  const { post_id } = await makePublic(harness)
  const fields = ['excerpt', 'seo_title', 'seo_description']
  for (const blank of ['', ' \n\t '])
    for (const field of fields) {
      assert.equal((await patch(post_id, { [field]: 'Given' })).json()[field], 'Given')
      assert.equal((await patch(post_id, { [field]: blank })).json()[field], null, `${field} ${JSON.stringify(blank)}`)
    }
  const lines = { seo_title: ' A\ntitle ', seo_description: 'Two\r\n lines', author: 'Ada\tLovelace' }
  const { seo_title, seo_description, author } = (await patch(post_id, lines)).json()
  assert.deepEqual([seo_title, seo_description, author], ['A title', 'Two lines', 'Ada Lovelace'])
})

test('a blank SEO text that is stored is none to readers', async () => {
  const { post_id, slug } = await makePublic(harness)
  await harness.db.query("update posts set seo_title = '', seo_description = ' ' where post_id = $1", [post_id])
  const { seo_title, seo_description } = (await get(`/api/posts/${slug}`)).json()
  assert.deepEqual([seo_title, seo_description], [null, null])
})

test('what is not on the list of editable fields is refused and changes nothing', async () => {
  const { post_id } = await makePublic(harness)
  const bodies: object[] = [
    ...['status', 'post_id', 'published_at', 'metadata', 'word_count', 'content_html'].map(field => ({
      title: 'X',
      [field]: 'x'
    })),
    {},
    { title: null },
    { title: ' ' },
    { title: '\u200b' },
    { title: 'x'.repeat(301) },
    { slug: null },
    { slug: 'Not A Slug' },
    { slug: 'a'.repeat(81) },
    { slug: '' },
    { content: '' },
    { tags: 'x' },
    { tags: [''] },
    { featured_image_url: 'javascript:alert(1)' },
    { featured_image_url: '//evil.example/x' },
    { slug: 'search' },
    { slug: 'preview' }
  ]
  for (const body of bodies) assert.equal((await patch(post_id, body)).statusCode, 400, JSON.stringify(body))
  assert.deepEqual((await patch(post_id, { slug: 'Not A Slug' })).json().errors, {
    slug: 'is not a slug: lower-case letters and digits in words joined by -'
  })
  assert.equal((await historyOf(harness, post_id)).filter(step => step.startsWith('edit')).length, 0)
})

test('an edit that changes nothing leaves no trace', async () => {
  const { post_id, title } = await makePublic(harness)
  const before = (await patch(post_id, { title })).headers.etag
  assert.equal((await patch(post_id, { title, seo_title: null })).headers.etag, before)
  assert.equal(
    (await historyOf(harness, post_id)).some(step => step.startsWith('edit')),
    false
  )
})

test('ids are told apart: malformed 400, unknown 404, several 409', async () => {
  const { post_id } = await makePublic(harness)
  const twin = `${post_id.slice(0, 8)}-0000-4000-8000-000000000000`
  const statusOf = async (id: string) => (await patch(id, { seo_title: 'x' })).statusCode
  assert.equal(await statusOf(post_id.slice(0, 7)), 400)
  assert.equal(await statusOf('not-an-id'), 400)
  assert.equal(await statusOf('ffffffff'), 404)
  assert.equal(await statusOf('ffffffff-ffff-4fff-8fff-ffffffffffff'), 404)
  assert.equal(await statusOf(post_id.slice(0, 13).toUpperCase()), 200)
  await harness.db.query(
    "insert into posts (post_id, slug, title, content, content_html, status) values ($1, 'twin', 't', 'c', 'c', 'draft')",
    [twin]
  )
  assert.equal(await statusOf(post_id.slice(0, 8)), 409)
})

test('If-Match with an older tag is refused, with the present one accepted', async () => {
  const { post_id, slug } = await makePublic(harness)
  const tag = String((await get(`/api/posts/${slug}`)).headers.etag)
  assert.match(tag, /^"[^"]+"$/)
  const changed = await patch(post_id, { seo_title: 'one' }, { 'if-match': tag })
  assert.equal(changed.statusCode, 200)
  const present = String(changed.headers.etag)
  const full = await asClient(harness, 'GET', `/api/posts/${slug}`)
  assert.equal(full.headers.etag, present)
  assert.notEqual(
    (await get(`/api/posts/${slug}`)).headers.etag,
    present,
    'what readers get is less, and has another tag'
  )
  for (const stale of [tag, `W/${present}`, '"other"']) {
    assert.equal((await patch(post_id, { seo_title: 'two' }, { 'if-match': stale })).statusCode, 412, stale)
    const headers = { 'if-match': stale }
    assert.equal(
      (await asClient(harness, 'DELETE', `/api/posts/${post_id}`, undefined, headers)).statusCode,
      412,
      stale
    )
  }
  for (const accepted of ['*', `"other", ${present}`]) {
    assert.equal((await patch(post_id, { seo_title: 'one' }, { 'if-match': accepted })).statusCode, 200, accepted)
  }
})

test('a changed slug redirects, a chain leads to the present one, a re-used slug wins', async () => {
  const { post_id } = await makePublic(harness, { slug: 'first' })
  await patch(post_id, { slug: 'second' })
  await patch(post_id, { slug: 'third' })
  for (const old of ['first', 'second']) {
    const response = await get(`/api/posts/${old}`)
    assert.deepEqual([response.statusCode, response.headers.location], [301, '/api/posts/third'])
  }
  const other = await makePublic(harness, { title: 'Other' })
  assert.equal((await patch(other.post_id, { slug: 'third' })).statusCode, 409)
  await patch(other.post_id, { slug: 'first' })
  assert.equal((await get('/api/posts/first')).json().title, 'Other')
  await patch(other.post_id, { slug: 'fourth' })
  assert.equal((await get('/api/posts/first')).headers.location, '/api/posts/fourth')
  await patch(post_id, { slug: 'second' })
  assert.equal((await get('/api/posts/second')).statusCode, 200)
  await asClient(harness, 'POST', `/api/posts/${post_id}/unpublish`)
  assert.equal((await get('/api/posts/third')).statusCode, 404)
})

test('archiving answers the post, withdraws it and can be repeated', async () => {
  const { post_id, slug } = await makePublic(harness)
  harness.events.splice(0)
  assert.equal((await asClient(harness, 'DELETE', `/api/posts/${post_id}`)).json().status, 'archived')
  assert.equal((await asClient(harness, 'DELETE', `/api/posts/${post_id}`)).statusCode, 200)
  assert.deepEqual(
    harness.events.map(event => event.type),
    ['posts.withdrawn']
  )
  assert.equal((await get(`/api/posts/${slug}`)).statusCode, 404)
})

test('changes need a token', async () => {
  const id = await makePost(harness)
  for (const [method, url] of [
    ['PATCH', `/api/posts/${id}`],
    ['DELETE', `/api/posts/${id}`],
    ['POST', `/api/posts/${id}/unpublish`]
  ] as const) {
    assert.equal((await harness.app.inject({ method, url })).statusCode, 401, url)
  }
})

/** Short rows are padded to the width of the header. */
const wideTable = `|${'a|'.repeat(2000)}\n|${'-|'.repeat(2000)}\n${'|a\n'.repeat(2000)}`

const unfit: [string, string, RegExp][] = [
  ['a table whose short rows are padded', wideTable, /takes more than|becomes \d+ bytes/],
  ['quotations in quotations', '>'.repeat(30_000), /nested too deep/],
  ['a long address named often', `[a]: http://x.example/${'y'.repeat(2000)}\n\n${'[a] '.repeat(5000)}`, /bytes of HTML/]
]
for (const [what, content, reason] of unfit) {
  test(`a text that cannot be rendered is refused with the reason, and the service goes on: ${what}`, async () => {
    const { post_id, slug } = await makePublic(harness)
    const response = await patch(post_id, { content })
    assert.equal(response.statusCode, 400)
    assert.match(response.json().errors.content, reason)
    const read = (await get(`/api/posts/${slug}`)).json()
    assert.notEqual(read.content, content)
    await assert.rejects(
      harness.components.creation.create(
        { body: content, title: 'T', status: 'draft', allowsDuplicates: true },
        { actor: 'a' }
      ),
      { code: 'VALIDATION_ERROR' }
    )
  })
}

test('a text is rendered once: an edit of another field leaves its HTML as it is', async () => {
  const { post_id } = await makePublic(harness, { body: 'As *it* was.' })
  await harness.db.query('update posts set content_html = $2, word_count = 77 where post_id = $1', [
    post_id,
    '<p>!</p>'
  ])
  for (const body of [{ title: 'Another title' }, { content: 'As *it* was.', excerpt: 'Said again.' }]) {
    const post = (await patch(post_id, body)).json()
    assert.deepEqual([post.content_html, post.word_count], ['<p>!</p>', 77])
  }
  const post = (await patch(post_id, { content: 'As *it* is.' })).json()
  assert.deepEqual([post.content_html, post.word_count], ['<p>As <em>it</em> is.</p>\n', 3])
})

test('an excerpt that was made of the text follows it; one that somebody wrote stays', async () => {
  const { post_id } = await makePublic(harness, { body: 'A retracted claim.\n\nMore.' })
  const follow = await patch(post_id, { content: 'What is so.\n\nMore.' })
  assert.equal(follow.json().excerpt, 'What is so.')
  await patch(post_id, { excerpt: 'By hand.' })
  assert.equal((await patch(post_id, { content: 'Another text.' })).json().excerpt, 'By hand.')
  assert.equal((await patch(post_id, { content: 'A last one.', excerpt: null })).json().excerpt, null)
  assert.equal((await patch(post_id, { content: 'And one more.' })).json().excerpt, null)
})
