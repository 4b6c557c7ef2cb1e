import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { createHeartbeat, heartbeatEvent } from '../../../cli/checks/heartbeat.ts'
import { type Report, reportOf, resultOf } from '../../../cli/checks/report.ts'
import { jobType } from '../../../core/contract/plugin.ts'
import { createInstallation } from '../../helpers/installation.ts'
import { until } from '../../helpers/until.ts'

const installation = await createInstallation()
after(() => installation.close())
const db = await installation.db()
beforeEach(() => db.query('delete from audit_log'))

interface Entry {
  actor: string
  details: { status: string; score: number; probe_status: Record<string, string> }
}
const entries = () =>
  db.query<Entry>('select actor, details from audit_log where event_type = $1 order by id', [heartbeatEvent])

const report = reportOf([
  resultOf('disk', { status: 'ok', found: 'room' }),
  resultOf('queues', { status: 'degraded', found: 'a word of others', remedy: 'x' })
])
const heartbeat = (look: () => Promise<Report> = async () => report) =>
  createHeartbeat({ db, everySeconds: () => 300, report: look })

test('a look writes the status of each probe, and nothing that a probe found', async () => {
  await heartbeat()()
  assert.deepEqual(await entries(), [
    {
      actor: 'brain',
      details: { status: 'degraded', score: 90, probe_status: { disk: 'ok', queues: 'degraded' } }
    }
  ])
})

test('workers that look at the same moment write one entry, and none before the next is due', async () => {
  let looks = 0
  const both = Promise.withResolvers<Report>()
  const look = () => {
    looks++
    if (looks === 2) both.resolve(report)
    return both.promise
  }
  await Promise.all([heartbeat(look)(), heartbeat(look)()])
  assert.equal((await entries()).length, 1)
  await heartbeat(look)()
  assert.equal(looks, 2, 'nobody looks before it is due')
  await db.query(`update audit_log set at = at - interval '290 seconds'`)
  await heartbeat(look)()
  assert.deepEqual([looks, (await entries()).length], [3, 2])
})

test('entries are kept for seven days, and others for ever', async () => {
  for (const type of [heartbeatEvent, 'settings.changed'])
    await db.query(
      `insert into audit_log (event_type, actor, at) values ($1, 'old', now() - interval '8 days'), ($1, 'new', now() - interval '6 days')`,
      [type]
    )
  await heartbeat()()
  const rows = await db.query<{ entry: string }>(
    `select event_type || ' ' || actor as entry from audit_log order by event_type, at`
  )
  assert.deepEqual(
    rows.map(({ entry }) => entry),
    [`${heartbeatEvent} new`, `${heartbeatEvent} brain`, 'settings.changed old', 'settings.changed new']
  )
})

test('a worker looks with the checks of doctor', async () => {
  const kernel = await installation.wire()
  await kernel.open()
  await kernel.jobs.install()
  await kernel.start({ worker: true })
  try {
    await db.transaction(tx => kernel.jobs.enqueue(tx, jobType<object>('health.heartbeat'), {}))
    await until(async () => (await entries()).length > 0, 'the heartbeat')
    const [entry] = await entries()
    const { probe_status = {} } = entry?.details ?? {}
    assert.equal(probe_status.database, 'ok')
    assert.equal(probe_status.migrations, 'ok')
    for (const name of ['home', 'disk', 'queues', 'model endpoint', 'telegram bot', 'overdue slots'])
      assert.match(probe_status[name] ?? 'missing', /^(ok|degraded|critical|skipped)$/, name)
  } finally {
    await kernel.stop()
  }
})
