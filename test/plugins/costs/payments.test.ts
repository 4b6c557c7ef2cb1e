import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { Type } from 'typebox'
import type { Notify, QueuedNotice } from '#plugins/notify'
import type { Db } from '../../../core/contract/database.ts'
import { sendAlarms } from '../../../plugins/costs/alarms.ts'
import { BudgetError } from '../../../plugins/costs/budget-error.ts'
import type { CallUsage } from '../../../plugins/costs/calls.ts'
import { withMethods } from '../../../plugins/costs/metered.ts'
import { expire, recordCharge, reserve } from '../../../plugins/costs/reservations.ts'
import { createModelClient } from '../../../plugins/tasks/model/client.ts'
import { openTestDatabase } from '../../helpers/database.ts'
import {
  type Behaviour,
  cutsConnection,
  delta,
  fails,
  type ModelServer,
  refuses,
  says,
  sends,
  startModelServer
} from '../../helpers/model-server.ts'
import { until } from '../../helpers/until.ts'
import { call, openPayments, prices, sums } from './harness.ts'

let db: Db
let server: ModelServer
before(async () => {
  db = await openTestDatabase()
  server = await startModelServer()
})
beforeEach(() => db.script('truncate cost_calls, cost_periods, cost_waits, cost_corrections'))
after(async () => {
  await server.close()
  await db.close()
})

const month = '2026-11'
const day = '2026-11-23'
const worst = { model_prices: prices }

test('of many requests at once exactly those are made that the budget has room for', async () => {
  const processes = Array.from({ length: 8 }, () => openPayments(db, { ...worst, monthly_budget: 50 }))
  let made = 0
  const results = await Promise.allSettled(
    processes.flatMap(({ pay }) =>
      Array.from({ length: 12 }, () =>
        pay(call, async bill => {
          made += 1
          bill.used({ output_tokens: 1_000 })
        })
      )
    )
  )
  const refused = results.flatMap(result => (result.status === 'rejected' ? [result.reason] : []))
  assert.equal(made, 50)
  assert.equal(refused.length, 46)
  assert.ok(refused.every(error => error instanceof BudgetError))
  assert.deepEqual(await sums(db), { [month]: [50, 0], [day]: [50, 0] })
})

const outcomes: [string, (used: (usage: CallUsage) => void) => void, number, string][] = [
  ['its usage', used => used({ input_tokens: 5, output_tokens: 7 }), 0.007, 'usage'],
  ['more than was reserved', used => used({ output_tokens: 5_000 }), 5, 'usage'],
  ['no usage', used => used({ input_tokens: 0, output_tokens: 0 }), 1, 'worst_case'],
  ['a negative usage', used => used({ output_tokens: -5 }), 1, 'worst_case'],
  ['no number', used => used({ output_tokens: Number.NaN }), 1, 'worst_case'],
  ['an absurd usage', used => used({ output_tokens: 1e300 }), 1, 'worst_case'],
  ['a text', used => used({ output_tokens: 'many' as never }), 1, 'worst_case'],
  ['nothing at all', () => {}, 1, 'worst_case']
]
for (const [said, report, amount, basis] of outcomes)
  test(`a request that tells of ${said} counts with ${amount}`, async () => {
    await openPayments(db, worst).pay(call, async bill => report(bill.used))
    const [row] = await db.query('select amount::float8 as amount, basis, status from cost_calls')
    assert.deepEqual(row, { amount, basis, status: 'settled' })
    assert.deepEqual(await sums(db), { [month]: [amount, 0], [day]: [amount, 0] })
  })

