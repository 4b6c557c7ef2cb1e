import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { SendDue } from '../../../plugins/notify/outbox.ts'
import { retryNow } from '../../../plugins/notify/repository/messages.ts'
import { runCommand } from '../../helpers/run-command.ts'
import { startService, type TestService } from '../../helpers/service.ts'
import { refuses, startTelegramServer, type TelegramServer } from '../../helpers/telegram-server.ts'
import { until } from '../../helpers/until.ts'

let telegram: TelegramServer
let service: TestService
before(async () => {
  telegram = await startTelegramServer()
  service = await startService({ settings: { ...telegram.settings(), pipeline_gate_topic_decision: 'on' } })
})
after(async () => {
  await service.close()
  await telegram.close()
})
afterEach(() => {
  telegram.messages.length = 0
})

const texts = () => telegram.messages.map(({ text }) => text)
/** What commands were answered with: the service may tell of something else at any time. */
const answers = () => telegram.messages.filter(message => message.reply_parameters !== undefined)
const messageLike = async (pattern: RegExp) => {
  await until(() => texts().some(text => pattern.test(text)), String(pattern))
  return telegram.messages.find(({ text }) => pattern.test(text)) as TelegramServer['messages'][number]
}
const propose = async (topic: string) => {
  const { out } = await runCommand(service.kernel, 'topics', 'propose', '--topic', topic, '--json')
  return JSON.parse(out).task_id as string
}
const taskOf = async (task_id: string) => (await service.bearer('GET', `/api/tasks/${task_id}`)).body
const historyOf = (subject_id: string) =>
  service.db.query('select decision, actor, reason from gate_history where subject_id = $1 order by id', [subject_id])
/** Two commands later: what was said before has been handled. */
const handled = async () => {
  telegram.say('/help')
  await messageLike(/You can answer/)
}

/** Waits until nothing that an earlier step has told of is still on its way. */
const allSent = () =>
  until(async () => {
    const [row] = await service.db.query(
      "select count(*)::int as due from notify_messages where state in ('pending', 'sending')"
    )
    const queues = await service.kernel.jobs.stats()
    const isQuiet = queues.every(
      ({ queue, ready, active }) => !/^(gate|tasks)\.\w+\//.test(queue) || ready + active === 0
    )
    return row?.due === 0 && isQuiet
  }, 'nothing is left to be told')

describe('a topic that waits', () => {
  test('is told once, with its id in both commands and on the buttons', async () => {
    const task_id = await propose('Why tides come twice a day')
    const message = await messageLike(/Why tides come twice a day/)
    assert.equal(message.chat_id, String(telegram.chat))
    assert.match(message.text, new RegExp(`/approve_topic ${task_id}\n/reject_topic ${task_id} \\[reason\\]`))
    assert.deepEqual(message.reply_markup?.inline_keyboard.flat(), [
      { text: 'Approve', callback_data: `/approve_topic ${task_id}` },
      { text: 'Reject', callback_data: `/reject_topic ${task_id}` }
    ])
    const row = async () =>
      (
        await service.db.query('select state, message_id, attempts from notify_messages where subject_id = $1', [
          task_id
        ])
      )[0]
    await until(async () => (await row())?.state === 'sent')
    assert.deepEqual(await row(), { state: 'sent', message_id: String(message.message_id), attempts: 1 })
    await handled()
    assert.equal(texts().filter(text => text.includes(task_id)).length, 1)
  })

  test('is approved by a prefix of its id, in the name of who wrote', async () => {
    const task_id = await propose('How the moon pulls the sea')
    telegram.say(`/approve_topic ${task_id.slice(0, 8)}`)
    await messageLike(/^Approved: “How the moon pulls the sea” is now pending/)
    assert.notEqual((await taskOf(task_id)).status, 'awaiting_gate')
    const history = await historyOf(task_id)
    assert.deepEqual(history.at(-1), { decision: 'approved', actor: 'telegram:ada', reason: null })
  })

  test('is rejected with the words that follow the id', async () => {
    const task_id = await propose('What sailors sing')
    telegram.say(`/reject_topic ${task_id} we had that\nlast week`, { user: { id: 7 } })
    await messageLike(/^Rejected: “What sailors sing” is now dismissed/)
    const history = await historyOf(task_id)
    assert.deepEqual(history.at(-1), { decision: 'rejected', actor: 'telegram:7', reason: 'we had that\nlast week' })
  })

  test('is decided by a button, once', async () => {
    const task_id = await propose('How buoys are anchored')
    const { message_id, reply_markup } = await messageLike(/How buoys are anchored/)
    const data = reply_markup?.inline_keyboard[0]?.[0]?.callback_data ?? ''
    telegram.press(data, message_id)
    const answer = await messageLike(/^Approved: “How buoys are anchored”/)
    assert.equal(answer.reply_parameters?.message_id, message_id)
    telegram.press(data, message_id)
    await messageLike(/waits at no gate|does not wait|Nothing was changed/)
    assert.equal((await historyOf(task_id)).filter(({ decision }) => decision === 'approved').length, 1)
    await until(() => telegram.requests.some(({ method }) => method === 'answerCallbackQuery'))
  })

  test('is not told any more when it was decided before the chat answered', async () => {
    telegram.scriptMessage(/A topic that is told first/, refuses(429, 'Too Many Requests', { retry_after: 600 }))
    const isQueued = (subject_id: string, expected: string) =>
      until(async () => {
        const [row] = await service.db.query('select state, attempts from notify_messages where subject_id = $1', [
          subject_id
        ])
        return `${row?.state} ${row?.attempts}` === expected
      }, expected)
    const first = await propose('A topic that is told first')
    // Refused, it is told later, and so is all that comes after it.
    await isQueued(first, 'pending 1')
    const task_id = await propose('A topic that is decided meanwhile')
    await isQueued(task_id, 'pending 0')
    await runCommand(service.kernel, 'topics', 'reject', task_id)
    await isQueued(task_id, 'dropped 0')
    await service.db.transaction(async tx => {
      await retryNow(tx, 'telegram')
      await service.kernel.jobs.enqueue(tx, SendDue, { channel: 'telegram' }, { key: 'telegram' })
    })
    await messageLike(/A topic that is told first/)
    assert.ok(!texts().some(text => text.includes('decided meanwhile')))
  })
})

