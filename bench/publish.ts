// Publishing on time, with all subscribers attached: node bench/publish.ts --server postgres://… (or TEST_DATABASE_URL).
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Db } from '../core/contract/database.ts'
import { type Galley, makeGalley, type Serving } from './galley.ts'
import { type Measured, measured, quantile } from './target.ts'

const { values } = parseArgs({
  options: {
    server: { type: 'string', default: process.env.TEST_DATABASE_URL },
    due: { type: 'string', default: '10000' },
    processes: { type: 'string', default: '8' }
  }
})
const due = Number(values.due)
const processes = Number(values.processes)
const idleSlots = 100
const maxWaitMs = 180_000
const embeddingSampleMs = 10_000

if (values.server === undefined)
  throw new Error('Publishers share a PostgreSQL server: give --server or TEST_DATABASE_URL.')
const galley = await makeGalley(values.server)
let server: Serving | undefined
const workers: ChildProcess[] = []
try {
  await galley.database(async db => {
    const rows = [await timeBatch(galley, db, 'approved'), await timeBatch(galley, db, 'awaiting_approval')]
    server = await galley.serve()
    rows.push(await measureIdle(galley, db))
    rows.push(...(await measureDue(galley, db, server, 1)))
    if (processes > 1) {
      workers.push(...(await startWorkers(galley, processes - 1)))
      rows.push(...(await measureDue(galley, db, server, processes)))
    }
    console.table(rows)
  })
} finally {
  for (const worker of workers) worker.kill('SIGTERM')
  await Promise.all(workers.map(worker => worker.exitCode ?? once(worker, 'exit')))
  await server?.stop()
  await galley.remove()
}

/** A thousand slots by the command, its start included. */
async function timeBatch({ command }: Galley, db: Db, status: string): Promise<Measured> {
  await addPosts(db, 'batch', 1000)
  await db.query('update posts set status = $1', [status])
  await db.query('update tasks set status = $1', [status])
  await db.script('analyze posts')
  const begun = performance.now()
  await command(...'schedule batch --count 1000 --interval 5m --start'.split(' '), 'tomorrow 9am', '--json')
  const ms = performance.now() - begun
  const given = await countRows(db, "posts where status = 'scheduled'")
  if (given !== 1000) throw new Error(`Only ${given} posts got a slot.`)
  await db.script('truncate posts, tasks cascade; delete from jobs.job')
  return measured(`schedule batch --count 1000 of posts ${status}, as a command`, ms, 'ms', '<', 2000)
}

/** Slots at any millisecond, 20 to 180 ms apart, and nothing else to do. */
async function measureIdle(galley: Galley, db: Db): Promise<Measured> {
  await addPosts(db, 'idle', idleSlots)
  await giveSlots(galley, db, 'idle', `now() + interval '4 s' + (n * 100 + random() * 80) * interval '1 ms'`)
  await waitUntil(async () => (await countOut(db, 'idle')) === idleSlots)
  return measured(`lateness p99 of ${idleSlots} slots, idle`, await lateness(db, 'idle', 0.99), 's', '<', 1)
}

async function measureDue(galley: Galley, db: Db, { url }: Serving, publishers: number): Promise<Measured[]> {
  const name = `due-${publishers}`
  const of = `${due} due at once, ${publishers} process${publishers === 1 ? '' : 'es'}`
  await addPosts(db, name, due)
  await giveSlots(galley, db, name, `date_trunc('second', now()) + interval '10 s'`)
  await db.script('analyze posts')
  const reads = readMeanwhile(url)
  await waitUntil(async () => (await countOut(db, name)) === due)
  const [facts] = await db.query<{ seconds: number; twice: number; releases: number }>(
    `select extract(epoch from max(at) - min(at) + interval '1 ms')::float8 as seconds,
       count(*) - count(distinct post_id) as twice, count(*) as releases
     from post_history join posts using (post_id) where action = 'release' and slug like $1`,
    [`${name}-%`]
  )
  const seconds = facts?.seconds ?? Number.NaN
  const followed = await measureFollowers(db, name)
  const answers = await reads.stop()
  console.log(`${of}: published twice: ${facts?.twice}; subscribers had not followed: ${followed.missing}`)
  return [
    measured(`${of}: published a second`, due / seconds, 'posts', '≥', 500),
    measured('lateness p99', await lateness(db, name, 0.99), 's', '<', 5),
    measured('the last one out', await lateness(db, name, 1), 's', '<', 60),
    measured(
      `a read from before the slot until vectors are written, p99 of ${answers.length}`,
      quantile(answers, 0.99),
      'ms',
      '<',
      1000
    ),
    measured('published and followed by every subscriber a second', due / followed.seconds, 'posts', '≥', 500),
    { what: 'vectors written a second, after that', measured: followed.vectors.toFixed(0), target: '', met: '' }
  ]
}

/** From the slot until the last subscriber has heard of the last publication; then how fast the vectors follow. */
async function measureFollowers(db: Db, name: string) {
  const isDelivery =
    "name like 'posts.published/%' or name = 'posts.announce' or name = 'schedule.publish_due' and start_after <= now()"
  await waitUntil(async () => (await countRows(db, `jobs.job where (${isDelivery}) and state < 'completed'`)) === 0)
  const [row] = await db.query<{ seconds: number; missing: number }>(
    `select extract(epoch from clock_timestamp() - min(published_at))::float8 as seconds,
       count(*) filter (where entries.source_id is null or tasks.status <> 'published') as missing
     from posts join tasks using (post_id)
     left join memory_entries entries on entries.source_table = 'posts' and entries.source_id = posts.post_id::text
     where slug like $1`,
    [`${name}-%`]
  )
  const before = await countRows(db, 'memory_embeddings')
  await sleep(embeddingSampleMs)
  const vectors = (((await countRows(db, 'memory_embeddings')) - before) * 1000) / embeddingSampleMs
  await dropWork(db)
  return { seconds: row?.seconds ?? Number.NaN, missing: row?.missing, vectors }
}

