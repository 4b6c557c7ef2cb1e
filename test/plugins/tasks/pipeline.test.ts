import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { fails, type ModelServer, says, startModelServer } from '../../helpers/model-server.ts'
import { startService, type TestService } from '../../helpers/service.ts'
import { draftedTask, settled, storeSource } from '../../helpers/tasks.ts'
import { until } from '../../helpers/until.ts'
import { reachSlot } from '../posts/reach-slot.ts'

let service: TestService
let model: ModelServer
before(async () => {
  model = await startModelServer()
  service = await startService({ settings: { qa_rail_near_duplicate: 'off' } })
  await storeSource(service)
})
after(async () => {
  await service.close()
  await model.close()
})

const defaults = {
  require_human_approval: 'true',
  auto_publish_threshold: '0',
  llm_base_url: '',
  llm_writer_model: '',
  llm_max_retries: '0'
}
const configure = async (settings: Record<string, string>) => {
  for (const [key, value] of Object.entries(settings)) await service.kernel.settings.set(key, value)
}
beforeEach(() => configure(defaults))

test('a topic with no sources behind it ends rejected, saying what is missing', async () => {
  const task = await draftedTask(service, { topic: 'The economics of medieval salt trade' })
  assert.equal(task.status, 'rejected')
  assert.match(String(task.reason), /source/)
  assert.match(String(task.reason), /memory store/)
  assert.equal(task.post_id, null, 'what failed its checks makes no post')
})

const postures: { settings: Record<string, string>; publishes: boolean }[] = [
  { settings: { require_human_approval: 'false', auto_publish_threshold: '80' }, publishes: true },
  { settings: { require_human_approval: 'true', auto_publish_threshold: '80' }, publishes: false },
  { settings: { require_human_approval: 'false', auto_publish_threshold: '0' }, publishes: false }
]
for (const { settings, publishes } of postures) {
  test(`with ${JSON.stringify(settings)} a good draft ${publishes ? 'publishes by itself' : 'waits for a human'}`, async () => {
    await configure(settings)
    const task = await draftedTask(service)
    assert.equal(task.status, publishes ? 'published' : 'awaiting_approval')
    const history = await service.db.query<{ decision: string; actor: string }>(
      'select decision, actor from gate_history where subject_id = $1',
      [task.task_id]
    )
    const [held, passed] = [
      { decision: 'held', actor: 'pipeline' },
      { decision: 'auto_approved', actor: 'auto_publish' }
    ]
    assert.deepEqual(history, [publishes ? passed : held])
  })
}

test('a setting that has become invalid leaves the decision to a human', async () => {
  await configure({ require_human_approval: 'false', auto_publish_threshold: '80' })
  await service.db.query("update app_settings set value = 'nonsense' where key = 'auto_publish_threshold'")
  await service.kernel.settings.load()
  assert.equal((await draftedTask(service)).status, 'awaiting_approval')
})

const written = (title: string) => ({
  title,
  excerpt: 'A lens of glass rings turns a small lamp into a beam that ships see from far away.',
  content: `A lighthouse lens gathers the light of a small lamp into a beam that ships see from far away. [1]\n\n## Rings\n\n${'Rings of glass prisms bend the light of the lamp into one direction for the sailors at sea. '.repeat(3)}[1]\n\n## Turning\n\nA ship sees a flash each time a beam passes over it, and sailors read the rhythm from a printed list. [1]`
})

test('with a model configured the draft is its own, and the operator’s feedback is in the second prompt', async () => {
  model.script(says(written('How a lighthouse lens works')))
  await configure({
    llm_base_url: model.url,
    llm_writer_model: 'test-model',
    qa_final_score_threshold: '0',
    qa_rail_length: 'off',
    qa_rail_repetition: 'off'
  })
  const task = await draftedTask(service)
  assert.equal(task.status, 'awaiting_approval', String(task.reason))
  assert.equal(task.title, 'How a lighthouse lens works')
  assert.equal((task.metadata as { writer: string }).writer, 'test-model')
  const feedback = 'Mention the mercury bath, please: xyzzy'
  await service.bearer('POST', `/api/tasks/${task.task_id}/reject`, { feedback })
  await settled(service, task.task_id)
  const prompts = model.requests.map(({ body }) => JSON.stringify(body.messages))
  assert.equal(prompts.filter(prompt => prompt.includes('xyzzy')).length, 1)
  await configure({ qa_final_score_threshold: '80', qa_rail_length: 'required', qa_rail_repetition: 'required' })
})

test('a model that refuses its key fails the task at once, saying which setting to mend, and makes no post', async () => {
  model.script(fails(401, 'bad key'))
  await configure({ llm_base_url: model.url, llm_writer_model: 'test-model' })
  const task = await draftedTask(service)
  assert.equal(task.status, 'failed')
  assert.match(String(task.error), /llm_api_key/)
  assert.equal(task.post_id, null)
  assert.equal(model.requests.length, 1)
})

test('the same step run twice changes the task once', async () => {
  const task = await draftedTask(service)
  const before = await service.bearer('GET', `/api/pipeline/events/task/${task.task_id}`)
  const { pickup } = await import('../../../plugins/tasks/step.ts')
  await service.db.transaction(tx => service.kernel.jobs.enqueue(tx, pickup, { task_id: task.task_id }))
  await service.db.transaction(tx =>
    service.kernel.jobs.enqueue(tx, { id: 'tasks.qa' }, { task_id: task.task_id, attempt: 1 })
  )
  await until(async () => (await service.kernel.jobs.stats()).every(({ ready, active }) => ready + active === 0))
  const events = await service.bearer('GET', `/api/pipeline/events/task/${task.task_id}`)
  assert.equal(events.body.total, before.body.total)
  assert.equal((await service.bearer('GET', `/api/tasks/${task.task_id}`)).body.status, 'awaiting_approval')
})

test('a scheduled post that goes live takes its task along', async () => {
  const task = await draftedTask(service)
  await service.bearer('POST', `/api/tasks/${task.task_id}/approve`, {
    approved: true,
    publish_at: new Date(Date.now() + 3_600_000).toISOString()
  })
  await reachSlot(service.db, String(task.post_id))
  await until(async () => (await service.bearer('GET', `/api/tasks/${task.task_id}`)).body.status === 'published')
  const post = await service.anonymous('GET', `/api/posts/${task.post_slug}`)
  assert.equal(post.status, 200)
})

const halves: string[] = ['🤡'.repeat(100), '𝒜'.repeat(200), `${'x'.repeat(88)}${'🤡'.repeat(20)}`]
for (const topic of halves) {
  test(`a topic of pairs of surrogates (${[...topic].slice(0, 2).join('')}…) is judged, not failed`, async () => {
    const task = await draftedTask(service, { topic })
    assert.equal(task.status, 'rejected', JSON.stringify(task))
    assert.ok(String(task.title).isWellFormed())
    assert.ok(!JSON.stringify(task.qa).includes('\\ud8'), 'no character is cut in half')
  })
}

test('a model’s draft with NUL and half a character in it is stored without them', async () => {
  await configure({ llm_base_url: model.url, llm_writer_model: 'test-model' })
  const { content, ...draft } = written('Lens\u0000es of a lighthouse')
  model.script(says({ ...draft, content: `Half \ud83e of it\u0000. ${content}` }))
  const task = await draftedTask(service)
  assert.equal(task.error, null)
  assert.equal(task.title, 'Lenses of a lighthouse')
  assert.ok(String(task.content).isWellFormed())
})
