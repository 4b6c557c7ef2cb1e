import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { after, before, beforeEach, test } from 'node:test'
import { runCommand } from '../../helpers/run-command.ts'
import { startService, type TestService } from '../../helpers/service.ts'
import { storeSource } from '../../helpers/tasks.ts'

let service: TestService
before(async () => {
  service = await startService({ worker: false })
  await storeSource(service)
})
after(() => service.close())
beforeEach(async () => {
  await service.db.query('delete from tasks')
  await service.kernel.settings.set('pipeline_gate_topic_decision', 'on')
  await service.kernel.settings.set('topic_discovery_max_pending', '50')
})

const galley = (...argv: string[]) => runCommand(service.kernel, 'topics', ...argv, '--json')
const propose = async (topic: string, ...flags: string[]) => {
  const { out } = await galley('propose', '--topic', topic, ...flags)
  return JSON.parse(out)
}
const history = (task_id: string) =>
  service.db.query('select gate_name, decision, reason from gate_history where subject_id = $1 order by id', [task_id])

test('with the gate on a proposal is held, with its artifact and defaults', async () => {
  const topic = await propose(
    'How lighthouses are numbered',
    '--keyword',
    'lighthouse',
    '--tags',
    'sea, light',
    '--category',
    'optics'
  )
  assert.equal(topic.status, 'awaiting_gate')
  assert.equal(topic.awaiting_gate, 'topic_decision')
  assert.deepEqual(topic.artifact, {
    topic: 'How lighthouses are numbered',
    keyword: 'lighthouse',
    tags: ['sea', 'light'],
    category: 'optics',
    source: 'manual',
    target_length: 1500,
    style: 'technical',
    tone: 'professional'
  })
  assert.deepEqual(await history(topic.task_id), [{ gate_name: 'topic_decision', decision: 'held', reason: null }])
})

test('with the gate off a proposal goes into the pipeline', async () => {
  await service.kernel.settings.set('pipeline_gate_topic_decision', 'off')
  const topic = await propose('How lighthouses are numbered')
  assert.equal(topic.status, 'pending')
  assert.equal(topic.awaiting_gate, null)
})

test('an empty topic exits non-zero and stores nothing', async () => {
  for (const text of ['', '   ']) {
    const { status } = await galley('propose', '--topic', text)
    assert.notEqual(status, 0)
  }
  const [row] = await service.db.query<{ count: number }>('select count(*) as count from tasks')
  assert.equal(row?.count, 0)
})

const long = 'x'.repeat(201)
const faults: [flags: string[], field: string, fault: string][] = [
  [['--tags', 'x'.repeat(61)], 'tags', 'each must be at most 60 characters; it has 61'],
  [['--tags', Array.from({ length: 21 }, (_, n) => n).join()], 'tags', 'must be at most 20; they are 21'],
  [['--category', long], 'category', 'must be at most 200 characters; it has 201'],
  [['--keyword', ' '], 'keyword', 'must not be blank'],
  [['--source', 'x'.repeat(61)], 'source', 'must be at most 60 characters; it has 61'],
  [['--style', long], 'style', 'must be at most 60 characters; it has 201'],
  [['--tone', long], 'tone', 'must be at most 60 characters; it has 201']
]

test('the terminal has the bounds of REST: every faulty flag is named and nothing is stored', async () => {
  for (const [flags, field, fault] of faults) {
    const { status, err } = await galley('propose', '--topic', 'A topic', ...flags)
    const { errors } = JSON.parse(err)
    assert.deepEqual([status, Object.keys(errors)], [2, [field]])
    // A short value is shown behind its fault.
    assert.ok(errors[field].startsWith(fault), errors[field])
  }
  const all = faults.flatMap(([flags]) => flags)
  const { err } = await galley('propose', '--topic', 'ab', ...all.slice(4))
  const named = ['category', 'keyword', 'source', 'style', 'tone', 'topic']
  assert.deepEqual(Object.keys(JSON.parse(err).errors).sort(), named)
  assert.deepEqual(await service.db.query('select from tasks'), [])
})

