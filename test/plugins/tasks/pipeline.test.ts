import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, beforeEach, test } from 'node:test'
import { createDeadLetterJobs } from '../../../cli/jobs/dead-letters.ts'
import { MemoryService } from '../../../plugins/memory/index.ts'
import { DraftTask, QaTask, ResearchTask } from '../../../plugins/tasks/job-types.ts'
import { fails, type ModelServer, says, startModelServer } from '../../helpers/model-server.ts'
import { runCommand } from '../../helpers/run-command.ts'
import { startService, type TestService } from '../../helpers/service.ts'
import { awaitOutcome, draftedTask, lighthouseTask, storeSource } from '../../helpers/tasks.ts'
import { until } from '../../helpers/until.ts'
import { reachSlot } from '../schedule/reach-slot.ts'

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

const approvals: { settings: Record<string, string>; publishes: boolean }[] = [
  { settings: { require_human_approval: 'false', auto_publish_threshold: '80' }, publishes: true },
  { settings: { require_human_approval: 'true', auto_publish_threshold: '80' }, publishes: false },
  { settings: { require_human_approval: 'false', auto_publish_threshold: '0' }, publishes: false }
]
for (const { settings, publishes } of approvals) {
  test(`with ${JSON.stringify(settings)} a good draft ${publishes ? 'publishes by itself' : 'waits for a human'}`, async () => {
    await configure(settings)
    const task = await draftedTask(service)
    assert.equal(task.status, publishes ? 'published' : 'awaiting_approval')
    const history = await service.db.query<{ decision: string; actor: string }>(
      'select decision, actor from gate_history where subject_id = $1',
      [task.task_id]
    )
    const held = { decision: 'held', actor: 'pipeline' }
    const passed = { decision: 'auto_approved', actor: 'auto_publish' }
    assert.deepEqual(history, [publishes ? passed : held])
  })
}

test('with the last gate on no draft publishes by itself, and it says why', async () => {
  const last = 'pipeline_gate_final_publish_approval'
  await configure({ require_human_approval: 'false', auto_publish_threshold: '80', [last]: 'on' })
  const { task_id, status } = await draftedTask(service)
  await configure({ [last]: 'off' })
  assert.equal(status, 'awaiting_approval')
  const held = await service.db.query('select decision, reason from gate_history where subject_id = $1', [task_id])
  assert.deepEqual(held, [{ decision: 'held', reason: 'the gate final_publish_approval is on' }])
})

test('a setting that has become invalid leaves the decision to a human', async () => {
  await configure({ require_human_approval: 'false', auto_publish_threshold: '80' })
  await service.db.query("update app_settings set value = 'nonsense' where key = 'auto_publish_threshold'")
  await service.kernel.settings.load()
  assert.equal((await draftedTask(service)).status, 'awaiting_approval')
})

test('without a critic that is required no draft passes, and it is checked again once there is one', async () => {
  await configure({ require_human_approval: 'false', auto_publish_threshold: '50', qa_rail_critic: 'required' })
  const task = await draftedTask(service)
  assert.equal(task.status, 'rejected')
  assert.match(String(task.reason), /required but could not run: critic/)
  await configure({ qa_rail_critic: 'advisory' })
  await service.bearer('POST', `/api/tasks/${task.task_id}/retry`, {})
  const again = await awaitOutcome(service, task.task_id)
  assert.deepEqual([again.status, again.content], ['published', task.content])
})

