import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { runCommand } from '../../helpers/run-command.ts'
import { startService, type TestService } from '../../helpers/service.ts'
import { until } from '../../helpers/until.ts'
import { reachSlot } from '../schedule/reach-slot.ts'

let service: TestService
before(async () => {
  service = await startService({ settings: { pipeline_gate_final_publish_approval: 'on' } })
})
after(() => service.close())

test('a post rejected at its slot takes its task to rejected, with the reason and its history', async () => {
  const [row] = await service.db.query<{ task_id: string; post_id: string }>(
    `with task as (
       insert into tasks (topic, target_length, style, tone, status, progress, source)
       values ('A topic', 500, 'technical', 'professional', 'awaiting_approval', 90, 'manual') returning task_id
     ), post as (
       insert into posts (slug, title, content, content_html, status, task_id)
       select 'held', 'Held', 'c', 'c', 'awaiting_approval', task_id from task returning post_id, task_id
     )
     select * from post`
  )
  const { task_id = '', post_id = '' } = row ?? {}
  await service.db.query('update tasks set post_id = $2 where task_id = $1', [task_id, post_id])
  const publish_at = new Date(Date.now() + 3_600_000).toISOString()
  const approved = await service.bearer('POST', `/api/tasks/${task_id}/approve`, { approved: true, publish_at })
  assert.deepEqual([approved.status, approved.body.status, approved.body.publish_at], [200, 'approved', publish_at])
  await reachSlot(service.db, post_id)
  await until(
    async () => JSON.parse((await runCommand(service.kernel, 'schedule', 'pending', '--json')).out).count === 1
  )
  const { status, out } = await runCommand(
    ...([service.kernel, 'schedule', 'reject', post_id, '--reason', 'too late', '--json'] as const)
  )
  assert.deepEqual([status, JSON.parse(out).items[0].status], [0, 'draft'])
  const read = async () => (await service.bearer('GET', `/api/tasks/${task_id}`)).body
  const task = await read()
  assert.deepEqual([task.status, task.reason, task.publish_at], ['rejected', 'too late', null])
  const { items } = (await service.bearer('GET', `/api/pipeline/events/task/${task_id}`)).body
  const last = items.at(-1)
  assert.deepEqual(
    [last.type, last.from, last.to, last.detail.reason],
    ['slot_rejected', 'approved', 'rejected', 'too late']
  )
  for (const id of [task_id, post_id, post_id.slice(0, 8)]) {
    const history = await runCommand(service.kernel, 'gates', 'history', id, '--json')
    assert.deepEqual(
      JSON.parse(history.out).items.map((row: Record<string, string>) => [row.gate_name, row.subject_id, row.decision]),
      [
        ['final_publish_approval', post_id, 'rejected'],
        ['final_publish_approval', post_id, 'held'],
        ['awaiting_approval', task_id, 'approved']
      ]
    )
  }
  const retry = await service.bearer('POST', `/api/tasks/${task_id}/reject`, { feedback: 'again' })
  assert.deepEqual([retry.status, retry.body.error_code], [409, 'TASK_ALREADY_REJECTED'])
})
