import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, afterEach, before, test } from 'node:test'
import { createDeadLetterJobs } from '../../../cli/jobs/dead-letters.ts'
import { CONTRACT, definePlugin, job, jobType, type Plugin } from '../../../core/index.ts'
import { GatesService } from '../../../plugins/gates/index.ts'
import { runCommand } from '../../helpers/run-command.ts'
import { startService, type TestService } from '../../helpers/service.ts'
import { refuses, startTelegramServer, type TelegramServer } from '../../helpers/telegram-server.ts'
import { until } from '../../helpers/until.ts'

const Break = jobType<{ why: string }>('breaking.break')
const breaking = definePlugin({
  name: 'breaking',
  contract: CONTRACT,
  describe: 'A job that never succeeds',
  setup() {
    const fail = async ({ why }: { why: string }) => {
      throw new Error(why)
    }
    return { services: {}, jobs: [job(Break, fail, { retries: 0 })] }
  }
}) as Plugin

let telegram: TelegramServer
let service: TestService
before(async () => {
  telegram = await startTelegramServer()
  service = await startService({
    plugins: [breaking],
    settings: { ...telegram.settings(), pipeline_gate_topic_decision: 'on', notify_messages_per_minute: '5' }
  })
})
after(async () => {
  await service.close()
  await telegram.close()
})
afterEach(async () => {
  telegram.messages.length = 0
  await service.db.query('delete from notify_messages')
})

const subjectOf = (title: string) => {
  const subject_id = randomUUID()
  const ids = { subject_type: 'task', subject_id, task_id: subject_id, post_id: null }
  return { ...ids, title, content_hash: null, slot: null }
}
const hold = (titles: readonly string[]) =>
  service.db.transaction(async tx => {
    for (const title of titles)
      await service.kernel
        .service(GatesService)
        ?.hold(tx, 'topic_decision', subjectOf(title), { actor: 'test', reason: null })
  })
const rows = () =>
  service.db.query<{ id: number; state: string; combined_count: number; combined_into: number | null }>(
    'select id, state, combined_count, combined_into from notify_messages order by id'
  )
const messageLike = async (pattern: RegExp) => {
  await until(() => telegram.messages.some(({ text }) => pattern.test(text)), String(pattern))
  return telegram.messages.find(({ text }) => pattern.test(text)) as TelegramServer['messages'][number]
}
const sentLately = async () => {
  const [row] = await service.db.query<{ count: number }>(
    "select count(*) as count from notify_messages where sent_at > now() - interval '1 minute'"
  )
  return row?.count
}
/** Nobody is about to send, with what was due before in mind. */
const nobodySends = async () => {
  const queues = await service.kernel.jobs.stats()
  return queues.every(({ queue, ready, active }) => queue !== 'notify.send' || ready + active === 0)
}
/** As if a minute had passed. */
const aMinuteLater = async () => {
  await service.db.query("update notify_messages set sent_at = sent_at - interval '1 minute' where sent_at is not null")
  await service.db.query(
    `with due as (update jobs.job set start_after = now() where name = 'notify.send' and state < 'active' returning name)
     select pg_notify('galley_jobs', name) from due`
  )
}

test('many held at once are told in a few messages, each of them once', async () => {
  const titles = Array.from({ length: 60 }, (_, n) => `Topic number ${n}`)
  await hold(titles)
  await until(
    async () => (await rows()).filter(({ combined_count }) => combined_count === 0).length === 60,
    'every event was delivered'
  )
  await until(async () => {
    const waiting = (await rows()).some(({ state }) => state === 'pending' || state === 'sending')
    if (waiting && (await nobodySends()) && (await sentLately()) === 5) await aMinuteLater()
    return !waiting
  }, 'all are told')
  const all = await rows()
  const single = all.filter(row => row.combined_count === 0 && row.state === 'sent')
  const combined = all.filter(row => row.combined_count > 0)
  assert.equal(telegram.messages.length, single.length + combined.length)
  assert.ok(telegram.messages.length <= 10, `${telegram.messages.length} messages`)
  assert.equal(single.length + combined.reduce((sum, { combined_count }) => sum + combined_count, 0), 60)
  for (const { id, combined_count } of combined)
    assert.equal(all.filter(row => row.combined_into === id).length, combined_count)
  const { text, reply_markup } = await messageLike(
    /^\d+ things wait for a decision\n• A topic waits for a decision: Topic number/
  )
  assert.match(text, /\n\/pending$/)
  assert.deepEqual(reply_markup?.inline_keyboard[0]?.[0]?.callback_data, '/pending')
})

test('what comes beyond the bound waits for the minute to end, and another kind does not wait for it', async () => {
  for (const title of ['one', 'two', 'three', 'four', 'five']) {
    await hold([title])
    await messageLike(new RegExp(`: ${title}\n`))
  }
  await until(async () => (await sentLately()) === 5)
  await hold(['six'])
  await service.db.transaction(tx => service.kernel.jobs.enqueue(tx, Break, { why: 'The tank is empty.' }))
  await messageLike(/^A job used up its 1 attempts: breaking\.break\nThe tank is empty\./)
  assert.equal(telegram.messages.length, 6)
  await aMinuteLater()
  await messageLike(/: six\n/)
  assert.equal(telegram.messages.length, 7)
})

