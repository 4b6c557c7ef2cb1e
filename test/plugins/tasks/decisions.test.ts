import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { taskStatuses } from '../../../plugins/tasks/states.ts'
import { runCommand } from '../../helpers/run-command.ts'
import { type Answer, startService, type TestService } from '../../helpers/service.ts'
import { awaitOutcome, draftedTask, lighthouseTask, storeSource } from '../../helpers/tasks.ts'

let service: TestService
before(async () => {
  // Every task here is about the same lighthouse, and some get published.
  service = await startService({ settings: { qa_rail_near_duplicate: 'off' } })
  await storeSource(service)
})
after(() => service.close())

const approve = (task_id: string, body: object = { approved: true }) =>
  service.bearer('POST', `/api/tasks/${task_id}/approve`, body)
const reject = (task_id: string, body: object) => service.bearer('POST', `/api/tasks/${task_id}/reject`, body)
const drafted = async () =>
  (await draftedTask(service, { ...lighthouseTask, topic: `How a lighthouse lens works, part ${++parts}` })).task_id
let parts = 0

/** Puts a task into a status directly: for the rows of the table that no pipeline run leads to quickly. */
async function forced(status: string): Promise<string> {
  const task_id = await drafted()
  await service.db.query('update tasks set status = $2, awaiting_gate = $3 where task_id = $1', [
    task_id,
    status,
    status === 'awaiting_gate' ? 'topic_decision' : null
  ])
  const post_status = { awaiting_approval: status, approved: status, published: status, dismissed: 'archived' }[status]
  await service.db.query(
    "update posts set status = $2, published_at = case when $2 = 'published' then now() end where task_id = $1",
    [task_id, post_status ?? 'draft']
  )
  return task_id
}

function assertConflict(answer: Answer, error_code: string): void {
  assert.equal(answer.status, 409, JSON.stringify(answer.body))
  assert.equal(answer.body.error_code, error_code)
}

test('every faulty field of a new task is named, the topic’s length included', async () => {
  const { status, body } = await service.bearer('POST', '/api/tasks', {
    topic: ' ab ',
    target_length: 1,
    colour: 'red'
  })
  assert.equal(status, 400)
  assert.deepEqual(body.errors, {
    topic: 'must be 3 to 200 characters after trimming',
    target_length: 'must be at least 200',
    colour: 'is not a known field'
  })
})

test('a topic of invisible characters is refused, and tags are kept once each, without their blanks', async () => {
  const refused = await service.bearer('POST', '/api/tasks', { topic: '\u200b\u200b\u2060x' })
  assert.deepEqual(refused.body.errors, { topic: 'must be 3 to 200 characters after trimming' })
  const { status, body } = await service.bearer('POST', '/api/tasks', {
    topic: 'How lighthouses are wired',
    tags: [' sea', 'sea ', 'light']
  })
  assert.equal(status, 201, JSON.stringify(body))
  const task = await service.bearer('GET', `/api/tasks/${body.task_id}`)
  assert.deepEqual(task.body.tags, ['sea', 'light'])
})

test('a drafted task waits for approval with its checks, its post and a preview', async () => {
  const task = await draftedTask(service)
  assert.equal(task.status, 'awaiting_approval', JSON.stringify(task))
  assert.equal((task.qa as { passed: boolean }).passed, true)
  assert.equal(typeof task.post_id, 'string')
  assert.equal(task.published_url, null)
  const preview = await service.anonymous('GET', new URL(String(task.preview_url)).pathname)
  assert.equal(preview.status, 200)
  assert.match(preview.body, /lighthouse/i)
  const post = await service.anonymous('GET', `/api/posts/${task.post_slug}`)
  assert.equal(post.status, 404, 'a draft is never readable by slug')
})

test('approval makes the post public before the answer arrives', async () => {
  const task_id = await drafted()
  const { status, body } = await approve(task_id)
  assert.equal(status, 200)
  assert.equal(body.status, 'published')
  const post = await service.anonymous('GET', `/api/posts/${body.post_slug}`)
  assert.equal(post.status, 200)
  assert.equal(post.body.status, 'published')
  assert.equal(body.preview_url, null)
})

