import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { asClient, type Harness, historyOf, makePost, openPosts } from './harness.ts'

let harness: Harness
before(async () => {
  harness = await openPosts({ withMemory: false })
})
beforeEach(async () => {
  await harness.db.script('truncate posts, gate_history cascade')
  harness.events.splice(0)
  delete harness.values.pipeline_gate_final_publish_approval
})
after(() => harness.close())

const by = { actor: 'operator' }
const never = new AbortController().signal
const tick = () => harness.scheduling.publisher.publishDue(never)
const inAnHour = () => new Date(Date.now() + 3_600_000)
const schedule = (post_id: string, at = inAnHour()) =>
  harness.db.transaction(tx => harness.posts.schedule(tx, post_id, at, by))
const makeDue = (post_id: string) =>
  harness.db.query("update posts set published_at = now() - interval '1 minute' where post_id = $1", [post_id])

interface Row {
  status: string
  awaiting_gate: string | null
  published_at: string | null
  approved_at: string | null
  content_hash: string
  approved_hash: string | null
}
async function rowOf(post_id: string): Promise<Row> {
  const [row] = await harness.db.query<Row>(
    'select status, awaiting_gate, published_at, approved_at, content_hash, approved_hash from posts where post_id = $1',
    [post_id]
  )
  assert.ok(row !== undefined)
  return row
}

async function scheduledPost(): Promise<string> {
  const hand = {
    body: `Text ${Math.random()}`,
    title: 'As approved',
    status: 'awaiting_approval' as const,
    allowsDuplicates: true
  }
  const { post_id } = await harness.components.creation.create(hand, by)
  await schedule(post_id)
  harness.events.splice(0)
  return post_id
}

const gateRows = () =>
  harness.db.query('select gate_name, decision, actor, reason, content_hash from gate_history order by id')
const noticesOf = (type: string) => harness.events.filter(event => event.type === type).map(event => event.payload)

test('an approval is kept with the hash of what was approved, in the post and in the gate history', async () => {
  const post_id = await scheduledPost()
  const { content_hash, approved_hash, status } = await rowOf(post_id)
  assert.match(content_hash, /^[0-9a-f]{64}$/)
  assert.deepEqual([status, approved_hash], ['scheduled', content_hash])
  const rows = await gateRows()
  assert.deepEqual(rows, [
    { gate_name: 'awaiting_approval', decision: 'held', actor: 'operator', reason: null, content_hash },
    { gate_name: 'awaiting_approval', decision: 'approved', actor: 'operator', reason: null, content_hash }
  ])
})

test('another niche is no other content: the approval and the slot stay', async () => {
  const post_id = await scheduledPost()
  const answer = await asClient(harness, 'PATCH', `/api/posts/${post_id}`, { niche_slug: 'coast' })
  assert.deepEqual([answer.json().status, answer.json().niche_slug], ['scheduled', 'coast'])
  const { approved_hash, content_hash } = await rowOf(post_id)
  assert.equal(approved_hash, content_hash)
})

test('what an edit does not name stays as it is stored: no other content follows from it', async () => {
  const hand = { body: 'Text', title: 'As stored', status: 'awaiting_approval' as const, allowsDuplicates: true }
  const { post_id } = await harness.components.creation.create(hand, by)
  const stored = ['Of  two\nlines', ' Two\nlines ', 'Ada  Lovelace', ' An excerpt. ']
  await harness.db.query(
    'update posts set seo_title = $2, seo_description = $3, author = $4, excerpt = $5 where post_id = $1',
    [post_id, ...stored]
  )
  await schedule(post_id)
  const answer = await asClient(harness, 'PATCH', `/api/posts/${post_id}`, { niche_slug: 'coast' })
  const { status, seo_title, seo_description, author, excerpt } = answer.json()
  assert.deepEqual([status, seo_title, seo_description, author, excerpt], ['scheduled', ...stored])
})

