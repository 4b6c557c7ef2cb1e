import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { GatesService } from '#plugins/gates'
import { PostsService } from '#plugins/posts'
import { followReopened } from '../../../plugins/tasks/reopened.ts'
import { runCommand } from '../../helpers/run-command.ts'
import { startService, type TestService } from '../../helpers/service.ts'
import { draftedTask, lighthouseTask, storeSource } from '../../helpers/tasks.ts'
import { until } from '../../helpers/until.ts'

let service: TestService
before(async () => {
  service = await startService({ settings: { qa_rail_near_duplicate: 'off' } })
  await storeSource(service)
})
after(() => service.close())

let parts = 0
async function drafted(): Promise<{ task_id: string; post_id: string }> {
  const task = await draftedTask(service, { ...lighthouseTask, topic: `How a lighthouse lens works, part ${++parts}` })
  return { task_id: task.task_id, post_id: String(task.post_id) }
}
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString()
const approve = (task_id: string, publish_at?: string) =>
  service.bearer('POST', `/api/tasks/${task_id}/approve`, { approved: true, ...(publish_at ? { publish_at } : {}) })
const read = async (task_id: string) => (await service.bearer('GET', `/api/tasks/${task_id}`)).body
const isIn = (task_id: string, status: string) => until(async () => (await read(task_id)).status === status, status)
const galley = (...argv: string[]) => runCommand(service.kernel, ...argv)

test('a draft that waits is in the list of the default gate by its task, with the hash of its content', async () => {
  const { task_id, post_id } = await drafted()
  const shown = JSON.parse((await galley('gates', 'show-pending', post_id.slice(0, 8), '--json')).out)
  assert.deepEqual(
    [shown.gate_name, shown.subject_type, shown.subject_id, shown.post_id, shown.actor, shown.slot],
    ['awaiting_approval', 'task', task_id, post_id, 'pipeline', null]
  )
  assert.match(shown.content_hash, /^[0-9a-f]{64}$/)
  const gate = ['--gate', 'awaiting_approval', '--content-hash']
  const stale = await galley('gates', 'approve', task_id, ...gate, '0'.repeat(64), '--json')
  assert.deepEqual([stale.status, JSON.parse(stale.err).error_code], [1, 'CONTENT_CHANGED'])
  assert.equal((await read(task_id)).status, 'awaiting_approval')
  const done = await galley('gates', 'approve', task_id, ...gate, shown.content_hash, '--json')
  assert.deepEqual([done.status, JSON.parse(done.out).status], [0, 'published'])
  const [row] = await service.db.query(
    "select decision, content_hash from gate_history where subject_id = $1 and decision <> 'held'",
    [task_id]
  )
  assert.deepEqual(row, { decision: 'approved', content_hash: shown.content_hash })
})

test('rejected at the default gate, a draft is written again with the reason, which is required', async () => {
  const { task_id } = await drafted()
  const gate = ['--gate', 'awaiting_approval', '--json']
  const silent = await galley('gates', 'reject', task_id, ...gate)
  assert.deepEqual([silent.status, Object.keys(JSON.parse(silent.err).errors)], [2, ['reason']])
  const { out } = await galley('gates', 'reject', task_id, ...gate, '--reason', 'More on the keepers.')
  assert.deepEqual([JSON.parse(out).status, JSON.parse(out).feedback], ['rejected_retry', 'More on the keepers.'])
  await isIn(task_id, 'awaiting_approval')
  const holds = await service.db.query(
    "select reason from gate_history where subject_id = $1 and decision = 'held' order by id",
    [task_id]
  )
  assert.deepEqual(holds, [{ reason: null }, { reason: 'written again, attempt 2' }])
})

test('an approved task whose post is edited waits for approval again, saying why, and goes out when it is approved again', async () => {
  const { task_id, post_id } = await drafted()
  await approve(task_id, inAnHour())
  const retitled = await galley('posts', 'retitle', post_id, 'Another title', '--json')
  assert.equal(JSON.parse(retitled.out).status, 'awaiting_approval')
  assert.match(retitled.err, /waits for approval again; its slot was dropped: "schedule at/)
  await isIn(task_id, 'awaiting_approval')
  const { publish_at, reason } = await read(task_id)
  assert.deepEqual([publish_at, reason], [null, 'the content changed: title'])
  const { items } = (await service.bearer('GET', `/api/pipeline/events/task/${task_id}`)).body
  const { type, from, to, detail } = items.at(-1)
  assert.deepEqual(
    [type, from, to, detail.reason],
    ['reopened', 'approved', 'awaiting_approval', 'the content changed: title']
  )
  const again = (await approve(task_id)).body
  assert.deepEqual([again.status, again.reason], ['published', null])
})

test('a decision that comes before the task has heard of the edit finds it waiting, and stays', async () => {
  const { task_id, post_id } = await drafted()
  await approve(task_id, inAnHour())
  const slot = inAnHour()
  await service.bearer('PATCH', `/api/posts/${post_id}`, { title: 'Edited and approved at once' })
  assert.deepEqual([(await approve(task_id, slot)).body.status, (await read(task_id)).publish_at], ['approved', slot])
  // The event of the edit, late or a second time: the post is scheduled again, and the task keeps its approval.
  const posts = service.kernel.service(PostsService)
  assert.ok(posts !== undefined)
  await followReopened(service.db, { posts })({ post_id, actor: 'operator', reason: 'late' })
  assert.equal((await read(task_id)).status, 'approved')
  await service.bearer('PATCH', `/api/posts/${post_id}`, { title: 'Edited and sent back' })
  const rejected = await service.bearer('POST', `/api/tasks/${task_id}/reject`, {
    feedback: 'no',
    allow_revisions: false
  })
  assert.deepEqual([rejected.status, rejected.body.status], [200, 'rejected_final'])
})

test('a time that has passed is refused in one sentence that quotes it once', async () => {
  const { status, err } = await galley('tasks', 'approve', 'ffffffff', '--publish-at', '2020-01-01T09:00')
  assert.equal(status, 2)
  assert.equal(err, 'error: --publish-at must be in the future, not "2020-01-01T09:00": 2020-01-01 09:00Z has passed')
})

test('a draft that is given a slot by hand is approved with its task, whose time follows the slot', async () => {
  const { task_id, post_id } = await drafted()
  const at = inAnHour()
  assert.equal((await galley('schedule', 'at', post_id, at)).status, 0)
  await isIn(task_id, 'approved')
  assert.equal((await read(task_id)).publish_at, at)
  await galley('schedule', 'shift', post_id, '--by', '1h')
  const later = new Date(Date.parse(at) + 3_600_000).toISOString()
  await until(async () => (await read(task_id)).publish_at === later, 'the task has the new slot')
  await galley('schedule', 'clear', post_id)
  await until(async () => (await read(task_id)).publish_at === null, 'the task has no slot')
  const decisions = await service.db.query(
    'select gate_name, decision from gate_history where subject_id = any($1::uuid[]) order by id',
    [[task_id, post_id]]
  )
  assert.deepEqual(decisions, [
    { gate_name: 'awaiting_approval', decision: 'held' },
    { gate_name: 'awaiting_approval', decision: 'approved' }
  ])
  assert.deepEqual(await service.kernel.service(GatesService)?.pending('final_publish_approval'), [])
})
