import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { Db, Emit, Enqueue, Queryable, Tx } from '#core'
import { createAnnouncements } from '../../../plugins/posts/announcements.ts'
import { createDuePosts } from '../../../plugins/posts/slots/due.ts'
import { createPostTransitions } from '../../../plugins/posts/transitions.ts'
import { createPublisher, type PublisherDeps, publisherJob } from '../../../plugins/schedule/publisher.ts'
import { asClient, type Harness, historyOf, makePost, openPosts } from '../posts/harness.ts'

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

const signal = new AbortController().signal
const tick = () => harness.scheduling.publisher.publishDue(signal)
const statusOf = async (post_id: string) => {
  const [row] = await harness.db.query<{ status: string; awaiting_gate: string | null; published_at: string }>(
    'select status, awaiting_gate, published_at from posts where post_id = $1',
    [post_id]
  )
  return row
}

async function scheduled({ at = "now() - interval '1 minute'", approved = 'now()' } = {}) {
  const post_id = await makePost(harness)
  await harness.db.query(
    `update posts set status = 'scheduled', published_at = ${at}, approved_at = ${approved}, approved_hash = content_hash
     where post_id = $1`,
    [post_id]
  )
  return post_id
}

/** A publisher beside the one of the harness. */
const publisherOf = (deps: Partial<PublisherDeps> = {}) =>
  createPublisher({
    db: harness.db,
    due: dueOf(keepEvents),
    isGateOn: () => harness.values.pipeline_gate_final_publish_approval === 'on',
    ...deps
  })

const keepEvents: Emit = async (tx, type, payloads) =>
  tx.afterCommit(() =>
    harness.events.push(...[payloads].flat().map(payload => ({ type: type.id, payload: payload as never })))
  )

function dueOf(emit: Emit, enqueue: Enqueue = async () => {}) {
  const { announce, defer } = createAnnouncements({ db: harness.db, emit, enqueue })
  return createDuePosts({
    emit,
    deferAnnouncements: defer,
    isNicheGated: () => false,
    transitions: createPostTransitions({
      scheduler: { wakeAt: async () => {} },
      emit,
      announce,
      changes: { touch: async () => {}, on: () => {}, isCurrent: () => true },
      gates: harness.gates
    })
  })
}

test('a slot that comes behind the last look for due posts wakes the publisher at once', async () => {
  const missed: string[] = []
  const publisher = {
    async publishDue() {
      missed.push(await scheduled({ at: 'clock_timestamp()' }))
    }
  }
  const woken: string[] = []
  const wakeAt = async (_: Tx, slot: string) => void woken.push(slot)
  const job = publisherJob({ db: harness.db, publisher, slots: harness.scheduling.slots, scheduler: { wakeAt } })
  await job.handle({} as never, { signal } as Parameters<typeof job.handle>[1])
  assert.deepEqual(woken, [(await statusOf(missed[0] ?? ''))?.published_at])
})

test('what is due goes out at its slot, with history and event; the rest waits', async () => {
  const due = await scheduled()
  const later = await scheduled({ at: "now() + interval '1 hour'" })
  const before = await statusOf(due)
  await tick()
  assert.deepEqual(await statusOf(due), {
    status: 'published',
    awaiting_gate: null,
    published_at: before?.published_at
  })
  assert.equal((await statusOf(later))?.status, 'scheduled')
  assert.equal((await historyOf(harness, due)).at(-1), 'release scheduled published')
  assert.deepEqual(
    harness.events.map(event => [event.type, event.payload.post_id]),
    [['posts.published', due]]
  )
})

test('a post that nobody approved never goes out', async () => {
  const post_id = await scheduled({ approved: 'null' })
  await tick()
  assert.equal((await statusOf(post_id))?.status, 'scheduled')
})

