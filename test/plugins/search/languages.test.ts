import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Harness, makePublic, openPosts } from '../posts/harness.ts'
import { withEngine } from './with-engine.ts'

/** Title, text and language. */
const posts: [title: string, body: string, language: string][] = [
  ['Lamps', 'That is the question about the lamp in a tower.', 'en'],
  ['Keepers', 'She was very kind. A keeper has a lamp and the gentle moon.', 'en'],
  ['Leuchten', 'Die Lampe im Turm, und die Kinder am Meer.', 'de'],
  ['Türen', 'Die Haustür ist offen. The lamp war ein Geschenk.', 'de'],
  ['Ränder', 'Viele Häuser am Rand.', 'de'],
  ['Kitaplar', 'Kitaplar ve evler.', 'tr'],
  ['Maisons', 'Les maisons et une lampe dans la tour. En cas de besoin.', 'fr'],
  ['Casas', 'Las casas de la costa.', 'es'],
  ['More', 'Приливы и отливы.', 'ru']
]

/** Of each of two languages: with so many that have all words, no other posts follow. */
const gulls = 20
for (let at = 1; at <= gulls; at++)
  for (const language of ['en', 'de']) posts.push([`Gulls ${at} ${language}`, 'Gulls.', language])

let harness: Harness
before(async () => {
  harness = await openPosts({ withMemory: false })
  for (const [at, [title, body, language]] of posts.entries()) {
    const { post_id } = await makePublic(harness, { title, body })
    await harness.components.edits.edit(post_id, { language }, { actor: 'operator' })
    // Half of them stand in a segment, half are analyzed by the search.
    if (at === 3) await harness.index()
  }
  await harness.deliver()
})
after(() => harness.close())

async function search(q: string, more = '') {
  const url = `/api/posts/search?q=${encodeURIComponent(q)}${more}`
  const response = await harness.app.inject({ method: 'GET', url })
  assert.equal(response.statusCode, 200, `${q}: ${response.body}`)
  const { items, corrected } = response.json() as { items: { title: string }[]; corrected?: object[] }
  return { titles: items.map(({ title }) => title).sort(), corrected }
}

/** The posts that have all of it: with fewer than twenty of them, those with some of it follow. */
const inQuotes: [q: string, titles: string[], why: string][] = [
  ['"the lamp"', ['Lamps', 'Türen'], 'a stop word of one language is looked for in the text'],
  ['"that is the question"', ['Lamps'], 'several of them'],
  ['"in a tower"', ['Lamps'], 'one that is a term in another language'],
  ['"the tower"', [], 'not where it does not stand'],
  ['"die Lampe"', ['Leuchten'], 'a stop word of another language'],
  ['"kinder"', ['Leuchten'], 'a word is read as the language of the post has it'],
  ['"Haustür"', ['Türen'], 'not as another language would'],
  ['tower or moon -"the lamp"', ['Keepers'], 'an excluded phrase with a stop word'],
  ['tower or geschenk -the', ['Lamps'], 'an excluded word that is a stop word in the language of a post']
]

describe('posts in several languages', () => {
  for (const [q, titles, why] of inQuotes)
    test(`${q}: ${why}`, async () => assert.deepEqual((await search(q)).titles, titles))

  test('a stop word is not asked of posts in its language', async () => {
    for (const q of ['the gulls', 'gulls and the', 'das gulls']) {
      const { titles } = await search(q, '&limit=100')
      const language = q.includes('the') ? 'en' : 'de'
      assert.deepEqual([titles.length, titles.every(title => title.endsWith(language))], [gulls, true], q)
    }
  })

  test('a word that other posts have is no misspelling', async () => {
    assert.deepEqual(await search('lamps', '&language=de'), { titles: [], corrected: undefined })
    assert.deepEqual(await search('maison', '&language=en'), { titles: [], corrected: undefined })
    assert.deepEqual(await search('the', '&language=fr'), { titles: [], corrected: undefined })
  })

  test('a correction is a word of a post, and each that was searched for', async () => {
    assert.deepEqual((await search('gentil')).corrected, [{ from: 'gentil', to: 'gentle' }])
    assert.deepEqual((await search('kitaplarr')).corrected, [{ from: 'kitaplarr', to: 'kitaplar' }])
  })

  test('a word whose stem in another language posts have is unknown all the same', async () => {
    const moon = { titles: ['Keepers'], corrected: [{ from: 'moonn', to: 'moon' }] }
    // French makes `moon` of it, which only an English post has.
    assert.deepEqual(await search('moonn'), moon)
    assert.deepEqual(await search('moonn', '&language=en'), moon)
    // Russian leaves less of it than of its plural; other languages leave what Russian leaves of the plural.
    assert.deepEqual((await search('прилив')).titles, ['More'])
    // In French posts it is the plural of a word they have.
    assert.deepEqual(await search('maisonn'), { titles: ['Maisons'], corrected: undefined })
  })

  test('any tag that a post may have narrows a search', async () => {
    assert.deepEqual((await search('lamp', '&language=qq')).titles, [])
    const url = '/api/posts/search?q=lamp&language=en_US'
    assert.equal((await harness.app.inject({ method: 'GET', url })).statusCode, 400)
  })
})

describe('a search engine beside them', () => {
  withEngine(() => harness)

  test('asks no stop word of posts in its language', async () => {
    const { titles } = await search('the gulls', '&limit=100')
    assert.equal(titles.filter(title => title.endsWith('en')).length, gulls)
    assert.deepEqual((await search('"the lamp"')).titles, ['Lamps', 'Türen'])
  })

  test('replaces no word that other posts have', async () => {
    assert.equal((await search('maison', '&language=en')).corrected, undefined)
    assert.deepEqual((await search('gentil')).corrected, [{ from: 'gentil', to: 'gentle' }])
  })
})
