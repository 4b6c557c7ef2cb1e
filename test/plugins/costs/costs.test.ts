import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { runCommand } from '../../helpers/run-command.ts'
import { startService, type TestService } from '../../helpers/service.ts'

let service: TestService
before(async () => {
  service = await startService({ worker: false })
})
after(() => service.close())

test('costs operational counts tasks, tells of the workers and of how long the queues have waited', async () => {
  await service.bearer('POST', '/api/tasks', { topic: 'A topic that waits' })
  await service.db.query("update jobs.job set start_after = now() - interval '1 hour' where state < 'active'")
  await service.db.query('update jobs.version set cron_on = null')
  const { status, out } = await runCommand(service.kernel, 'costs', 'operational', '--json')
  const { tasks, worker, queues } = JSON.parse(out)
  assert.deepEqual([status, tasks], [0, { total: 1, by_status: { pending: 1 } }])
  assert.deepEqual(worker, { state: 'stopped', active_jobs: 0, last_seen_at: null })
  const [waiting] = queues.filter(({ ready }: { ready: number }) => ready > 0)
  assert.deepEqual([waiting.ready, waiting.active, waiting.parked, waiting.oldest_seconds >= 3600], [1, 0, 0, true])
  const text = await runCommand(service.kernel, 'costs', 'operational')
  assert.match(text.out, /^Tasks: 1 \(1 pending\)\nWorkers: stopped, 0 jobs under way, never seen\nQUEUE/)
  await service.db.query('update jobs.version set cron_on = now()')
  assert.equal(
    JSON.parse((await runCommand(service.kernel, 'costs', 'operational', '--json')).out).worker.state,
    'idle'
  )
})
