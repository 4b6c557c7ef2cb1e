import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { until } from '../../../helpers/until.ts'
import { asClient, type Harness, makePublic, openPosts } from '../../posts/harness.ts'

let harness: Harness
const ids = new Map<string, string>()
before(async () => {
  harness = await openPosts({ withMemory: false })
  for (const title of ['Herons', 'Egrets', 'Bitterns']) {
    const { post_id } = await makePublic(harness, { title, body: `${title} are marsh birds, not finches.` })
    ids.set(title, post_id)
  }
})
after(() => harness.close())

let asked = 0
/** Each time at another address, so that no kept answer is taken. */
const search = async (q: string) => {
  const url = `/api/posts/search?q=${q}&limit=${20 + (asked++ % 80)}`
  const { items } = (await harness.app.inject({ method: 'GET', url })).json()
  return items as { title: string; snippet: string; tags: string[] }[]
}
const idOf = (title: string) => ids.get(title) ?? ''
const statements = async (work: () => Promise<unknown>) => {
  harness.statements.length = 0
  await work()
  return harness.statements.filter(sql => !sql.includes('min(published_at) - now()'))
}

test('a new query of known words over posts shown before needs no statement', async () => {
  await search('marsh')
  await search('birds')
  assert.deepEqual(await statements(() => search('marsh birds')), [])
  assert.match((await search('birds marsh'))[0]?.snippet ?? '', /are <mark>marsh<\/mark> <mark>birds<\/mark>, not/)
})

test('a post is cached when it is found again', async () => {
  await makePublic(harness, { title: 'Curlews', body: 'Curlews wade.' })
  const read = async () =>
    (await statements(() => search('curlews'))).filter(sql => sql.includes('left(content')).length
  await until(async () => (await search('wade')).length === 1, 'found once')
  assert.equal(await read(), 1)
  // On a server a late notice of the change may come between.
  await until(async () => (await read()) === 0, 'cached')
})

test('after a change, only the posts that changed are read again', async () => {
  const contents = () => harness.statements.filter(sql => sql.includes('left(content'))
  const isWhite = async () => (await search('marsh')).some(({ tags }) => tags.includes('white'))
  await statements(async () => {
    await harness.components.edits.edit(idOf('Egrets'), { tags: ['white'] }, { actor: 'operator' })
    // On a server the notice of it may take a moment.
    await until(isWhite, 'the new tag')
  })
  assert.equal(contents().length, 1)
  const tags = (await search('marsh')).map(({ title, tags }) => `${title} ${tags}`)
  assert.deepEqual(tags.sort(), ['Bitterns ', 'Egrets white', 'Herons '])
  await harness.touch()
  await statements(() => search('marsh'))
  assert.equal(contents().length, 0)
})

test('a post is shown as it is after each change, and not once it is withdrawn', async () => {
  await harness.components.edits.edit(
    idOf('Herons'),
    { title: 'Grey herons', content: 'Grey herons are marsh birds <at> lakes.' },
    { actor: 'operator' }
  )
  const found = (await search('marsh')).find(({ title }) => title === 'Grey herons')
  assert.match(found?.snippet ?? '', /^Grey herons are <mark>marsh<\/mark> birds &lt;at&gt; lakes\.$/)
  await asClient(harness, 'POST', `/api/posts/${idOf('Bitterns')}/unpublish`)
  assert.deepEqual((await search('marsh')).map(({ title }) => title).sort(), ['Egrets', 'Grey herons'])
})

test('a post restored with as many changes as the one that was shown is not taken for it', async () => {
  await search('marsh')
  await harness.db.query(
    `update posts set title = 'Spoonbills', content = 'Spoonbills are marsh birds.', updated_at = updated_at - interval '1 day'
     where post_id = $1`,
    [idOf('Egrets')]
  )
  await harness.touch()
  assert.deepEqual((await search('marsh')).map(({ title }) => title).sort(), ['Grey herons', 'Spoonbills'])
})

test('while changes could be missed, posts are read each time', async () => {
  await search('marsh')
  harness.setCurrent(false)
  await harness.db.query("update posts set title = 'Shoebills' where title = 'Spoonbills'")
  assert.ok((await search('marsh')).some(({ title }) => title === 'Shoebills'))
  harness.setCurrent(true)
})

test('a post is shown with the address and the language of the site as they are now', async () => {
  await search('marsh')
  harness.values.site_language = 'pt-BR'
  const [post] = await search('marsh')
  assert.equal((post as unknown as { language: string }).language, 'pt-BR')
})

test('without memory for it nothing is kept', async () => {
  harness.values.search_cache_mb = 0
  await harness.touch()
  for (const run of [1, 2]) assert.equal((await search('marsh')).length, 2, `run ${run}`)
  const read = await statements(() => search('marsh'))
  assert.ok(read.some(sql => sql.includes('left(content')))
})
