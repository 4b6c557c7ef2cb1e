import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asClient, type Harness, makePost, makePublic } from '../posts/harness.ts'

/** Posts that the suite looks for. */
export const postsOfSuite = {
  Lighthouses: 'The keepers lit the lamps.',
  'Of keepers': '## Lighthouses at night\n\nThey watch the sea all night long.',
  Harbours: 'A harbour often has one of the lighthouses that ships look for.',
  'Café culture': 'Crème brûlée, naïve art and Straßenbahn.',
  東京: '東京は日本の首都です。',
  'Node.js releases': 'What is new in version 24.1 of node.js? See /api/posts and C++.',
  Ёжик: 'В тумане, with Ælfred.',
  'Rockets 🚀 and joy': 'They fly to the moon👍🏽, with ☕ and love ❤️ for all.',
  Gardening: 'Roses need water, tulips need sun. The rose garden blooms.',
  'Rose wine': 'A wine that is no garden.',
  Versions:
    'Multiversion concurrency lets readers go on through deployments, and explained plans tell carefully how. Kubernetes is brown.'
}

const found: [q: string, titles: string[], why: string][] = [
  ['lighthouse', ['Lighthouses', 'Of keepers', 'Harbours'], 'title before heading before text'],
  ['LIGHTHOUSES', ['Lighthouses', 'Of keepers', 'Harbours'], 'endings and case make no difference'],
  ['lighth', ['Lighthouses', 'Of keepers', 'Harbours'], 'the beginning of a word stands for it'],
  ['light*', ['Lighthouses', 'Of keepers', 'Harbours'], 'so does one that is asked for'],
  ['lighthuose', ['Lighthouses', 'Of keepers', 'Harbours'], 'two letters swapped'],
  ['lihgthous', ['Lighthouses', 'Of keepers', 'Harbours'], 'an ending less, too'],
  ['gardning', ['Gardening', 'Rose wine'], 'of any word alike'],
  ['harbor', ['Harbours'], 'a letter less'],
  ['gardeing', ['Gardening', 'Rose wine'], 'a letter less in an ending that the index does not keep'],
  ['gardenign', ['Gardening', 'Rose wine'], 'two letters of it swapped'],
  ['deploymnets', ['Versions'], 'in the middle of two endings'],
  ['deploiment', ['Versions'], 'where an ending begins, and another ending than the post has'],
  ['multiversoin', ['Versions'], 'a long ending'],
  ['explaned', ['Versions'], 'before an ending'],
  ['concurency', ['Versions'], 'a doubled letter'],
  ['consurrency', ['Versions'], 'another letter'],
  ['kubernets', ['Versions'], 'a name'],
  ['brwon', ['Versions'], 'two letters swapped in a short word'],
  ['gardn', ['Gardening', 'Rose wine'], 'a short word'],
  ['graden', ['Gardening', 'Rose wine'], 'six letters with two swapped, which have little in common'],
  ['tuilps', ['Gardening'], 'of an inflected word'],
  ['keepres', ['Lighthouses', 'Of keepers'], 'at its end'],
  ['roving', [], 'a word whose stem is a slip away from another, not the word itself'],
  ['waning', [], 'nor this one'],
  ['carw', [], 'a short word near to the stem of a long one'],
  ['"rose garden"', ['Gardening'], 'a phrase is found word for word'],
  ['"garden rose"', [], 'and in its order'],
  ['rose -wine', ['Gardening'], 'a word that is not wanted'],
  ['"the rose"', ['Gardening'], 'beginning with a word that says nothing'],
  ['"no garden"', ['Rose wine'], 'and with nothing else'],
  ['"lit the lamps"', ['Lighthouses'], 'with such a word within'],
  ['"lit these lamps"', [], 'which is not another'],
  ['"naive art and strassenbahn"', ['Café culture'], 'with accents typed or not'],
  ['"an art and Straßenbahn"', [], 'and another word before'],
  ['garden -"no garden"', ['Gardening'], 'such a phrase that is not wanted'],
  ['on*', ['Harbours'], 'a beginning that is itself a word that says nothing'],
  [
    'do roses need water or sun in the "garden of rose blooms"',
    ['Gardening', 'Rose wine'],
    'the words of quotes in a question'
  ],
  ['rose -"rose garden"', ['Rose wine'], 'a phrase that is not wanted'],
  ['garden -rosse', ['Rose wine', 'Gardening'], 'what is not wanted is not guessed'],
  ['-rose', [], 'nothing but what is not wanted'],
  ['tokyo or wine', ['Rose wine'], 'one or the other'],
  ['wine or harbour', ['Harbours', 'Rose wine'], 'one or the other, the newer first'],
  ['cafe creme', ['Café culture'], 'accents make no difference'],
  ['CAFÉ brulee', ['Café culture'], 'in the query neither'],
  ['strassenbahn', ['Café culture'], 'nor does a sharp s'],
  ['🚀', ['Rockets 🚀 and joy'], 'a pictograph'],
  ['👍 moon', ['Rockets 🚀 and joy'], 'one that stands at a word, whatever its colour'],
  ['❤', ['Rockets 🚀 and joy'], 'whatever form of it'],
  ['"☕ and love"', ['Rockets 🚀 and joy'], 'in a phrase'],
  ['🚁', [], 'another than a post has'],
  ['ежик', ['Ёжик'], 'nor do the dots of a Cyrillic letter'],
  ['ÆLFRED', ['Ёжик'], 'nor does a letter that is two, in capitals'],
  ['aelfred', ['Ёжик'], 'or as two'],
  ['日本', ['東京'], 'characters without blanks, anywhere'],
  ['東京', ['東京'], 'in the title'],
  ['本日', [], 'in their order'],
  ['node.js', ['Node.js releases'], 'a name with a point'],
  ['js node', ['Node.js releases'], 'and its parts'],
  ['24.1', ['Node.js releases'], 'numbers'],
  ['/api/posts', ['Node.js releases'], 'paths'],
  [
    'lighthouse tulips',
    ['Gardening', 'Lighthouses', 'Of keepers', 'Harbours'],
    'no post with both: those with one, the rare word first'
  ],
  ['the', [], 'words that say nothing'],
  ['the of and', [], 'several of them'],
  ['zzzzqqqq', [], 'a word like no other']
]
/** What is searched, and how it comes to know a change. */
export interface Searched {
  harness(): Harness
  /** Returns when what was changed is found. */
  sync(): Promise<void>
}

