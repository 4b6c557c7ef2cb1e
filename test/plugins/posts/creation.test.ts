import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { embeddingDimensions } from '#plugins/memory'
import type { NewPostInput } from '../../../plugins/posts/creation.ts'
import type { DraftedPost } from '../../../plugins/posts/index.ts'
import { findById } from '../../../plugins/posts/repository/reads.ts'
import { asClient, type Harness, historyOf, makePublic, openPosts, publish } from './harness.ts'

let harness: Harness
before(async () => {
  harness = await openPosts()
})
after(() => harness.close())

const create = (hand: Partial<NewPostInput>, actor = 'operator') =>
  harness.components.creation.create(
    { body: 'A body.', title: 'A title', status: 'draft', allowsDuplicates: false, ...hand },
    { actor }
  )
const read = async (post_id: string) => {
  const post = await findById(harness.db, post_id)
  assert.ok(post)
  return post
}

test('a hand-made post takes its title, excerpt and slug from the body', async () => {
  const { post_id } = await create({
    body: '# From the body\n\nThe first paragraph.\n',
    title: undefined,
    niche: 'n',
    media: ['podcast']
  })
  const post = await read(post_id)
  assert.deepEqual(
    [post.title, post.excerpt, post.status, post.niche_slug],
    ['From the body', 'The first paragraph.', 'draft', 'n']
  )
  assert.match(post.slug, /^from-the-body-[a-z2-9]{5}$/)
  assert.deepEqual(post.metadata, { media_to_generate: ['podcast'] })
  assert.deepEqual(await historyOf(harness, post_id), ['create - draft'])
})

test('a body, a title and a fitting free slug are required', async () => {
  await create({ body: 'Slug holder', slug: 'held', allowsDuplicates: true })
  const refused: [Partial<NewPostInput>, string][] = [
    [{ body: ' \n' }, 'VALIDATION_ERROR'],
    [{ body: 'no heading', title: undefined }, 'VALIDATION_ERROR'],
    [{ body: '## second level', title: undefined }, 'VALIDATION_ERROR'],
    [{ title: 'x'.repeat(301) }, 'VALIDATION_ERROR'],
    [{ slug: 'Search me' }, 'VALIDATION_ERROR'],
    [{ slug: 'search' }, 'VALIDATION_ERROR'],
    [{ slug: 'held', body: 'another' }, 'CONFLICT']
  ]
  for (const [hand, code] of refused) await assert.rejects(create(hand), { code }, JSON.stringify(hand))
})

test('the same body by the same operator within the window is the same post', async () => {
  const hand = { body: 'Said once.', title: 'Said once' }
  const first = await create(hand)
  const again = await create(hand)
  const raced = await Promise.all(Array.from({ length: 4 }, () => create({ body: 'Raced.', title: 'Raced' })))
  const other = await create(hand, 'someone else')
  const forced = await create({ ...hand, allowsDuplicates: true })
  assert.deepEqual([first.created, again.created, other.created, forced.created], [true, false, true, true])
  assert.equal(again.post_id, first.post_id)
  assert.equal(new Set(raced.map(post => post.post_id)).size, 1)
  await harness.db.query("update posts set created_at = created_at - interval '31 minutes'")
  assert.equal((await create(hand)).created, true)
  harness.values.cli_post_create_idempotency_enabled = false
  assert.equal((await create(hand)).created, true)
  delete harness.values.cli_post_create_idempotency_enabled
})

test('a title near to a published one is refused, near to a draft it is not', async () => {
  const title = 'How tides are made by the moon'
  await create({ body: 'Draft with the title.', title })
  const { post_id } = await create({ body: 'Another with the title.', title })
  await publish(harness, post_id)
  await assert.rejects(create({ body: 'Third.', title: 'How tides are made by the Moon' }), { code: 'DUPLICATE_TITLE' })
  assert.equal((await create({ body: 'Fourth.', title: 'Sourdough in a cold kitchen' })).created, true)
  assert.equal((await create({ body: 'Fifth.', title, allowsDuplicates: true })).created, true)
  harness.values.create_post_dedup_threshold = 1
  assert.equal((await create({ body: 'Sixth.', title: 'How tides are made by moon' })).created, true)
  delete harness.values.create_post_dedup_threshold
})

test('a retitled post is compared by its new title', async () => {
  const { post_id } = await makePublic(harness, { title: 'Bicycle gears explained simply' })
  assert.equal((await harness.search.similar.nearestTitle('Bicycle gears explained simply'))?.post_id, post_id)
  await harness.components.edits.edit(post_id, { title: 'Vaccines and memory cells' }, { actor: 'operator' })
  assert.equal((await harness.search.similar.nearestTitle('Vaccines and memory cells'))?.post_id, post_id)
  assert.ok(((await harness.search.similar.nearestTitle('Bicycle gears explained simply'))?.similarity ?? 0) < 0.5)
})

