import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { type ModelServer, says, startModelServer } from '../../helpers/model-server.ts'
import { runCommand } from '../../helpers/run-command.ts'
import { startService, type TestService } from '../../helpers/service.ts'
import { settled, storeSource } from '../../helpers/tasks.ts'
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

let service: TestService
let model: ModelServer
before(async () => {
  model = await startModelServer()
  service = await startService({
    settings: {
      llm_base_url: model.url,
      llm_writer_model: 'm',
      model_prices: JSON.stringify(prices),
      qa_final_score_threshold: '0',
      llm_max_retries: '0'
    }
  })
  await storeSource(service)
})
beforeEach(() => model.script(says(draft)))
after(async () => {
  await service.close()
  await model.close()
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
  await settled(service, await create('How a lighthouse lens works'))
  const after = await budget()
  assert.deepEqual(
    [after.monthly_budget, after.amount_spent, after.amount_remaining, after.status],
    [1.1005, 0.0007, 1.0998, 'on_track']
  )
  assert.deepEqual(Object.keys(after), [
    ...['monthly_budget', 'amount_spent', 'amount_remaining', 'percent_used', 'projected_final_cost', 'days_remaining'],
    'status'
  ])
  const second = await create('Why lenses turn')
  const task = await waiting(second)
  assert.equal(task.status, 'in_progress')
  assert.match(String(task.error), /budget of 1\.10 USD for \d{4}-\d\d has no room.*raise monthly_budget/)
  assert.equal(model.requests.length, 1)
  await set('monthly_budget', '5')
  await settled(service, second)
  assert.equal(model.requests.length, 2)
  assert.equal((await budget()).amount_spent, 0.0014)
})