describe('a command', () => {
  test('for another bot is left alone, also while Telegram does not say the name of this one', async () => {
    telegram.script('getMe', refuses(502, 'Bad Gateway'))
    telegram.say('/help@another_bot')
    await handled()
    assert.equal(answers().length, 1)
  })

  const commands: [command: string, answer: RegExp][] = [
    ['/help', /\/approve_topic <id>, \/reject_topic <id> \[reason\]/],
    ['/help@GALLEY_bot', /You can answer/],
    ['/approve_topic', /^Which one\? Write \/approve_topic <id>/],
    ['/reject_draft', /^Which one\? Write \/reject_draft <id> \[reason\]/],
    ['/approve_topic nonsense', /^Task id is not an id: .*\. Write \/approve_topic <id>\.$/],
    ['/approve_topic 00000000', /No task_id begins with 00000000/],
    ['/approve_topic 00000000-0000-4000-8000-000000000000', /There is no topic/],
    ['/approve_draft 00000000-0000-4000-8000-000000000000', /There is no|Nothing waits/],
    ['/approve_post 00000000-0000-4000-8000-000000000000', /There is no post/],
    ['/approve nobodys 00000000-0000-4000-8000-000000000000', /There is no gate "nobodys"/],
    ['/dance', /There is no such command: \/help/]
  ]
  for (const [command, answer] of commands) {
    test(`${command} is answered`, async () => {
      telegram.say(command)
      await messageLike(answer)
      await handled()
    })
  }

  test('/pending lists what waits in pages, with commands and buttons', async () => {
    const waits: string[] = []
    for (let index = 0; index < 7; index += 1) waits.push(await propose(`A topic in the list, number ${index}`))
    await messageLike(/A topic in the list, number 6/)
    const ask = async (page: string) => {
      telegram.messages.length = 0
      telegram.say(`/pending${page}`)
      return messageLike(/waiting for a decision/)
    }
    const first = await ask('')
    assert.match(first.text, /waiting for a decision, page 1 of \d+:/)
    const last = await ask(' 999')
    const rows = last.reply_markup?.inline_keyboard ?? []
    assert.deepEqual(
      rows.at(-1)?.map(({ text }) => text),
      ['← Earlier']
    )
    const [button] = rows[0] ?? []
    assert.match(button?.text ?? '', /^Approve 1$/)
    const id = button?.callback_data.split(' ')[1] ?? ''
    assert.match(last.text, new RegExp(`1\\. Topic: .*\\n/approve_topic ${id}\\n/reject_topic ${id}`))
    telegram.press(button?.callback_data ?? '', last.message_id)
    await messageLike(/^Approved: /)
    assert.notEqual((await taskOf(id)).status, 'awaiting_gate')
    for (const task_id of waits) await runCommand(service.kernel, 'topics', 'reject', task_id)
    await allSent()
  })

  test('of a chat that is not the configured one is neither followed nor answered', async () => {
    const task_id = await propose('A topic that strangers want')
    await messageLike(/strangers want/)
    telegram.messages.length = 0
    telegram.say(`/approve_topic ${task_id}`, { chat: 666 })
    telegram.press(`/approve_topic ${task_id}`, 1, { chat: 666 })
    await handled()
    assert.equal((await taskOf(task_id)).status, 'awaiting_gate')
    assert.equal(answers().length, 1)
    assert.ok(telegram.messages.every(({ chat_id }) => chat_id === String(telegram.chat)))
  })

  test('for another bot of the group, and talk, are left alone', async () => {
    telegram.say('/help@another_bot')
    telegram.say('Good morning')
    telegram.say('/dance', { type: 'group' })
    await handled()
    assert.equal(answers().length, 1)
  })

  test('that was handled is not handled again by the next process', async () => {
    const task_id = await propose('A topic for two processes')
    telegram.say(`/approve_topic ${task_id}`)
    await messageLike(/^Approved: “A topic for two processes”/)
    // A server that had heard of no confirmation would send them all again from here.
    const [{ next_update_id = 0 } = {}] = await service.db.query<{ next_update_id?: number }>(
      'select next_update_id from notify_pollers'
    )
    await until(() => telegram.requests.some(({ body }) => body.offset === next_update_id))
  })
})

test('one poll is open at a time, and none is asked twice for the same updates', () => {
  assert.equal(telegram.polls.maxOpen, 1)
})
