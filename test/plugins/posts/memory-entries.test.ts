import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Harness, makePublic, openPosts } from './harness.ts'

const now = new Date('2026-03-01T12:00:00Z')
let harness: Harness
let ids: string[]
before(async () => {
  harness = await openPosts()
  for (let n = 0; n < 21; n++) await makePublic(harness, { title: `Tide ${n}`, body: 'The keeper lit the lamp.' })
  ids = (await harness.db.query<{ post_id: string }>('select post_id from posts')).map(({ post_id }) => post_id)
})
after(() => harness.close())

test('the vectors of few posts published together are made at once, those of many 15 s later', async () => {
  harness.setClock(() => now)
  const startsFor = async (count: number) => {
    await harness.db.script('truncate memory_entries cascade')
    harness.jobs.splice(0)
    await harness.components.entries?.follow(ids.slice(0, count))
    return harness.jobs.map(({ type, startAt }) => [type, startAt])
  }
  assert.deepEqual(await startsFor(20), [['memory.embed_entries', undefined]])
  assert.deepEqual(await startsFor(21), [['memory.embed_entries', new Date('2026-03-01T12:00:15Z')]])
})

test('the memory has addresses of posts that hold for every process, and a backfill tells of real changes only', async () => {
  const { memory, values, components, db } = harness
  const backfill = async () => (await memory?.backfill('posts'))?.stored
  const urls = async () =>
    (await db.query<{ url: string | null }>('select distinct url from memory_entries')).map(({ url }) => url)
  await db.script('truncate memory_entries cascade')
  await components.entries?.follow(ids.slice(0, 1))
  assert.equal(await backfill(), 20)
  values.listens_at = 'http://localhost:8311'
  assert.equal(await backfill(), 0)
  assert.deepEqual(await urls(), [null])
  values.public_url = 'https://press.example'
  assert.equal(await backfill(), 21)
  for (const url of await urls()) assert.match(url ?? '', /^https:\/\/press\.example\/api\/posts\/tide-/)
  values.public_url = ''
  values.post_url = 'https://site.example/{slug}'
  assert.equal(await backfill(), 21)
  for (const url of await urls()) assert.match(url ?? '', /^https:\/\/site\.example\/tide-/)
  values.post_url = ''
})

test('a post is remembered with a tag that has a comma', async () => {
  const { post_id } = await makePublic(harness, { title: 'Brine', tags: ['salt, sea', 'tides'] })
  await harness.components.entries?.follow([post_id])
  const [entry] = await harness.db.query('select tags from memory_entries where source_id = $1', [post_id])
  assert.deepEqual(entry, { tags: ['salt, sea', 'tides'] })
})

test('a backfill removes posts that were withdrawn while nobody followed them', async () => {
  const { memory, db } = harness
  await memory?.backfill('posts')
  const [withdrawn = '', ...others] = ids
  const remembered = async () => {
    const rows = await db.query<{ source_id: string }>(
      "select source_id from memory_entries where source_table = 'posts'"
    )
    return new Set(rows.map(({ source_id }) => source_id))
  }
  assert.ok((await remembered()).has(withdrawn))
  await db.query("update posts set status = 'draft', published_at = null where post_id = $1", [withdrawn])
  await memory?.backfill('posts')
  const left = await remembered()
  assert.equal(left.has(withdrawn), false)
  assert.ok(others.every(id => left.has(id)))
})

test('a backfill leaves the text of a post that is edited while it runs', async () => {
  const { memory, db, components } = harness
  await memory?.backfill('posts')
  const edited = ids.at(-1) ?? ''
  let count = 0
  for await (const entry of components.entries?.all() ?? []) {
    // A page of posts is read with the first of them.
    if (count++ === 0) {
      await components.edits.edit(edited, { content: 'The lamp is electric.' }, { actor: 'op' })
      await components.entries?.follow([edited])
    }
    await memory?.store(entry)
  }
  assert.ok(count > 20)
  const [entry] = await db.query<{ text: string }>('select text from memory_entries where source_id = $1', [edited])
  assert.match(entry?.text ?? '', /electric/)
})