test('a tag given twice is one', async () => {
  assert.deepEqual((await propose('A topic', '--tags', 'sea, moon,,sea')).tags, ['sea', 'moon'])
})

test('a full queue refuses, and two at once never pass its limit', async () => {
  await service.kernel.settings.set('topic_discovery_max_pending', '3')
  const results = await Promise.all(
    Array.from({ length: 6 }, (_, n) => galley('propose', '--topic', `Lighthouse number ${n}`))
  )
  assert.deepEqual(results.map(({ status }) => status).sort(), [0, 0, 0, 1, 1, 1])
  assert.match(results.map(({ err }) => err).join(''), /TOPIC_QUEUE_FULL|topic_discovery_max_pending/)
  const { out } = await galley('list')
  assert.equal(JSON.parse(out).total, 3)
})

test('the queue lists the oldest first and filters by source', async () => {
  const first = await propose('The first lighthouse')
  await propose('The second lighthouse', '--source', 'feed')
  const all = JSON.parse((await galley('list')).out)
  assert.deepEqual([all.total, all.items[0].task_id], [2, first.task_id])
  const some = JSON.parse((await galley('list', '--source', 'feed')).out)
  assert.deepEqual([some.total, some.items[0].topic], [1, 'The second lighthouse'])
})

test('an approved topic enters the pipeline, and a decided one cannot be decided again', async () => {
  const { task_id } = await propose('How lighthouses are numbered')
  const approved = JSON.parse((await galley('approve', task_id.slice(0, 8), '--feedback', 'keep it short')).out)
  assert.equal(approved.status, 'pending')
  assert.equal(approved.awaiting_gate, null)
  const again = await galley('reject', task_id)
  assert.equal(again.status, 1)
  assert.deepEqual(
    (await history(task_id)).map(row => row.decision),
    ['held', 'approved']
  )
})

test('a rejected topic ends dismissed with its reason', async () => {
  const { task_id } = await propose('How lighthouses are numbered')
  const rejected = JSON.parse((await galley('reject', task_id, '--reason', 'off topic')).out)
  assert.equal(rejected.status, 'dismissed')
  const { body } = await service.bearer('GET', `/api/tasks/${task_id}`)
  assert.equal(body.reason, 'off topic')
})

test('the gate counts what waits and lets it pass by name', async () => {
  const { task_id } = await propose('How lighthouses are numbered')
  const gates = JSON.parse((await runCommand(service.kernel, 'gates', 'list', '--json')).out)
  const row = gates.items.find((gate: { gate_name: string }) => gate.gate_name === 'topic_decision')
  assert.deepEqual([row.enabled, row.pending_count, row.setting_key], [true, 1, 'pipeline_gate_topic_decision'])
  await runCommand(service.kernel, 'gates', 'approve', task_id, '--gate', 'topic_decision')
  assert.equal((await service.bearer('GET', `/api/tasks/${task_id}`)).body.status, 'pending')
})

const nearTopics: [title: string, first: string, second: string, isNear: boolean][] = [
  ['the same words', 'How a lighthouse lens works', 'How a lighthouse lens works', true],
  ['another case and sign', 'How a lighthouse lens works', 'how a Lighthouse lens works?', true],
  ['another order', 'Keeping bees in winter', 'In winter: keeping bees', true],
  ['other forms of the words', 'How a lighthouse lens works', 'How lighthouse lenses work', true],
  ['a typo', 'Keeping bees in winter', 'Keeping bees in wintre', true],
  ['another script', '灯台のレンズの仕組み', '灯台のレンズの仕組みについて', true],
  ['another subject of the same form', 'How lighthouses are numbered', 'How lighthouses are built', false],
  ['another number', 'What is new in PostgreSQL 17', 'What is new in PostgreSQL 18', false],
  ['nothing in common', 'Keeping bees in winter', 'How a lighthouse lens works', false]
]
for (const [title, first, second, isNear] of nearTopics) {
  test(`a proposal with ${title} ${isNear ? 'says that it nearly repeats the open topic' : 'is a topic of its own'}`, async () => {
    const earlier = await propose(first)
    assert.equal(earlier.near_duplicate, null)
    const { status, out, err } = await galley('propose', '--topic', second)
    const later = JSON.parse(out)
    assert.deepEqual([status, later.awaiting_gate], [0, 'topic_decision'], 'it is stored anyway')
    if (!isNear) return assert.deepEqual([later.near_duplicate, err], [null, ''])
    const { similarity, ...near } = later.near_duplicate
    assert.deepEqual(near, { type: 'topic', id: earlier.task_id, title: first })
    assert.ok(similarity >= 0.75 && similarity <= 1, String(similarity))
    assert.match(err, /^warning: the topic nearly repeats the open topic /)
    assert.match((await history(later.task_id))[0]?.reason as string, /^nearly repeats the open topic/)
    assert.deepEqual(JSON.parse((await galley('show', later.task_id)).out).near_duplicate, later.near_duplicate)
  })
}

