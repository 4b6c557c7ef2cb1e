import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { CONTRACT, ConflictError, definePlugin, type Plugin } from '../../../core/index.ts'
import { PublishDue } from '../../../plugins/schedule/publisher.ts'
import { TasksService } from '../../../plugins/tasks/index.ts'
import { runCommand } from '../../helpers/run-command.ts'
import { startService, type TestService } from '../../helpers/service.ts'
import { awaitOutcome, draftedTask, storeSource } from '../../helpers/tasks.ts'
import { cutsAfterwards, startTelegramServer, type TelegramServer } from '../../helpers/telegram-server.ts'
import { until } from '../../helpers/until.ts'
import { hex } from '../webhooks/sign.ts'

/** While true, it fails with an error that no retry corrects. */
let writerFails = false
const failingWriter = definePlugin({
  name: 'failing-writer',
  contract: CONTRACT,
  describe: 'A writer that cannot write',
  needs: { tasks: TasksService },
  setup({ needs }) {
    const write = async () => {
      throw new ConflictError('The ink has dried.')
    }
    needs.tasks.registerWriter({ name: 'dry', write }, () => writerFails)
    return { services: {} }
  }
}) as Plugin

const secret = 'alert secret of more than 16 bytes'
let telegram: TelegramServer
let service: TestService
before(async () => {
  telegram = await startTelegramServer()
  service = await startService({
    plugins: [failingWriter],
    settings: {
      ...telegram.settings(),
      alertmanager_webhook_secret: secret,
      operator_timezone: 'Asia/Kathmandu',
      notify_messages_per_minute: '100',
      pipeline_gate_final_publish_approval: 'on'
    }
  })
  await storeSource(service)
})
after(async () => {
  await service.close()
  await telegram.close()
})
afterEach(() => {
  telegram.messages.length = 0
})

const messageLike = async (pattern: RegExp) => {
  await until(() => telegram.messages.some(({ text }) => pattern.test(text)), String(pattern))
  return telegram.messages.find(({ text }) => pattern.test(text)) as TelegramServer['messages'][number]
}
const taskOf = async (task_id: string) => (await service.bearer('GET', `/api/tasks/${task_id}`)).body

test('a draft is told with its preview, sent back with words only, and approved as it was told', async () => {
  const { task_id } = await draftedTask(service)
  const { text, reply_markup } = await messageLike(/^A draft waits for approval: /)
  assert.match(text, new RegExp(`\n\n/approve_draft ${task_id}\n/reject_draft ${task_id} <what should change>$`))
  const [preview = ''] = /http:\/\/127\.0\.0\.1:\d+\/preview\/\S+/.exec(text) ?? []
  assert.equal((await service.anonymous('GET', preview)).status, 200)
  assert.deepEqual(
    reply_markup?.inline_keyboard.flat().map(button => button.text),
    ['Approve']
  )

  telegram.say(`/reject_draft ${task_id}`)
  await messageLike(/^Reason is required: say what should change\. Write \/reject_draft <id> \[reason\]\.$/)
  assert.equal((await taskOf(task_id)).status, 'awaiting_approval')

  telegram.messages.length = 0
  telegram.say(`/reject_draft ${task_id.slice(0, 8)} Say more about prisms`)
  await messageLike(/^Rejected: .* is now rejected_retry/)
  const second = await messageLike(/^A draft waits for approval: /)
  assert.equal((await awaitOutcome(service, task_id)).feedback, 'Say more about prisms')

  // A button approves what its message told of, and nothing that came after.
  const { post_id } = await taskOf(task_id)
  const written = telegram.reserve()
  const edit = { title: 'Another title altogether' }
  assert.equal((await service.bearer('PATCH', `/api/posts/${post_id}`, edit)).status, 200)
  const third = await messageLike(/^A draft waits for approval: Another title altogether\nIt waits again: /)
  telegram.press(`/approve_draft ${task_id}`, second.message_id)
  await messageLike(/content .* has changed/)
  assert.equal((await taskOf(task_id)).status, 'awaiting_approval')
  // Nor does a command that was written before, with the id of the post.
  telegram.messages.length = 0
  telegram.say(`/approve_draft ${post_id}`, { message_id: written })
  await messageLike(/content .* has changed/)
  assert.equal((await taskOf(task_id)).status, 'awaiting_approval')
  telegram.press(`/approve_draft ${task_id}`, third.message_id)
  const published = await messageLike(/^Approved: .* is now published/)
  const { status, published_url } = await taskOf(task_id)
  assert.equal(status, 'published')
  assert.equal(published.text.split('\n').at(-1), published_url)
})