test('with the gate on a due post is held once, and goes out when it is approved', async () => {
  harness.values.pipeline_gate_final_publish_approval = 'on'
  const post_id = await scheduled()
  await tick()
  await tick()
  assert.deepEqual(
    [(await statusOf(post_id))?.status, (await statusOf(post_id))?.awaiting_gate],
    ['scheduled', harness.gateName]
  )
  assert.deepEqual(
    harness.events.map(event => event.type),
    ['gate.held', 'posts.held']
  )
  assert.equal(
    (await asClient(harness, 'GET', '/api/posts?status=scheduled')).json().items[0].awaiting_gate,
    harness.gateName
  )
  await harness.gates.approve(harness.gateName, post_id.slice(0, 8), { actor: 'operator', reason: 'fine' })
  assert.deepEqual([(await statusOf(post_id))?.status, (await statusOf(post_id))?.awaiting_gate], ['published', null])
  const decisions = await harness.db.query('select decision, actor, reason from gate_history order by id')
  assert.deepEqual(decisions, [
    { decision: 'held', actor: 'publisher', reason: null },
    { decision: 'approved', actor: 'operator', reason: 'fine' }
  ])
  await assert.rejects(harness.gates.approve(harness.gateName, post_id, { actor: 'operator', reason: null }), {
    code: 'CONFLICT'
  })
})

test('many due posts are held at once as one is, each with its history and its event, at the cost of one', async () => {
  harness.values.pipeline_gate_final_publish_approval = 'on'
  const costs: number[] = []
  for (const count of [1, 200]) {
    await harness.db.script('truncate posts, gate_history cascade')
    harness.events.splice(0)
    for (let n = 0; n < count; n++) await scheduled()
    const statements: string[] = []
    const publisher = publisherOf({ db: counting(statements) })
    await publisher.publishDue(signal)
    costs.push(statements.length)
    const [row] = await harness.db.query(
      `select count(distinct subject_id) as posts, count(*) as rows,
         bool_and(content_hash = (select content_hash from posts where post_id = subject_id)) as is_of_content
       from gate_history where decision = 'held' and actor = 'publisher' and subject_type = 'post'`
    )
    assert.deepEqual(row, { posts: count, rows: count, is_of_content: true })
    const ids = (type: string, key: string) =>
      new Set(harness.events.filter(event => event.type === type).map(({ payload }) => payload[key]))
    assert.deepEqual(ids('gate.held', 'post_id').size, count)
    assert.deepEqual(ids('posts.held', 'post_id'), ids('gate.held', 'subject_id'))
    await publisher.publishDue(signal)
    assert.equal(harness.events.length, 2 * count)
  }
  assert.equal(costs[0], costs[1])
})

test('a held post that is rejected or archived leaves the gate with a decision', async () => {
  harness.values.pipeline_gate_final_publish_approval = 'on'
  const one = await scheduled()
  const two = await scheduled()
  await tick()
  await harness.db.transaction(tx => harness.posts.reject(tx, one, { actor: 'operator', reason: 'no' }))
  await asClient(harness, 'DELETE', `/api/posts/${two}`)
  const rows = await harness.db.query("select decision, reason from gate_history where decision <> 'held' order by id")
  assert.deepEqual(rows, [
    { decision: 'rejected', reason: 'no' },
    { decision: 'cleared', reason: null }
  ])
})

test('many due posts go out once each, however many publishers run', async () => {
  await harness.db.query(
    `insert into posts (slug, title, content, content_html, status, published_at, approved_at)
     select 'due-' || n, 't', 'c', 'c', 'scheduled', now(), now() from generate_series(1, 800) n`
  )
  await harness.db.query('update posts set approved_hash = content_hash')
  const emitted: string[] = []
  const keep = (tx: Tx, posts: object) =>
    tx.afterCommit(() => emitted.push(...(posts as { post_id: string }[]).map(each => each.post_id)))
  const enqueue: Enqueue = async (tx, _, data) => keep(tx, (data as unknown as { posts: object }).posts)
  const emit: Emit = async (tx, _, payloads) => keep(tx, [payloads].flat())
  const publishers = Array.from({ length: 3 }, () => publisherOf({ due: dueOf(emit, enqueue) }))
  await Promise.all(publishers.map(publisher => publisher.publishDue(signal)))
  assert.deepEqual([emitted.length, new Set(emitted).size], [800, 800])
  const [row] = await harness.db.query<{ posts: number; releases: number }>(
    `select count(*) filter (where status = 'published') as posts,
       (select count(*) from post_history where action = 'release') as releases from posts`
  )
  assert.deepEqual(row, { posts: 800, releases: 800 })
})