async function countRows(db: Db, what: string): Promise<number> {
  const [row] = await db.query<{ n: number }>(`select count(*) as n from ${what}`)
  return row?.n ?? 0
}

/** Approved posts of 6 KB without a slot, each with its task. None repeats another: a near-duplicate gets no slot. */
async function addPosts(db: Db, name: string, count: number): Promise<void> {
  for (let first = 1; first <= count; first += 1000) {
    await db.query(
      `insert into posts (slug, title, content, content_html, status, tags, tag_slugs, approved_at, word_count)
       select $1 || '-' || n, $1 || regexp_replace(md5(n::text), '(.{8})', ' \\1', 'g'), body.text, '<p>' || n || '</p>', 'approved',
         array['Tag ' || n % 200], array['tag-' || n % 200], now(), 1000
       from generate_series($2::int, $3::int) n, lateral (
         select string_agg('word' || abs(hashtext(n || '-' || i)) % 3000, ' ') as text from generate_series(1, 750) i
       ) body`,
      [name, first, Math.min(first + 999, count)]
    )
  }
  await db.query(
    `insert into tasks (topic, target_length, style, tone, status, progress, source, post_id)
     select title, 1000, 'technical', 'professional', 'approved', 100, 'manual', post_id from posts where slug like $1`,
    [`${name}-%`]
  )
  await db.query(
    'update posts set task_id = tasks.task_id from tasks where tasks.post_id = posts.post_id and slug like $1',
    [`${name}-%`]
  )
}

/** The slots themselves go in by SQL; one more, by the command, a second before them, wakes the publisher as it does in life. */
async function giveSlots({ command }: Galley, db: Db, name: string, slot: string): Promise<void> {
  await db.query(
    `update posts set status = 'scheduled', published_at = ${slot}, approved_hash = content_hash
     from (select post_id as id, row_number() over (order by created_at, slug) as n from posts where slug like $1) numbered
     where post_id = id`,
    [`${name}-%`]
  )
  const [row] = await db.query<{ post_id: string }>(
    `insert into posts (slug, title, content, content_html, status, approved_at)
     values ('wake-' || $1, 'Wake', 'c', 'c', 'approved', now()) returning post_id`,
    [name]
  )
  await command('schedule', 'at', row?.post_id ?? '', '--in', '1s')
}

async function countOut(db: Db, name: string): Promise<number> {
  const [row] = await db.query<{ n: number }>(
    "select count(*) as n from posts where status = 'published' and slug like $1",
    [`${name}-%`]
  )
  return row?.n ?? 0
}

/** The vectors of all would take minutes, and slow down the next measurement. */
async function dropWork(db: Db): Promise<void> {
  await db.query("delete from jobs.job where name like 'memory.embed%' and state < 'active'")
  // The run of every five minutes finds nothing left to do.
  await db.script('truncate memory_entries cascade')
  await waitUntil(
    async () => (await countRows(db, "jobs.job where state = 'active' and name not like 'notify.%'")) === 0
  )
  await db.script('truncate memory_entries cascade')
}

/** Seconds from the slot to the publication. */
async function lateness(db: Db, name: string, share: number): Promise<number> {
  const rows = await db.query<{ seconds: number }>(
    `select extract(epoch from at - published_at)::float8 as seconds from post_history join posts using (post_id)
     where action = 'release' and slug like $1`,
    [`${name}-%`]
  )
  return quantile(
    rows.map(row => row.seconds),
    share
  )
}

/** Reads one list after the other until it is stopped; milliseconds of each. */
function readMeanwhile(url: string): { stop(): Promise<number[]> } {
  const times: number[] = []
  let isStopped = false
  const reading = (async () => {
    while (!isStopped) {
      const begun = performance.now()
      const response = await fetch(`${url}/api/posts?limit=10`)
      await response.arrayBuffer()
      if (!response.ok) throw new Error(`A read was answered ${response.status}.`)
      times.push(performance.now() - begun)
      await sleep(20)
    }
  })()
  return {
    async stop() {
      isStopped = true
      await reading
      return times
    }
  }
}

async function startWorkers({ home }: Galley, count: number): Promise<ChildProcess[]> {
  const bin = new URL('../cli/bin.js', import.meta.url).pathname
  const env = { ...process.env, GALLEY_HOME: home, LOG_LEVEL: 'error', DATABASE_URL: undefined }
  const started = Array.from({ length: count }, () =>
    spawn(process.execPath, [bin, 'worker'], { env, stdio: ['ignore', 'ignore', 'pipe'] })
  )
  await Promise.all(started.map(worker => once(worker.stderr as NonNullable<typeof worker.stderr>, 'data')))
  return started
}

async function waitUntil(isTrue: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + maxWaitMs
  while (!(await isTrue())) {
    if (Date.now() > end) throw new Error('This takes too long: nothing was measured.')
    await sleep(200)
  }
}