const Answer = Type.Object({ text: Type.String() })
const noUsage = JSON.stringify({ choices: [{ message: { content: '{"text": "a text"}' }, finish_reason: 'stop' }] })
const wrongUsage = JSON.stringify({ ...JSON.parse(noUsage), usage: { prompt_tokens: 'x', completion_tokens: {} } })
const endpoints: [string, Behaviour, number][] = [
  ['answers', says({ text: 'a text' }), 0.007],
  ['refuses to answer', refuses('no'), 0.007],
  ['reports no usage', sends('application/json', noUsage), 1],
  ['reports nonsense', sends('application/json', wrongUsage), 1],
  ['fails after it charged', fails(500), 1],
  ['refuses the request', fails(401), 0],
  ['has too many requests', fails(429), 0],
  ['breaks off its stream', cutsConnection('text/event-stream', delta('half of')), 1],
  ['answers junk', sends('application/json', 'no JSON'), 1]
]
for (const [what, behaviour, amount] of endpoints)
  test(`a model that ${what} counts with ${amount}`, async () => {
    server.script(behaviour)
    const costs = { ...openPayments(db, worst), maxOutputTokens: () => 1_000 }
    const client = createModelClient({ baseUrl: server.url, apiKey: '', timeoutSeconds: 20, maxRetries: 0, costs })
    const { signal } = new AbortController()
    await client.complete({ model: 'm', system: 's', user: 'u', schema: Answer, signal }).catch(() => {})
    assert.deepEqual((await sums(db))[month], [amount, 0])
    assert.equal(Reflect.get(server.requests[0]?.body ?? {}, 'max_completion_tokens'), 1_000)
  })

test('a model that is not there counts with nothing', async () => {
  const costs = { ...openPayments(db, worst), maxOutputTokens: () => null }
  const options = { baseUrl: 'http://127.0.0.1:9', apiKey: '', timeoutSeconds: 5, maxRetries: 0, costs }
  const { signal } = new AbortController()
  await createModelClient(options)
    .complete({ model: 'm', system: 's', user: 'u', schema: Answer, signal })
    .catch(() => {})
  assert.deepEqual((await sums(db))[month]?.[1], 0)
})

test('what is uncertain is free where the setting says so', async () => {
  await openPayments(db, { ...worst, uncertain_calls: 'free' }).pay(call, async () => {})
  assert.deepEqual(await sums(db), { [month]: [0, 0], [day]: [0, 0] })
})

test('a request of a dead process ends once, and is counted anew when the process was alive after all', async () => {
  const { deps } = openPayments(db, worst)
  const reservation = await reserve(deps, call, {})
  assert.equal(await expire(deps, 10), 0)
  assert.deepEqual(await sums(db), { [month]: [0, 1], [day]: [0, 1] })
  await db.query("update cost_calls set lease_until = now() - interval '1 second'")
  const ended = await Promise.all([expire(deps, 10), expire(deps, 10), expire(deps, 10)])
  assert.equal(
    ended.reduce((sum, count) => sum + count),
    1
  )
  assert.deepEqual(await sums(db), { [month]: [1, 0], [day]: [1, 0] })
  for (let times = 0; times < 2; times++) await recordCharge(deps, reservation, { used: { output_tokens: 10 } })
  assert.deepEqual(await sums(db), { [month]: [0.01, 0], [day]: [0.01, 0] })
})

test('a request counts in the budgets of its niche, and in those of all', async () => {
  const { pay, attribute, values } = openPayments(db, { ...worst, niche_budgets: { sea: { daily: 1.5 } } })
  const paid = (niche_slug: string | null) =>
    attribute({ niche_slug }, () => pay(call, async bill => bill.used({ output_tokens: 1_000 })))
  await paid('sea')
  await assert.rejects(paid('sea'), /budget of 1\.50 USD for 2026-11-23 and the niche sea has no room.*niche_budgets/)
  await paid('hill')
  await paid(null)
  values.daily_budget = 3.5
  await assert.rejects(paid(null), /raise daily_budget/)
  assert.deepEqual(await sums(db), {
    [month]: [3, 0],
    [`${month} hill`]: [1, 0],
    [`${month} sea`]: [1, 0],
    [day]: [3, 0],
    [`${day} hill`]: [1, 0],
    [`${day} sea`]: [1, 0]
  })
})

