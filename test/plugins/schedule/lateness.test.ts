import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { postChecks } from '../../../plugins/posts/checks.ts'
import { type Harness, openPosts } from '../posts/harness.ts'

let harness: Harness
before(async () => {
  harness = await openPosts({ withMemory: false })
})
beforeEach(() => harness.db.script('truncate posts cascade'))
after(() => harness.close())

const isReady = () => harness.schedulePart.isReady?.()
const read = async (name: string) => harness.schedulePart.metrics?.find(metric => metric.name === name)?.read()
const tick = () => harness.scheduling.publisher.publishDue(new AbortController().signal)

const findOverdue = () =>
  postChecks(harness.components)[0]?.run({ signal: new AbortController().signal, unfinished: async () => [] })

async function addScheduled(slug: string, secondsPast: number, columns: Record<string, string> = {}) {
  const extra = { approved_at: 'now()', awaiting_gate: 'null', ...columns }
  await harness.db.query(
    `insert into posts (slug, title, content, content_html, status, published_at, ${Object.keys(extra)})
     values ($1, 't', 'c', 'c', 'scheduled', now() - $2 * interval '1 second', ${Object.values(extra)})`,
    [slug, secondsPast]
  )
  await harness.db.query('update posts set approved_hash = content_hash where slug = $1', [slug])
}

test('a slot missed by more than 90 seconds makes the service unready until its post is out', async () => {
  assert.equal(await isReady(), true)
  await addScheduled('a-minute-late', 60)
  assert.equal(await isReady(), true)
  assert.equal((await findOverdue())?.status, 'ok', 'doctor says the same')
  await addScheduled('missed', 91)
  assert.equal(await isReady(), false)
  assert.equal((await findOverdue())?.status, 'degraded', 'doctor says the same')
  await tick()
  assert.equal(await isReady(), true)
})

test('a post that a gate holds, or that nobody approved, is not the publisher being late', async () => {
  await addScheduled('held', 3600, { awaiting_gate: "'final_publish_approval'" })
  await addScheduled('unapproved', 3600, { approved_at: 'null' })
  assert.equal(await isReady(), true)
  assert.deepEqual(await read('posts_overdue'), [{ value: 0 }])
})

test('doctor asks for the publisher only for posts that it would publish', async () => {
  await addScheduled('held', 3600, { awaiting_gate: "'final_publish_approval'" })
  await addScheduled('unapproved', 3600, { approved_at: 'null' })
  await addScheduled('without-a-niche', 3600)
  harness.values.niche_gated_publishing = true
  const found = await findOverdue()
  delete harness.values.niche_gated_publishing
  assert.equal(found?.status, 'ok')
  for (const n of [1, 2, 3, 4, 5]) await addScheduled(`late-${n}`, 7200)
  const late = await findOverdue()
  assert.equal(late?.status, 'degraded')
  assert.match(JSON.stringify(late), /6 scheduled posts, first late-\d [^"]*late-\d \([^)]*\)\./)
  assert.doesNotMatch(JSON.stringify(late), /without-a-niche/)
})

test('the process clock decides nothing: an hour off, either way, changes neither readiness nor what goes out', async () => {
  for (const hours of [-1, 1]) {
    await harness.db.script('truncate posts cascade')
    harness.setClock(() => new Date(Date.now() + hours * 3_600_000))
    await addScheduled('due', 1)
    await addScheduled('ahead', -600)
    assert.equal(await isReady(), true)
    assert.deepEqual(await read('posts_overdue'), [{ value: 1 }])
    await tick()
    const rows = await harness.db.query<{ slug: string }>("select slug from posts where status = 'published'")
    assert.deepEqual(rows, [{ slug: 'due' }])
  }
})

test('the lateness of everything published is counted once, whoever asks and whenever', async () => {
  const before = await read('posts_publish_lateness_seconds')
  const counted = (samples = before) => samples?.at(-1)?.value ?? 0
  const within = (samples: typeof before, le: string) => samples?.find(({ labels }) => labels?.le === le)?.value ?? 0
  await addScheduled('late', 200)
  await addScheduled('later', 2000)
  await tick()
  const one = await read('posts_publish_lateness_seconds')
  const two = await read('posts_publish_lateness_seconds')
  assert.deepEqual(one, two)
  assert.deepEqual(
    ['90', '300', '3600', '+Inf'].map(le => within(one, le) - within(before, le)),
    [0, 1, 2, 2]
  )
  assert.equal(counted(one), counted() + 2)
  assert.ok(Math.abs((one?.at(-2)?.value ?? 0) - (before?.at(-2)?.value ?? 0) - 2200) < 60)
})

test('what is settled is added up once and kept', async () => {
  await addScheduled('old', 2000)
  await tick()
  await harness.db.query("update post_history set at = at - interval '10 minutes'")
  const first = await read('posts_publish_lateness_seconds')
  await addScheduled('new', 20)
  await tick()
  const second = await read('posts_publish_lateness_seconds')
  assert.equal((second?.at(-1)?.value ?? 0) - (first?.at(-1)?.value ?? 0), 1)
})