const edits: [field: string, patch: Record<string, unknown>][] = [
  ['title', { title: 'Another title' }],
  ['slug', { slug: 'another-slug' }],
  ['excerpt', { excerpt: 'Another excerpt.' }],
  ['content', { content: 'Another text.' }],
  ['category', { category: 'another-category' }],
  ['tags', { tags: ['Another'] }],
  ['seo_title', { seo_title: 'Another' }],
  ['seo_description', { seo_description: 'Another' }],
  ['seo_keywords', { seo_keywords: ['another'] }],
  ['featured_image_url', { featured_image_url: 'https://example.org/another.png' }],
  ['language', { language: 'pt-BR' }],
  ['author', { author: 'Ada Lovelace' }]
]
for (const [field, patch] of edits) {
  test(`a scheduled post whose ${field} changes waits for approval again, saying so, and never goes out by itself`, async () => {
    const post_id = await scheduledPost()
    const { published_at: slot } = await rowOf(post_id)
    const answer = await asClient(harness, 'PATCH', `/api/posts/${post_id}`, patch)
    assert.equal(answer.statusCode, 200, answer.body)
    const { status, published_at } = answer.json()
    assert.deepEqual([status, published_at], ['awaiting_approval', null])
    const row = await rowOf(post_id)
    assert.deepEqual([row.approved_at, row.approved_hash], [null, null])
    assert.deepEqual((await historyOf(harness, post_id)).slice(-2), [
      'edit scheduled scheduled',
      'reopen scheduled awaiting_approval'
    ])
    const [held] = noticesOf('gate.held')
    const reason = `the content changed: ${field}`
    assert.deepEqual(
      [held?.gate_name, held?.subject_type, held?.subject_id, held?.reason, held?.content_hash, held?.slot],
      ['awaiting_approval', 'post', post_id, reason, row.content_hash, slot]
    )
    assert.deepEqual(
      noticesOf('posts.reopened').map(event => [event.post_id, event.reason]),
      [[post_id, `${reason}; approved at its gate before then, it gets its slot ${slot} back`]]
    )
    assert.match(
      (await harness.scheduling.schedule.explain(post_id)).reason,
      /waits for approval again, for the content changed/
    )
    await harness.db.query("update posts set published_at = now() where status = 'scheduled'")
    await tick()
    assert.equal((await rowOf(post_id)).status, 'awaiting_approval')
  })
}

test('a post that is edited after its slot was reached is promised no slot', async () => {
  const post_id = await scheduledPost()
  await harness.db.query("update posts set published_at = now() - interval '1 second' where post_id = $1", [post_id])
  await asClient(harness, 'PATCH', `/api/posts/${post_id}`, { title: 'Edited too late' })
  assert.deepEqual(
    noticesOf('posts.reopened').map(event => event.reason),
    ['the content changed: title']
  )
})

test('an edit that changes nothing keeps the approval and the slot', async () => {
  const post_id = await scheduledPost()
  const before = await rowOf(post_id)
  await asClient(harness, 'PATCH', `/api/posts/${post_id}`, { title: 'As approved', tags: [] })
  assert.deepEqual(await rowOf(post_id), before)
  assert.deepEqual(harness.events, [])
})

test('moving or dropping a slot keeps the approval; an edit of the approved post without a slot ends it', async () => {
  const post_id = await scheduledPost()
  const { approved_at, approved_hash } = await rowOf(post_id)
  await harness.scheduling.schedule.shift(post_id, '2h', by)
  await harness.scheduling.schedule.clear(post_id, by)
  const cleared = await rowOf(post_id)
  assert.deepEqual(
    [cleared.status, cleared.approved_at, cleared.approved_hash],
    ['approved', approved_at, approved_hash]
  )
  await harness.components.edits.edit(post_id, { title: 'Another' }, by)
  assert.equal((await rowOf(post_id)).status, 'awaiting_approval')
})

test('approved again, it goes out with the content of the second approval', async () => {
  const post_id = await scheduledPost()
  await harness.components.edits.edit(post_id, { title: 'Approved the second time' }, by)
  await schedule(post_id)
  await makeDue(post_id)
  await tick()
  const { status, content_hash, approved_hash } = await rowOf(post_id)
  assert.deepEqual([status, approved_hash], ['published', content_hash])
})

test('content changed behind the service is not published: the publisher sends it back to be approved', async () => {
  const changed = await scheduledPost()
  const heldBack = await scheduledPost()
  await harness.db.query("update posts set content = 'Not what was approved' where post_id = $1", [changed])
  await makeDue(changed)
  await makeDue(heldBack)
  await tick()
  assert.equal((await rowOf(heldBack)).status, 'published')
  const { status, published_at } = await rowOf(changed)
  assert.deepEqual([status, published_at], ['awaiting_approval', null])
  assert.match(String(noticesOf('gate.held')[0]?.reason), /not what was approved/)
  assert.deepEqual(
    noticesOf('posts.published').map(event => event.post_id),
    [heldBack]
  )
})

