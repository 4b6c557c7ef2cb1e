import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { ScheduleItem } from '../../../plugins/schedule/results.ts'
import { runCommand } from '../../helpers/run-command.ts'
import { startService, type TestService } from '../../helpers/service.ts'
import { truncate } from '../../helpers/truncate.ts'
import { until } from '../../helpers/until.ts'
import { reachSlot } from './reach-slot.ts'

let service: TestService
before(async () => {
  service = await startService()
})
after(() => service.close())

const schedule = (...argv: string[]) => runCommand(service.kernel, 'schedule', ...argv, '--json')

async function statuses() {
  const rows = await service.db.query<{ status: string }>('select status from posts order by published_at, slug')
  return rows.map(({ status }) => status).join(' ')
}

/** Runs of the publisher that wait for a slot, by its time. */
async function wakes() {
  const rows = await service.db.query<{ slot: string }>(
    `select singleton_key as slot from jobs.job
     where name = 'schedule.publish_due' and singleton_key ~ '^20' and state = 'created' order by 1`
  )
  return rows.map(({ slot }) => slot)
}

test('a batch queues the publisher for its first slot, and each run for the slot after it', async () => {
  await service.db.query(
    `insert into posts (slug, title, content, content_html, status)
     select 'post-' || n, 'Post', 'c', 'c', 'approved' from generate_series(1, 3) n`
  )
  const start = new Date(Date.now() + 3_600_000).toISOString()
  const { status, out } = await schedule('batch', '--count', '3', '--interval', '1h', '--start', start)
  const items: ScheduleItem[] = JSON.parse(out).items
  const slots = items.map(item => item.published_at)
  assert.equal(status, 0)
  assert.deepEqual(await wakes(), [slots[0]])
  await reachSlot(service.db, items[0]?.post_id ?? '')
  await until(async () => (await wakes())[0] === slots[1])
  assert.equal(await statuses(), 'published scheduled scheduled')
  const [row] = await service.db.query<{ is_early: boolean }>(
    `select h.at < p.published_at as is_early from post_history h join posts p using (post_id) where h.action = 'release'`
  )
  assert.equal(row?.is_early, false)
})

test('with the gate on a post is held at its slot and goes out when it is approved', async () => {
  await truncate(service.db, 'posts')
  await service.kernel.settings.set('pipeline_gate_final_publish_approval', 'on')
  const [row] = await service.db.query<{ post_id: string }>(
    `insert into posts (slug, title, content, content_html, status)
     values ('held', 'Held', 'c', 'c', 'awaiting_approval') returning post_id`
  )
  const post_id = row?.post_id ?? ''
  assert.equal((await schedule('at', post_id, 'now')).status, 0)
  await until(async () => JSON.parse((await schedule('pending')).out).count === 1)
  assert.equal(await statuses(), 'scheduled')
  assert.equal((await schedule('approve', post_id)).status, 0)
  await until(async () => (await statuses()) === 'published')
  assert.equal((await service.anonymous('GET', '/api/posts/held')).status, 200)
})

test('a batch of many that waited for approval decides each once, and their tasks follow it and every shift', async () => {
  await truncate(service.db, 'posts, tasks, gate_history')
  await service.kernel.settings.set('pipeline_gate_final_publish_approval', 'off')
  const count = 230
  await service.db.query(
    `with task as (
       insert into tasks (topic, target_length, style, tone, status, progress, source)
       select 'Topic ' || n, 500, 'technical', 'professional', 'awaiting_approval', 90, 'manual' from generate_series(1, $1::int) n
       returning task_id
     )
     insert into posts (slug, title, content, content_html, status, task_id)
     select 'post-' || row_number() over (), 'Post', 'c', 'c', 'awaiting_approval', task_id from task`,
    [count]
  )
  await service.db.script('update tasks set post_id = posts.post_id from posts where posts.task_id = tasks.task_id')
  const batch = await schedule('batch', '--count', '500', '--interval', '1h', '--start', '2030-01-02 09:00')
  const slots = new Map(
    JSON.parse(batch.out).items.map(({ post_id, published_at }: ScheduleItem) => [post_id, published_at])
  )
  assert.equal(slots.size, count)
  const tasks = async () => {
    const { items } = (await service.bearer('GET', '/api/tasks?limit=100&status=approved')).body
    return items as { post_id: string; publish_at: string; progress: number }[]
  }
  const [row] = await service.db.query<{ rows: number; subjects: number; words: string[] }>(
    `select count(*) as rows, count(distinct subject_id) as subjects,
       array_agg(distinct gate_name || ' ' || decision || ' ' || subject_type) as words from gate_history`
  )
  assert.deepEqual(row, { rows: count, subjects: count, words: ['awaiting_approval approved task'] })
  const follow = () =>
    until(async () => {
      const rows = await service.db.query(
        `select 1 from tasks join posts using (post_id)
         where tasks.status = 'approved' and tasks.publish_at = posts.published_at`
      )
      return rows.length === count
    })
  await follow()
  const [counts] = await service.db.query(
    `select count(*) as rows, count(distinct task_id) as tasks, count(distinct detail->>'publish_at') as slots
     from pipeline_events where type = 'scheduled'`
  )
  assert.deepEqual(counts, { rows: count, tasks: count, slots: count })
  for (const { post_id, publish_at, progress } of await tasks())
    assert.deepEqual([publish_at, progress], [slots.get(post_id), 100])
  assert.equal((await schedule('shift', '--all', '--by', '30m')).status, 0)
  await follow()
  for (const { post_id, publish_at } of await tasks())
    assert.equal(Date.parse(publish_at) - Date.parse(String(slots.get(post_id))), 30 * 60_000)
})
