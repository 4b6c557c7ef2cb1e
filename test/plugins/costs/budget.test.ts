import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { costChecks } from '../../../plugins/costs/checks.ts'
import { CleanCalls } from '../../../plugins/costs/cleanup.ts'
import { CostsService } from '../../../plugins/costs/index.ts'
import { costSettings } from '../../../plugins/costs/settings.ts'
import { WakeWaiting } from '../../../plugins/costs/wake.ts'
import { builtInRails } from '../../../plugins/tasks/rails/built-in.ts'
import { nearDuplicate } from '../../../plugins/tasks/rails/near-duplicate.ts'
import { type ModelServer, says, startModelServer } from '../../helpers/model-server.ts'
import { runCommand } from '../../helpers/run-command.ts'
import { startService, type TestService } from '../../helpers/service.ts'
import { awaitOutcome, storeSource } from '../../helpers/tasks.ts'
import { startTelegramServer, type TelegramServer } from '../../helpers/telegram-server.ts'
import { until } from '../../helpers/until.ts'

/** A request costs up to 1.1 (its output) and a little (its input), and then 0.0007 for 7 tokens. */
const prices = {
  m: { per_million_input_tokens: 0, per_million_output_tokens: 100, max_output_tokens: 11_000 }
}
const draft = {
  title: 'Lenses of lighthouses',
  excerpt: 'Glass that gathers light.',
  content: `${'A lens gathers the light of a small lamp into a beam [1]. '.repeat(40)}\n\n## Rings\n\nRings of glass bend light.`
}

/** The text is the test's own, and has to pass. */
const lenient = Object.fromEntries([...builtInRails, nearDuplicate].map(({ name }) => [`qa_rail_${name}`, 'advisory']))

let service: TestService
let model: ModelServer
let telegram: TelegramServer
/** What the service takes for now, beside the clock. */
let aheadMs = 0
before(async () => {
  model = await startModelServer()
  telegram = await startTelegramServer()
  service = await startService({
    now: () => new Date(Date.now() + aheadMs),
    settings: {
      ...telegram.settings(),
      llm_base_url: model.url,
      llm_writer_model: 'm',
      model_prices: JSON.stringify(prices),
      qa_final_score_threshold: '0',
      ...lenient,
      llm_max_retries: '0'
    }
  })
  await storeSource(service)
})
beforeEach(() => model.script(says(draft)))
after(async () => {
  await service.close()
  await model.close()
  await telegram.close()
})

const budget = async () => JSON.parse((await runCommand(service.kernel, 'costs', 'budget', '--json')).out)
const set = (key: string, value: string) => service.bearer('PUT', `/api/settings/${key}`, { value })
const create = async (topic: string, more = {}): Promise<string> =>
  (await service.bearer('POST', '/api/tasks', { topic, target_length: 300, ...more })).body.task_id
const waiting = async (task_id: string) => {
  let task: Record<string, unknown> = {}
  await until(async () => {
    task = (await service.bearer('GET', `/api/tasks/${task_id}`)).body
    return task.stage === 'awaiting_budget'
  }, 'the task waits for the budget')
  return task
}

test('a draft is paid; the next one waits for room, and goes on when the budget is raised', async () => {
  await set('monthly_budget', '1.1005')
  await awaitOutcome(service, await create('How a lighthouse lens works'))
  const after = await budget()
  assert.deepEqual(
    [after.monthly_budget, after.amount_spent, after.amount_remaining, after.status],
    [1.1005, 0.0007, 1.0998, 'on_track']
  )
  assert.deepEqual(Object.keys(after), [
    'monthly_budget',
    'amount_spent',
    'amount_remaining',
    'percent_used',
    'projected_final_cost',
    'days_remaining',
    'status'
  ])
  const second = await create('Why lenses turn')
  const task = await waiting(second)
  assert.equal(task.status, 'in_progress')
  assert.match(String(task.error), /budget of 1\.10 USD for \d{4}-\d\d has no room.*raise monthly_budget/)
  assert.equal(model.requests.length, 1)
  assert.equal((await budget()).status, 'waiting')
  await until(() => telegram.messages.some(({ text }) => text.includes('waits for room in a budget')), 'a notice')
  await set('monthly_budget', '5')
  await awaitOutcome(service, second)
  assert.equal(model.requests.length, 2)
  assert.equal((await budget()).amount_spent, 0.0014)
})