test('a post held at its slot that is edited waits there anew; an approval of the old content is refused', async () => {
  harness.values.pipeline_gate_final_publish_approval = 'on'
  const post_id = await scheduledPost()
  await makeDue(post_id)
  await tick()
  const [seen] = noticesOf('gate.held')
  const outcome = await harness.components.edits.edit(post_id, { content: 'Changed while it was held.' }, by)
  assert.deepEqual(outcome, { revokedApproval: null, waitingGate: harness.gateName })
  const row = await rowOf(post_id)
  assert.deepEqual([row.status, row.awaiting_gate], ['scheduled', harness.gateName])
  const again = noticesOf('gate.held')[1]
  assert.deepEqual([again?.gate_name, again?.reason], [harness.gateName, 'the content changed: content'])
  assert.notEqual(again?.content_hash, seen?.content_hash)
  const decide = (content_hash: unknown) =>
    harness.gates.approve(harness.gateName, post_id, { ...by, reason: null, content_hash: String(content_hash) })
  await assert.rejects(decide(seen?.content_hash), { code: 'CONTENT_CHANGED' })
  assert.deepEqual(await rowOf(post_id), row)
  await decide(again?.content_hash)
  const published = await rowOf(post_id)
  assert.deepEqual([published.status, published.approved_hash], ['published', row.content_hash])
})

test('a draft that is edited while it waits is told of again, and a decision on the old one is refused', async () => {
  const hand = { body: 'Text', title: 'A draft', status: 'awaiting_approval' as const, allowsDuplicates: true }
  const { post_id } = await harness.components.creation.create(hand, by)
  const { content_hash: seen } = await rowOf(post_id)
  await harness.components.edits.edit(post_id, { title: 'Another draft' }, by)
  assert.equal(noticesOf('gate.held').length, 2)
  const decision = { ...by, reason: null, content_hash: seen }
  for (const decide of [harness.posts.publish, harness.posts.reject]) {
    await assert.rejects(
      harness.db.transaction(tx => decide(tx, post_id, decision)),
      { code: 'CONTENT_CHANGED' }
    )
  }
  assert.equal((await rowOf(post_id)).status, 'awaiting_approval')
})

test('of an edit racing the publisher either the approved content is out first, or nothing goes out', async () => {
  for (let round = 0; round < 12; round += 1) {
    const post_id = await scheduledPost()
    const { approved_hash } = await rowOf(post_id)
    await makeDue(post_id)
    const racing = [tick(), harness.components.edits.edit(post_id, { content: `Edited in round ${round}` }, by), tick()]
    await Promise.all(round % 2 === 0 ? racing : racing.reverse())
    await tick()
    const row = await rowOf(post_id)
    const steps = await historyOf(harness, post_id)
    assert.equal(row.approved_hash, row.status === 'published' ? approved_hash : null)
    // Published before the edit, it was edited as any public post; edited before, it waits.
    const expected =
      row.status === 'published'
        ? ['release scheduled published', 'edit published published']
        : ['edit scheduled scheduled', 'reopen scheduled awaiting_approval']
    assert.deepEqual(steps.slice(-2), expected)
  }
})

test('of an edit racing an approval that names what was seen, what goes out was seen', async () => {
  for (let round = 0; round < 12; round += 1) {
    const hand = {
      body: `Text ${round}`,
      title: 'Racing',
      status: 'awaiting_approval' as const,
      allowsDuplicates: true
    }
    const { post_id } = await harness.components.creation.create(hand, by)
    const { content_hash: seen } = await rowOf(post_id)
    const approve = () =>
      harness.db.transaction(tx => harness.posts.schedule(tx, post_id, inAnHour(), { ...by, content_hash: seen }))
    const edit = () => harness.components.edits.edit(post_id, { content: `Edited ${round}` }, by)
    await Promise.allSettled(round % 2 === 0 ? [approve(), edit()] : [edit(), approve()])
    const row = await rowOf(post_id)
    assert.deepEqual([row.status, row.approved_hash, row.published_at], ['awaiting_approval', null, null])
    await assert.rejects(approve(), { code: 'CONTENT_CHANGED' })
  }
})

test('a draft has no approval to lose', async () => {
  const post_id = await makePost(harness)
  harness.events.splice(0)
  await harness.components.edits.edit(post_id, { title: 'Another' }, by)
  assert.equal((await rowOf(post_id)).status, 'draft')
  assert.deepEqual(harness.events, [])
})