test('approval with publish_at schedules the post, and approving again changes nothing', async () => {
  const task_id = await drafted()
  const publish_at = new Date(Date.now() + 3_600_000).toISOString()
  const { body } = await approve(task_id, { approved: true, publish_at })
  assert.equal(body.status, 'approved')
  assert.equal(body.publish_at, publish_at)
  const again = await approve(task_id, { approved: true })
  assert.equal(again.status, 200)
  assert.equal(again.body.status, 'approved')
  assert.equal((await service.anonymous('GET', `/api/posts/${body.post_slug}`)).status, 404)
})

test('the slot of an approved task is its post’s: moved, dropped and archived with it', async () => {
  const in_hours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
  const read = async (task_id: string) => (await service.bearer('GET', `/api/tasks/${task_id}`)).body
  const { body: moved } = await approve(await drafted(), { approved: true, publish_at: in_hours(1) })
  const later = in_hours(2)
  const slot = await service.bearer('POST', '/api/schedule', { post_id: moved.post_id, when: later, force: true })
  assert.equal(slot.status, 200, JSON.stringify(slot.body))
  assert.deepEqual([(await read(moved.task_id)).status, (await read(moved.task_id)).publish_at], ['approved', later])
  await service.bearer('DELETE', `/api/posts/${moved.post_id}`)
  const { status, publish_at, published_url } = await read(moved.task_id)
  assert.deepEqual([status, publish_at, published_url], ['dismissed', null, null])
  const { items } = (await service.bearer('GET', '/api/tasks?status=dismissed')).body
  const listed = items.find((item: { task_id: string }) => item.task_id === moved.task_id)
  assert.equal(listed.publish_at, null)
})

test('of twenty final rejections at once every one finds the task rejected, and one is recorded', async () => {
  const task_id = await drafted()
  await reject(task_id, { feedback: 'Once more.' })
  await awaitOutcome(service, task_id)
  const all = await Promise.all(
    Array.from({ length: 20 }, () => reject(task_id, { feedback: 'No.', allow_revisions: false }))
  )
  assert.deepEqual(new Set(all.map(({ status, body }) => `${status} ${body.status}`)), new Set(['200 rejected_final']))
  const { items } = (await service.bearer('GET', `/api/pipeline/events/task/${task_id}`)).body
  assert.equal(items.filter((event: { type: string }) => event.type === 'rejected_finally').length, 1)
})

const badTimes = [null, 'yesterday', '2020-01-01T00:00:00Z', '2027-02-30T00:00:00Z', '2027-01-01', 1_800_000_000, '']
for (const publish_at of badTimes) {
  test(`publish_at ${JSON.stringify(publish_at)} is refused and changes nothing`, async () => {
    const task_id = await drafted()
    const answer = await approve(task_id, { approved: true, publish_at })
    assert.equal(answer.status, 400)
    assert.equal(typeof answer.body.errors.publish_at, 'string', JSON.stringify(answer.body))
    assert.equal((await service.bearer('GET', `/api/tasks/${task_id}`)).body.status, 'awaiting_approval')
  })
}

test('approved: false turns the draft down without a re-run, and its post leaves the queue', async () => {
  const task_id = await drafted()
  const { status, body } = await approve(task_id, { approved: false })
  assert.equal(status, 200)
  assert.equal(body.status, 'rejected')
  const [post] = await service.db.query<{ status: string }>('select status from posts where post_id = $1', [
    body.post_id
  ])
  assert.equal(post?.status, 'draft')
})

test('approved: false with blank words says no more than without them', async () => {
  const { status, body } = await approve(await drafted(), { approved: false, feedback: ' ', reason: '' })
  assert.equal(status, 200)
  assert.partialDeepStrictEqual(body, { status: 'rejected', reason: 'Not approved.', feedback: null })
})