test('a button of /pending shows the preview and approves what the list showed, and nothing that came after', async () => {
  const content = '# A draft in the list\n\nA text about lists.'
  const { post_id } = (await service.bearer('POST', '/api/posts', { content, status: 'awaiting_approval' })).body
  await messageLike(/^A draft waits for approval: A draft in the list/)
  const list = async () => {
    telegram.messages.length = 0
    telegram.say('/pending')
    const message = await messageLike(/waiting for a decision/)
    const [preview = ''] = /http:\/\/127\.0\.0\.1:\d+\/preview\/\S+/.exec(message.text) ?? []
    assert.equal((await service.anonymous('GET', preview)).status, 200)
    const data = message.reply_markup?.inline_keyboard.flat().find(each => each.callback_data.includes(post_id))
    return { message_id: message.message_id, data: data?.callback_data ?? '' }
  }
  const before = await list()
  assert.ok(Buffer.byteLength(before.data) <= 64, before.data)
  await service.bearer('PATCH', `/api/posts/${post_id}`, { title: 'Another draft in the list' })
  telegram.press(before.data, before.message_id)
  await messageLike(/not what the list showed: \/pending/)
  const now = await list()
  telegram.press(now.data, now.message_id)
  const { text } = await messageLike(/^Approved: “Another draft in the list” is now published/)
  const { slug } = (await service.bearer('GET', `/api/posts/${post_id}`)).body
  assert.ok(text.endsWith(`/posts/${slug}`), text)
})

test('a button of /pending approves also when more wait longer than are listed', async () => {
  const content = '# A draft far back\n\nA text about queues.'
  const { post_id } = (await service.bearer('POST', '/api/posts', { content, status: 'awaiting_approval' })).body
  await messageLike(/^A draft waits for approval: A draft far back/)
  telegram.say('/pending')
  const { message_id, reply_markup } = await messageLike(/waiting for a decision/)
  const button = reply_markup?.inline_keyboard.flat().find(each => each.callback_data.includes(post_id))
  await service.db.query(
    `insert into posts (slug, title, content, content_html, status, updated_at)
     select 'longer-' || n, 'Longer', 'c', 'c', 'awaiting_approval', now() - interval '1 day' from generate_series(1, 100) as n`
  )
  telegram.press(button?.callback_data ?? '', message_id)
  await messageLike(/^Approved: “A draft far back” is now published/)
  await service.db.query("delete from posts where slug like 'longer-%'")
})

/** In one transaction: the publisher, who also runs every minute, never sees it without its approval. */
const heldPost = (title: string): Promise<string> =>
  service.db.transaction(async tx => {
    const file = `# ${title}\n\nA text about it.`
    const { post_id } = (
      await tx.query<{ post_id: string }>(
        `insert into posts (slug, title, content, content_html, status, published_at, approved_at)
         values ($1, $2, $3, '', 'scheduled', now() - interval '1 second', now()) returning post_id`,
        [title.toLowerCase().replaceAll(' ', '-'), title, file]
      )
    )[0] as { post_id: string }
    await tx.query('update posts set approved_hash = content_hash where post_id = $1', [post_id])
    await service.kernel.jobs.enqueue(tx, PublishDue, {}, { key: post_id })
    return post_id
  })
const postOf = async (post_id: string) =>
  (await service.db.query('select status, awaiting_gate from posts where post_id = $1', [post_id]))[0]