test('under --strict a near-duplicate is refused with exit 1 and nothing is stored; a topic of its own is not', async () => {
  const { task_id } = await propose('How a lighthouse lens works', '--strict')
  const { status, out, err } = await galley('propose', '--topic', 'How lighthouse lenses work', '--strict')
  assert.deepEqual([status, out, JSON.parse(err).error_code], [1, '', 'DUPLICATE_TOPIC'])
  assert.match(JSON.parse(err).message, new RegExp(`How a lighthouse lens works.*${task_id.slice(0, 8)}`))
  assert.equal(JSON.parse((await galley('list')).out).total, 1)
  assert.equal((await galley('propose', '--topic', 'Keeping bees in winter', '--strict')).status, 0)
})

test('of many equal proposals at once under --strict one is stored', async () => {
  const proposals = Array.from({ length: 6 }, () => galley('propose', '--topic', 'Keeping bees in winter', '--strict'))
  const statuses = (await Promise.all(proposals)).map(({ status }) => status)
  assert.deepEqual(statuses.sort(), [0, 1, 1, 1, 1, 1])
})

test('a decided topic is no longer in the way; one that is being written is', async () => {
  const { task_id } = await propose('Keeping bees in winter')
  await galley('approve', task_id)
  assert.equal((await propose('Keeping bees in winter')).near_duplicate.id, task_id)
  await service.db.query('delete from tasks')
  const { task_id: rejected } = await propose('Keeping bees in winter')
  await galley('reject', rejected)
  assert.equal((await galley('propose', '--topic', 'Keeping bees in winter', '--strict')).status, 0)
})

test('a proposal that nearly repeats a published post says so, with the gate on and off, and is refused under --strict', async () => {
  const file = path.join(service.home, 'post.md')
  writeFileSync(file, '# Mending nets by hand\n\nText.')
  const created = await runCommand(service.kernel, 'posts', 'create', '--from-file', file, '--json')
  const { post_id } = JSON.parse(created.out)
  assert.equal((await propose('Mending nets by hand')).near_duplicate, null, 'a draft is not in the way')
  await runCommand(service.kernel, 'posts', 'publish', post_id)
  await service.db.query('delete from tasks')
  for (const state of ['on', 'off']) {
    await service.kernel.settings.set('pipeline_gate_topic_decision', state)
    const { near_duplicate } = await propose('Mending nets by hand')
    assert.deepEqual(near_duplicate, { type: 'post', id: post_id, title: 'Mending nets by hand', similarity: 1 })
    await service.db.query('delete from tasks')
    const strict = await galley('propose', '--topic', 'mending nets by hand', '--strict')
    assert.deepEqual([strict.status, JSON.parse(strict.err).error_code], [1, 'DUPLICATE_TOPIC'])
  }
  const [row] = await service.db.query<{ count: number }>('select count(*) as count from tasks')
  assert.equal(row?.count, 0)
})

test('the threshold is a setting', async () => {
  await propose('How lighthouses are numbered')
  await service.kernel.settings.set('topic_dedup_threshold', '0.4')
  assert.equal((await galley('propose', '--topic', 'How lighthouses are built', '--strict')).status, 1)
  await service.kernel.settings.set('topic_dedup_threshold', '0.75')
})

