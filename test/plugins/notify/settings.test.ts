import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { testServerUrl } from '../../helpers/database.ts'
import { findingOf } from '../../helpers/finding.ts'
import { runCommand } from '../../helpers/run-command.ts'
import { startService, type TestService } from '../../helpers/service.ts'
import {
  type Behaviour,
  cuts,
  junk,
  refuses,
  slow,
  startTelegramServer,
  type TelegramServer
} from '../../helpers/telegram-server.ts'
import { until } from '../../helpers/until.ts'
import { startHookServer } from './hook-server.ts'

let telegram: TelegramServer
let other: TelegramServer
let hooks: Awaited<ReturnType<typeof startHookServer>>
let service: TestService
before(async () => {
  ;[telegram, other, hooks] = await Promise.all([startTelegramServer(), startTelegramServer(), startHookServer()])
  service = await startService({ settings: { pipeline_gate_topic_decision: 'on' } })
})
after(async () => {
  await service.close()
  await Promise.all([telegram.close(), other.close(), hooks.close()])
})
afterEach(async () => {
  await set({ telegram_bot_token: '', telegram_chat_id: '', chat_webhook_url: '' })
  await until(() => telegram.polls.open + other.polls.open === 0)
  for (const server of [telegram, other]) server.messages.length = 0
  hooks.received.length = 0
})

const set = async (settings: Record<string, string>) => {
  for (const [key, value] of Object.entries(settings)) await service.kernel.settings.set(key, value)
}
const messageLike = (server: TelegramServer, pattern: RegExp) =>
  until(() => server.messages.some(({ text }) => pattern.test(text)), String(pattern))

describe('without a restart', () => {
  test('setting Telegram up begins to poll, another bot ends the old poll, clearing it ends all', async () => {
    await set(telegram.settings())
    await until(() => telegram.polls.open === 1)
    telegram.say('/help')
    await messageLike(telegram, /You can answer/)
    await set(other.settings())
    await until(() => other.polls.open === 1 && telegram.polls.open === 0)
    other.say('/help')
    await messageLike(other, /You can answer/)
    await set({ telegram_chat_id: '' })
    await until(() => other.polls.open === 0)
  })

  test('another chat is the one that may command from then on', async () => {
    await set(telegram.settings())
    await until(() => telegram.polls.open === 1)
    await set({ telegram_chat_id: '-100200' })
    telegram.say('/help')
    telegram.say('/pending', { chat: -100200, type: 'supergroup' })
    await messageLike(telegram, /Nothing waits|waiting for/)
    assert.deepEqual(
      telegram.messages.map(({ chat_id }) => chat_id),
      ['-100200']
    )
  })

  test('a corrected token has what waited sent at once', async () => {
    await set({ ...telegram.settings(), telegram_bot_token: '1:wrong' })
    const { out } = await runCommand(service.kernel, 'topics', 'propose', '--topic', 'What waits for a token', '--json')
    const { task_id } = JSON.parse(out)
    const attempts = async () =>
      (
        await service.db.query<{ attempts: number }>('select attempts from notify_messages where subject_id = $1', [
          task_id
        ])
      )[0]?.attempts
    await until(async () => ((await attempts()) ?? 0) > 0)
    // As after many attempts.
    await service.db.query(
      "update notify_messages set not_before = now() + interval '5 minutes' where state = 'pending'"
    )
    await set(telegram.settings())
    await messageLike(telegram, /What waits for a token/)
  })

  test('a chat that is taken away and set up again as it was has what waited sent at once', async () => {
    await set({ chat_webhook_url: hooks.discord })
    await service.kernel.settings.whenIdle()
    await service.db.query(
      `insert into notify_messages (source, channel, notice, not_before)
       values ('test:again', 'webhook', $1, now() + interval '1 hour')`,
      [JSON.stringify({ title: 'Waited for the chat', lines: [], actions: [] })]
    )
    await set({ chat_webhook_url: '' })
    await set({ chat_webhook_url: hooks.discord })
    await until(() => hooks.received.some(({ body }) => JSON.stringify(body).includes('Waited for the chat')))
  })

  test('a webhook is told beside Telegram, with the commands of the command line', async () => {
    await set({ ...telegram.settings(), chat_webhook_url: hooks.discord })
    const { out } = await runCommand(service.kernel, 'topics', 'propose', '--topic', 'Told to *both*', '--json')
    const { task_id } = JSON.parse(out)
    await messageLike(telegram, /Told to \*both\*/)
    await until(() => hooks.received.length > 0)
    assert.deepEqual(hooks.received[0]?.body, {
      content: `A topic waits for a decision: Told to \\*both\\*\n\`galley topics approve ${task_id}\`\n\`galley topics reject ${task_id}\``,
      allowed_mentions: { parse: [] }
    })
  })
})