test('a post that is skipped at its slot for want of a niche is reported', async () => {
  await service.kernel.settings.set('niche_gated_publishing', 'true')
  const post_id = await heldPost('A post without a niche')
  const { text } = await messageLike(/^A post was skipped at its slot: A post without a niche\nIt has no niche_slug/)
  assert.match(text, new RegExp(`galley posts publish ${post_id} --force$`))
  assert.equal((await postOf(post_id))?.status, 'scheduled')
  await service.kernel.settings.set('niche_gated_publishing', 'false')
})

test('a post held at its slot is approved, and is public', async () => {
  const post_id = await heldPost('A post to let go')
  const { text } = await messageLike(
    /^A post waits at its slot for a last approval: A post to let go\nSlot: [\d-]{10} \d\d:\d\d\+05:45\n/
  )
  assert.match(text, new RegExp(`/approve_post ${post_id}\n/reject_post ${post_id} \\[reason\\]$`))
  telegram.say(`/approve_post ${post_id.slice(0, 8)}`)
  await messageLike(/^Approved: “A post to let go” is now published/)
  await until(async () => (await postOf(post_id))?.status === 'published')
})

test('a post held at its slot is rejected, and is a draft', async () => {
  const post_id = await heldPost('A post to keep')
  await messageLike(/A post to keep/)
  telegram.say(`/reject_post ${post_id} not today`)
  await messageLike(/^Rejected: “A post to keep” is now draft/)
  assert.deepEqual(await postOf(post_id), { status: 'draft', awaiting_gate: null })
})

test('a hand-made post that waits is told with its own commands, and approved', async () => {
  const { status, out, err } = await runCommand(
    service.kernel,
    'posts',
    'create',
    '--title',
    'By hand',
    '--status',
    'awaiting_approval',
    '--from-file',
    new URL('../../../README.md', import.meta.url).pathname,
    '--force',
    '--json'
  )
  assert.equal(status, 0, err)
  const { post_id } = JSON.parse(out)
  const { text } = await messageLike(/^A draft waits for approval: By hand/)
  assert.match(text, new RegExp(`/approve_draft ${post_id}`))
  telegram.say(`/reject_draft ${post_id}`)
  await messageLike(/^Reason is required: say what should change\. Write \/reject_draft <id> \[reason\]\.$/)
  assert.equal((await postOf(post_id))?.status, 'awaiting_approval')
  telegram.say(`/approve_draft ${post_id}`)
  await messageLike(/^Approved: “By hand”/)
})

/** A message about a post, once the service has stored its number: the chat has it a moment before. */
async function stored(post_id: string, message: TelegramServer['messages'][number]) {
  await until(async () => {
    const rows = await service.db.query('select from notify_messages where subject_id = $1 and message_id = $2', [
      post_id,
      String(message.message_id)
    ])
    return rows.length === 1
  }, 'the number of the message is stored')
  return message
}

test('a scheduled post that was edited is approved for the slot that its message shows, by button and by command', async () => {
  const content = '# A post with a slot\n\nA text about slots.'
  const { post_id } = (await service.bearer('POST', '/api/posts', { content, status: 'awaiting_approval' })).body
  await service.bearer('POST', '/api/schedule', { post_id, when: '2027-03-01T09:00Z' })
  const edited = async (title: string) => {
    await service.bearer('PATCH', `/api/posts/${post_id}`, { title })
    const shown = new RegExp(
      `^A draft waits for approval: ${title}\nIt waits again: .*\nSlot: 2027-03-01 14:45\\+05:45`
    )
    return stored(post_id, await messageLike(shown))
  }
  const { message_id } = await edited('A post with its slot')
  telegram.press(`/approve_draft ${post_id}`, message_id)
  await messageLike(/^Approved: “A post with its slot” is now scheduled for 2027-03-01 14:45\+05:45\.$/)
  await edited('A post with that slot')
  telegram.say(`/approve_draft ${post_id}`)
  await messageLike(/^Approved: “A post with that slot” is now scheduled for 2027-03-01 14:45\+05:45\.$/)
})