test('a clock that is set back holds nothing up', async () => {
  for (const title of ['one', 'two', 'three', 'four', 'five']) {
    await hold([title])
    await messageLike(new RegExp(`: ${title}\n`))
  }
  await until(async () => (await sentLately()) === 5)
  await service.db.query("update notify_messages set sent_at = sent_at + interval '1 hour'")
  await hold(['six'])
  await messageLike(/: six\n/)
})

test('a parked job is told once, with how to start it anew, and again when it is parked again', async () => {
  await service.db.transaction(tx => service.kernel.jobs.enqueue(tx, Break, { why: 'No paper.' }))
  const { text } = await messageLike(/No paper\./)
  const [, id = ''] = /galley jobs retry (\S+)/.exec(text) ?? []
  const { status } = await runCommand(service.kernel, 'notify', 'list')
  assert.equal(status, 0)
  await createDeadLetterJobs(service.kernel).retry(id, 'operator')
  await until(() => telegram.messages.length === 2)
  assert.match(telegram.messages[1]?.text ?? '', /No paper\./)
})

test('the list counts all messages, however many a page shows', async () => {
  for (const title of ['one', 'two', 'three']) {
    await hold([title])
    await messageLike(new RegExp(`: ${title}\n`))
  }
  const list = async (...flags: string[]) => {
    const { out } = await runCommand(service.kernel, 'notify', 'list', ...flags, '--json')
    const { items, ...page } = JSON.parse(out)
    return { titles: items.map(({ title }: { title: string }) => title.split(': ')[1]), ...page }
  }
  assert.deepEqual(await list('--limit', '2'), { titles: ['three', 'two'], total: 3, limit: 2, offset: 0 })
  assert.deepEqual(await list('--limit', '2', '--offset', '2'), { titles: ['one'], total: 3, limit: 2, offset: 2 })
  const { out } = await runCommand(service.kernel, 'notify', 'list', '--limit', '1')
  assert.match(out, /\n1 of 3$/)
})

const propose = async (topic: string) => {
  const { out } = await runCommand(service.kernel, 'topics', 'propose', '--topic', topic, '--json')
  return JSON.parse(out).task_id as string
}

test('a message whose item is decided elsewhere loses its buttons and says what became of it', async () => {
  const task_id = await propose('Decided on the command line')
  const { reply_markup } = await messageLike(/Decided on the command line/)
  assert.equal(reply_markup?.inline_keyboard[0]?.length, 2)
  await runCommand(service.kernel, 'topics', 'reject', task_id, '--reason', 'Not now')
  const message = await messageLike(/Decided on the command line\nRejected by operator: Not now$/)
  assert.equal(message.reply_markup, undefined)
  assert.equal(telegram.messages.length, 1)
})

test('a draft that is edited while it waits is told anew, and the earlier message points there', async () => {
  const [row] = await service.db.query<{ post_id: string }>(
    `insert into posts (slug, title, content, content_html, status)
     values ('to-be-edited', 'To be edited', 'c', 'c', 'awaiting_approval') returning post_id`
  )
  const edit = (title: string) => service.bearer('PATCH', `/api/posts/${row?.post_id}`, { title })
  await edit('Edited once')
  await messageLike(/Edited once\nIt waits again: the content changed: title/)
  await edit('Edited twice')
  await messageLike(/Edited twice\n/)
  await messageLike(/Edited once\n.*\n.*see the newer message/)
  const [earlier, later, ...more] = telegram.messages
  assert.deepEqual([earlier?.reply_markup, later?.reply_markup?.inline_keyboard[0]?.length, more], [undefined, 1, []])
})

test('what is decided before it is told is not told, and what cannot be changed any more is left', async () => {
  await propose('Kept back')
  await until(async () => (await rows()).some(({ state }) => state === 'sent'))
  const task_id = await propose('Deleted in the chat')
  await messageLike(/Deleted in the chat/)
  telegram.messages.length = 0
  await runCommand(service.kernel, 'topics', 'approve', task_id)
  await until(async () => {
    const [row] = await service.db.query<{ edit_due_at: string | null }>(
      'select edit_due_at from notify_messages where outcome is not null'
    )
    return row !== undefined && row.edit_due_at === null
  }, 'it is given up')
  // What becomes of its draft is told, too.
  assert.deepEqual(
    telegram.messages.filter(({ text }) => !text.startsWith('A draft failed its checks')),
    []
  )
})

test('a chat that is away is brought up to date when it is back', async () => {
  const task_id = await propose('Away')
  await messageLike(/: Away/)
  telegram.script('editMessageText', refuses(500, 'Oops'))
  await runCommand(service.kernel, 'topics', 'approve', task_id)
  await until(() => telegram.requests.some(({ method }) => method === 'editMessageText'))
  await until(async () => {
    await service.db.query(
      "update notify_messages set edit_due_at = now() where edit_due_at > now() + interval '5 seconds'"
    )
    await aMinuteLater()
    return telegram.messages.some(({ text }) => /Away\nApproved by operator\.$/.test(text))
  }, 'the message says so')
})