/** What every driver of the search finds: of the posts above, in the order they were published in. */
export function findsByWords({ harness: open, sync }: Searched): void {
  const search = async (q: string, more = '') => {
    const response = await open().app.inject({
      method: 'GET',
      url: `/api/posts/search?q=${encodeURIComponent(q)}${more}`
    })
    assert.equal(response.statusCode, 200, `${q}: ${response.body}`)
    return response.json() as {
      items: { title: string; snippet: string }[]
      total: number
      degraded?: boolean
      corrected?: { from: string; to: string }[]
    }
  }
  const titles = async (q: string) => (await search(q)).items.map(item => item.title)

  for (const [q, expected, why] of found) {
    test(`${q}: ${why}`, async () => {
      const { items, total, degraded } = await search(q)
      assert.deepEqual(items.map(item => item.title).sort(), [...expected].sort())
      if (!/or |tulips|-rosse|gr?a?r?de?ni?n?g?|keepres/.test(q))
        assert.deepEqual(
          items.map(item => item.title),
          expected
        )
      assert.deepEqual([total, degraded], [expected.length, undefined])
    })
  }

  test('a word counts as often as it is said', async () => {
    const both = async (q: string) => (await titles(q)).filter(title => ['Harbours', 'Rose wine'].includes(title))
    assert.deepEqual(await both('ships wine ships'), ['Harbours', 'Rose wine'])
    assert.deepEqual(await both('ships wine wine'), ['Rose wine', 'Harbours'])
  })

  test('an answer says which words were searched for instead of misspelt ones, and only of those', async () => {
    const corrected = async (q: string) => (await search(q)).corrected?.map(({ from, to }) => `${from}: ${to}`)
    assert.deepEqual(await corrected('lihgthouse Gardning'), ['lihgthouse: lighthouses', 'gardning: gardening'])
    assert.deepEqual(await corrected('tuilps'), ['tuilps: tulips'])
    // Found, completed, in a phrase, excluded, unknown.
    for (const q of ['rose', 'roses', 'lighth', 'light*', '"lihgthouse"', 'rose -gardn', 'xyzzyx'])
      assert.equal(await corrected(q), undefined, q)
  })

  test('what is asked for in any way is answered, or refused with the reason', async () => {
    const odd = [
      '"',
      '""',
      '-',
      '--',
      '*',
      '|',
      '&',
      '!',
      '(',
      ')',
      ':',
      '<->',
      "'",
      '\\',
      '%',
      '_',
      '{}',
      '[]',
      '@',
      '~',
      "'; drop table posts; --",
      "' or 1=1 --",
      'a & b | !c',
      'foo:*',
      'a <-> b',
      "to_tsquery('x')",
      '$1',
      '#{x}',
      '🎉',
      '🎉🎉🎉',
      '👩‍👩‍👧‍👦',
      '\u200b',
      '\u202e',
      '\ufeff',
      '\u0301',
      'a\u0301'.repeat(100),
      '\u0000',
      'lamp\u0000s',
      '\ud83d',
      '\udc00\ud800',
      'ß'.repeat(250),
      '語'.repeat(500),
      'word '.repeat(100).trim(),
      '-a '.repeat(160).trim(),
      '"a '.repeat(160).trim(),
      'or',
      'or or or',
      'or -or',
      'and not',
      'NULL',
      'undefined',
      'true',
      '1e999',
      '<script>alert(1)</script>',
      '../../etc/passwd',
      'x'.repeat(500),
      'π'.repeat(400),
      '* *',
      'a*',
      '"a*"',
      '-"',
      '-""',
      '-*',
      '|||',
      'a | | b',
      'a or',
      'é*'
    ]
    for (const q of odd) {
      const url = `/api/posts/search?q=${encodeURIComponent(q.toWellFormed())}`
      const { statusCode, body } = await open().app.inject({ method: 'GET', url })
      assert.ok(statusCode === 200 || statusCode === 400, `${JSON.stringify(q)}: ${statusCode} ${body}`)
      if (statusCode === 200)
        assert.deepEqual(Object.keys(JSON.parse(body)), ['items', 'total', 'limit', 'offset', 'next_cursor'])
      await open().search.search.find(q, { limit: 5, offset: 0 })
    }
    for (const q of ['', '%20', 'x'.repeat(10_000), '%ED%A0%80', '%00%00']) {
      const { statusCode } = await open().app.inject({ method: 'GET', url: `/api/posts/search?q=${q}` })
      assert.ok(statusCode === 200 || statusCode === 400, `${q.slice(0, 20)}: ${statusCode}`)
    }
  })

  test('snippets mark what was found, also when the word was misspelt', async () => {
    assert.match((await search('lighthuose')).items[2]?.snippet ?? '', /<mark>lighthouses<\/mark>/)
    assert.match((await search('creme')).items[0]?.snippet ?? '', /^<mark>Crème<\/mark> brûlée/)
    assert.match((await search('strassenbahn')).items[0]?.snippet ?? '', /<mark>Straßenbahn<\/mark>\.$/)
  })

  test('a withdrawn post is gone with the change, an edited one is found by its new words only', async () => {
    const harness = open()
    const { post_id } = await makePublic(harness, { title: 'Ephemeral', body: 'Mayflies live for a day.' })
    await sync()
    assert.deepEqual(await titles('mayfly'), ['Ephemeral'])
    await harness.components.edits.edit(
      post_id,
      { content: 'Dragonflies live for a summer.', excerpt: null },
      { actor: 'operator' }
    )
    await sync()
    assert.deepEqual(await titles('mayfly'), [])
    assert.deepEqual(await titles('dragonfly'), ['Ephemeral'])
    await harness.components.states.archiveChecked(post_id, { actor: 'operator' }, () => {})
    assert.equal((await search('dragonfly')).total, 0)
  })

  test('what is not public is found by nothing', async () => {
    const harness = open()
    const post_id = await makePost(harness, { title: 'Quokka', body: 'Quokkas smile.' })
    for (const q of ['quokka', 'quok*', 'qoukka', '"quokkas smile"']) assert.equal((await search(q)).total, 0, q)
    await harness.db.query(
      "update posts set status = 'published', published_at = now() + interval '1 hour' where post_id = $1",
      [post_id]
    )
    harness.setCurrent(false)
    await sync()
    assert.equal((await search('quokka')).total, 0, 'its slot is to come')
    await harness.db.query('update posts set published_at = now() where post_id = $1', [post_id])
    await sync()
    assert.equal((await search('quokka')).total, 1, 'published by another process')
    await harness.db.query("update posts set status = 'archived' where post_id = $1", [post_id])
    assert.equal((await search('quokka')).total, 0, 'withdrawn by another process')
    harness.setCurrent(true)
  })
}