test('what a task cost is told by attempts and parts, over REST, GraphQL and the command line', async () => {
  const [first] = (await service.bearer('GET', '/api/costs?limit=1')).body.items
  assert.deepEqual(
    [first.model, first.part, first.amount, first.reserved, first.basis, first.usage],
    ['m', 'draft', 0.0007, 1.1, 'usage', { input_tokens: 11, output_tokens: 7 }]
  )
  const cost = (await service.bearer('GET', `/api/costs/tasks/${first.task_id}`)).body
  assert.deepEqual(cost, {
    amount: 0.0007,
    currency: 'USD',
    calls: 1,
    attempts: [{ attempt: 1, amount: 0.0007, parts: [{ part: 'draft', calls: 1, amount: 0.0007 }] }],
    next_run: { amount: 0.0007, currency: 'USD', based_on: 1 }
  })
  const task = (await service.bearer('GET', `/api/tasks/${first.task_id}`)).body
  assert.deepEqual(task.cost, cost)
  const shown = await runCommand(service.kernel, 'tasks', 'get', first.task_id)
  assert.match(shown.out, /draft +0\.000700 +1\nTotal 0\.000700 USD; one more attempt about 0\.000700\n/)
  const query = `{ costBudget { amountSpent } taskCost(taskId: "${first.task_id}") { amount nextRun { basedOn } }
    task(taskId: "${first.task_id}") { cost { amount attempts { parts { part amount } } } }
    costs(first: 1) { totalCount edges { node { callId amount } } } }`
  const { data } = (await service.bearer('POST', '/graphql', { query })).body
  assert.deepEqual(data, {
    costBudget: { amountSpent: 0.0014 },
    taskCost: { amount: 0.0007, nextRun: { basedOn: 1 } },
    task: { cost: { amount: 0.0007, attempts: [{ parts: [{ part: 'draft', amount: 0.0007 }] }] } },
    costs: { totalCount: 2, edges: [{ node: { callId: first.call_id, amount: 0.0007 } }] }
  })
  const listed = JSON.parse((await runCommand(service.kernel, 'costs', 'list', '--task', first.task_id, '--json')).out)
  assert.deepEqual([listed.total, listed.amount], [1, 0.0007])
  const prefix = first.task_id.slice(0, 8)
  assert.deepEqual((await service.bearer('GET', `/api/costs/tasks/${prefix}`)).body, cost)
  assert.equal((await service.bearer('GET', `/api/costs?task_id=${prefix}`)).body.total, 1)
  const recent = await runCommand(service.kernel, 'costs', 'list', '--task', first.task_id, '--since', '300d', '--json')
  assert.deepEqual(JSON.parse(recent.out), listed)
  const list = (...flags: string[]) => runCommand(service.kernel, 'costs', 'list', ...flags, '--json')
  assert.equal(JSON.parse((await list('--until', '300d')).out).total, 0)
  assert.deepEqual(Object.keys(JSON.parse((await list('--until', 'soon')).err).errors), ['until'])
  assert.deepEqual(Object.keys(JSON.parse((await list('--model', '')).err).errors), ['model'])
  const byPrefix = await runCommand(service.kernel, 'costs', 'list', '--task', prefix, '--json')
  assert.deepEqual(JSON.parse(byPrefix.out), listed)
  assert.equal((await service.bearer('GET', '/api/costs?task_id=00000000')).status, 404)
  assert.equal((await service.bearer('GET', '/api/costs/tasks/nothing-of-it')).status, 400)
  assert.equal((await service.anonymous('GET', '/api/costs/budget')).status, 401)
  const page = (await service.bearer('GET', '/api/costs?limit=1')).body
  const next = (await service.bearer('GET', `/api/costs?limit=1&cursor=${page.next_cursor}`)).body
  assert.notEqual(next.items[0].call_id, first.call_id)
})

