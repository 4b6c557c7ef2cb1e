import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { runCommand } from '../../helpers/run-command.ts'
import { startService, type TestService } from '../../helpers/service.ts'
import { until } from '../../helpers/until.ts'

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

test('a batch goes out slot by slot: one wake-up leads to the next, without the minute tick', async () => {
  await service.db.query(
    `insert into posts (slug, title, content, content_html, status)
     select 'post-' || n, 'Post', 'c', 'c', 'approved' from generate_series(1, 3) n`
  )
  assert.equal((await schedule('batch', '--count', '3', '--interval', '1s', '--start', 'now')).status, 0)
  const [queued] = await service.db.query<{ n: number }>(
    `select count(*) as n from jobs.job where name = 'posts.publish_due' and singleton_key ~ '^20' and state = 'created'`
  )
  assert.equal(queued?.n, 1)
  await until(async () => (await statuses()) === 'published published published')
  const rows = await service.db.query<{ is_early: boolean }>(
    `select h.at < p.published_at as is_early from post_history h join posts p using (post_id) where h.action = 'release'`
  )
  assert.deepEqual(
    rows.map(({ is_early }) => is_early),
    [false, false, false]
  )
})

test('with the gate on a post is held at its slot and goes out when it is approved', async () => {
  await service.db.script('truncate posts cascade')
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