/** What every driver suggests, with the posts above. */
export function suggests({ harness: open, sync }: Searched): void {
  const suggest = async (q: string, more = '') => {
    const url = `/api/posts/suggest?q=${encodeURIComponent(q)}${more}`
    const response = await open().app.inject({ method: 'GET', url })
    assert.equal(response.statusCode, 200, `${q}: ${response.body}`)
    return response.json() as { items: { title: string; slug: string }[]; completions: string[] }
  }
  const suggested = async (q: string, more = '') => (await suggest(q, more)).items.map(({ title }) => title)

  test('titles and words are suggested from the second letter on', async () => {
    assert.deepEqual(await suggest('l'), { items: [], completions: [] })
    const { items, completions } = await suggest('Li')
    assert.deepEqual([items.map(item => item.title), completions], [['Lighthouses'], ['lighthouses']])
    const { statusCode } = await open().app.inject({ method: 'GET', url: `/api/posts/${items[0]?.slug}` })
    assert.equal(statusCode, 200)
    assert.deepEqual(await suggested('of ke'), ['Of keepers'])
    assert.deepEqual(await suggested('ro'), ['Rose wine', 'Rockets 🚀 and joy'])
    assert.deepEqual(await suggested('ro', '&limit=1'), ['Rose wine'])
    assert.deepEqual(await suggested('rose'), ['Rose wine'], 'a word that is a beginning, too')
    assert.deepEqual((await suggest('rose')).completions, [], 'but not what it may become')
    assert.deepEqual(await suggested('ke'), ['Of keepers'])
    for (const [q, title] of Object.entries({
      CAFE: 'Café culture',
      京: '東京',
      'node.j': 'Node.js releases',
      Еж: 'Ёжик'
    }))
      assert.deepEqual(await suggested(q), [title], q)
    for (const q of ['" *', '-', 'roses', 'keepers ofx', '%', 'x'.repeat(100)])
      assert.deepEqual(await suggested(q), [], q)
    for (const query of ['', 'q=', 'q=%20', `q=${'x'.repeat(101)}`, 'q=ab&limit=0', 'q=ab&limit=21', 'q=ab&cursor=x'])
      assert.equal(
        (await open().app.inject({ method: 'GET', url: `/api/posts/suggest?${query}` })).statusCode,
        400,
        query
      )
  })

  test('words are completed after an apostrophe, and after a hyphen between two words of titles', async () => {
    const titles = ["L'école de la mer", 'Une école', "L'eau", 'Blue green algae']
    for (const title of titles) await makePublic(open(), { title, body: 'It is what it is.' })
    await sync()
    const completed = Object.entries({ "d'éco": 'ecole', "qu'eco": 'ecole', "d'ea": 'eau', 'blue-gre': 'green' })
    for (const [q, word] of completed) assert.deepEqual((await suggest(q)).completions, [word], q)
    await open().db.query("update posts set status = 'archived' where title = any($1::text[])", [titles])
    await open().touch()
    await sync()
  })

  test('suggestions follow what is public, and its titles', async () => {
    const harness = open()
    const post_id = await makePost(harness, { title: 'Zeppelins', body: 'They fly.' })
    assert.deepEqual(await suggested('zep'), [])
    await asClient(harness, 'POST', `/api/posts/${post_id}/publish`)
    await sync()
    assert.deepEqual(await suggested('zep'), ['Zeppelins'])
    await harness.components.edits.edit(post_id, { title: 'Airships' }, { actor: 'operator' })
    await sync()
    assert.deepEqual([await suggested('zep'), await suggested('air')], [[], ['Airships']])
    await harness.db.query('update posts set status = $1 where post_id = $2', ['archived', post_id])
    assert.deepEqual(await suggested('air', '&limit=7'), [], 'withdrawn where nobody was told')
    await harness.touch()
    await sync()
    assert.deepEqual((await suggest('air', '&limit=6')).completions, [])
  })
}
