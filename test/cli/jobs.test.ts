import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { DeadLetterJob } from '../../cli/jobs/repository.ts'
import type { Db } from '../../core/contract/database.ts'
import { createInstallation, type TestInstallation } from '../helpers/installation.ts'

let installation: TestInstallation
let db: Db
before(async () => {
  installation = await createInstallation()
  db = await installation.db()
})
after(() => installation.close())

const jobs = (...argv: string[]) => installation.run(['jobs', ...argv])
const json = async (...argv: string[]) => {
  const { status, out, err } = await jobs(...argv, '--json')
  assert.equal(status, 0, err)
  return JSON.parse(out)
}
const idsOf = (items: DeadLetterJob[]) => items.map(({ id }) => id)
const ids = [1, 2, 3].map(n => `${n}1111111-0000-4000-8000-000000000000`)

/** Parked in this order: the third is the newest. */
async function park(): Promise<void> {
  await db.query('delete from jobs.job')
  for (const [index, id] of ids.entries()) {
    await db.query(
      `insert into jobs.job (id, name, data, state, retry_count, retry_limit, output, completed_on)
       values ($1, $2, '{"n": 7}', 'failed', 2, 2, '{"message": "the mail server is away"}', now() + $3 * interval '1 s')`,
      [id, index === 0 ? 'export.refresh' : 'memory.embed', index]
    )
  }
}

test('before the queues are made there is nothing to list or to retry', async () => {
  await db.script('drop schema if exists jobs cascade')
  assert.equal((await json('list')).total, 0)
  assert.equal((await json('status')).total, 0)
  assert.deepEqual(await json('retry', '--all'), { retried: [], dropped: [] })
  await (await installation.wire()).jobs.install()
  await park()
})

test('status counts what is ready, under way, to be tried again and parked in each queue', async () => {
  await db.query(
    `insert into jobs.job (name, data, state, start_after) values ('memory.embed', '{}', 'retry', now() + interval '1 hour')`
  )
  const { items } = await json('status')
  await db.query(`delete from jobs.job where state = 'retry'`)
  assert.deepEqual(
    items.filter(({ parked }: { parked: number }) => parked > 0),
    [
      { queue: 'export.refresh', ready: 0, active: 0, retrying: 0, later: 0, parked: 1, oldest_seconds: null },
      { queue: 'memory.embed', ready: 0, active: 0, retrying: 1, later: 0, parked: 2, oldest_seconds: null }
    ]
  )
  assert.match((await jobs('status')).out, /^QUEUE +READY +ACTIVE +RETRYING +LATER +PARKED +OLDEST WAITS\n/)
  const rows = (await jobs('status')).out.split('\n')
  assert.deepEqual(
    rows.slice(1).map(row => row.split(' ')[0]),
    ['export.refresh', 'memory.embed', String(items.length - 2)],
    'queues that hold nothing are one line'
  )
  assert.match(rows.at(-1) ?? '', /^\d+ other queues are empty\.$/)
})

test('list shows parked jobs with their errors, newest first, by queue and by page', async () => {
  const { items, total, limit, offset } = await json('list')
  assert.deepEqual([idsOf(items), total, limit, offset], [[...ids].reverse(), 3, 20, 0])
  const { queue, data, error, attempts } = items[0]
  assert.deepEqual(
    { queue, data, error, attempts },
    { queue: 'memory.embed', data: { n: 7 }, error: 'the mail server is away', attempts: 3 }
  )
  assert.deepEqual(idsOf((await json('list', '--queue', 'export.refresh')).items), [ids[0]])
  const page = await json('list', '--limit', '1', '--offset', '1')
  assert.deepEqual([idsOf(page.items), page.total], [[ids[1]], 3])
  const { out } = await jobs('list')
  assert.match(out, /^JOB +QUEUE +ATTEMPTS +PARKED AT +ERROR\n31111111 +memory\.embed +3 .*the mail server is away/)
  assert.match(out, /\n3 of 3$/)
})

const refusals: [argv: string[], status: number, message: RegExp][] = [
  [['retry'], 2, /<job_id> is required, or --all/],
  [['retry', ids[0] as string, '--all'], 2, /--all cannot be combined with <job_id>/],
  [['retry', ids[0] as string, '--queue', 'x'], 2, /--queue goes with --all only/],
  [['retry', 'nonsense'], 2, /^error: <job_id> is not an id.*\(given: "nonsense"\)$/],
  [['retry', '91111111'], 1, /No job_id begins with 91111111/],
  [['retry', '91111111-0000-4000-8000-000000000000'], 1, /There is no parked job 9.*"galley jobs list" shows/]
]
for (const [argv, expected, message] of refusals) {
  test(`jobs ${argv.join(' ')} is refused, and every job stays parked`, async () => {
    const { status, out, err } = await jobs(...argv)
    assert.deepEqual([status, out], [expected, ''])
    assert.match(err, message)
    assert.equal((await json('list')).total, 3)
  })
}

test('retry starts a job anew with all its retries, by a prefix of its id', async () => {
  const { status, out } = await jobs('retry', '11111111')
  assert.deepEqual([status, out], [0, `retried ${ids[0]} (export.refresh)\n1 started again`])
  const [row] = await db.query('select state, retry_count, completed_on from jobs.job where id = $1', [ids[0] ?? ''])
  assert.deepEqual(row, { state: 'retry', retry_count: 0, completed_on: null })
  assert.equal((await json('list')).total, 2)
})

test('retry --all starts those of a queue, or every one', async () => {
  await park()
  assert.deepEqual(idsOf((await json('retry', '--all', '--queue', 'memory.embed')).retried), [ids[2], ids[1]])
  assert.deepEqual(idsOf((await json('retry', '--all')).retried), [ids[0]])
  assert.deepEqual(await json('retry', '--all'), { retried: [], dropped: [] })
})

test('a parked job of the pipeline whose task is gone is dropped, saying so', async () => {
  const data = JSON.stringify({ task_id: '91111111-0000-4000-8000-000000000000', attempt: 1 })
  await db.query(
    `insert into jobs.job (id, name, data, state, completed_on) values ($1, 'tasks.draft', $2, 'failed', now())`,
    ['51111111-0000-4000-8000-000000000000', data]
  )
  const { status, out } = await jobs('retry', '51111111')
  assert.equal(status, 0)
  assert.match(
    out,
    /^dropped 51111111-\S+ \(tasks\.draft\): there is no task 9\S+ any more\n0 started again, 1 dropped$/
  )
  assert.equal((await json('list')).total, 0)
})