async function makePost(title: string): Promise<string> {
  const body = { title, content: `A text on ${title}.`, status: 'awaiting_approval', force: true }
  return (await service.bearer('POST', '/api/posts', body)).body.post_id
}
const shownMessage = async (post_id: string, title: string) =>
  stored(post_id, await messageLike(new RegExp(`^A draft waits for approval: ${title}`)))
/** A post by hand that waits, with the message that shows it. */
async function shownPost(title: string) {
  const post_id = await makePost(title)
  return { post_id, shown: await shownMessage(post_id, title) }
}
async function edited(post_id: string, title: string) {
  await service.bearer('PATCH', `/api/posts/${post_id}`, { title, content: 'Another text.' })
  return shownMessage(post_id, title)
}

test('a command that was written before an edit was shown does not decide on the edit, one written after does', async () => {
  const { post_id } = await shownPost('Seen before')
  const written = telegram.reserve()
  await edited(post_id, 'Not seen yet')
  for (const command of [`/approve_draft ${post_id.slice(0, 8)}`, `/approve awaiting_approval ${post_id}`]) {
    telegram.messages.length = 0
    telegram.say(command, { message_id: written })
    await messageLike(/content .* has changed/)
    assert.equal((await postOf(post_id))?.status, 'awaiting_approval')
  }
  telegram.say(`/approve_draft ${post_id}`)
  await messageLike(/^Approved: “Not seen yet” is now published/)
})

test('a reply decides on the message it replies to, and any other reply on what was shown last', async () => {
  const { post_id, shown } = await shownPost('The first version')
  const second = await edited(post_id, 'The second version')
  telegram.say(`/approve_draft ${post_id}`, { reply_to: shown.message_id })
  await messageLike(/content .* has changed/)
  assert.equal((await postOf(post_id))?.status, 'awaiting_approval')
  telegram.say(`/approve_draft ${post_id}`, { reply_to: second.message_id + 1000 })
  await messageLike(/^Approved: “The second version” is now published/)
})

test('a draft that the chat was shown only after the command is not decided on, one it was never shown is', async () => {
  const written = telegram.reserve()
  const { post_id } = await shownPost('Shown too late')
  telegram.say(`/approve_draft ${post_id}`, { message_id: written })
  await messageLike(/^The chat was not shown this before the command was sent.* \/pending: its buttons and commands/)
  assert.equal((await postOf(post_id))?.status, 'awaiting_approval')
  await service.db.query('delete from notify_messages where subject_id = $1', [post_id])
  telegram.say(`/approve_draft ${post_id}`, { message_id: written })
  await messageLike(/^Approved: “Shown too late” is now published/)
})

/** The answer to `/pending`, newly asked for. */
async function listed() {
  telegram.messages.length = 0
  telegram.say('/pending')
  return messageLike(/waiting for a decision/)
}
/** Presses the button of `/pending` that approves a post. */
async function approveInList(post_id: string) {
  const { message_id, reply_markup } = await listed()
  const button = reply_markup?.inline_keyboard.flat().find(each => each.callback_data.includes(post_id))
  telegram.press(button?.callback_data ?? '', message_id)
}

/** Leaves of a post's message what is left where a combined message took its place. */
const combine = (post_id: string) =>
  service.db.query(
    `with whole as (
       insert into notify_messages (source, channel, notice, kind, combined_count, state, message_id)
       select 'combined by hand: ' || subject_id, channel, notice, kind, 1, 'sent', message_id from notify_messages where subject_id = $1
       returning id
     ) update notify_messages set state = 'combined', message_id = null, combined_into = whole.id from whole where subject_id = $1`,
    [post_id]
  )

test('a draft that only a combined message told of is approved by the button of /pending, and by no bare command', async () => {
  const { post_id } = await shownPost('Only combined')
  await combine(post_id)
  telegram.say(`/approve_draft ${post_id}`)
  await messageLike(/^The chat was told of this only in a combined message.* \/pending: its buttons and commands/)
  assert.equal((await postOf(post_id))?.status, 'awaiting_approval')
  await approveInList(post_id)
  await messageLike(/^Approved: “Only combined” is now published/)
})

