import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { searchLanguages } from '../../../../plugins/search/analysis/languages.ts'
import { indexLanguageJob } from '../../../../plugins/search/vocabulary/index-language.ts'
import { type Harness, makePublic, openPosts } from '../../posts/harness.ts'

let harness: Harness
before(async () => {
  harness = await openPosts({ withMemory: false })
})
after(() => harness.close())

const totalOf = async (q: string) =>
  (await harness.app.inject({ method: 'GET', url: `/api/posts/search?q=${encodeURIComponent(q)}` })).json().total
const follow = (signal = new AbortController().signal) => harness.search.reindex(signal)
/** What the doctor says of the index. */
const told = async () =>
  (
    await harness.searchPart.checks
      ?.find(({ name }) => name === 'search index')
      ?.run({ signal: new AbortController().signal, unfinished: async () => [] })
  )?.found ?? ''
const languages = async () =>
  (await harness.db.query<{ language: string }>('select language from search_languages order by 1')).map(
    row => row.language
  )

test('every language that can be set is one the database has', async () => {
  const rows = await harness.db.query<{ cfgname: string }>('select cfgname from pg_ts_config')
  const known = new Set(rows.map(row => row.cfgname))
  assert.deepEqual(
    searchLanguages.filter(language => !known.has(language)),
    []
  )
})

test('a change of language re-indexes in the background, and posts of both are found meanwhile', async () => {
  await makePublic(harness, { title: 'Häuser', body: 'Die Häuser der Fischer stehen am Hafen.' })
  for (let n = 0; n < 60; n++) await makePublic(harness, { title: `Boot ${n}`, body: `Das Boot ${n} ist alt.` })
  await harness.deliver()
  assert.equal(await totalOf('haus'), 1, 'the beginning of a word')
  assert.equal(await totalOf('booten'), 0, 'English does not know the ending')
  harness.values.search_language = 'german'
  const stop = new AbortController()
  stop.abort()
  assert.equal(await told(), '0 of 61 posts indexed in german, the rest follow; so far in english')
  await follow(stop.signal)
  assert.deepEqual(await languages(), ['english', 'german'])
  const { post_id } = await makePublic(harness, { title: 'Neu', body: 'Im Hafen mit Booten.' })
  assert.equal(await told(), '1 of 62 posts indexed in german, the rest follow; so far in english')
  assert.equal(await totalOf('booten'), 61, 'read in both languages')
  assert.equal(await totalOf('boote'), 61, 'those of the old one are found as well')
  await follow()
  assert.match(await told(), /^german[,;]/)
  assert.deepEqual(await languages(), ['german'])
  assert.equal(await totalOf('booten'), 61)
  assert.equal(await totalOf('der'), 0, 'a stop word now')
  const [row] = await harness.db.query<{ search_language: string }>(
    'select search_language from posts where post_id = $1',
    [post_id]
  )
  assert.equal(row?.search_language, 'german')
})

test('changing back half way leaves one language and every post found', async () => {
  harness.values.search_language = 'simple'
  const stop = new AbortController()
  stop.abort()
  await follow(stop.signal)
  harness.values.search_language = 'german'
  await follow()
  assert.deepEqual(await languages(), ['german'])
  assert.equal(await totalOf('booten'), 61)
})

test('the job does nothing while the language is the one set', async () => {
  harness.statements.length = 0
  await indexLanguageJob(harness.search.reindex).handle({} as never, { signal: new AbortController().signal } as never)
  assert.equal(harness.statements.length, 1)
})
