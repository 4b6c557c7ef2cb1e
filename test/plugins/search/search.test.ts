import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { asClient, type Harness, makePost, makePublic, openPosts } from '../posts/harness.ts'

let harness: Harness
before(async () => {
  harness = await openPosts()
})
after(() => harness.close())
const search = async (query: string) =>
  (await harness.app.inject({ method: 'GET', url: `/api/posts/search?${query}` })).json()

test('posts are found by words, title first, with a marked and escaped snippet', async () => {
  await makePublic(harness, { title: 'Lighthouse keepers', body: 'They lit lamps & "lighthouses" for 1 < 2 ships.' })
  await makePublic(harness, { title: 'Harbours', body: 'A harbour has a lighthouse.' })
  await makePost(harness, { title: 'Lighthouse draft', body: 'A lighthouse.' })
  await harness.deliver()
  const { items, total } = await search('q=lighthouse')
  assert.equal(total, 2)
  assert.deepEqual(
    items.map((item: { title: string }) => item.title),
    ['Lighthouse keepers', 'Harbours']
  )
  assert.equal(items[0].snippet, 'They lit lamps &amp; &quot;<mark>lighthouses</mark>&quot; for 1 &lt; 2 ships.')
  assert.ok(items[0].score > items[1].score && items[1].score > 0)
  assert.equal('content' in items[0], false)
})

test('character references of a text are shown as a browser shows them, in snippets and excerpts', async () => {
  const body = [
    'Zebra pens &amp; inks &lt;script&gt;alert(1)&lt;/script&gt; caf&#233; &#x2014; a&nbsp;b &amp;lt; &bogus; &#0; &#128;.',
    'Zebra code `&hellip;` and ``x ` &copy;`` as typed.',
    '```html\n<p>&euro;</p>\n```'
  ].join('\n\n')
  const { post_id } = await makePublic(harness, { title: 'Stationery', body })
  await harness.deliver()
  const found = async (q: string) => {
    const { items } = await search(`q=${encodeURIComponent(q)}`)
    return items.find((item: { post_id: string }) => item.post_id === post_id)
  }
  const post = await found('zebra')
  assert.equal(
    post.snippet,
    '<mark>Zebra</mark> pens &amp; inks &lt;script&gt;alert(1)&lt;/script&gt; café — a b &amp;lt; &amp;bogus; \ufffd €. ' +
      '<mark>Zebra</mark> code &amp;hellip; and x ` &amp;copy; as typed. &lt;p&gt;&amp;euro;&lt;/p&gt;'
  )
  assert.equal(post.excerpt, 'Zebra pens & inks <script>alert(1)</script> café — a b &lt; &bogus; \ufffd €.')
})

test('what a page does not show is not found, and not in snippets', async () => {
  const body =
    'An okapi.\n\n<!-- The zebrafinch must go. -->\n\n<script>var wombatvar = 1</script>\n\nIts `<!-- quoll -->` is code.'
  await makePublic(harness, { title: 'Animals', body })
  for (const isIndexed of [false, true]) {
    if (isIndexed) await harness.index()
    assert.equal((await search('q=okapi')).items[0].snippet, 'An <mark>okapi</mark>. Its &lt;!-- quoll --&gt; is code.')
    assert.equal((await search('q=quoll')).total, 1)
    for (const q of ['zebrafinch', 'wombatvar', '%22zebrafinch must%22'])
      assert.equal((await search(`q=${q}`)).total, 0, q)
  }
})

test('a title is searched as it is typed', async () => {
  await makePublic(harness, { title: '<!-- a numbat of the moon', body: 'The moon.' })
  for (const isIndexed of [false, true]) {
    if (isIndexed) await harness.index()
    assert.equal((await search('q=%22numbat of the moon%22')).total, 1)
  }
})

test('a link is its text alone, whatever parentheses its address has', async () => {
  const links =
    'Quagga [one](javascript:alert(1)) [two](https://x.example/a_(b(c)) "t") [three](https://x.example) (four) [five](a(b'
  await makePublic(harness, { title: 'Parentheses', body: links })
  await harness.deliver()
  assert.equal((await search('q=quagga')).items[0].snippet, '<mark>Quagga</mark> one two three (four) five')
})

test('a query is 1 to 500 characters', async () => {
  for (const query of [
    '',
    'q=',
    'q=%20%20',
    `q=${'x'.repeat(501)}`,
    'q=x&limit=0',
    'q=x&cursor=junk',
    'q=x&colour=red'
  ]) {
    const { statusCode } = await harness.app.inject({ method: 'GET', url: `/api/posts/search?${query}` })
    assert.equal(statusCode, 400, query)
  }
  assert.deepEqual((await search(`q=${'x'.repeat(10_000)}`)).errors, {
    q: 'must have at most 500 characters; it has 10000'
  })
  for (const q of ['🚀'.repeat(500), 'the', '"unclosed', '-', '(&|!)', '日本', "'; drop table posts; --"]) {
    assert.equal((await search(`q=${encodeURIComponent(q)}`)).error_code, undefined, q)
  }
})