test('approved: false keeps its feedback, and a retry gives it to the writer', async () => {
  const task_id = await drafted()
  const feedback = 'Say more about the keepers and the soot'
  const refused = await approve(task_id, { approved: false, feedback: ` ${feedback} `, reason: 'too thin' })
  assert.partialDeepStrictEqual(refused.body, { status: 'rejected', feedback, reason: 'too thin' })
  assert.equal((await service.bearer('POST', `/api/tasks/${task_id}/retry`, {})).status, 200)
  assert.partialDeepStrictEqual(await awaitOutcome(service, task_id), { attempt: 2, feedback })
})

test('a rejected draft is written again with the feedback and waits again', async () => {
  const task_id = await drafted()
  const { status, body } = await reject(task_id, { feedback: 'Say more about the keepers and the soot' })
  assert.equal(status, 200)
  assert.equal(body.status, 'rejected_retry')
  const redone = await awaitOutcome(service, task_id)
  assert.equal(redone.status, 'awaiting_approval', String(redone.reason))
  assert.equal(redone.attempt, 2)
  assert.equal(redone.feedback, 'Say more about the keepers and the soot')
  const { body: history } = await service.bearer('GET', `/api/pipeline/events/task/${task_id}`)
  const types = history.items.map((event: { type: string }) => event.type)
  assert.deepEqual(
    types.filter((type: string) => !type.endsWith('_done')),
    ['created', 'picked_up', 'qa_passed', 'rejected_for_retry', 'reclaimed', 'qa_passed']
  )
})

test('a missing feedback is named as a required field', async () => {
  const task_id = await drafted()
  for (const body of [{}, { feedback: '' }, { feedback: '   ' }]) {
    const answer = await reject(task_id, body)
    assert.equal(answer.status, 400)
    assert.equal(answer.body.error_code, 'VALIDATION_ERROR')
    assert.match(answer.body.errors.feedback, /required|empty/)
  }
})

test('a task sent back escalates to final, which is idempotent', async () => {
  const task_id = await forced('rejected_retry')
  const final = { feedback: 'no', allow_revisions: false }
  assert.equal((await reject(task_id, final)).body.status, 'rejected_final')
  const again = await reject(task_id, final)
  assert.equal(again.status, 200)
  assert.equal(again.body.status, 'rejected_final')
  const { body } = await service.bearer('GET', `/api/pipeline/events/task/${task_id}`)
  assert.equal(body.items.filter((event: { type: string }) => event.type === 'rejected_finally').length, 1)
})

// From each status: what an approval, a retry and a final rejection answer.
const conflicts: [string, string, string, string][] = [
  ['pending', 'CONFLICT', 'CONFLICT', 'CONFLICT'],
  ['in_progress', 'TASK_IN_PROGRESS', 'TASK_IN_PROGRESS', 'TASK_IN_PROGRESS'],
  ['awaiting_gate', 'CONFLICT', 'CONFLICT', 'CONFLICT'],
  ['rejected', 'TASK_ALREADY_REJECTED', 'TASK_ALREADY_REJECTED', 'TASK_ALREADY_REJECTED'],
  ['rejected_retry', 'TASK_ALREADY_REJECTED', 'TASK_ALREADY_REJECTED', ''],
  ['rejected_final', 'TASK_ALREADY_REJECTED', 'TASK_ALREADY_REJECTED', ''],
  ['dismissed', 'CONFLICT', 'CONFLICT', 'CONFLICT'],
  ['failed', 'CONFLICT', 'CONFLICT', 'CONFLICT'],
  ['approved', '', 'CONFLICT', 'CONFLICT'],
  ['published', '', 'CONFLICT', 'CONFLICT']
]
for (const [status, onApprove, onRetry, onFinal] of conflicts) {
  test(`decisions on a task that is ${status} answer as the table says`, async () => {
    const task_id = await forced(status)
    const expect = async (answer: Answer, code: string) => {
      if (code === '') return assert.equal(answer.status, 200, JSON.stringify(answer.body))
      assertConflict(answer, code)
      assert.equal((await service.bearer('GET', `/api/tasks/${task_id}`)).body.status, status)
    }
    await expect(await approve(task_id), onApprove)
    await expect(await reject(task_id, { feedback: 'again' }), onRetry)
    await expect(await reject(task_id, { feedback: 'no', allow_revisions: false }), onFinal)
  })
}

