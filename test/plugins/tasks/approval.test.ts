import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { GatesService } from '#plugins/gates'
import { runCommand } from '../../helpers/run-command.ts'
import { startService, type TestService } from '../../helpers/service.ts'
import { draftedTask, lighthouseTask, storeSource } from '../../helpers/tasks.ts'
import { until } from '../../helpers/until.ts'
import { startHookServer } from '../notify/hook-server.ts'

let service: TestService
before(async () => {
  service = await startService({ settings: { qa_rail_near_duplicate: 'off' } })
  await storeSource(service)
})
after(() => service.close())

let parts = 0
async function drafted(): Promise<{ task_id: string; post_id: string }> {
  const task = await draftedTask(service, { ...lighthouseTask, topic: `How a lighthouse lens works, part ${++parts}` })
  return { task_id: task.task_id, post_id: String(task.post_id) }
}
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString()
const approve = (task_id: string, publish_at?: string) =>
  service.bearer('POST', `/api/tasks/${task_id}/approve`, { approved: true, ...(publish_at ? { publish_at } : {}) })
const read = async (task_id: string) => (await service.bearer('GET', `/api/tasks/${task_id}`)).body
const isIn = (task_id: string, status: string) => until(async () => (await read(task_id)).status === status, status)
const galley = (...argv: string[]) => runCommand(service.kernel, ...argv)

test('a draft that waits is in the list of the default gate by its task, with the hash of its content', async () => {
  const { task_id, post_id } = await drafted()
  const shown = JSON.parse((await galley('gates', 'show-pending', post_id.slice(0, 8), '--json')).out)
  assert.deepEqual(
    [shown.gate_name, shown.subject_type, shown.subject_id, shown.post_id, shown.actor, shown.slot],
    ['awaiting_approval', 'task', task_id, post_id, 'pipeline', null]
  )
  assert.match(shown.content_hash, /^[0-9a-f]{64}$/)
  const gate = ['--gate', 'awaiting_approval', '--content-hash']
  const stale = await galley('gates', 'approve', task_id, ...gate, '0'.repeat(64), '--json')
  assert.deepEqual([stale.status, JSON.parse(stale.err).error_code], [1, 'CONTENT_CHANGED'])
  assert.equal((await read(task_id)).status, 'awaiting_approval')
  const done = await galley('gates', 'approve', task_id, ...gate, shown.content_hash, '--json')
  assert.deepEqual([done.status, JSON.parse(done.out).status], [0, 'published'])
  const [row] = await service.db.query(
    "select decision, content_hash from gate_history where subject_id = $1 and decision <> 'held'",
    [task_id]
  )
  assert.deepEqual(row, { decision: 'approved', content_hash: shown.content_hash })
})

test('rejected at the default gate, a draft is written again with the reason, which is required', async () => {
  const { task_id } = await drafted()
  const gate = ['--gate', 'awaiting_approval', '--json']
  const silent = await galley('gates', 'reject', task_id, ...gate)
  assert.deepEqual([silent.status, Object.keys(JSON.parse(silent.err).errors)], [2, ['reason']])
  const { out } = await galley('gates', 'reject', task_id, ...gate, '--reason', 'More on the keepers.')
  assert.deepEqual([JSON.parse(out).status, JSON.parse(out).feedback], ['rejected_retry', 'More on the keepers.'])
  await isIn(task_id, 'awaiting_approval')
  const holds = await service.db.query(
    "select reason from gate_history where subject_id = $1 and decision = 'held' order by id",
    [task_id]
  )
  assert.deepEqual(holds, [{ reason: null }, { reason: 'written again, attempt 2' }])
})

