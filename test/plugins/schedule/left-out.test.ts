import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startService, type TestService } from '../../helpers/service.ts'

let service: TestService
before(async () => {
  service = await startService({ worker: false, leftOut: ['schedule'] })
})
after(() => service.close())

const context = { signal: new AbortController().signal, unfinished: async () => [] }
const isOff = /^No post gets a slot while the plugin schedule is off: turn it on \(galley plugins enable schedule\)/

/** A task whose draft waits for approval. */
async function waiting() {
  const [task] = await service.db.query<{ task_id: string; post_id: string }>(
    `with task as (
       insert into tasks (topic, target_length, style, tone, status, progress, source)
       values ('Tides', 500, 'technical', 'professional', 'awaiting_approval', 90, 'manual') returning task_id
     ), post as (
       insert into posts (slug, title, content, content_html, status, task_id)
       select 'tides-' || left(task_id::text, 8), 'Tides', 'c', 'c', 'awaiting_approval', task_id from task
       returning post_id, task_id
     )
     select task_id, post_id from post`
  )
  await service.db.query('update tasks set post_id = $2 where task_id = $1', [task?.task_id ?? '', task?.post_id ?? ''])
  return task ?? { task_id: '', post_id: '' }
}

const statusOf = async (task_id: string) => (await service.bearer('GET', `/api/tasks/${task_id}`)).body.status

test('approving with publish_at is 409, names the plugin and changes nothing; approving without it publishes', async () => {
  const { task_id } = await waiting()
  const approve = (body: object) => service.bearer('POST', `/api/tasks/${task_id}/approve`, body)
  const refused = await approve({ approved: true, publish_at: new Date(Date.now() + 3_600_000).toISOString() })
  assert.deepEqual([refused.status, refused.body.error_code], [409, 'CONFLICT'])
  assert.match(refused.body.message, isOff)
  assert.equal(await statusOf(task_id), 'awaiting_approval')
  const history = (await service.bearer('GET', `/api/pipeline/events/task/${task_id}`)).body
  assert.deepEqual(history.items, [])
  assert.equal((await approve({ approved: true })).body.status, 'published')
})

test('neither route nor command nor gate is there', async () => {
  for (const method of ['GET', 'POST']) {
    const { status } = await fetch(`${service.url}/api/schedule`, { method })
    assert.equal(status, 404, method)
  }
  assert.ok(!service.kernel.plugins.some(({ contribution }) => 'schedule' in (contribution.commands ?? {})))
  const { out } = await service.run('gates', 'list', '--json')
  assert.doesNotMatch(out, /final_publish_approval/)
})

test('what has a slot already keeps it, is told of by doctor, and can be published', async () => {
  const check = service.kernel.plugins
    .flatMap(({ contribution }) => contribution.checks ?? [])
    .find(({ name }) => name === 'overdue slots')
  assert.equal((await check?.run(context))?.status, 'skipped')
  const { post_id } = await waiting()
  await service.db.query(
    "update posts set status = 'scheduled', published_at = now() - interval '1 hour', approved_at = now() where post_id = $1",
    [post_id]
  )
  await service.db.query("update tasks set status = 'approved' where post_id = $1", [post_id])
  const found = await check?.run(context)
  assert.equal(found?.status, 'degraded')
  assert.match(JSON.stringify(found), /1 scheduled post .*plugins enable schedule/)
  const published = await service.bearer('POST', `/api/posts/${post_id}/publish`, {})
  assert.equal(published.body.status, 'published')
})

test('a lost or refused slot is explained without a command that is not there', async () => {
  const { task_id, post_id } = await waiting()
  const slot = new Date(Date.now() + 3_600_000).toISOString()
  await service.db.query(
    "update posts set status = 'scheduled', published_at = $2, approved_at = now() where post_id = $1",
    [post_id, slot]
  )
  await service.db.query("update tasks set status = 'approved', publish_at = $2 where task_id = $1", [task_id, slot])
  const publish_at = new Date(Date.now() + 7_200_000).toISOString()
  const refused = await service.bearer('POST', `/api/tasks/${task_id}/approve`, { approved: true, publish_at })
  assert.equal(refused.status, 409)
  assert.match(refused.body.message, /: no plugin is on that gives posts their slots\. Nothing was changed\.$/)
  const { err } = await service.run('posts', 'retitle', post_id, 'Another title')
  assert.match(err, new RegExp(`its slot ${slot} was dropped: "posts publish ${post_id.slice(0, 8)}" approves`))
  const gate = await service.bearer('POST', '/api/gates/awaiting_approval/approve', { id: task_id })
  assert.equal(gate.status, 409)
  assert.match(gate.body.message, new RegExp(`"galley tasks publish ${task_id}" publishes now`))
  const published = await service.run('tasks', 'publish', task_id, '--force')
  assert.equal(published.status, 0, published.err)
  assert.equal(await statusOf(task_id), 'published')
})