test('of twenty racing decisions one wins; the post is public exactly when approval won', async () => {
  const task_id = await drafted()
  const decisions = Array.from({ length: 20 }, (_, turn) =>
    turn % 2 === 0 ? approve(task_id) : reject(task_id, { feedback: 'no', allow_revisions: false })
  )
  const answers = await Promise.all(decisions)
  const { body: task } = await service.bearer('GET', `/api/tasks/${task_id}`)
  const isApproved = task.status === 'published'
  assert.ok(isApproved || task.status === 'rejected_final', task.status)
  const expected = answers.map((_, turn) => ((turn % 2 === 0) === isApproved ? 200 : 409))
  assert.deepEqual(
    answers.map(({ status }) => status),
    expected
  )
  assert.equal((await service.anonymous('GET', `/api/posts/${task.post_slug}`)).status, isApproved ? 200 : 404)
  const { body } = await service.bearer('GET', `/api/pipeline/events/task/${task_id}`)
  assert.equal(
    body.items.filter((event: { to: string }) => ['published', 'rejected_final'].includes(event.to)).length,
    1
  )
})

test('of twenty racing retries one wins and the draft is written again once', async () => {
  const task_id = await drafted()
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => reject(task_id, { feedback: 'more about keepers' }))
  )
  assert.equal(answers.filter(({ status }) => status === 200).length, 1)
  const redone = await awaitOutcome(service, task_id)
  assert.equal(redone.attempt, 2)
})

test('a task whose post is archived is dismissed, and nothing can be decided on it any more', async () => {
  const task = await draftedTask(service, { ...lighthouseTask, topic: `How a lighthouse lens works, part ${++parts}` })
  await service.bearer('DELETE', `/api/posts/${task.post_id}`)
  assertConflict(await reject(task.task_id, { feedback: 'Shorter, please.' }), 'CONFLICT')
  assertConflict(await reject(task.task_id, { feedback: 'Not needed.', allow_revisions: false }), 'CONFLICT')
  assertConflict(await approve(task.task_id), 'CONFLICT')
  const { body } = await service.bearer('GET', `/api/tasks/${task.task_id}`)
  assert.deepEqual([body.status, body.feedback], ['dismissed', null])
})

const decide = (task_id: string, verb: 'retry' | 'cancel', body?: object) =>
  service.bearer('POST', `/api/tasks/${task_id}/${verb}`, body)
const eventsOf = async (task_id: string) =>
  (await service.bearer('GET', `/api/pipeline/events/task/${task_id}`)).body.items as {
    type: string
    from: string
    to: string
    actor: string
    detail: Record<string, unknown>
  }[]