test('a purpose within another one adds to it', async () => {
  const { pay, attribute } = openPayments(db, worst)
  const task_id = '00000000-0000-4000-8000-000000000001'
  await attribute({ task_id, attempt: 2, part: 'qa' }, () =>
    attribute({ part: 'critic' }, () => pay(call, async bill => bill.nothing()))
  )
  const [row] = await db.query('select task_id, attempt, part, basis from cost_calls')
  assert.deepEqual(row, { task_id, attempt: 2, part: 'critic', basis: 'nothing' })
})

test('the operator is told at 80 % of a budget, and of a month that will cost more than its budget', async () => {
  const { pay, deps, wakes } = openPayments(db, { ...worst, monthly_budget: 8, daily_budget: 100 })
  const queued: QueuedNotice[] = []
  const notify = { queue: async (_tx: unknown, notices: readonly QueuedNotice[]) => void queued.push(...notices) }
  const alarm = async () => {
    queued.length = 0
    await db.transaction(tx => sendAlarms({ ...deps, notify: notify as Notify }, tx, 0))
    return queued.map(({ source }) => source.replace(/\d{10,}$/, ''))
  }
  const spend = () => pay(call, async bill => bill.used({ output_tokens: 1_000 }))
  for (let times = 0; times < 6; times++) await spend()
  assert.deepEqual([wakes, await alarm()], [[], []])
  await spend()
  // 7 of 8 at 75 % of the month: 9.3 at its end.
  assert.deepEqual([wakes, await alarm()], [['alarm'], ['costs:spent:2026-11::', 'costs:projection:2026-11:']])
  assert.equal(queued[0]?.notice.title, '87 % of a budget are spent')
  assert.match(String(queued[1]?.notice.title), /^Models will cost about 9\.33 USD in 2026-11/)
})

const usual = { signal: new AbortController().signal }

test('a driver that forgets to pay counts with its worst case, or with what its result tells', async () => {
  const { meter } = openPayments(db, worst)
  assert.equal(await meter(call, async () => 'a draft', usual), 'a draft')
  await meter(call, async () => 250, { ...usual, usageOf: output_tokens => ({ output_tokens }) })
  assert.deepEqual(await sums(db), { [month]: [1.25, 0], [day]: [1.25, 0] })
})

test('a driver that pays its requests itself is not counted twice', async () => {
  const { meter, pay } = openPayments(db, { ...worst, monthly_budget: 1 })
  const request = () => pay(call, async bill => bill.used({ output_tokens: 100 }))
  // The budget has room for one request at a time.
  await meter(call, request, usual)
  assert.deepEqual(await sums(db), { [month]: [0.1, 0], [day]: [0.1, 0] })
})

test('a driver does not work beyond a budget, and is not waited for after its abort', async () => {
  const { meter } = openPayments(db, { ...worst, monthly_budget: 1.5 })
  const controller = new AbortController()
  const hanging = meter(call, () => new Promise(() => {}), { signal: controller.signal })
  const refused = assert.rejects(hanging, /stopped/)
  await until(async () => (await sums(db))[month]?.[1] === 1)
  let works = 0
  await assert.rejects(
    meter(call, async () => void works++, usual),
    BudgetError
  )
  assert.equal(works, 0)
  controller.abort(new Error('stopped'))
  await refused
  assert.deepEqual((await sums(db))[month], [1, 0])
})

test('a driver with other methods is else the driver itself', () => {
  class Engine {
    #asked = 0
    get asked() {
      return this.#asked
    }
    speak() {
      this.#asked += 1
      return 'own'
    }
    hear() {
      return this.asked
    }
  }
  const engine = new Engine()
  Object.freeze(engine)
  const other = withMethods<Engine>(engine, { speak: () => `not ${engine.speak()}` })
  assert.deepEqual([other.speak(), other.asked, other.hear(), 'hear' in other], ['not own', 1, 1, true])
})
