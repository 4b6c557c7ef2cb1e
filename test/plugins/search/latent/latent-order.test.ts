import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Harness, openPosts } from '../../posts/harness.ts'
import { textOfSubject } from './subjects.ts'

const postCount = 300
/** So many posts have all words of the queries, every other one of the sea. */
const matching = 24

let harness: Harness
let asked = 0
before(async () => {
  harness = await openPosts()
  const { memory } = harness
  assert.ok(memory)
  const { nearest } = memory
  memory.nearest = (...given) => {
    asked += 1
    return nearest(...given)
  }
  harness.values.embedder = 'embedded'
  const numbers = Array.from({ length: postCount }, (_, n) => n)
  await harness.db.query(
    `insert into posts (slug, title, content, content_html, status, published_at)
     select 'post-' || n, subject, text, text, 'published', '2026-01-01'
     from unnest($1::int[], $2::text[], $3::text[]) as t (n, subject, text)`,
    [numbers, numbers.map(subjectOf), numbers.map(textOf)]
  )
  await harness.index()
})
after(() => harness.close())

const subjectOf = (n: number) => (n % 2 === 0 ? 'sea' : 'town')

function textOf(n: number): string {
  const text = textOfSubject(n, subjectOf(n))
  if (n >= matching) return text
  return `${text} harbour lantern market${n === 0 ? ' harbour' : ' morning'}`
}

async function slugsFor(q: string, more = ''): Promise<string[]> {
  const url = `/api/posts/search?q=${encodeURIComponent(q)}&${more || `limit=${matching}`}`
  const { items } = (await harness.app.inject({ method: 'GET', url })).json() as { items: { slug: string }[] }
  return items.map(({ slug }) => slug)
}
const subjectsOf = (slugs: readonly string[]) => slugs.map(slug => subjectOf(Number(slug.slice('post-'.length))))

/** Equally good ones: the newer first, which have the higher number. */
const byNumber = Array.from({ length: matching }, (_, at) => `post-${matching - 1 - at}`)
const three = 'harbour lantern market'

test('of many posts with all of three words those come first that are like the best', async () => {
  const found = await slugsFor(three)
  assert.equal(found[0], 'post-0', 'it says one of them twice')
  assert.deepEqual(new Set(subjectsOf(found.slice(0, 6))), new Set(['sea']))
  assert.deepEqual(found.toSorted(), byNumber.toSorted())
  assert.equal(asked, 0, 'the embedder is not asked')
})

test('pages of that order hold each post once', async () => {
  const pages = await Promise.all([0, 9, 18].map(offset => slugsFor(three, `limit=9&offset=${offset}`)))
  assert.deepEqual(pages.flat(), await slugsFor(three))
})

test('two words that many posts have are left in the order by words', async () => {
  assert.deepEqual(await slugsFor('lantern market'), byNumber)
})

test('without a model words alone decide, and the embedder is not asked', async () => {
  await harness.db.query('delete from search_models')
  assert.deepEqual(await slugsFor('lantern market harbour'), ['post-0', ...byNumber.filter(slug => slug !== 'post-0')])
  assert.equal(asked, 0)
})

test('without search by meaning words alone decide', async () => {
  harness.values.search_by_meaning = false
  const found = await slugsFor('market lantern harbour')
  assert.deepEqual(found, ['post-0', ...byNumber.filter(slug => slug !== 'post-0')])
})