test('a post has what its task cost, for bearers', async () => {
  const [task] = await service.db.query<{ task_id: string; post_id: string }>(
    'select task_id, post_id from tasks where post_id is not null order by created_at limit 1'
  )
  const { body } = await service.bearer('GET', `/api/costs?post_id=${task?.post_id}`)
  assert.deepEqual([body.total, body.amount], [1, 0.0007])
  const approved = await service.bearer('POST', `/api/tasks/${task?.task_id}/approve`, { approved: true })
  const query = `{ post(slug: "${approved.body.post_slug}") { cost { amount calls } } }`
  const { data } = (await service.bearer('POST', '/graphql', { query })).body
  assert.deepEqual(data, { post: { cost: { amount: 0.0007, calls: 1 } } })
  const { errors } = (await service.anonymous('POST', '/graphql', { query })).body
  assert.equal(errors.length, 1)
})

test('a correction counts in its budgets, has a history, and lets what waits go on', async () => {
  const [call] = (await service.bearer('GET', '/api/costs?limit=1')).body.items
  const correct = (amount: string) =>
    runCommand(service.kernel, 'costs', 'correct', call.call_id, amount, '--reason', 'as billed', '--json')
  assert.equal(JSON.parse((await correct('4.5')).out).amount, 4.5)
  assert.equal((await budget()).amount_spent, 4.5007)
  const task_id = await create('What a correction frees')
  await waiting(task_id)
  assert.equal((await correct('0.0007')).status, 0)
  await awaitOutcome(service, task_id)
  const [row] = await service.db.query('select actor, from_amount, to_amount, reason from cost_corrections order by id')
  assert.deepEqual(row, {
    actor: 'operator',
    from_amount: '0.000700000000',
    to_amount: '4.500000000000',
    reason: 'as billed'
  })
  assert.notEqual((await correct('-1')).status, 0)
  const byPrefix = `/api/costs/${call.call_id.slice(0, 8)}/correct`
  const again = await service.bearer('POST', byPrefix, { amount: '0.0007', reason: 'as billed' })
  assert.deepEqual([again.status, again.body.call_id], [200, call.call_id])
  const [checked] = await service.db.query<{ sums: boolean }>(
    `select bool_and(spent = (select sum(amount) from cost_calls where period in (month, day)) and reserved = 0) as sums
     from cost_periods`
  )
  assert.equal(checked?.sums, true)
})

test('a mistyped price lets the task wait with clear words, and a corrected one lets it go on', async () => {
  await set('model_prices', JSON.stringify({ m: { ...prices.m, per_million_output_tokens: 100_000 } }))
  const task_id = await create('A price with too many zeros')
  const task = await waiting(task_id)
  assert.match(String(task.error), /up to 1100\.00 USD, more than all of the budget.*mistyped price in model_prices/)
  const clock = { timeZone: () => 'UTC', now: () => new Date() }
  const settings = service.kernel.settings.reader(costSettings)
  const check = costChecks({ db: service.db, settings, ...clock }).find(({ name }) => name === 'model budgets')
  const finding = await check?.run({ signal: AbortSignal.timeout(5_000), unfinished: async () => [] })
  assert.match(String(finding?.found), /can never go on\. The task/)
  await set('model_prices', JSON.stringify(prices))
  await awaitOutcome(service, task_id)
  assert.equal((await set('model_prices', '{"m": {"per_milion_output_tokens": 1}}')).status, 400)
})

test('a model without a price waits for one where the setting says so', async () => {
  await set('unknown_price', 'refuse')
  await set('model_prices', '{}')
  const task_id = await create('A model without a price')
  assert.match(String((await waiting(task_id)).error), /no price for chat requests to the model m.*model_prices/)
  await set('unknown_price', 'count')
  await awaitOutcome(service, task_id)
  const { body } = await service.bearer('GET', `/api/costs?task_id=${task_id}`)
  assert.deepEqual([body.items[0].amount, body.items[0].is_priced], [0, false])
  await set('model_prices', JSON.stringify(prices))
})

test('a critic that may not be asked lets the draft wait at its checks, and is a part of the cost', async () => {
  await set('llm_critic_model', 'judge')
  await set('unknown_price', 'refuse')
  model.script(says(draft), says({ score: 90, note: 'It is fine.' }))
  const task_id = await create('A critic that waits')
  assert.match(String((await waiting(task_id)).error), /the model judge/)
  await set('model_prices', JSON.stringify({ ...prices, judge: prices.m }))
  assert.equal((await awaitOutcome(service, task_id)).status, 'awaiting_approval')
  const { attempts } = (await service.bearer('GET', `/api/costs/tasks/${task_id}`)).body
  assert.deepEqual(attempts, [
    {
      attempt: 1,
      amount: 0.0014,
      parts: [
        { part: 'draft', calls: 1, amount: 0.0007 },
        { part: 'critic', calls: 1, amount: 0.0007 }
      ]
    }
  ])
})