test('a request embeds a few titles, and leaves all of them to a job after a change of the model', async () => {
  const embeddings = embeddingDimensions
  let texts = 0
  harness.memory?.registerEmbedder('counting', {
    model: 'counting',
    embed: async given => {
      texts += given.length
      return given.map(text => Array.from({ length: embeddings }, (_, at) => (at === text.length % embeddings ? 1 : 0)))
    }
  })
  await harness.db.query(
    `insert into posts (slug, title, content, content_html, status, published_at)
     select 'shelf-' || n, 'Shelf ' || repeat('x', n), 'text', '', 'published', now() from generate_series(1, 60) n`
  )
  harness.values.embedder = 'counting'
  const job = harness.searchPart.jobs?.find(({ type }) => type === 'search.embed_titles')
  const title = `A shelf ${'y'.repeat(58)}`
  const lamp = await asClient(harness, 'POST', '/api/posts', { title: 'Lamp', content: 'Of a lamp.' })
  assert.equal(lamp.statusCode, 201)
  assert.ok(texts <= 21, `${texts} texts in one request`)
  assert.deepEqual(
    harness.jobs.splice(0).flatMap(({ type, key }) => (type === 'search.embed_titles' ? [key] : [])),
    ['search.embed_titles']
  )
  await job?.handle({} as never, {
    id: 'x',
    deliveryCount: 1,
    signal: new AbortController().signal,
    recordProgress: async () => {}
  })
  texts = 0
  await assert.rejects(create({ title, body: 'Another shelf.' }), { code: 'DUPLICATE_TITLE' })
  assert.equal(texts, 1)
  delete harness.values.embedder
})

test('the nearest of many titles is found among shorter ones', async () => {
  await harness.db.query(
    `insert into posts (slug, title, content, content_html, status, published_at)
     select 'note-' || n, case n when 200 then 'Why the ebb leaves pools of warm water on a rocky shore' else 'Note ' || n end,
       'text', '', 'published', now() from generate_series(1, 400) n`
  )
  await harness.search.similar.embedAllTitles(async () => {})
  const found = await harness.search.similar.nearestTitle('Why the ebb leaves pools of cold water on a rocky shore')
  assert.equal(found?.slug, 'note-200')
})

test('a title that was published without an event is compared', async () => {
  // From here on all titles are known to be embedded.
  await harness.search.similar.embedAllTitles(async () => {})
  await harness.search.similar.nearestTitle('Nothing like it')
  await harness.db.query(
    `insert into posts (slug, title, content, content_html, status, published_at)
     values ('grafting', 'Grafting apple trees in spring', 'text', '', 'published', now())`
  )
  assert.equal((await harness.search.similar.nearestTitle('Grafting apple trees in spring'))?.slug, 'grafting')
  await harness.db.query(`update posts set title = 'Pruning roses in winter' where slug = 'grafting'`)
  assert.equal((await harness.search.similar.nearestTitle('Pruning roses in winter'))?.slug, 'grafting')
})

test('a text that repeats a published one is found, an unrelated one is not near', async () => {
  const body =
    'Every cell of the comb is built by bees that measure the angle of gravity with small hairs on their necks while they hang in chains.'
  const { post_id } = await makePublic(harness, { title: 'Combs', body })
  await harness.deliver()
  const near = await harness.search.similar.nearestText('Combs of bees', `${body} One more sentence at the end.`)
  assert.deepEqual([near?.post_id, near?.similarity], [post_id, 1])
  const far = await harness.search.similar.nearestText(
    'Combs',
    'Rivers carry sand to the sea and leave it where the water slows down near the mouth of the river.'
  )
  assert.ok((far?.similarity ?? 0) < 0.2)
})

test("a task's drafts make one post; what is public is not overwritten", async () => {
  const draft = (title: string): DraftedPost => ({
    ...{
      task_id: '11111111-1111-4111-8111-111111111111',
      title,
      excerpt: 'E',
      content: 'Text.',
      category: 'seas',
      tags: ['Tide']
    },
    ...{ niche_slug: null, seo_keywords: ['tide'] }
  })
  const save = (title: string) => harness.db.transaction(tx => harness.posts.saveDraft(tx, draft(title)))
  const first = await save('Search')
  assert.match(first.slug, /^search-[a-z2-9]{5}$/)
  assert.equal(first.status, 'awaiting_approval')
  await harness.db.transaction(tx => harness.posts.reject(tx, first.post_id, { actor: 'operator', reason: 'not yet' }))
  const second = await save('Low tide')
  assert.deepEqual([second.post_id, second.title, second.slug], [first.post_id, 'Low tide', first.slug])
  assert.equal((await read(first.post_id)).status, 'awaiting_approval')
  await publish(harness, first.post_id)
  await assert.rejects(save('Third'), { code: 'CONFLICT' })
  const refs = await harness.posts.refs(harness.db, [first.post_id, '22222222-2222-4222-8222-222222222222'])
  assert.deepEqual([...refs.keys()], [first.post_id])
})

test('two posts with one title get two slugs', async () => {
  const save = (task_id: string) =>
    harness.db.transaction(tx =>
      harness.posts.saveDraft(tx, {
        ...{
          task_id,
          title: 'Same words',
          excerpt: '',
          content: 'Text.',
          category: null,
          tags: [],
          niche_slug: null,
          seo_keywords: []
        }
      })
    )
  const one = await save('33333333-3333-4333-8333-333333333333')
  const two = await save('44444444-4444-4444-8444-444444444444')
  assert.equal(one.slug, 'same-words')
  assert.match(two.slug, /^same-words-[a-z2-9]{5}$/)
})