describe('polling goes on', () => {
  const faults: [title: string, behaviour: Behaviour][] = [
    ['a server error', refuses(500, 'Internal Server Error')],
    ['a conflict with another poller', refuses(409, 'Conflict: terminated by other getUpdates request')],
    ['too many requests', refuses(429, 'Too Many Requests', { retry_after: 1 })],
    ['a lost connection', cuts],
    ['junk', junk],
    ['an answer that is no list', response => void response.end('{"ok":true,"result":{"update_id":1}}')],
    ['an empty answer', response => void response.end('null')]
  ]
  for (const [title, behaviour] of faults) {
    test(`after ${title}`, async () => {
      telegram.script('getUpdates', behaviour)
      await set(telegram.settings())
      telegram.say('/help')
      await messageLike(telegram, /You can answer/)
      assert.equal(telegram.messages.length, 1)
    })
  }
})

test('a decision that was begun when its process ended is not made again', async () => {
  await set(telegram.settings())
  await until(() => telegram.polls.open === 1)
  await set({ telegram_bot_token: '' })
  await until(() => telegram.polls.open === 0)
  const { out } = await runCommand(service.kernel, 'topics', 'propose', '--topic', 'Half decided', '--json')
  const { task_id } = JSON.parse(out)
  // What tells of it would be sent in another test, when it came to that after Telegram is set up again.
  await until(async () => {
    const queues = await service.kernel.jobs.stats()
    return queues.every(({ queue, ready, active }) => queue !== 'gate.held/gates' || ready + active === 0)
  }, 'everybody was told that it is held')
  const update_id = telegram.say(`/reject_topic ${task_id}`)
  await service.db.query('update notify_pollers set begun_update_id = $1', [update_id])
  await set(telegram.settings())
  await messageLike(telegram, /The service stopped while it ran this command/)
  assert.equal((await service.bearer('GET', `/api/tasks/${task_id}`)).body.status, 'awaiting_gate')
})