const rejections: Record<string, (task_id: string) => Promise<unknown>> = {
  'with feedback': task_id =>
    service.bearer('POST', `/api/tasks/${task_id}/reject`, { feedback: 'This must not go out.' }),
  'at its gate': task_id =>
    galley('gates', 'reject', task_id, '--gate', 'awaiting_approval', '--reason', 'Not this one.'),
  'and retried': async task_id => {
    await service.bearer('POST', `/api/tasks/${task_id}/approve`, { approved: false })
    await service.bearer('POST', `/api/tasks/${task_id}/retry`, {})
  }
}
for (const [how, reject] of Object.entries(rejections)) {
  test(`a draft that a person rejected, ${how}, waits for a person when it is written again, whatever its score`, async () => {
    const { task_id } = await draftedTask(service)
    await configure({ require_human_approval: 'false', auto_publish_threshold: '50' })
    await reject(task_id)
    const again = await awaitOutcome(service, task_id)
    assert.deepEqual([again.status, again.attempt], ['awaiting_approval', 2])
    const { items } = JSON.parse((await galley('gates', 'pending', '--json')).out)
    const held = items.find((item: { task_id: string }) => item.task_id === task_id)
    assert.match(held.reason, /a person turned down an earlier draft/)
  })
}

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
  await awaitOutcome(service, task.task_id)
  const prompts = model.requests.map(({ body }) => JSON.stringify(body.messages))
  assert.equal(prompts.filter(prompt => prompt.includes('xyzzy')).length, 1)
  await configure({ qa_final_score_threshold: '80', qa_rail_length: 'required', qa_rail_repetition: 'required' })
})

test('a model that refuses its key fails the task at once, saying which setting to change, and makes no post', async () => {
  model.script(fails(401, 'bad key'))
  await configure({ llm_base_url: model.url, llm_writer_model: 'test-model' })
  const task = await draftedTask(service)
  assert.equal(task.status, 'failed')
  assert.match(String(task.error), /llm_api_key/)
  assert.equal(task.post_id, null)
  assert.equal(model.requests.length, 1)
})