test('a draft that only a combined message told of is rejected by the command of /pending, for the content that it lists', async () => {
  const { post_id } = await shownPost('Rejected in the list')
  await combine(post_id)
  telegram.say(`/reject_draft ${post_id} Say more`)
  await messageLike(/^The chat was told of this only in a combined message.* \/pending: its buttons and commands/)
  const commands = async () => {
    const { text } = await listed()
    const lines = new RegExp(
      `\n(/approve_draft ${post_id} #[0-9a-f]{8})\n(/reject_draft ${post_id} #[0-9a-f]{8}) <what`
    )
    const [, approving, rejecting] = lines.exec(text) ?? []
    assert.ok(rejecting !== undefined, text)
    return { approving, rejecting }
  }
  const before = await commands()
  await service.bearer('PATCH', `/api/posts/${post_id}`, { title: 'Edited in the list' })
  telegram.say(`${before.rejecting} Say more`)
  await messageLike(/^What waits there is not what the list showed/)
  assert.equal((await postOf(post_id))?.status, 'awaiting_approval')
  const { approving, rejecting } = await commands()
  assert.equal(approving?.replace('approve', 'reject'), rejecting)
  telegram.say(`${rejecting} Say more`)
  await messageLike(/^Rejected: “Edited in the list” is now draft/)
  const [decision] = await service.db.query(
    "select decision, reason from gate_history where subject_id = $1 and decision <> 'held'",
    [post_id]
  )
  assert.deepEqual(decision, { decision: 'rejected', reason: 'Say more' })
})

test('after a change of chat, where the numbers begin again, the buttons of /pending decide', async () => {
  const { post_id } = await shownPost('In another chat')
  await service.db.query("update notify_messages set message_id = '900000' || message_id where subject_id = $1", [
    post_id
  ])
  telegram.say(`/approve_draft ${post_id}`)
  await messageLike(/^The chat was not shown this before the command was sent.* \/pending: its buttons and commands/)
  await approveInList(post_id)
  await messageLike(/^Approved: “In another chat” is now published/)
})

test('a button of a message that a restored database does not know decides on nothing, and /pending does', async () => {
  const { post_id } = await shownPost('Before the backup')
  const { message_id } = await edited(post_id, 'After the backup')
  await service.db.query('delete from notify_messages where subject_id = $1 and message_id = $2', [
    post_id,
    String(message_id)
  ])
  // The older row has the same content: only what the button's message showed is not known.
  const { content_hash } = (await service.bearer('GET', `/api/gates/pending`)).body.items.find(
    (item: { post_id: string }) => item.post_id === post_id
  )
  await service.db.query('update notify_messages set content_hash = $2 where subject_id = $1', [post_id, content_hash])
  telegram.press(`/approve_draft ${post_id}`, message_id)
  await messageLike(/^What the message of this button showed is not recorded here.* \/pending: its buttons/)
  assert.equal((await postOf(post_id))?.status, 'awaiting_approval')
  await approveInList(post_id)
  await messageLike(/^Approved: “After the backup” is now published/)
})

test('a draft whose slot has passed when it is edited says so in its message', async () => {
  const { post_id } = await shownPost('With a slot that passes')
  await service.db.query(
    "update posts set status = 'scheduled', published_at = now() - interval '1 hour', approved_at = null where post_id = $1",
    [post_id]
  )
  const { text } = await edited(post_id, 'Edited after its slot')
  assert.match(text, /\nSlot: .* \(passed: approving publishes at once\)\n/)
})

test('a button of a message whose answer was lost decides on what that message shows', async () => {
  telegram.scriptMessage(/Lost answer/, cutsAfterwards)
  const post_id = await makePost('Lost answer')
  const shown = await messageLike(/^A draft waits for approval: Lost answer/)
  await until(async () => {
    const rows = await service.db.query('select 1 from notify_messages where subject_id = $1 and unanswered > 0', [
      post_id
    ])
    return rows.length === 1
  })
  await edited(post_id, 'Changed after a lost answer')
  telegram.press(`/approve_draft ${post_id}`, shown.message_id)
  await messageLike(/content .* has changed/)
  assert.equal((await postOf(post_id))?.status, 'awaiting_approval')
})

