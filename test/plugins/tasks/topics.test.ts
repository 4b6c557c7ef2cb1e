import assert from 'node:assert/strict'
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