test('an approved task whose post is edited waits again, saying why, and gets its slot back when it is approved again', async () => {
  const { task_id, post_id } = await drafted()
  const slot = inAnHour()
  await approve(task_id, slot)
  const retitled = await galley('posts', 'retitle', post_id, 'Another title', '--json')
  assert.equal(JSON.parse(retitled.out).status, 'awaiting_approval')
  assert.match(retitled.err, /waits for approval again; its slot \S+ was dropped: "gates approve/)
  const lost = `the content changed: title; approved at its gate before then, it gets its slot ${slot} back`
  const { status, publish_at, reason, title } = await read(task_id)
  assert.deepEqual([status, publish_at, reason, title], ['awaiting_approval', null, lost, 'Another title'])
  const shown = await galley('gates', 'show-pending', task_id, '--json')
  assert.equal(JSON.parse(shown.out).slot, slot)
  assert.match(
    (await galley('gates', 'show-pending', task_id)).out,
    new RegExp(`^slot +${slot.slice(0, 10)} \\d\\d:\\d\\dZ$`, 'm')
  )
  const explained = await galley('schedule', 'explain', post_id)
  assert.match(explained.out, new RegExp(`lost its slot ${slot.slice(0, 10)}`))
  const { items } = (await service.bearer('GET', `/api/pipeline/events/task/${task_id}`)).body
  const { type, from, to, detail } = items.at(-1)
  assert.deepEqual([type, from, to, detail.reason], ['reopened', 'approved', 'awaiting_approval', lost])
  const again = (await pass(task_id)).body
  assert.deepEqual([again.status, again.reason, again.publish_at], ['approved', null, slot])
  const post = (await service.bearer('GET', `/api/posts/${post_id}`)).body
  assert.deepEqual([post.status, post.published_at], ['scheduled', slot])
  await galley('posts', 'retitle', post_id, 'A third title')
  const { out } = await galley('gates', 'approve', task_id, '--gate', 'awaiting_approval')
  assert.match(out, new RegExp(`^Approved: its slot is ${slot.slice(0, 10)}`))
  assert.deepEqual([(await read(task_id)).status, (await read(task_id)).publish_at], ['approved', slot])
})

test('the command in the message about an edited draft of a task gives it the slot back that the message shows', async () => {
  const chat = await startHookServer()
  await service.kernel.settings.set('chat_webhook_url', chat.slack)
  const { task_id, post_id } = await drafted()
  const slot = inAnHour()
  await approve(task_id, slot)
  await edit(post_id, 'Retitled before its slot')
  const texts = () => chat.received.map(({ body }) => String(body.text))
  const notice = () => texts().find(text => text.includes('Retitled before its slot'))
  await until(() => notice() !== undefined, 'the message about the edit')
  assert.match(notice() ?? '', new RegExp(`\nSlot: ${slot.slice(0, 10)}`))
  const [, approving = '', rejecting] = /\n`galley ([^`]*)`\n`galley ([^`]*)`$/.exec(notice() ?? '') ?? []
  assert.equal(rejecting, `tasks reject ${task_id} --feedback "…"`)
  await galley(...approving.split(' '))
  assert.partialDeepStrictEqual(await read(task_id), { status: 'approved', publish_at: slot })
  await service.kernel.settings.set('chat_webhook_url', '')
  await chat.close()
})

/** A post made by hand with a slot. */
async function scheduledPost(): Promise<{ post_id: string; slot: string }> {
  const content = `# A post by hand, part ${++parts}\n\nA text about hands and slots, ${parts}.`
  const { post_id } = (
    await service.bearer('POST', '/api/posts', { content, status: 'awaiting_approval', force: true })
  ).body
  const slot = inAnHour()
  assert.equal((await service.bearer('POST', '/api/schedule', { post_id, when: slot })).status, 200)
  return { post_id, slot }
}
const edit = (post_id: string, title: string) => service.bearer('PATCH', `/api/posts/${post_id}`, { title })
const stateOf = async (post_id: string) => {
  const { status, published_at } = (await service.bearer('GET', `/api/posts/${post_id}`)).body
  return [status, published_at]
}
const pass = (id: string) => service.bearer('POST', '/api/gates/awaiting_approval/approve', { id })

test('approved again at the gate after two edits, a post by hand gets its slot back, through every door', async () => {
  const { post_id, slot } = await scheduledPost()
  await edit(post_id, 'Edited once')
  await edit(post_id, 'Edited twice')
  const held = (await service.bearer('GET', '/api/gates/pending')).body.items
  assert.equal(held.find((item: { post_id: string }) => item.post_id === post_id).slot, slot)
  const answer = (await pass(post_id)).body
  assert.deepEqual([answer.status, answer.published_at], ['scheduled', slot])
  await edit(post_id, 'Edited a third time')
  const { out } = await galley('gates', 'approve', post_id, '--gate', 'awaiting_approval')
  assert.match(out, new RegExp(`^Approved: its slot is ${slot.slice(0, 10)}`))
  assert.deepEqual(await stateOf(post_id), ['scheduled', slot])
})

test('a slot that an edit took and that has passed meanwhile is no reason to wait: the approval publishes', async () => {
  const { post_id } = await scheduledPost()
  const { task_id, post_id: drafted_id } = await drafted()
  await approve(task_id, inAnHour())
  for (const id of [post_id, drafted_id]) await edit(id, `Edited before the slot, ${id}`)
  await service.db.query(
    `update post_history set detail = detail || '{"published_at": "2026-01-01T09:00:00.000Z"}'
     where action = 'reopen' and post_id = any($1::uuid[])`,
    [[post_id, drafted_id]]
  )
  const explained = await galley('schedule', 'explain', post_id)
  assert.match(explained.out, /which has passed: "gates approve" publishes it at once/)
  for (const id of [post_id, task_id])
    assert.match(
      (await galley('gates', 'show-pending', id)).out,
      /^slot +2026-01-01 09:00Z \(passed: approving publishes at once\)$/m
    )
  for (const id of [post_id, task_id]) assert.equal((await pass(id)).body.status, 'published')
})

test('a time that is given, and publish, count and not the slot that an edit took', async () => {
  const { task_id, post_id } = await drafted()
  await approve(task_id, inAnHour())
  await edit(post_id, 'Edited, with another time')
  const other = new Date(Date.now() + 7_200_000).toISOString()
  assert.equal((await approve(task_id, other)).body.publish_at, other)
  await edit(post_id, 'Edited, and published now')
  assert.equal((await galley('tasks', 'publish', task_id)).status, 0)
  assert.equal((await read(task_id)).status, 'published')
  const second = await drafted()
  await approve(second.task_id, inAnHour())
  await edit(second.post_id, 'Edited, and approved without a time')
  assert.equal((await approve(second.task_id)).body.status, 'published', 'an absent publish_at means now')
  const byHand = await scheduledPost()
  await edit(byHand.post_id, 'Edited by hand, and published now')
  assert.equal((await galley('posts', 'publish', byHand.post_id)).status, 0)
  assert.equal((await stateOf(byHand.post_id))[0], 'published')
})

test('a slot that was dropped on purpose, or whose post was rejected, archived or unpublished, does not come back', async () => {
  const takings: ((post_id: string) => Promise<unknown>)[] = [
    async id => {
      await galley('schedule', 'clear', id)
      await edit(id, `Edited without a slot, ${id}`)
    },
    async id => {
      await edit(id, `Edited and rejected, ${id}`)
      await service.bearer('POST', '/api/gates/awaiting_approval/reject', { id, reason: 'Not yet.' })
      await galley('posts', 'submit', id)
    },
    async id => {
      await edit(id, `Edited and archived, ${id}`)
      await galley('posts', 'archive', id, '--yes')
      await galley('posts', 'restore', id)
      await galley('posts', 'submit', id)
    },
    async id => {
      await edit(id, `Edited and unpublished, ${id}`)
      await galley('posts', 'publish', id)
      await galley('posts', 'unpublish', id)
      await galley('posts', 'submit', id)
    }
  ]
  for (const [index, take] of takings.entries()) {
    const { post_id } = await scheduledPost()
    await take(post_id)
    assert.equal((await stateOf(post_id))[0], 'awaiting_approval', String(index))
    assert.equal((await pass(post_id)).body.status, 'published', String(index))
  }
})

test('a decision right after an edit finds the task waiting, and stays', async () => {
  const { task_id, post_id } = await drafted()
  await approve(task_id, inAnHour())
  const slot = inAnHour()
  await service.bearer('PATCH', `/api/posts/${post_id}`, { title: 'Edited and approved at once' })
  assert.deepEqual([(await approve(task_id, slot)).body.status, (await read(task_id)).publish_at], ['approved', slot])
  await service.bearer('PATCH', `/api/posts/${post_id}`, { title: 'Edited and sent back' })
  const rejected = await service.bearer('POST', `/api/tasks/${task_id}/reject`, {
    feedback: 'no',
    allow_revisions: false
  })
  assert.deepEqual([rejected.status, rejected.body.status], [200, 'rejected_final'])
})

test('a time that has passed is refused in one sentence that quotes it once', async () => {
  const { status, err } = await galley('tasks', 'approve', 'ffffffff', '--publish-at', '2020-01-01T09:00')
  assert.equal(status, 2)
  assert.equal(
    err,
    'error: --publish-at must be in the future: 2020-01-01 09:00Z has passed (given: "2020-01-01T09:00")'
  )
})

test('a draft gets no slot that the schedule refuses: from the year 9999 on', async () => {
  const { task_id } = await drafted()
  const late = await approve(task_id, '9999-01-01T00:00:00Z')
  assert.deepEqual([late.status, late.body.errors], [400, { publish_at: 'must be before the year 9999' }])
  assert.deepEqual([(await read(task_id)).status, (await read(task_id)).publish_at], ['awaiting_approval', null])
  assert.equal((await approve(task_id, '9998-12-31T23:59:59.000Z')).body.status, 'approved')
})

test('a time in the quiet hours is taken, and told of on stderr, in the JSON and over REST', async () => {
  const { settings } = service.kernel
  await settings.set('publish_quiet_hours', '22:00-07:00')
  const at = (time: string) => ['--publish-at', `2099-01-01T${time}:00Z`]
  const loud = await galley('tasks', 'approve', (await drafted()).task_id, ...at('21:30'))
  assert.deepEqual([loud.status, loud.err], [0, ''])
  const quiet = await galley('tasks', 'approve', (await drafted()).task_id, ...at('23:30'))
  assert.equal(quiet.status, 0)
  assert.match(quiet.err, /^warning: A slot lies in the quiet hours 22:00-07:00: that of [\w-]+ at .*23:30/)
  const json = await galley('tasks', 'approve', (await drafted()).task_id, ...at('23:30'), '--json')
  assert.equal(JSON.parse(json.out).warnings.length, 1)
  const rest = await approve((await drafted()).task_id, '2099-01-01T23:30:00Z')
  assert.deepEqual([rest.status, rest.body.status, rest.body.warnings.length], [200, 'approved', 1])
  await settings.set('publish_quiet_hours', '')
})

test('a draft that is given a slot by hand is approved with its task, whose time follows the slot', async () => {
  const { task_id, post_id } = await drafted()
  const at = inAnHour()
  assert.equal((await galley('schedule', 'at', post_id, at)).status, 0)
  assert.deepEqual([(await read(task_id)).status, (await read(task_id)).publish_at], ['approved', at])
  await galley('schedule', 'shift', post_id, '--by', '1h')
  const later = new Date(Date.parse(at) + 3_600_000).toISOString()
  assert.equal((await read(task_id)).publish_at, later)
  await galley('schedule', 'clear', post_id)
  assert.deepEqual([(await read(task_id)).status, (await read(task_id)).publish_at], ['approved', null])
  const decisions = await service.db.query(
    'select gate_name, decision from gate_history where subject_id = any($1::uuid[]) order by id',
    [[task_id, post_id]]
  )
  assert.deepEqual(decisions, [
    { gate_name: 'awaiting_approval', decision: 'held' },
    { gate_name: 'awaiting_approval', decision: 'approved' }
  ])
  assert.deepEqual(await service.kernel.service(GatesService)?.pending('final_publish_approval'), [])
})

const tasksIn = async (status: string) => (await service.bearer('GET', `/api/tasks?status=${status}`)).body.total
const pendingCount = async () => {
  const { items } = JSON.parse((await galley('gates', 'list', '--json')).out)
  return items.find((gate: { gate_name: string }) => gate.gate_name === 'awaiting_approval').pending_count
}
const steps = async (task_id: string) =>
  (await service.bearer('GET', `/api/pipeline/events/task/${task_id}`)).body.items.map(
    ({ type }: { type: string }) => type
  )
test('the reason an approved draft is published with is in the history of its task', async () => {
  const { task_id } = await drafted()
  await approve(task_id, inAnHour())
  assert.equal((await galley('tasks', 'publish', task_id, '--reason', 'the news is today')).status, 0)
  const { items } = (await service.bearer('GET', `/api/pipeline/events/task/${task_id}`)).body
  const { detail } = items.find(({ type }: { type: string }) => type === 'post_published')
  assert.deepEqual(detail, { reason: 'the news is today' })
})

const gateSteps = async (task_id: string) => {
  const { out } = await galley('gates', 'history', task_id, '--json')
  return JSON.parse(out).items.map(({ decision }: { decision: string }) => decision)
}

test('an unpublished draft awaits approval again, and approving publishes it again', async () => {
  const { task_id, post_id } = await drafted()
  await approve(task_id)
  const before = await pendingCount()
  const unpublished = await service.bearer('POST', `/api/posts/${post_id}/unpublish`)
  assert.deepEqual(unpublished.body, { post_id, unpublished: true, status: 'draft' })
  const task = await read(task_id)
  assert.deepEqual(
    [task.status, task.published_url, task.publish_at, task.completed_at],
    ['awaiting_approval', null, null, null]
  )
  assert.notEqual(task.preview_url, null)
  assert.equal(await pendingCount(), before + 1)
  const pending = JSON.parse((await galley('gates', 'pending', '--json')).out)
  const held = pending.items.find((item: { task_id: string }) => item.task_id === task_id)
  assert.deepEqual([held.post_id, held.reason, pending.total], [post_id, 'it was unpublished', before + 1])
  const again = await approve(task_id)
  assert.deepEqual([again.status, again.body.status], [200, 'published'])
  assert.equal((await service.anonymous('GET', `/api/posts/${again.body.post_slug}`)).status, 200)
  assert.deepEqual((await steps(task_id)).slice(-3), ['approved', 'unpublished', 'approved'])
  assert.deepEqual(await gateSteps(task_id), ['approved', 'held', 'approved', 'held'])
})

test('an unpublished draft is approved for later, sent back, or decided at its gate, as any other', async () => {
  const withdrawn = async () => {
    const { task_id, post_id } = await drafted()
    await approve(task_id)
    await service.bearer('POST', `/api/posts/${post_id}/unpublish`)
    return { task_id, post_id }
  }
  const later = await withdrawn()
  const slot = inAnHour()
  assert.deepEqual([(await approve(later.task_id, slot)).body.publish_at], [slot])
  assert.equal(JSON.parse((await galley('schedule', 'show', later.post_id, '--json')).out).items[0].published_at, slot)
  const back = await withdrawn()
  await service.bearer('POST', `/api/tasks/${back.task_id}/reject`, { feedback: 'Shorter.' })
  await isIn(back.task_id, 'awaiting_approval')
  const gated = await withdrawn()
  const atGate = ['--gate', 'awaiting_approval', '--json']
  assert.equal(JSON.parse((await galley('gates', 'approve', gated.post_id, ...atGate)).out).status, 'published')
  const byHand = await withdrawn()
  await galley('posts', 'publish', byHand.post_id)
  assert.equal((await read(byHand.task_id)).status, 'published')
  assert.deepEqual((await gateSteps(byHand.task_id)).slice(0, 2), ['approved', 'held'])
})

test('the default gate counts what the list of tasks counts, after an archived draft too', async () => {
  const { task_id, post_id } = await drafted()
  await drafted()
  assert.equal(await pendingCount(), await tasksIn('awaiting_approval'))
  await service.bearer('DELETE', `/api/posts/${post_id}`)
  assert.equal((await read(task_id)).status, 'dismissed')
  assert.equal(await pendingCount(), await tasksIn('awaiting_approval'))
  assert.deepEqual(await gateSteps(task_id), ['cleared', 'held'])
})

test('approving again is no way to another time: it is refused and names schedule', async () => {
  const { task_id, post_id } = await drafted()
  const slot = inAnHour()
  await approve(task_id, slot)
  assert.deepEqual([(await approve(task_id, slot)).status, (await approve(task_id)).status], [200, 200])
  const other = await approve(task_id, '2032-01-01T09:00:00Z')
  assert.equal(other.status, 409)
  assert.match(other.body.message, new RegExp(`"schedule at ${post_id} 2032-01-01T09:00:00.000Z --force"`))
  assert.equal((await read(task_id)).publish_at, slot)
  await galley('tasks', 'publish', task_id)
  const published = await approve(task_id, '2032-01-01T09:00:00Z')
  assert.equal(published.status, 409)
  assert.match(published.body.message, /schedule/)
})

test('a post that is edited before its approval reads so in its task', async () => {
  const { task_id, post_id } = await drafted()
  const text = { title: 'A new title', excerpt: 'A new excerpt.', content: 'A new text.' }
  await service.bearer('PATCH', `/api/posts/${post_id}`, text)
  const { title, excerpt, content } = await read(task_id)
  assert.deepEqual({ title, excerpt, content }, text)
})

test('a draft that was rejected, edited and published by hand is what its published task shows', async () => {
  const { task_id, post_id } = await drafted()
  await service.bearer('POST', `/api/tasks/${task_id}/approve`, { approved: false })
  await service.bearer('PATCH', `/api/posts/${post_id}`, { title: 'Good after all' })
  await galley('posts', 'publish', post_id, '--force')
  const { status, title, completed_at } = await read(task_id)
  assert.deepEqual([status, title, completed_at === null], ['published', 'Good after all', false])
})

test('publishing the post of a rejected draft overrules nobody unless it is forced', async () => {
  const turnedDown: [object, string][] = [
    [{ approved: false }, 'rejected'],
    [{ feedback: 'No.', allow_revisions: false }, 'rejected_final']
  ]
  for (const [decision, status] of turnedDown) {
    const { task_id, post_id } = await drafted()
    const verb = 'approved' in decision ? 'approve' : 'reject'
    await service.bearer('POST', `/api/tasks/${task_id}/${verb}`, decision)
    const refused = await service.bearer('POST', `/api/posts/${post_id}/publish`, {})
    assert.deepEqual([refused.status, refused.body.error_code], [409, 'TASK_ALREADY_REJECTED'])
    assert.match(refused.body.message, /force/)
    const inTerminal = await galley('posts', 'publish', post_id, '--json')
    assert.deepEqual([inTerminal.status, JSON.parse(inTerminal.err).error_code], [1, 'TASK_ALREADY_REJECTED'])
    const { body } = await service.bearer('GET', `/api/posts/${post_id}`)
    assert.deepEqual([(await read(task_id)).status, body.status], [status, 'draft'])
    const forced = await service.bearer('POST', `/api/posts/${post_id}/publish`, { force: true })
    assert.deepEqual([forced.status, (await read(task_id)).status], [200, 'published'])
  }
})

test('a rejected draft that leaves the archive is rejected as before', async () => {
  const rejections: [object, string][] = [
    [{ approved: false }, 'rejected'],
    [{ feedback: 'No.', allow_revisions: false }, 'rejected_final']
  ]
  for (const [decision, status] of rejections) {
    const { task_id, post_id } = await drafted()
    await service.bearer('POST', `/api/tasks/${task_id}/${'approved' in decision ? 'approve' : 'reject'}`, decision)
    await service.bearer('DELETE', `/api/posts/${post_id}`)
    assert.equal((await read(task_id)).status, 'dismissed')
    assert.equal((await service.bearer('POST', `/api/posts/${post_id}/restore`, {})).status, 200)
    assert.equal((await read(task_id)).status, status)
    const refused = await service.bearer('POST', `/api/posts/${post_id}/publish`, {})
    assert.deepEqual([refused.status, refused.body.error_code], [409, 'TASK_ALREADY_REJECTED'])
  }
})

test('publishing the post of a draft that is being written again needs force', async () => {
  const { task_id, post_id } = await drafted()
  await service.db.query("update tasks set status = 'in_progress' where task_id = $1", [task_id])
  await service.db.query("update posts set status = 'draft' where post_id = $1", [post_id])
  const refused = await service.bearer('POST', `/api/posts/${post_id}/publish`, {})
  assert.deepEqual([refused.status, refused.body.error_code], [409, 'TASK_IN_PROGRESS'])
  const forced = await galley('posts', 'publish', post_id, '--force')
  assert.deepEqual([forced.status, (await read(task_id)).status], [0, 'published'])
})

for (const status of ['pending', 'in_progress', 'rejected_retry']) {
  test(`while its task is ${status}, which has its draft written again, the text of a post is not edited`, async () => {
    const { task_id, post_id } = await drafted()
    await service.db.query('update tasks set status = $2 where task_id = $1', [task_id, status])
    await service.db.query("update posts set status = 'draft' where post_id = $1", [post_id])
    const before = (await service.bearer('GET', `/api/posts/${post_id}`)).body
    const refused = await service.bearer('PATCH', `/api/posts/${post_id}`, { content: 'Ten hours by hand.' })
    assert.deepEqual([refused.status, refused.body.error_code], [409, 'TASK_IN_PROGRESS'])
    assert.match(refused.body.message, /when the task is done: awaiting_approval, rejected or failed/)
    assert.doesNotMatch(refused.body.message, /budget/)
    const excerpt = await service.bearer('PATCH', `/api/posts/${post_id}`, { excerpt: 'By hand.', category: 'lamps' })
    assert.equal(excerpt.body.error_code, 'TASK_IN_PROGRESS')
    const inTerminal = await galley('posts', 'retitle', post_id, 'By hand', '--json')
    assert.deepEqual([inTerminal.status, JSON.parse(inTerminal.err).error_code], [1, 'TASK_IN_PROGRESS'])
    assert.deepEqual((await service.bearer('GET', `/api/posts/${post_id}`)).body, before)
    const { content } = await read(task_id)
    const { title } = before
    const others = { title, category: 'lamps', tags: ['Lamp'], seo_title: 'Lamps', niche_slug: 'lamps', slug: post_id }
    const edited = await service.bearer('PATCH', `/api/posts/${post_id}`, others)
    assert.equal(edited.status, 200, 'the writer leaves them as they are')
    assert.deepEqual([(await read(task_id)).content, (await read(task_id)).status], [content, status])
  })
}

test('the refusal to edit a text that waits for a budget names the way out, which is one', async () => {
  const { task_id, post_id } = await drafted()
  const waiting =
    "update tasks set status = 'in_progress', waiting_stage = 'draft', stage = 'awaiting_budget' where task_id = $1"
  await service.db.query(waiting, [task_id])
  await service.db.query("update posts set status = 'draft' where post_id = $1", [post_id])
  const edit = () => service.bearer('PATCH', `/api/posts/${post_id}`, { content: 'Ten hours by hand.' })
  const { message } = (await edit()).body
  assert.match(message, /is in_progress and waits for a budget/)
  const commands = [...message.matchAll(/"galley ([^"]+)"/g)].map(([, command]) => command.split(' '))
  assert.deepEqual(commands, [
    ['tasks', 'cancel', task_id],
    ['posts', 'restore', post_id]
  ])
  for (const command of commands) assert.equal((await galley(...command)).status, 0)
  assert.equal((await edit()).status, 200)
})

for (const status of ['failed', 'rejected', 'rejected_final']) {
  test(`the post of a task that is ${status} is edited, and its task reads so`, async () => {
    const { task_id, post_id } = await drafted()
    await service.db.query('update tasks set status = $2 where task_id = $1', [task_id, status])
    await service.db.query("update posts set status = 'draft' where post_id = $1", [post_id])
    const edited = await service.bearer('PATCH', `/api/posts/${post_id}`, { content: 'Ten hours by hand.' })
    assert.deepEqual([edited.status, (await read(task_id)).content], [200, 'Ten hours by hand.'])
  })
}

test('a task whose own draft is edited keeps what is said of its writer and its checks', async () => {
  const { task_id, post_id } = await drafted()
  const { metadata, qa } = await read(task_id)
  assert.equal(typeof metadata.writer, 'string')
  await service.bearer('PATCH', `/api/posts/${post_id}`, { content: 'Ten hours by hand.' })
  const edited = await read(task_id)
  assert.deepEqual([edited.content, edited.metadata, edited.qa], ['Ten hours by hand.', metadata, qa])
})

test('the post of a cancelled task is edited as any archived one', async () => {
  const { task_id, post_id } = await drafted()
  await service.bearer('POST', `/api/tasks/${task_id}/cancel`, {})
  assert.equal((await service.bearer('PATCH', `/api/posts/${post_id}`, { title: 'By hand' })).status, 200)
})