test('a task that the pipeline gave up is told, with the reason', async () => {
  writerFails = true
  const { task_id, status } = await draftedTask(service, { topic: 'A topic without ink', target_length: 300 })
  assert.equal(status, 'failed')
  const { text, message_id } = await messageLike(/^A task failed: A topic without ink/)
  assert.match(
    text,
    new RegExp(
      `The ink has dried\\.\nTask ${task_id}\nCorrect the cause, .*\n\n/retry_task ${task_id}\n/cancel_task ${task_id} \\[reason\\]$`
    )
  )
  writerFails = false
  telegram.press(`/retry_task ${task_id}`, message_id)
  await messageLike(/^Retried: “A topic without ink” is now pending\.$/)
  assert.equal((await awaitOutcome(service, task_id)).status, 'rejected', 'there is no source on ink')
  telegram.say('/cancel_task')
  await messageLike(/^Which one\? Write \/cancel_task <id> \[reason\]\.$/)
  telegram.say(`/cancel_task ${task_id.slice(0, 8)} Nobody asked for it`)
  await messageLike(/^Cancelled: .* is now dismissed\.$/)
  assert.equal((await taskOf(task_id)).reason, 'Nobody asked for it')
  telegram.say(`/retry_task ${task_id}`)
  await messageLike(/is dismissed; this needs failed or rejected/)
})

test('a topic approved in the chat whose draft fails its checks is told, with what failed and what to do', async () => {
  await service.kernel.settings.set('pipeline_gate_topic_decision', 'on')
  const propose = async (topic: string) => {
    const { out } = await runCommand(service.kernel, 'topics', 'propose', '--topic', topic, '--json')
    return JSON.parse(out).task_id as string
  }
  const task_id = await propose('The tax on windows in Bath')
  await messageLike(/^A topic waits for a decision: The tax on windows in Bath\n\n/)
  telegram.say(`/approve_topic ${task_id}`)
  const { text } = await messageLike(
    /^A draft failed its checks: The tax on windows in Bath\nQA did not pass; failed: /
  )
  assert.match(
    text,
    new RegExp(`\nIt is rejected; galley tasks get ${task_id} shows.*\nCorrect the cause, .*\n\n/retry_task`)
  )
  assert.equal((await taskOf(task_id)).status, 'rejected')
})

test('a new topic that nearly repeats another says so, and not that it waits again', async () => {
  const propose = (topic: string) => runCommand(service.kernel, 'topics', 'propose', '--topic', topic)
  await propose('Counting the steps of lighthouse towers')
  await propose('Counting the steps of lighthouse tower')
  const { text } = await messageLike(
    /lighthouse tower\nNote: nearly repeats the open topic "Counting the steps of lighthouse tow/
  )
  assert.doesNotMatch(text, /again/)
})

const sendAlert = (path: string, payload: object) => {
  const body = JSON.stringify(payload)
  const headers = { 'content-type': 'application/json', 'x-signature-256': `sha256=${hex(secret, body)}` }
  return service.anonymous('POST', path, body, headers)
}

test('an alert to be routed is told once, one that is only stored is not', async () => {
  const alert = {
    status: 'firing',
    commonLabels: { alertname: 'DiskFull', severity: 'critical' },
    commonAnnotations: { summary: 'Disk /data is at 97 %' },
    alerts: [{}, {}]
  }
  assert.equal((await sendAlert('/api/webhooks/alert-router', { ...alert, status: 'stored only' })).status, 202)
  assert.equal((await sendAlert('/alert-router', alert)).status, 202)
  assert.equal((await sendAlert('/alert-router', alert)).body.duplicate, true)
  const { text } = await messageLike(/^Alert/)
  assert.equal(text, 'Alert (firing, critical, 2 alerts): DiskFull\nDisk /data is at 97 %')
  telegram.say('/help')
  await messageLike(/You can answer/)
  assert.equal(telegram.messages.filter(({ text }) => text.startsWith('Alert')).length, 1)
})