test('topics are proposed, listed in pages and decided over REST', async () => {
  const names = ['How foghorns were heard', 'Why buoys have bells', 'Who paid for lightships']
  const made = []
  for (const topic of names) made.push(await service.bearer('POST', '/api/topics', { topic, source: 'desk' }))
  const [first, second, third] = made.map(({ status, body, headers }) => {
    assert.equal(status, 201)
    assert.equal(headers.get('location'), `/api/topics/${body.task_id}`)
    assert.equal(body.artifact.source, 'desk')
    return body
  })
  const page = (await service.bearer('GET', '/api/topics?source=desk&limit=2')).body
  assert.deepEqual(
    page.items.map((item: { task_id: string }) => item.task_id),
    [first.task_id, second.task_id]
  )
  assert.equal(page.total, 3)
  const rest = (await service.bearer('GET', `/api/topics?source=desk&limit=2&cursor=${page.next_cursor}`)).body
  assert.deepEqual(
    rest.items.map((item: { task_id: string }) => item.task_id),
    [third.task_id]
  )
  const approved = await service.bearer('POST', `/api/topics/${first.task_id}/approve`, { feedback: 'Short, please.' })
  assert.deepEqual([approved.status, approved.body.status], [200, 'pending'])
  const rejected = await service.bearer('POST', `/api/gates/topic_decision/reject`, { id: second.task_id.slice(0, 8) })
  assert.deepEqual([rejected.status, rejected.body.status], [200, 'dismissed'])
  const again = await service.bearer('POST', `/api/topics/${first.task_id}/reject`, {})
  assert.equal(again.status, 409)
  assert.equal((await service.bearer('GET', `/api/topics/${third.task_id}`)).body.topic, names[2])
  const repeated = await service.bearer('POST', '/api/topics', { topic: names[2], strict: true })
  assert.deepEqual([repeated.status, repeated.body.error_code], [409, 'DUPLICATE_TOPIC'])
})

test('gates are listed, switched and asked over REST', async () => {
  const { task_id } = await propose('How tide tables are made')
  const other = await propose('Where pilots wait')
  const gates = (await service.bearer('GET', '/api/gates')).body
  assert.deepEqual(gates.items.map((gate: { gate_name: string }) => gate.gate_name).slice(0, 1), ['awaiting_approval'])
  const pending = (await service.bearer('GET', '/api/gates/pending?gate_name=topic_decision&limit=1')).body
  assert.deepEqual([pending.total, pending.items[0].task_id], [2, task_id])
  const next = `/api/gates/pending?gate_name=topic_decision&cursor=${pending.next_cursor}`
  assert.equal((await service.bearer('GET', next)).body.items[0].task_id, other.task_id)
  await service.bearer('POST', '/api/gates/topic_decision/approve', { id: task_id, reason: 'Wanted.' })
  const history = (await service.bearer('GET', `/api/gates/history?id=${task_id}&limit=1`)).body
  assert.deepEqual([history.total, history.items[0].decision, history.items[0].reason], [2, 'approved', 'Wanted.'])
  const older = `/api/gates/history?id=${task_id}&limit=1&cursor=${history.next_cursor}`
  assert.equal((await service.bearer('GET', older)).body.items[0].decision, 'held')
  const off = await service.bearer('PUT', '/api/gates/topic_decision', { enabled: false })
  assert.deepEqual([off.status, off.body.enabled], [200, false])
  assert.equal((await service.bearer('PUT', '/api/gates/awaiting_approval', { enabled: false })).status, 409)
  assert.equal((await service.bearer('GET', '/api/gates/pending?gate_name=none')).status, 404)
  assert.equal((await service.anonymous('POST', '/api/gates/topic_decision/approve', { id: task_id })).status, 401)
})

test('metadata of a task is its own, whatever its keys', async () => {
  const task = { topic: 'Reading a chart', metadata: { near_duplicate: {} } }
  const { task_id, metadata } = (await service.bearer('POST', '/api/tasks', task)).body
  assert.deepEqual(metadata ?? task.metadata, task.metadata)
  const { status, body } = await service.bearer('GET', `/api/topics/${task_id}`)
  assert.deepEqual([status, body.near_duplicate], [200, null])
  assert.equal((await galley('show', task_id)).status, 0)
})