test('the same stage run twice changes the task once', async () => {
  const task = await draftedTask(service)
  const before = await service.bearer('GET', `/api/pipeline/events/task/${task.task_id}`)
  const { PickUpTask } = await import('../../../plugins/tasks/job-types.ts')
  await service.db.transaction(tx => service.kernel.jobs.enqueue(tx, PickUpTask, { task_id: task.task_id }))
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

test('a draft that cannot be rendered is rejected with the reason, which the next attempt is told', async () => {
  await configure({ llm_base_url: model.url, llm_writer_model: 'test-model' })
  const wideTable = `|${'a|'.repeat(2000)}\n|${'-|'.repeat(2000)}\n${'|a\n'.repeat(2000)}`
  model.script(says({ ...written('A lighthouse in a table'), content: wideTable }))
  const task = await draftedTask(service)
  assert.equal(task.status, 'rejected')
  assert.match(String(task.reason), /cannot be rendered: it (takes more than|becomes)/)
  assert.match(String(task.feedback), /cannot be rendered/)
  assert.deepEqual(
    (task.qa as { rails: { name: string; passed: boolean }[] }).rails.map(({ name, passed }) => [name, passed]),
    [['rendering', false]]
  )
  assert.equal(task.post_id, null)
})

test('a model’s draft with NUL and half a character in it is stored without them', async () => {
  await configure({ llm_base_url: model.url, llm_writer_model: 'test-model' })
  const { content, ...draft } = written('Lens\u0000es of a lighthouse')
  model.script(says({ ...draft, content: `Half \ud83e of it\u0000. ${content}` }))
  const task = await draftedTask(service)
  assert.equal(task.error, null)
  assert.equal(task.title, 'Lenses of a lighthouse')
  assert.ok(String(task.content).isWellFormed())
})

const modelOf = (retries: string) =>
  configure({ llm_base_url: model.url, llm_writer_model: 'test-model', llm_max_retries: retries })
const lenient = { qa_final_score_threshold: '0', qa_rail_length: 'off', qa_rail_repetition: 'off' }
const strict = { qa_final_score_threshold: '80', qa_rail_length: 'required', qa_rail_repetition: 'required' }
const taskOf = async (task_id: string) => (await service.bearer('GET', `/api/tasks/${task_id}`)).body
const createdTask = async () => (await service.bearer('POST', '/api/tasks', lighthouseTask)).body.task_id as string
const decide = (task_id: string, verb: string) => service.bearer('POST', `/api/tasks/${task_id}/${verb}`)
/** Has what waits for later be done now. */
const makeDue = () => service.db.query("update jobs.job set start_after = now() where state = 'created'")
const galley = (...argv: string[]) => runCommand(service.kernel, ...argv)

/** The failure was between `since` and now, whenever that was. */
function assertTriesAgain(error: string, since: number, waitMs: number): void {
  const failedAt = Date.parse(/at (\S+Z)$/.exec(error)?.[1] ?? '') - waitMs
  assert.ok(failedAt >= since && failedAt <= Date.now(), error)
}

test('the model learns of an edit since the feedback, and takes later feedback for what it is about', async () => {
  await configure(lenient)
  await modelOf('0')
  const prompt = () => model.requests[0]?.body.messages[1]?.content ?? ''
  const rejectedFor = async (task_id: string, feedback: string) => {
    await service.bearer('POST', `/api/tasks/${task_id}/reject`, { feedback })
    return awaitOutcome(service, task_id)
  }
  model.script(says(written('A lens that is edited')))
  const { task_id, post_id } = await draftedTask(service)
  const edit = (content: string) => service.bearer('PATCH', `/api/posts/${post_id}`, { content })
  model.script(fails(503, 'overloaded'))
  assert.equal((await rejectedFor(task_id, 'Mention the mercury.')).status, 'failed')
  assert.equal((await edit('Mercury carries the lens.')).status, 200)
  model.script(says(written('A lens on mercury')))
  await decide(task_id, 'retry')
  assert.equal((await awaitOutcome(service, task_id)).status, 'awaiting_approval')
  const edited =
    /An editor has edited it since the feedback\. Keep what was edited in it:\n<previous_draft>\n.*\n\nMercury carries the lens\.\n<\/previous_draft>\n\n.* from before that edit.*:\n<feedback>\nMention the mercury\./
  assert.match(prompt(), edited)

  assert.equal((await edit('Mercury carries this lens.')).status, 200)
  model.script(says(written('A lens on a bath')))
  assert.equal((await rejectedFor(task_id, 'Mention the bath.')).status, 'awaiting_approval')
  assert.match(
    prompt(),
    /\n\nThe previous draft:\n<previous_draft>\n.*\n\nMercury carries this lens\.\n<\/previous_draft>\n\nThe editor's feedback on it/
  )
  await configure(strict)
})

test('a step that two processes were killed in goes on', async () => {
  const steps = [ResearchTask.id, DraftTask.id, QaTask.id]
  await service.db.query(
    `insert into jobs.job (name, data, state, started_on, heartbeat_on, heartbeat_seconds, output)
     select name, jsonb_build_object('task_id', gen_random_uuid(), 'attempt', 1), 'active', now(), now() - interval '11 s', 10,
       '{"process_died": true, "has_begun": true}' from unnest($1::text[]) step (name)`,
    [steps]
  )
  const left = `select from jobs.job where name = any($1::text[]) and output ? 'process_died' and state <> 'completed'`
  await until(async () => (await service.db.query(left, [steps])).length === 0)
  const parked = (await service.kernel.jobs.stats()).filter(({ queue }) => steps.includes(queue))
  assert.deepEqual(
    parked.map(each => each.parked),
    [0, 0, 0]
  )
})

test('with llm_max_retries=0 one request is sent, and the task fails saying so', async () => {
  model.script(fails(503, 'overloaded'))
  await modelOf('0')
  const task = await draftedTask(service)
  assert.equal(task.status, 'failed')
  assert.match(String(task.error), /answered 503: check that .* llm_max_retries\.$/)
  assert.equal(model.requests.length, 1)
})

test('a task whose model is away waits, says why and until when, and sends no more than llm_max_retries says', async () => {
  model.script(fails(503, 'overloaded'))
  await modelOf('2')
  let since = Date.now()
  const task_id = await createdTask()
  const putOff = async () => {
    const { items } = (await service.bearer('GET', `/api/pipeline/events/task/${task_id}`)).body
    return items.filter(({ type }: { type: string }) => type === 'postponed').length
  }
  for (const sent of [1, 2]) {
    await until(async () => (await putOff()) === sent)
    assert.equal(model.requests.length, sent)
    const { error, status } = await taskOf(task_id)
    assert.equal(status, 'in_progress')
    assert.match(error, /answered 503; tries again at /)
    assertTriesAgain(error, since, 3_000 * 3 ** (sent - 1))
    since = Date.now()
    await makeDue()
  }
  const task = await awaitOutcome(service, task_id)
  assert.equal(task.status, 'failed')
  assert.match(String(task.error), /answered 503, after 3 requests: check that /)
  assert.equal(model.requests.length, 3)
  assert.equal(await putOff(), 2)
})

test('a task that waits goes on when its model is back, and its error is gone', async () => {
  model.script(fails(429, 'busy', { 'retry-after': '120' }), says(written('How a lighthouse lens works')))
  await modelOf('1')
  await configure(lenient)
  const since = Date.now()
  const task_id = await createdTask()
  await until(async () => String((await taskOf(task_id)).error).includes('tries again at'))
  // What Retry-After asks for.
  assertTriesAgain((await taskOf(task_id)).error, since, 120_000)
  await makeDue()
  const task = await awaitOutcome(service, task_id)
  assert.deepEqual([task.status, task.error], ['awaiting_approval', null])
  await configure(strict)
})

test('a failed task is retried, on the command line too', async () => {
  model.script(fails(401, 'bad key'), says(written('How a lighthouse lens works')))
  await modelOf('0')
  await configure(lenient)
  const { task_id } = await draftedTask(service)
  const { out } = await galley('tasks', 'retry', task_id.slice(0, 8), '--reason', 'The key is right now', '--json')
  assert.deepEqual([JSON.parse(out).status, JSON.parse(out).error], ['pending', null])
  assert.equal((await awaitOutcome(service, task_id)).status, 'awaiting_approval')
  await configure(strict)
})

test('a drafted text survives a critic that fails: retry has it checked, and not written again', async () => {
  await modelOf('0')
  await configure({ ...lenient, llm_critic_model: 'critic-model', qa_rail_critic: 'required' })
  model.script(says(written('How a lighthouse lens works')), fails(503), says({ score: 95, note: 'Sound.' }))
  const task = await draftedTask(service)
  assert.equal(task.status, 'rejected')
  assert.match(String(task.reason), /required but could not run: critic/)
  const { body } = await decide(task.task_id, 'retry')
  assert.deepEqual([body.status, body.title], ['pending', 'How a lighthouse lens works'])
  const again = await awaitOutcome(service, task.task_id)
  assert.deepEqual([again.status, again.content], ['awaiting_approval', task.content])
  assert.match(JSON.stringify(again.qa), /"grounding","required":true,"passed":true/, 'its sources are still there')
  const asked = model.requests.map(request => request.body.model)
  assert.deepEqual(asked, ['test-model', 'critic-model', 'critic-model'])
  await configure({ ...strict, llm_critic_model: '', qa_rail_critic: 'advisory' })
})

test('a draft that its checks rejected is written again by retry', async () => {
  model.script(says(written('How a lighthouse lens works')))
  await modelOf('0')
  const { task_id, status } = await draftedTask(service)
  assert.equal(status, 'rejected')
  await decide(task_id, 'retry')
  assert.equal((await awaitOutcome(service, task_id)).attempt, 2)
  assert.equal(model.requests.length, 2)
})

test('a task that is cancelled while its draft is being written stops there', async () => {
  const released = Promise.withResolvers<void>()
  model.script((response, request) => {
    released.promise.then(() => says(written('How a lighthouse lens works'))(response, request))
  })
  await modelOf('0')
  const task_id = await createdTask()
  await until(() => model.requests.length === 1)
  assert.equal((await decide(task_id, 'cancel')).body.status, 'dismissed')
  released.resolve()
  await until(async () => (await service.kernel.jobs.stats()).every(({ ready, active }) => ready + active === 0))
  const task = await taskOf(task_id)
  assert.deepEqual([task.status, task.title, task.post_id], ['dismissed', null, null])
  const { items } = (await service.bearer('GET', `/api/pipeline/events/task/${task_id}`)).body
  assert.equal(items.at(-1).type, 'cancelled')
})

test('an edit while the draft is written again is refused; one from before reaches the writer', async () => {
  const released = Promise.withResolvers<void>()
  const late: Parameters<ModelServer['script']>[0] = (response, request) => {
    released.promise.then(() => says(written('How a lens of rings works'))(response, request))
  }
  model.script(says(written('How a lighthouse lens works')), late)
  await modelOf('0')
  await configure(lenient)
  const { task_id, post_id } = await draftedTask(service)
  const edit = (content: string) => service.bearer('PATCH', `/api/posts/${post_id}`, { content })
  await service.bearer('POST', `/api/tasks/${task_id}/approve`, { approved: false })
  assert.equal((await edit('Ten hours by hand.')).status, 200)
  await decide(task_id, 'retry')
  await until(() => model.requests.length === 2)
  assert.match(JSON.stringify(model.requests[1]?.body.messages), /Ten hours by hand/)
  assert.deepEqual((await edit('Too late.')).body.error_code, 'TASK_IN_PROGRESS')
  released.resolve()
  assert.equal((await awaitOutcome(service, task_id)).status, 'awaiting_approval')
  assert.equal((await edit('In time again.')).status, 200)
  assert.equal((await taskOf(task_id)).content, 'In time again.')
  await configure(strict)
})

test('starting the parked job of a failed task anew takes the task up again; without one it says why it does not', async () => {
  const task_id = await createdTask()
  await awaitOutcome(service, task_id)
  const park = () =>
    service.db.query(
      `with failed as (update tasks set status = 'failed', stage = 'research', error = 'gone' where task_id = $1)
       insert into jobs.job (name, data, state, retry_count, retry_limit, completed_on)
       values ('tasks.research', $2, 'failed', 5, 5, now())`,
      [task_id, JSON.stringify({ task_id, attempt: 1 })]
    )
  await park()
  const first = await createDeadLetterJobs(service.kernel).retryAll(undefined, 'operator')
  assert.deepEqual([first.retried.length, first.dropped.length], [1, 0])
  assert.equal((await awaitOutcome(service, task_id)).attempt, 2)
  assert.equal((await taskOf(task_id)).status, 'awaiting_approval')
  await park()
  await service.db.query("update tasks set status = 'dismissed' where task_id = $1", [task_id])
  const { retried, dropped } = await createDeadLetterJobs(service.kernel).retryAll(undefined, 'operator')
  assert.equal(retried.length, 0)
  assert.match(dropped[0]?.reason ?? '', /^task .* is dismissed, not failed: it does not need this job$/)
  assert.equal((await createDeadLetterJobs(service.kernel).list()).total, 0)
})

const sampled = (name: string) => readFile(new URL(`../../../cli/samples/${name}.md`, import.meta.url), 'utf8')
/** Drafts of one topic, which all read the same. */
async function twins(topic: string, sample: string, count: number) {
  const memory = service.kernel.service(MemoryService)
  await memory?.store({ source_table: 'memory', source_id: sample, writer: 'test', text: await sampled(sample) })
  const drafts: Awaited<ReturnType<typeof draftedTask>>[] = []
  for (let n = 0; n < count; n++) drafts.push(await draftedTask(service, { topic, target_length: 300 }))
  for (const { status, reason } of drafts) assert.equal(status, 'awaiting_approval', String(reason))
  return drafts
}
const approve = (task_id: string, more: object = {}) =>
  service.bearer('POST', `/api/tasks/${task_id}/approve`, { approved: true, ...more })
const near = (mode: 'required' | 'off') => configure({ qa_rail_near_duplicate: mode })

test('of two drafts of one topic that are approved at once one is published, the other only by force', async () => {
  // Entries of `posts` that were stored by hand, and are no posts.
  const text = 'How the tides follow the moon'
  for (const source_id of ['fake-post', '00000000-0000-4000-8000-000000000001']) {
    const entry = { text, writer: 'operator', source_table: 'posts', source_id }
    assert.equal((await service.bearer('POST', '/api/memory', entry)).status, 201)
  }
  const drafts = await twins(text, 'tides', 3)
  await near('required')
  const answers = await Promise.all(drafts.slice(0, 2).map(({ task_id }) => approve(task_id)))
  const [winner, loser] = answers[0]?.status === 200 ? [0, 1] : [1, 0]
  const won = answers[winner]?.body
  assert.deepEqual([won.status, answers[loser]?.status], ['published', 409], JSON.stringify(answers[loser]?.body))
  assert.equal(answers[loser]?.body.error_code, 'DUPLICATE_CONTENT')
  assert.match(
    answers[loser]?.body.message,
    new RegExp(`nearly repeats the post ${won.post_slug} .* % similar.* force`)
  )
  const { task_id } = drafts[loser] as { task_id: string }
  assert.equal((await taskOf(task_id)).status, 'awaiting_approval')

  const third = drafts[2] as { task_id: string; post_id: string }
  const slot = { post_id: third.post_id, when: 'tomorrow 9am' }
  const scheduled = await service.bearer('POST', '/api/schedule', slot)
  assert.deepEqual([scheduled.status, scheduled.body.error_code], [409, 'DUPLICATE_CONTENT'])
  const plan = ['--count', '1', '--interval', '1h', '--start', 'tomorrow 9am', '--dry-run', '--json']
  const batch = JSON.parse((await galley('schedule', 'batch', ...plan)).out)
  const skipped = new Map(batch.skipped.map((post: Record<string, string>) => [post.post_id, post.reason]))
  assert.match(String(skipped.get(third.post_id)), new RegExp(`nearly repeats the post ${won.post_slug}`))
  assert.ok(batch.items.every((post: { post_id: string }) => post.post_id !== third.post_id))
  const published = await service.bearer('POST', `/api/posts/${third.post_id}/publish`)
  assert.deepEqual([published.status, published.body.error_code], [409, 'DUPLICATE_CONTENT'])
  assert.equal((await galley('gates', 'approve', third.task_id, '--gate', 'awaiting_approval')).status, 1)
  const forced = await galley('gates', 'approve', third.task_id, '--gate', 'awaiting_approval', '--force', '--json')
  assert.deepEqual([forced.status, JSON.parse(forced.out).status], [0, 'published'], forced.err)

  assert.equal((await galley('tasks', 'approve', task_id, '--json')).status, 1)
  const atGate = { id: task_id, force: true }
  assert.equal((await service.bearer('POST', '/api/gates/awaiting_approval/approve', atGate)).body.status, 'published')
  assert.equal((await approve(task_id)).status, 200, 'what is published is approved again without a word')
  await near('off')
})

test('an older twin is found by the search, and a draft like a scheduled one does not publish by itself', async () => {
  const [first, second, third] = await twins('How honey bees share the work', 'honey-bees', 3)
  await approve(String(first?.task_id), { publish_at: new Date(Date.now() + 3_600_000).toISOString() })
  await near('required')
  await configure({ require_human_approval: 'false', auto_publish_threshold: '1' })
  const waits = await draftedTask(service, { topic: 'How honey bees share the work', target_length: 300 })
  assert.equal(waits.status, 'awaiting_approval', String(waits.reason))
  const [held] = await service.db.query<{ reason: string }>(
    "select reason from gate_history where subject_id = $1 and decision = 'held'",
    [waits.task_id]
  )
  assert.match(held?.reason ?? '', /nearly repeats the post /)
  const old = () =>
    service.db.query(`update posts set approved_at = now() - interval '1 day' where task_id = $1`, [
      first?.task_id ?? ''
    ])
  await old()
  assert.equal((await approve(String(second?.task_id))).body.error_code, 'DUPLICATE_CONTENT')
  const slot = { publish_at: new Date(Date.now() + 7_200_000).toISOString(), force: true }
  assert.equal((await approve(String(second?.task_id), slot)).body.status, 'approved')
  await galley('schedule', 'clear', String(second?.post_id))
  const published = await galley('tasks', 'publish', String(second?.task_id), '--json')
  assert.deepEqual([published.status, JSON.parse(published.err).error_code], [1, 'DUPLICATE_CONTENT'])
  await service.bearer('POST', `/api/tasks/${second?.task_id}/cancel`)
  await service.bearer('POST', `/api/tasks/${first?.task_id}/cancel`)
  assert.equal((await approve(String(third?.task_id))).body.status, 'published')
  await near('off')
})

const handMade = async (title: string, more: object = {}) =>
  (await service.bearer('POST', '/api/posts', { title, content: `A text on ${title}.`, force: true, ...more })).body
    .post_id as string
const postOf = async (post_id: string) =>
  (await service.db.query<{ status: string }>('select status from posts where post_id = $1', [post_id]))[0]

test('with niche_gated_publishing a post without a niche goes out only by force, and everything says so', async () => {
  const draft = await draftedTask(service)
  const belongs = await draftedTask(service, { ...lighthouseTask, niche_slug: 'sea' })
  const late = await handMade('a slot without a niche', { status: 'awaiting_approval' })
  await galley('schedule', 'at', late, '--in', '1h', '--force')
  await service.db.query('update posts set niche_waived = false where post_id = $1', [late])
  await configure({ niche_gated_publishing: 'true' })

  const refused = await approve(draft.task_id)
  assert.deepEqual([refused.status, refused.body.error_code], [409, 'NICHE_REQUIRED'])
  assert.match(refused.body.message, /has no niche_slug, and niche_gated_publishing is on: give it one .* force/)
  assert.equal((await approve(belongs.task_id)).body.status, 'published')
  const inHand = await handMade('one made by hand', { status: 'awaiting_approval' })
  const withNiche = await handMade('one with a niche', { status: 'awaiting_approval', niche_slug: 'sea' })
  const publish = (body?: object) => service.bearer('POST', `/api/posts/${inHand}/publish`, body)
  assert.equal((await publish()).body.error_code, 'NICHE_REQUIRED')
  assert.match(
    (await galley('schedule', 'explain', inHand)).out,
    /It has no niche_slug, and niche_gated_publishing is on/
  )

  const batch = JSON.parse(
    (await galley('schedule', 'batch', '--count', '9', '--interval', '1h', '--start', 'tomorrow 9am', '--json')).out
  )
  assert.deepEqual(
    batch.items.map(({ post_id }: { post_id: string }) => post_id),
    [withNiche]
  )
  const skipped = batch.skipped.map(({ post_id }: { post_id: string }) => post_id)
  assert.ok(skipped.includes(inHand) && skipped.includes(draft.post_id) && !skipped.includes(withNiche))
  assert.match(batch.detail, /Skipped \d+, first .*: it has no niche_slug/)
  assert.equal((await publish({ force: true })).body.status, 'published')

  await service.db.query(`update posts set published_at = now() - interval '5 minutes' where post_id = $1`, [late])
  const { PublishDue } = await import('../../../plugins/schedule/publisher.ts')
  const look = async () => {
    await service.db.transaction(tx => service.kernel.jobs.enqueue(tx, PublishDue, {}))
    await until(async () => (await service.kernel.jobs.stats()).every(({ ready, active }) => ready + active === 0))
  }
  await look()
  await look()
  assert.equal((await postOf(late))?.status, 'scheduled')
  assert.match((await galley('schedule', 'explain', late)).out, /the publisher passes it over. It has no niche_slug/)
  const skips = await service.db.query("select 1 from post_history where post_id = $1 and action = 'skip'", [late])
  assert.equal(skips.length, 1, 'once, however often the publisher looks')
  assert.equal((await service.anonymous('GET', '/health')).status, 200, 'what waits for a niche is not overdue')
  await service.bearer('PATCH', `/api/posts/${late}`, { niche_slug: 'sea' })
  await look()
  assert.equal((await postOf(late))?.status, 'published')

  await configure({ require_human_approval: 'false', auto_publish_threshold: '1' })
  assert.equal((await draftedTask(service)).status, 'awaiting_approval')
  assert.equal((await draftedTask(service, { ...lighthouseTask, niche_slug: 'sea' })).status, 'published')
  await configure({ niche_gated_publishing: 'false' })
})

test('a slot given by force goes out without a niche', async () => {
  const post_id = await handMade('a slot by force', { status: 'awaiting_approval' })
  await configure({ niche_gated_publishing: 'true' })
  assert.equal((await galley('schedule', 'at', post_id, '--in', '1h')).status, 1)
  assert.equal((await galley('schedule', 'at', post_id, '--in', '1h', '--force')).status, 0)
  assert.match((await galley('schedule', 'explain', post_id)).out, /is approved and goes out at its slot/)
  await reachSlot(service.db, post_id)
  await until(async () => (await postOf(post_id))?.status === 'published')
  await configure({ niche_gated_publishing: 'false' })
})
