import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { runProgram } from '../../../cli/framework/run.ts'
import { searchCommand } from '../../../plugins/search/commands/search.ts'
import { recordSession } from '../../helpers/session.ts'
import { until } from '../../helpers/until.ts'
import { type Harness, makePublic, openPosts } from '../posts/harness.ts'

interface Answer {
  items: { title: string; snippet: string }[]
  total: number
  total_is_minimum?: true
  degraded?: true
}

let harness: Harness
before(async () => {
  harness = await openPosts()
})
after(() => harness.close())

async function search(q: string, more = ''): Promise<Answer> {
  const url = `/api/posts/search?q=${encodeURIComponent(q)}${more}`
  const response = await harness.app.inject({ method: 'GET', url })
  assert.equal(response.statusCode, 200, `${q}: ${response.body}`)
  return response.json()
}
const titles = async (q: string) => (await search(q)).items.map(({ title }) => title).sort()

describe('one of several phrases and words', () => {
  before(async () => {
    const posts = {
      Baking: 'An apple pie with cream.',
      Orchard: 'A pie apple is sour.',
      Zoo: 'The quokka smiles at people.',
      Cider: 'An apple, and no pie.'
    }
    for (const [title, body] of Object.entries(posts)) await makePublic(harness, { title, body })
    await harness.index()
    await harness.deliver()
  })

  const found: [q: string, titles: string[]][] = [
    ['"pie apple" or quokka', ['Orchard', 'Zoo']],
    ['quokka or "apple pie"', ['Baking', 'Zoo']],
    ['"apple pie" or "pie apple"', ['Baking', 'Orchard']],
    ['"apple pie" or quokka cream', ['Baking', 'Zoo']],
    ['quokka or sour', ['Orchard', 'Zoo']]
  ]
  for (const [q, expected] of found) test(q, async () => assert.deepEqual(await titles(q), expected))
})

test('of a beginning of more words than are looked for, the answer says that there are more', async () => {
  const words = Array.from({ length: 230 }, (_, at) => `uq${at + 100}x`)
  await makePublic(harness, { title: 'One', body: words.slice(0, 60).join(' ') })
  for (let from = 60; from < words.length; from += 10)
    await makePublic(harness, { title: `From ${from}`, body: words.slice(from, from + 10).join(' ') })
  await harness.index()
  await harness.deliver()
  const found = async (q: string) => {
    const { total, total_is_minimum } = await search(q)
    return { total, total_is_minimum }
  }
  assert.deepEqual(await found('uq1*'), { total: 5, total_is_minimum: undefined })
  assert.deepEqual(await found('uq*'), { total: 5, total_is_minimum: true })
  // Nobody said that it is a beginning: fewer words are tried.
  assert.deepEqual(await found('uq1'), { total: 1, total_is_minimum: true })
})

test('a beginning finds posts that wait for their place in the index, and letters of any script', async () => {
  for (let n = 0; n < 20; n++)
    await makePublic(harness, { title: `Ride ${n}`, body: `zorbing${n} at \u{10429}\u{1042a}\u{1042b}` })
  await harness.deliver()
  assert.equal((await search('zorb*')).total, 20)
  assert.equal((await search('\u{10429}\u{1042a}*')).total, 20)
})

test('of a beginning that is excluded a thousand words are, and with more the answer is degraded', async () => {
  const words = Array.from({ length: 1_010 }, (_, at) => `vy${at + 1_000}x`)
  await makePublic(harness, { title: 'Uncounted', body: words.slice(0, 900).join(' ') })
  await makePublic(harness, { title: 'Last', body: `A pelican and ${words[899]}.` })
  await makePublic(harness, { title: 'Other', body: 'A pelican alone.' })
  await harness.index()
  await harness.deliver()
  const found = async (q: string) => {
    const { items, degraded } = await search(q)
    return { titles: items.map(({ title }) => title), degraded }
  }
  assert.deepEqual(await found('pelican -vy*'), { titles: ['Other'], degraded: undefined })
  await makePublic(harness, { title: 'Others', body: words.slice(900).join(' ') })
  await harness.index()
  assert.equal((await found('pelican -vy*')).degraded, true)
  const program = { posts: { describe: 'Posts', load: async () => ({ search: searchCommand(harness.search) }) } }
  const session = recordSession()
  const argv = ['posts', 'search', '--', 'pelican -vy*']
  assert.equal(await runProgram({ name: 'galley', version: '0.0.0', program }, argv, session), 0)
  assert.match(session.err.join(''), /too many words were excluded/)
  assert.doesNotMatch(session.err.join(''), /embedder/)
})

