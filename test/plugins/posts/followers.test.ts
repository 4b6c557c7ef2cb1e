import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Tx } from '#core'
import { startService, type TestService } from '../../helpers/service.ts'
import { until } from '../../helpers/until.ts'

/** More than the publisher releases in one transaction. */
const posts = 260
/** Its text cannot be remembered: the subscriber that keeps texts fails on it. */
const poison = 7

let service: TestService
before(async () => {
  service = await startService()
})
after(() => service.close())

async function makeDue(tx: Tx): Promise<void> {
  await tx.query(
    `insert into tasks (task_id, topic, target_length, style, tone, status, progress, source)
     select ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, 'Topic ' || n, 500, 'technical', 'professional',
       'approved', 90, 'manual' from generate_series(1, $1::int) n`,
    [posts]
  )
  await tx.query(
    `insert into posts (slug, title, content, content_html, status, published_at, approved_at, task_id)
     select 'due-' || n, 'Post ' || n, case when n = $2 then repeat('long ', 450000) else 'The keeper of light ' || n end,
       'c', 'scheduled', now(), now(), ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid
     from generate_series(1, $1::int) n`,
    [posts, poison]
  )
  await tx.script(`update posts set approved_hash = content_hash;
    update tasks set post_id = posts.post_id from posts where posts.task_id = tasks.task_id`)
}

const counts = async () => {
  const [row] = await service.db.query<Record<string, number>>(
    `select (select count(*) from posts where status = 'published') as published,
       (select count(*) from post_history where action = 'release') as releases,
       (select count(*) from tasks where status = 'published' and progress = 100 and completed_at is not null) as tasks,
       (select count(*) from pipeline_events where type = 'post_published') as events,
       (select count(distinct task_id) from pipeline_events where type = 'post_published') as task_events,
       (select count(*) from memory_entries where source_table = 'posts') as remembered,
       (select count(*) from memory_embeddings) as vectors,
       (select count(*) from post_titles) as titles`
  )
  return row
}

test('everybody who follows publications hears of each of many, and one post that cannot be followed holds up no other', async () => {
  // At once: the publisher, who also runs every minute, never sees a post without its approval.
  await service.db.transaction(async tx => {
    await makeDue(tx)
    await service.kernel.jobs.enqueue(tx, { id: 'schedule.publish_due' }, {}, { key: 'test' })
  })
  const all: Record<string, number> = {
    ...{ published: posts, releases: posts, tasks: posts, events: posts, task_events: posts },
    ...{ remembered: posts - 1, vectors: posts - 1, titles: posts }
  }
  // One after the other: all of it may take a busy machine more than a minute.
  for (const part of ['told', 'remembered', 'vectors'])
    await until(async () => {
      // The embedded database does one thing at a time: counting must not keep the workers from it.
      await new Promise(resolve => setTimeout(resolve, 200))
      return (await counts())?.[part] === all[part]
    }, part)
  await until(async () => JSON.stringify(await counts()) === JSON.stringify(all))
  const memory = (await service.bearer('GET', '/api/memory/stats')).body
  assert.deepEqual([memory.by_source_table[0]?.count, memory.by_writer[0]?.key], [posts - 1, 'posts'])
  const found = (await service.bearer('GET', `/api/memory/search?q=The+keeper+of+light+200&limit=1`)).body
  assert.match(found.items[0]?.text ?? '', /The keeper of light/)
  // Who failed keeps trying, alone.
  const failing = JSON.stringify([{ queue: 'posts.published/posts', slug: `due-${poison}` }])
  await until(async () => {
    const left = await service.db.query<{ queue: string; slug: string }>(
      `select job.name as queue, data->>'slug' as slug from jobs.job where name like 'posts.published/%'`
    )
    return JSON.stringify(left) === failing
  })
})