const waits = () => service.db.query('select kind, id from cost_waits')

test('a task that was cancelled waits for no budget any more', async () => {
  await set('llm_critic_model', '')
  await set('unknown_price', 'refuse')
  await set('model_prices', '{}')
  const task_id = await create('A task that nobody wants')
  await waiting(task_id)
  await until(async () => (await waits()).length === 1)
  assert.equal((await service.bearer('POST', `/api/tasks/${task_id}/cancel`, {})).body.status, 'dismissed')
  assert.deepEqual(await waits(), [])
  await set('model_prices', JSON.stringify(prices))
})

/** As the run of each minute does. */
const wake = () => service.db.transaction(tx => service.kernel.jobs.enqueue(tx, WakeWaiting, {}, { key: 'wake' }))
/** No such run is under way or due. */
const woken = () =>
  until(async () =>
    (await service.kernel.jobs.stats()).every(
      ({ queue, active, ready }) => queue !== 'costs.wake' || active + ready === 0
    )
  )
const dayMs = 86_400_000

test('a task that waits for room in a day goes on when the next one begins', async t => {
  t.after(() => {
    aheadMs = 0
  })
  // Earlier tests spent a little of it.
  await set('daily_budget', '1.1')
  const task_id = await create('What begins at midnight')
  assert.match(String((await waiting(task_id)).error), /budget of 1\.10 USD for \d{4}-\d\d-\d\d has no room/)
  const [later] = await service.db.query<{ is_midnight: boolean }>(
    `select start_after = date_trunc('day', start_after at time zone 'UTC') at time zone 'UTC' as is_midnight
     from jobs.job where name = 'costs.wake' and state = 'created' and start_after > now() + interval '1 second'`
  )
  assert.equal(later?.is_midnight, true)
  await wake()
  await woken()
  assert.equal((await waits()).length, 1, 'there is no room today')
  aheadMs = dayMs
  await wake()
  await until(async () => {
    const [task] = await service.db.query<{ status: string }>('select status from tasks where task_id = $1', [task_id])
    return task?.status === 'awaiting_approval'
  }, 'the task goes on')
  assert.deepEqual(await waits(), [])
  await service.kernel.settings.set('daily_budget', '0')
})

test('a chat is told once when 80 % of a budget are spent, and when the month will cost more', async t => {
  t.after(() => {
    aheadMs = 0
  })
  // The 20th of the next month: nothing was spent in it, and it says enough about its end.
  const today = new Date()
  aheadMs = Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + 1, 20, 12) - today.getTime()
  await service.kernel.settings.set('monthly_budget', '10')
  const costs = service.service(CostsService)
  const spend = (output_tokens: number) =>
    costs?.pay({ kind: 'chat', model: 'm', worst: {} }, async bill => bill.used({ output_tokens }))
  await spend(85_000)
  const month = new Date(Date.now() + aheadMs).toISOString().slice(0, 7)
  const alarms = () =>
    telegram.messages
      .filter(({ text }) => text.includes(month))
      .map(({ text }) => text.split('\n')[0])
      .toSorted()
  await until(() => alarms().length === 2, 'two alarms')
  assert.match(alarms().join('; '), /^85 % of a budget are spent; Models will cost about 1\d\.\d\d USD in \d{4}-\d\d$/)
  await spend(1_000)
  await wake()
  await woken()
  const queued = await service.db.query('select from notify_messages where source like $1', [`costs:%:${month}:%`])
  assert.equal(queued.length, 2)
})

test('requests are deleted after their days, and the sums stay', async () => {
  const sums = () => service.db.query('select period, niche_slug, spent from cost_periods order by 1, 2')
  const before = await sums()
  const all = await service.db.query('select from cost_calls')
  await service.db.query(`update cost_calls set at = at - interval '401 days' where part = 'critic'`)
  await service.db.transaction(tx => service.kernel.jobs.enqueue(tx, CleanCalls, {}))
  await until(async () => (await service.db.query(`select from cost_calls where part = 'critic'`)).length === 0)
  assert.equal((await service.db.query('select from cost_calls')).length, all.length - 1)
  assert.deepEqual(await sums(), before)
})