test('a word with a hyphen is the same word without it, in quotes too, and is completed as such', async () => {
  for (const title of ['E-mail for all', 'Email at work', 'Mail by ship', 'Markets', 'A market', 'Wi-Fi', 'The forest'])
    await makePublic(harness, { title, body: 'A text.' })
  await harness.deliver()
  const both = ['E-mail for all', 'Email at work']
  for (const q of ['"e-mail"', '"email"']) assert.deepEqual(await titles(q), both, q)
  assert.deepEqual(await titles('"e-mail for"'), ['E-mail for all'])
  const completions = async (q: string) => {
    const url = `/api/posts/suggest?q=${encodeURIComponent(q)}`
    return (await harness.app.inject({ method: 'GET', url })).json().completions
  }
  assert.deepEqual(await completions('e-ma'), ['mail'])
  assert.deepEqual(await completions('wi-f'), ['fi'])
  assert.deepEqual(await completions('by ma'), ['mail', 'market', 'markets'])
})

describe('what is found is marked, by whole characters', () => {
  const filler = 'อาหารไทยมีมากมายและน่าลอง '.repeat(30)
  const posts: [title: string, body: string, language: string, q: string, marked: string[]][] = [
    ['Thai', 'ต้มยำกุ้งเป็นอาหารไทย', 'th', 'ต้มยำ', ['ต้มยำ']],
    ['Thai later', `${filler} กินแกงจืดวุ้นเส้นหมูสับ`, 'th', 'แกงจืด', ['แกงจืด']],
    ['Part', 'กุหลาบบาน', 'th', 'ก', ['กุ']],
    ['Arabic', 'قال مُدَرِّسٌ لنا', 'ar', 'مدرس', ['مُدَرِّسٌ']],
    ['Hyphen', 'A light\u00adhouse shines.', 'en', 'lighthouse', ['light\u00adhouse']],
    ['Kanji', '京都と東京の間', 'ja', '東京', ['東京']]
  ]
  before(async () => {
    for (const [title, body, language] of posts) {
      const { post_id } = await makePublic(harness, { title, body })
      await harness.components.edits.edit(post_id, { language }, { actor: 'operator' })
    }
    await harness.deliver()
  })
  for (const [title, , , q, marked] of posts)
    test(title, async () => {
      const snippet = (await search(q)).items.find(item => item.title === title)?.snippet ?? 'not found'
      assert.deepEqual(
        Array.from(snippet.matchAll(/<mark>(.*?)<\/mark>/g), ([, text]) => text),
        marked,
        snippet
      )
    })
})

test('a word that a long post says late is shown in its snippet, and its first 200,000 characters are searched', async () => {
  const filler = 'The tide comes in and goes out. '
  const long = `${filler.repeat(1_500)} A xylophagous beetle. <!-- ${filler} --> ${filler.repeat(4_800)}`
  const body = `${long} A zqgggg at last.`
  await makePublic(harness, { title: 'Long', body })
  await harness.deliver()
  const [found] = (await search('xylophagous')).items
  assert.match(found?.snippet ?? '', /^… .*A <mark>xylophagous<\/mark> beetle\. .* …$/)
  assert.doesNotMatch(found?.snippet ?? '', /<!--/)
  assert.ok(body.indexOf('zqgggg') > 200_000)
  assert.deepEqual(await titles('zqgggg'), [])
})

test('long posts found by a word of their title show those that their texts say late, and are read at once', async () => {
  const filler = 'The tide comes in and goes out. '
  for (const title of ['Philately', 'On philately', 'Philately now'])
    await makePublic(harness, { title, body: `${filler.repeat(1_500)} A zephyrous beetle.` })
  await makePublic(harness, { title: 'Heraldry', body: 'A short text.' })
  await harness.index()
  let asked = 0
  const read = async (q: string) => {
    const before = harness.statements.length
    const { items } = await search(q, `&limit=${10 + asked++}`)
    const reads = harness.statements.slice(before).filter(sql => sql.includes('else left(content')).length
    return { snippets: items.map(({ snippet }) => snippet).filter(snippet => snippet.includes('<mark>')), reads }
  }
  // Until the beginnings are cached.
  for (const q of ['philately', 'heraldry']) await until(async () => (await read(q)).reads === 0, q)
  assert.deepEqual(await read('philately or heraldry'), { snippets: [], reads: 0 }, 'no text says the other')
  const { snippets, reads } = await read('philately zephyrous')
  assert.equal(reads, 1)
  assert.equal(snippets.length, 3)
  for (const snippet of snippets) assert.match(snippet, /A <mark>zephyrous<\/mark> beetle/)
  assert.deepEqual(await read('philately zephyrous'), { snippets, reads: 0 }, 'remembered')
})

test('a long post is read whole only for words that its text says late, and once for each query', async () => {
  const filler = 'The tide comes in and goes out. '
  const body = `${filler.repeat(1_500)} A quixotic beetle.`
  await makePublic(harness, { title: 'Numismatics', body })
  await harness.index()
  const reads = async (q: string, more = '') => {
    const before = harness.statements.length
    assert.equal((await search(q, more)).items[0]?.title, 'Numismatics')
    return harness.statements.slice(before).filter(sql => sql.includes('else left(content')).length
  }
  assert.equal(await reads('numismatics'), 1, 'found by its title')
  assert.equal(await reads('numismatic'), 1, 'read again, as it is found again')
  assert.equal(await reads('quixotic'), 1, 'whole')
  assert.equal(await reads('quixotic', '&limit=5'), 0, 'remembered')
})