describe('a test message', () => {
  const send = () => service.bearer('POST', '/api/test/notify-operator')

  test('needs a token, and a chat', async () => {
    assert.equal((await service.anonymous('POST', '/api/test/notify-operator')).status, 401)
    const { status, body } = await send()
    assert.equal(status, 409)
    assert.equal(body.error_code, 'CONFLICT')
    assert.match(body.message, /No chat is set up: set telegram_bot_token and telegram_chat_id, or chat_webhook_url/)
  })

  test('after a change of telegram_api_root its token goes nowhere, and that is said, until it is set again', async () => {
    await set(telegram.settings())
    const asked = other.requests.length
    await set({ telegram_api_root: other.url })
    const { status, body } = await service.bearer('POST', '/api/test/notify-operator')
    assert.equal(status, 409)
    assert.match(body.message, /No chat is set up: telegram_bot_token was set for http:.* and is not sent to http:/)
    assert.equal(other.requests.length, asked)
    await set({ telegram_bot_token: other.token })
    assert.equal((await service.bearer('POST', '/api/test/notify-operator')).status, 200)
  })

  test('is sent at once to every chat, and recorded', async () => {
    await set({ ...telegram.settings(), chat_webhook_url: hooks.slack })
    const { status, body } = await send()
    assert.equal(status, 200)
    assert.equal(body.sent, true)
    const view = body.messages.map(({ id: _, ...message }: { id: number }) => message)
    assert.deepEqual(view, [
      { channel: 'telegram', state: 'sent', message_id: String(telegram.messages[0]?.message_id), error: null },
      { channel: 'webhook', state: 'sent', message_id: null, error: null }
    ])
    assert.match(telegram.messages[0]?.text ?? '', /^Test message/)
    assert.match(String(hooks.received[0]?.body.text), /^Test message/)
    const { out } = await runCommand(service.kernel, 'notify', 'list', '--json')
    const states = JSON.parse(out)
      .items.slice(0, 2)
      .map((item: { state: string; title: string }) => [item.state, item.title])
    const expected = ['sent', 'Test message: operator notifications arrive here.']
    assert.deepEqual(states, [expected, expected])
  })

  test('that is refused says why, and is not tried again', async () => {
    await set(telegram.settings())
    telegram.script('sendMessage', refuses(400, 'Bad Request: chat not found'))
    const { status, err } = await runCommand(service.kernel, 'notify', 'test')
    assert.equal(status, 1)
    assert.match(err, /did not arrive\. telegram: Telegram answered 400: chat not found/)
    const [row] = await service.db.query('select state, attempts from notify_messages order by id desc limit 1')
    assert.deepEqual(row, { state: 'failed', attempts: 1 })
  })

  test('that arrives again clears what doctor said of the one before', async () => {
    await service.db.query('delete from notify_messages')
    await set({ chat_webhook_url: hooks.slack })
    hooks.script(response => response.writeHead(500).end())
    const notifyTest = () => runCommand(service.kernel, 'notify', 'test')
    assert.equal((await notifyTest()).status, 1)
    const found = async () => {
      const { status, found: text } = await findingOf(service.kernel, 'operator chat')
      return `${status}: ${text}`
    }
    assert.match(await found(), /^degraded: .*the last day: 1 failed/)
    assert.match((await notifyTest()).out, /webhook: sent/)
    assert.match(
      await found(),
      /^ok: webhook: messages arrive again; of the last day: 1 failed .*, see galley notify list$/
    )
    hooks.script(response => response.writeHead(500).end())
    await notifyTest()
    assert.match(await found(), /^degraded: .*the last day: 1 failed/)
  })

  test('that did not arrive in a chat that was given up is no fault of the one in use', async () => {
    await service.db.query('delete from notify_messages')
    await set({ chat_webhook_url: hooks.slack })
    hooks.script(response => response.writeHead(500).end())
    assert.equal((await runCommand(service.kernel, 'notify', 'test')).status, 1)
    await set({ ...telegram.settings(), chat_webhook_url: '' })
    const { status, found } = await findingOf(service.kernel, 'operator chat')
    assert.deepEqual([status, found], ['ok', 'telegram: every message of the last day was delivered'])
    await set({ chat_webhook_url: hooks.slack })
    assert.equal((await findingOf(service.kernel, 'operator chat')).status, 'degraded')
  })

  test('answers 200 and says so when one chat of two took it', async () => {
    await set({ ...telegram.settings(), chat_webhook_url: hooks.slack })
    hooks.script(response => response.writeHead(500).end())
    const { status, body } = await send()
    assert.deepEqual([status, body.sent], [200, false])
  })
})

test('stopping does not wait for the poll, and a message under way is finished', async () => {
  const db = service.db
  const behaviour = slow()
  telegram.script('sendMessage', behaviour)
  const stopping = await startService({ db: { ...db, close: async () => {} }, settings: telegram.settings() })
  const answer = stopping.bearer('POST', '/api/test/notify-operator')
  await behaviour.begun
  behaviour.release()
  assert.equal((await answer).status, 200)
  await stopping.close()
})

test('of two processes one polls, and the other goes on when it stops', { skip: !testServerUrl }, async () => {
  telegram.polls.maxOpen = 0
  const one = await startService({ db: { ...service.db, close: async () => {} }, settings: telegram.settings() })
  const two = await startService({ db: { ...service.db, close: async () => {} } })
  await until(() => telegram.polls.open === 1)
  await one.close()
  await two.close()
  telegram.say('/help')
  await messageLike(telegram, /You can answer/)
  assert.equal(telegram.polls.maxOpen, 1)
})

test('doctor finds a bot token that Telegram refuses, and names the setting', async () => {
  const look = () => findingOf(service.kernel, 'telegram bot')
  assert.equal((await look()).status, 'skipped')
  await set(telegram.settings())
  assert.deepEqual(await look(), { status: 'ok', found: 'telegram_bot_token is that of @galley_bot' })
  await set({ telegram_bot_token: '123:nobody' })
  const refused = await look()
  assert.equal(refused?.status, 'critical')
  assert.match(refused?.found ?? '', /^Telegram refuses telegram_bot_token \(Telegram answered 401: Unauthorized/)
  assert.match(refused?.remedy ?? '', /settings set telegram_bot_token/)
  assert.doesNotMatch(JSON.stringify(refused), /123:nobody/)
})