test('total is right past the ranked ones, and pages hold every match once', async () => {
  await harness.db.query(
    `insert into posts (slug, title, content, content_html, status, published_at)
     select 'many-' || n, 'Many ' || n, 'walrus', 'walrus', 'published', now() - make_interval(mins => n) from generate_series(1, 330) n`
  )
  await harness.index()
  const seen = new Set<string>()
  for (let url: string | null = 'q=walrus&limit=100'; url !== null; ) {
    const page: { items: { slug: string }[]; total: number; next_cursor: string | null } = await search(url)
    assert.equal(page.total, 330)
    for (const { slug } of page.items) seen.add(slug)
    url = page.next_cursor === null ? null : `q=walrus&limit=100&cursor=${page.next_cursor}`
  }
  assert.equal(seen.size, 330)
  const past = await search('q=walrus&offset=1000')
  assert.deepEqual([past.items, past.total], [[], 330])
})

describe('a query of many phrases', () => {
  const letters = [...'abcdefghijklmnopqrstuvwx']
  const phrases = letters.map(letter => `"the ${letter}"`).join(' OR ')
  const url = `/api/posts/search?limit=100&q=${encodeURIComponent(phrases)}`

  before(async () => {
    await harness.db.query(
      `insert into posts (slug, title, content, content_html, status, published_at)
       select 'phrase-' || n, 'Phrases ' || n, text, text, 'published', now() - make_interval(mins => n)
       from generate_series(1, 450) n, lateral (
         select 'On the b side ' || string_agg(letter, ' of ') as text from unnest($1::text[]) letter
       ) as made`,
      [letters]
    )
    await harness.index()
  })

  test('asks one thing at a time, for all phrases in one statement', async () => {
    harness.statements.length = 0
    const { total, degraded } = (await harness.app.inject({ method: 'GET', url })).json()
    assert.equal(harness.statements.filter(sql => sql.includes('search_postings')).length, 2, 'posts, and positions')
    assert.equal(degraded === true || total === 450, true)
  })

  test('answers what was found so far when its time is up', async () => {
    const late = { hasPassed: () => true, leftMs: () => 0, signal: new AbortController().signal }
    const part = { limit: 10, offset: 0 }
    const { total, items, isDegraded } = await harness.search.search.find(phrases, part, { deadline: late })
    assert.deepEqual([isDegraded, items.length], [true, 10])
    assert.ok(total > 0 && total < 450, `${total} were looked at`)
    const inTime = { ...late, hasPassed: () => false, leftMs: () => 60_000 }
    const whole = await harness.search.search.find(phrases, part, { deadline: inTime })
    assert.deepEqual([whole.total, whole.isDegraded], [450, false])
    const without = await harness.search.search.find(`side -"the b"`, part, { deadline: late })
    assert.equal(without.total, 0)
  })

  test('of any number is answered', async () => {
    for (const few of [1, 3, 7, 11]) {
      const some = letters.slice(1, few + 1).map(letter => `"the ${letter}"`)
      const found = await harness.search.search.find(some.join(' | '), { limit: 1, offset: 0 })
      assert.ok(found.total > 0, some.join())
    }
  })

  test('unknown words and beginnings are compared in one statement each, whatever their number', async () => {
    harness.statements.length = 0
    const words = letters.map(letter => `qz${letter}qz${letter} qz${letter}*`).join(' ')
    await harness.app.inject({ method: 'GET', url: `/api/posts/search?q=${encodeURIComponent(words)}` })
    assert.ok(harness.statements.length < 12, harness.statements.join('\n'))
  })
})

test('meaning finds what the words do not, and a withdrawn post is found by neither', async () => {
  const { post_id } = await makePublic(harness, {
    title: 'Sourdough starters',
    body: 'Sourdough starters ferment flour with wild yeast.'
  })
  await harness.deliver()
  harness.values.search_min_similarity = 0.1
  const q = 'q=sourdoughstarter'
  assert.equal((await search(q)).items[0]?.post_id, post_id)
  harness.values.search_min_similarity = 1
  // Another address: the harness changes the setting behind the back of the kept answers.
  assert.equal((await search(`${q}&limit=19`)).total, 0)
  delete harness.values.search_min_similarity
  await asClient(harness, 'POST', `/api/posts/${post_id}/unpublish`)
  assert.equal((await search('q=sourdough')).total, 0)
  await harness.deliver()
  assert.deepEqual(await harness.db.query('select 1 from memory_entries where source_id = $1', [post_id]), [])
})

test('memory follows what a post is, whatever order events arrive in', async () => {
  const { post_id } = await makePublic(harness, { title: 'Tides', body: 'Tides rise.' })
  const texts = () =>
    harness.db.query<{ text: string }>('select text from memory_entries where source_id = $1', [post_id])
  await harness.deliver()
  await harness.deliver()
  assert.deepEqual(await texts(), [{ text: '# Tides\n\nTides rise.' }])
  await harness.components.edits.edit(post_id, { content: 'Tides fall.' }, { actor: 'operator' })
  await harness.components.entries?.follow([post_id])
  assert.deepEqual(await texts(), [{ text: '# Tides\n\nTides fall.' }])
  await harness.components.states.archiveChecked(post_id, { actor: 'operator' }, () => {})
  await harness.components.entries?.follow([post_id])
  assert.deepEqual(await texts(), [])
})
