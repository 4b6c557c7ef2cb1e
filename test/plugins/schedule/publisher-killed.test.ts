import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { after, before, test } from 'node:test'
import type { Db } from '../../../core/contract/database.ts'
import { packageRoot } from '../../../core/paths.ts'
import { createInstallation, type TestInstallation } from '../../helpers/installation.ts'
import { until } from '../../helpers/until.ts'

const posts = 300

let place: TestInstallation
before(async () => {
  place = await createInstallation()
})
after(() => place.close())

async function makeDue(db: Db): Promise<void> {
  await db.query(
    `with task as (
       insert into tasks (topic, target_length, style, tone, status, progress, source)
       select 'Topic ' || n, 500, 'technical', 'professional', 'approved', 90, 'manual' from generate_series(1, $1::int) n
       returning task_id
     )
     insert into posts (slug, title, content, content_html, status, published_at, approved_at, task_id)
     select 'due-' || row_number() over (), 'Post', 'The keeper of light', 'c', 'scheduled', now(), now(), task_id from task`,
    [posts]
  )
  await db.script(`update posts set approved_hash = content_hash;
    update tasks set post_id = posts.post_id from posts where posts.task_id = tasks.task_id`)
}

/** Serves until something has come true, and is killed at that moment. */
async function killWhen(isReached: (url: string) => Promise<boolean>): Promise<void> {
  const child = spawn(process.execPath, [path.join(packageRoot, 'cli', 'bin.js'), 'serve'], {
    env: { ...process.env, ...place.env, PORT: '0' },
    stdio: ['ignore', 'ignore', 'pipe']
  })
  const exited = once(child, 'exit')
  try {
    let said = ''
    child.stderr.on('data', text => (said += text))
    const urlOf = () => /ready at (\S+)/.exec(said)?.[1]
    await until(() => urlOf() !== undefined || child.exitCode !== null || child.signalCode !== null)
    const url = urlOf()
    assert.ok(url, said)
    await until(() => isReached(url))
  } finally {
    child.kill('SIGKILL')
    await exited
  }
}

async function countPublic(url: string): Promise<number> {
  const { total } = (await (await fetch(`${url}/api/posts?limit=1`)).json()) as { total: number }
  return total
}

const exportFolder = () => path.join(place.home, 'export', 'posts')
const countExported = () =>
  existsSync(exportFolder()) ? readdirSync(exportFolder()).filter(name => name.endsWith('.json')).length : 0

/**
 * Work of the dead process is anybody's at once, and not in 14 seconds. Each kill counts as the first of a job: one that two have met
 * is given up, which `test/core/jobs-killed.test.ts` is about, and the next process would be waited for in vain.
 */
async function expireClaims(): Promise<void> {
  const db = await place.db()
  await db.query(
    "update jobs.job set heartbeat_on = now() - interval '11 s', retry_count = 0, output = null where state = 'active'"
  )
  assert.deepEqual(await db.query("select name, output from jobs.job where state = 'failed'"), [])
}

/** What waits for its time begins. */
async function skipDelays(): Promise<void> {
  const db = await place.db()
  await db.query("update jobs.job set start_after = now() where state in ('created', 'retry')")
}

/** What has happened so far; nothing of it twice. */
async function look(): Promise<{ released: number; notified: number; remembered: number; left: number }> {
  const db = await place.db()
  const [row] = await db.query<{
    released: number
    twice: number
    notified: number
    notified_twice: number
    remembered: number
  }>(
    `select (select count(*) from post_history where action = 'release') as released,
       (select count(*) - count(distinct post_id) from post_history where action = 'release') as twice,
       (select count(*) from pipeline_events where type = 'post_published') as notified,
       (select count(*) - count(distinct task_id) from pipeline_events where type = 'post_published') as notified_twice,
       (select count(*) from memory_entries) as remembered`
  )
  assert.ok(row)
  const { twice, notified_twice, ...counts } = row
  assert.deepEqual([twice, notified_twice], [0, 0])
  const left = await db.query("select 1 from jobs.job where name like 'posts.published/%'")
  return { ...counts, left: left.length }
}

test('killed while it publishes and while others follow, nothing is lost and nothing happens twice', async () => {
  const kernel = await place.wire()
  await kernel.open()
  await kernel.jobs.install()
  await makeDue(await place.db())
  await (await place.db()).transaction(tx => kernel.jobs.enqueue(tx, { id: 'schedule.publish_due' }, {}))
  await place.release()

  await killWhen(async url => (await countPublic(url)) > 0)
  const first = await look()
  assert.ok(first.released > 0)
  await expireClaims()
  await place.release()
  await killWhen(async url => (await countPublic(url)) === posts)
  assert.equal((await look()).released, posts)
  await expireClaims()
  await place.release()
  await killWhen(async () => countExported() > 0)
  await expireClaims()

  const last = await place.wire()
  await last.open()
  await last.start({ worker: true })
  // One after the other: all of it may take a busy machine more than a minute.
  for (const [part, count] of Object.entries({ notified: posts, remembered: posts, left: 0 }))
    await until(async () => {
      // The embedded database does one thing at a time: counting must not keep the workers from it.
      await new Promise(resolve => setTimeout(resolve, 200))
      await skipDelays()
      return (await look())[part as 'notified' | 'remembered' | 'left'] === count
    }, part)
  const db = await place.db()
  await until(async () => {
    await skipDelays()
    return (await db.query('select 1 from memory_embeddings')).length === posts
  })
  await until(() => countExported() === posts + 1)
  const [row] = await db.query("select count(*) as open from tasks where status <> 'published'")
  assert.deepEqual(row, { open: 0 })
  await last.stop()
})
