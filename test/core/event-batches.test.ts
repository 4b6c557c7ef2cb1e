import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, afterEach, before, test } from 'node:test'
import { createDeadLetterJobs } from '../../cli/jobs/dead-letters.ts'
import type { Db } from '../../core/contract/database.ts'
import type { BatchHandler } from '../../core/contract/jobs.ts'
import { event, on } from '../../core/contract/plugin.ts'
import { openTestDatabase } from '../helpers/database.ts'
import { until } from '../helpers/until.ts'
import { createProcess, skipBackoff, startProcess, stopProcesses } from './jobs-setup.ts'

let db: Db
before(async () => {
  db = await openTestDatabase({ migrated: false })
})
after(() => db.close())
afterEach(stopProcesses)

interface Payload {
  n: number
}
const newEvent = () => event<Payload>(`test.${randomUUID()}`)
const payloads = (count: number) => Array.from({ length: count }, (_, n) => ({ n }))
const numbers = (events: readonly { payload: Payload }[]) => events.map(({ payload }) => payload.n)
const countJobs = async (queue: string) => {
  const rows = await db.query<{ state: string }>('select state from jobs.job where name = $1', [queue])
  return rows.map(({ state }) => state)
}

test('a subscriber with a batch of 250 gets what was emitted at once in calls of 250, in order, one row a call', async () => {
  const type = newEvent()
  const calls: number[][] = []
  const alone: number[] = []
  const many = {
    plugin: 'many',
    subscriptions: [on(type, async events => void calls.push(numbers(events)), { maxBatch: 250 })]
  }
  const one = { plugin: 'one', subscriptions: [on(type, async ({ n }) => void alone.push(n))] }
  const waiting = createProcess(db, many, one)
  await waiting.install()
  await db.transaction(tx => waiting.emit(tx, type, payloads(600)))
  assert.deepEqual((await countJobs(`${type.id}/many`)).length, 3)
  const jobs = await startProcess(db, many, one)
  await until(() => calls.flat().length === 600 && alone.length === 600)
  assert.deepEqual(calls.map(call => call.length).sort(), [250, 250, 100].sort())
  for (const call of calls)
    assert.deepEqual(
      call,
      call.toSorted((a, b) => a - b)
    )
  assert.deepEqual(new Set(calls.flat()).size, 600)
  await db.transaction(tx => jobs.emit(tx, type, { n: 600 }))
  await until(() => calls.length === 4)
  assert.deepEqual(calls[3], [600])
})

test('an event emitted alone overtakes those that were emitted as a list, and keeps its order among its like', async () => {
  const type = newEvent()
  const order: number[] = []
  const one = { plugin: 'one', subscriptions: [on(type, async ({ n }) => void order.push(n))] }
  const many = {
    plugin: 'many',
    subscriptions: [on(type, async events => void order.push(...numbers(events)), { maxBatch: 250 })]
  }
  for (const subscriber of [one, many]) {
    const waiting = createProcess(db, subscriber)
    await waiting.install()
    await db.transaction(tx => waiting.emit(tx, type, payloads(3)))
    await db.transaction(tx => waiting.emit(tx, type, { n: 10 }))
    await db.transaction(tx => waiting.emit(tx, type, { n: 11 }))
    await startProcess(db, subscriber)
    await until(() => order.length === 5)
    assert.deepEqual(order.splice(0), [10, 11, 0, 1, 2])
    await stopProcesses()
  }
})

test('an event that cannot be handled is tried again alone and parked; each other one is handled once, under the id it had', async () => {
  const type = newEvent()
  const calls: { n: number; id: string }[][] = []
  const handle: BatchHandler<Payload> = async events => {
    calls.push(events.map(({ id, payload }) => ({ n: payload.n, id })))
    if (numbers(events).includes(7)) throw new Error('seven')
  }
  const subscription = on(type, handle, { maxBatch: 250 })
  const queue = `${type.id}/test`
  const jobs = await startProcess(db, { subscriptions: [subscription] })
  await db.transaction(tx => jobs.emit(tx, type, payloads(100)))
  await until(async () => {
    await skipBackoff(db)
    return (await countJobs(queue)).join() === 'failed'
  })
  const failed = calls.filter(call => call.some(({ n }) => n === 7))
  assert.deepEqual(
    failed.map(call => call.length),
    [100, 16, ...Array.from({ length: 9 }, () => 1)]
  )
  const handled = calls.filter(call => !failed.includes(call))
  assert.deepEqual(
    handled.map(call => call.length).sort((a, b) => b - a),
    [16, 16, 16, 16, 16, 4, ...Array(15).fill(1)]
  )
  assert.deepEqual(
    handled
      .flat()
      .map(({ n }) => n)
      .sort((a, b) => a - b),
    payloads(100)
      .map(({ n }) => n)
      .filter(n => n !== 7)
  )
  const ids = new Map(calls[0]?.map(({ n, id }) => [n, id]))
  for (const { n, id } of calls.flat()) assert.equal(id, ids.get(n))
  const { items } = await createDeadLetterJobs({ db, jobs }).list({ queue })
  assert.deepEqual(
    items.map(({ data, error, attempts }) => ({ data, error, attempts })),
    [{ data: { n: 7 }, error: 'seven', attempts: 9 }]
  )
})

test('the events of a batch whose process died are each delivered again, alone, and none is queued twice', async () => {
  const type = newEvent()
  const calls: number[][] = []
  const queue = `${type.id}/test`
  const plugin = { subscriptions: [on(type, async events => void calls.push(numbers(events)), { maxBatch: 250 })] }
  const dying = createProcess(db, plugin)
  await dying.install()
  await db.transaction(tx => dying.emit(tx, type, payloads(5)))
  // Killed once more after it had queued some of them alone, before it could drop the row of many.
  await db.query(
    `insert into jobs.job (name, id, data, singleton_key, policy)
     select name, (event->>'id')::uuid, event->'payload', event->>'id', policy
     from jobs.job, jsonb_array_elements(data->'$batch') event where name = $1 limit 2`,
    [queue]
  )
  await db.query(`update jobs.job set start_after = now() + interval '1 hour' where name = $1 and data ? 'n'`, [queue])
  await loseWaitingBatch(queue)
  await startProcess(db, plugin)
  await until(async () => (await countJobs(queue)).length === 2)
  await db.query('update jobs.job set start_after = now() where name = $1', [queue])
  await until(async () => (await countJobs(queue)).length === 0)
  assert.deepEqual(
    calls.toSorted(([a = 0], [b = 0]) => a - b),
    [[0], [1], [2], [3], [4]]
  )
})

test('a batch reaches a subscriber that has come to take one event at a time', async () => {
  const type = newEvent()
  const before = createProcess(db, { subscriptions: [on(type, async () => {}, { maxBatch: 250 })] })
  await before.install()
  await db.transaction(tx => before.emit(tx, type, payloads(3)))
  const seen: number[] = []
  await startProcess(db, { subscriptions: [on(type, async ({ n }) => void seen.push(n))] })
  await until(() => seen.length === 3)
  assert.deepEqual(seen.sort(), [0, 1, 2])
})

function loseWaitingBatch(queue: string) {
  return db.query(
    `update jobs.job set state = 'active', started_on = now(), heartbeat_on = now() - interval '11 s', heartbeat_seconds = 10
     where name = $1 and data ? '$batch'`,
    [queue]
  )
}