for (const status of taskStatuses) {
  const isRetried = ['failed', 'rejected'].includes(status)
  test(`a task that is ${status} is ${isRetried ? '' : 'not '}queued again by retry`, async () => {
    const task_id = await forced(status)
    const answer = await decide(task_id, 'retry', isRetried ? { reason: 'The cause is repaired.' } : undefined)
    if (isRetried) {
      assert.deepEqual([answer.status, answer.body.status, answer.body.attempt], [200, 'pending', 2])
      const again = await awaitOutcome(service, task_id)
      assert.deepEqual([again.status, again.error], ['awaiting_approval', null])
      const { from, to, detail } = (await eventsOf(task_id)).find(({ type }) => type === 'retried') ?? {}
      assert.deepEqual([from, to, detail?.reason, detail?.attempt], [status, 'pending', 'The cause is repaired.', 2])
    } else {
      const codes: Record<string, string> = {
        in_progress: 'TASK_IN_PROGRESS',
        rejected_retry: 'TASK_ALREADY_REJECTED',
        rejected_final: 'TASK_ALREADY_REJECTED'
      }
      assertConflict(answer, codes[status] ?? 'CONFLICT')
      assert.deepEqual([await statusOf(task_id), (await eventsOf(task_id)).at(-1)?.type], [status, 'qa_passed'])
    }
  })

  const isCancelled = !['published', 'rejected_final', 'dismissed'].includes(status)
  test(`a task that is ${status} is ${isCancelled ? 'dismissed, and its post archived,' : 'left as it is'} by cancel`, async () => {
    const task_id = await forced(status)
    const [post] = await service.db.query<{ post_id: string; status: string }>(
      'select post_id, status from posts where task_id = $1',
      [task_id]
    )
    const { stdout, exit } = await cancelled(task_id)
    const [now] = await service.db.query('select status from posts where task_id = $1', [task_id])
    if (isCancelled || status === 'dismissed') assert.deepEqual([exit, stdout.status], [0, 'dismissed'])
    else assert.equal(exit, 1)
    assert.equal(now?.status, isCancelled ? 'archived' : post?.status)
    const last = (await eventsOf(task_id)).at(-1)
    if (isCancelled) assert.deepEqual([last?.type, last?.from, last?.to], ['cancelled', status, 'dismissed'])
    else assert.equal(last?.type, 'qa_passed')
  })
}

async function cancelled(task_id: string) {
  const { status, out } = await runCommand(service.kernel, 'tasks', 'cancel', task_id, '--yes', '--json')
  return { exit: status, stdout: out === '' ? {} : JSON.parse(out) }
}
const statusOf = async (task_id: string) => (await service.bearer('GET', `/api/tasks/${task_id}`)).body.status

test('a scheduled task that is cancelled loses its slot, a proposed one leaves its gate, and neither is told of any more', async () => {
  const scheduled = await drafted()
  await approve(scheduled, { approved: true, publish_at: new Date(Date.now() + 3_600_000).toISOString() })
  const answer = await decide(scheduled, 'cancel', { reason: 'Out of date.' })
  assert.deepEqual(
    [answer.body.status, answer.body.reason, answer.body.publish_at],
    ['dismissed', 'Out of date.', null]
  )
  const [post] = await service.db.query('select status, published_at from posts where task_id = $1', [scheduled])
  assert.deepEqual(post, { status: 'archived', published_at: null })

  await service.kernel.settings.set('pipeline_gate_topic_decision', 'on')
  const { out } = await runCommand(service.kernel, 'topics', 'propose', '--topic', 'The paint of towers', '--json')
  await service.kernel.settings.set('pipeline_gate_topic_decision', 'off')
  const { task_id } = JSON.parse(out)
  assert.deepEqual((await decide(task_id, 'cancel')).body.awaiting_gate, null)
  const [gate] = await service.db.query(
    "select gate_name, decision from gate_history where subject_id = $1 and decision <> 'held'",
    [task_id]
  )
  assert.deepEqual(gate, { gate_name: 'topic_decision', decision: 'cleared' })
})

test('of ten cancellations and ten approvals at once the task and its post agree', async () => {
  const task_id = await drafted()
  const racing = Array.from({ length: 20 }, (_, index) => (index % 2 ? decide(task_id, 'cancel') : approve(task_id)))
  const answers = await Promise.all(racing)
  const [row] = await service.db.query(
    'select t.status, p.status as post from tasks t join posts p using (task_id) where t.task_id = $1',
    [task_id]
  )
  const isPublished = row?.status === 'published'
  assert.deepEqual(
    row,
    isPublished ? { status: 'published', post: 'published' } : { status: 'dismissed', post: 'archived' }
  )
  assert.equal(
    answers.filter(({ status }) => status === 200).length,
    10,
    'the deciding kind is answered 200, the other 409'
  )
})

test('of ten retries at once one takes the task up again', async () => {
  const task_id = await forced('failed')
  const answers = await Promise.all(Array.from({ length: 10 }, () => decide(task_id, 'retry')))
  assert.equal(answers.filter(({ status }) => status === 200).length, 1)
  assert.equal((await awaitOutcome(service, task_id)).attempt, 2)
})