test('a publisher that dies between slot and publication leaves everything to the next one', async () => {
  const one = await scheduled()
  const two = await scheduled()
  const due = dueOf(keepEvents)
  const dying = publisherOf({
    due: {
      ...due,
      publish: async (tx, posts, by) => {
        await due.publish(tx, posts, by)
        throw new Error('killed before the commit')
      }
    }
  })
  await assert.rejects(dying.publishDue(signal), /killed/)
  for (const id of [one, two]) assert.equal((await statusOf(id))?.status, 'scheduled')
  assert.equal(harness.events.length, 0)
  await tick()
  await tick()
  for (const id of [one, two]) {
    assert.equal((await historyOf(harness, id)).filter(step => step.startsWith('release')).length, 1)
  }
  assert.equal(harness.events.filter(({ type }) => type === 'posts.published').length, 2)
})

test('while more is due than a batch holds, its subscribers wait by the database clock until the last one is out', async () => {
  await harness.db.query(
    `insert into posts (slug, title, content, content_html, status, published_at, approved_at)
     select 'many-' || n, 't', 'c', 'c', 'scheduled', now(), now() from generate_series(1, 600) n`
  )
  await harness.db.query('update posts set approved_hash = content_hash')
  const steps: string[] = []
  const due = dueOf(keepEvents, async (_tx, { id }, data, { startAt } = {}) => {
    const { posts } = data as unknown as { posts: readonly object[] }
    steps.push(`${id} of ${posts.length} ${startAt === undefined ? 'now' : 'later'}`)
  })
  const analyze = async (db: Queryable) => {
    steps.push('analyze')
    await due.analyze(db)
  }
  const publisher = publisherOf({ due: { ...due, analyze } })
  await publisher.publishDue(signal)
  const later = 'posts.announce of 250 later'
  const now = 'posts.announce of 0 now'
  assert.deepEqual(steps, [later, later, 'analyze', now, now])
  const [index] = await harness.db.query(
    `select reltuples::int as posts from pg_class where relname = 'posts_published'`
  )
  assert.deepEqual(index, { posts: 600 })
  assert.equal(harness.events.splice(0).length, 100)
  steps.splice(0)
  await scheduled()
  await publisher.publishDue(signal)
  assert.deepEqual([steps.length, harness.events.length], [0, 1])
})

test('with the gate on a full batch is held, and no announcement is queued', async () => {
  harness.values.pipeline_gate_final_publish_approval = 'on'
  await harness.db.query(
    `insert into posts (slug, title, content, content_html, status, published_at, approved_at)
     select 'held-' || n, 't', 'c', 'c', 'scheduled', now(), now() from generate_series(1, 250) n`
  )
  await harness.db.query('update posts set approved_hash = content_hash')
  const queued: string[] = []
  const publisher = publisherOf({ due: dueOf(keepEvents, async (_tx, { id }) => void queued.push(id)) })
  await publisher.publishDue(signal)
  const [row] = await harness.db.query('select count(*) as held from posts where awaiting_gate is not null')
  assert.deepEqual([row, queued], [{ held: 250 }, []])
})

/** The database, writing down what its transactions say. */
function counting(statements: string[]): Db {
  const count = <T>(sql: string, result: T) => {
    statements.push(sql)
    return result
  }
  return {
    ...harness.db,
    transaction: work =>
      harness.db.transaction(tx => work({ ...tx, query: (sql, params) => count(sql, tx.query(sql, params)) }))
  }
}
