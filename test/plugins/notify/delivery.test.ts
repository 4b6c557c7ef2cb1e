import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { NotifyService } from '../../../plugins/notify/index.ts'
import { startService, type TestService } from '../../helpers/service.ts'
import {
  type Behaviour,
  cuts,
  cutsAfterwards,
  junk,
  refuses,
  startTelegramServer,
  type TelegramServer
} from '../../helpers/telegram-server.ts'
import { until } from '../../helpers/until.ts'

let telegram: TelegramServer
let service: TestService
before(async () => {
  telegram = await startTelegramServer()
  service = await startService({ settings: telegram.settings() })
})
after(async () => {
  await service.close()
  await telegram.close()
})
afterEach(async () => {
  telegram.script('sendMessage')
  telegram.messages.length = 0
  await service.db.query("update notify_messages set state = 'dropped' where state in ('pending', 'sending')")
})

interface Row {
  state: string
  attempts: number
  unanswered: number
  message_id: string | null
  error: string | null
}

const notify = (source: string) =>
  service.db.transaction(async tx => {
    await service.kernel.service(NotifyService)?.send(tx, source, { title: source, lines: [], actions: [] })
  })
const rowOf = async (source: string): Promise<Row> => {
  const [row] = await service.db.query<Row>(
    `select state, attempts, unanswered, message_id, error from notify_messages
     where source = $1 and channel = 'telegram'`,
    [source]
  )
  return row as Row
}
/** Waits until it was tried once and is to be tried again. */
const isTriedOnce = (source: string) =>
  until(async () => {
    const { state, attempts } = await rowOf(source)
    return state === 'pending' && attempts === 1
  }, `${source} was tried`)
/** Waits until no delivery is under way: one that has sent a message looks for the next. */
const senderPauses = () =>
  until(async () => {
    const jobs = await service.kernel.jobs.stats()
    return jobs.some(({ queue, ready, active }) => queue === 'notify.send' && ready + active === 0)
  })
const count = (source: string) => telegram.messages.filter(({ text }) => text.split('\n')[0] === source).length
/** As if the backoff were over. */
const skipDelays = async () => {
  await service.db.query("update notify_messages set not_before = now() where state = 'pending'")
  await service.db.query(
    `with due as (update jobs.job set start_after = now() where name = 'notify.send' and state < 'active' returning name)
     select pg_notify('galley_jobs', name) from due`
  )
}
const awaitState = async (source: string, state: string) => {
  await until(async () => {
    const row = await rowOf(source)
    if (row.state === 'pending' && row.attempts > 0) await skipDelays()
    return row.state === state
  }, `${source} is ${state}`)
  return rowOf(source)
}

test('processes that die while a chat does not answer leave no parked job', async () => {
  await senderPauses()
  await service.db.query(
    `insert into jobs.job (name, data, state, started_on, heartbeat_on, heartbeat_seconds, output)
     values ('notify.send', '{"channel": "telegram"}', 'active', now(), now() - interval '11 s', 10,
       '{"process_died": true, "has_begun": true}')`
  )
  await senderPauses()
  const jobs = await service.kernel.jobs.stats()
  assert.equal(jobs.find(({ queue }) => queue === 'notify.send')?.parked, 0)
})

describe('a message the service does not take', () => {
  const faults: [title: string, behaviours: Behaviour[], arrives: number, row: Partial<Row>][] = [
    ['for a fault of its own', [refuses(500, 'Internal Server Error')], 1, { attempts: 2, unanswered: 0 }],
    ['because the token is wrong', [refuses(401, 'Unauthorized')], 1, { attempts: 2, unanswered: 0 }],
    [
      'as there are too many',
      [refuses(429, 'Too Many Requests', { retry_after: 5 })],
      1,
      { attempts: 2, unanswered: 0 }
    ],
    ['twice', [refuses(502, 'Bad Gateway'), refuses(500, 'Oops')], 1, { attempts: 3, unanswered: 0 }],
    ['losing the connection', [cuts], 1, { attempts: 2, unanswered: 1 }],
    ['answering junk', [junk], 1, { attempts: 2, unanswered: 1 }],
    ['or takes, without saying so', [cutsAfterwards], 2, { attempts: 2, unanswered: 1 }]
  ]
  for (const [title, behaviours, arrives, row] of faults) {
    test(`${title}, is sent again`, async () => {
      telegram.script('sendMessage', ...behaviours)
      await notify(title)
      const sent = await awaitState(title, 'sent')
      assert.equal(count(title), arrives)
      assert.partialDeepStrictEqual(sent, { error: null, ...row })
      assert.equal(sent.message_id, String(telegram.messages.at(-1)?.message_id))
    })
  }

  test('as it is none of Telegram, names where the server is set', async () => {
    telegram.script('sendMessage', response => void response.end('<html>Welcome</html>'))
    await notify('elsewhere')
    await isTriedOnce('elsewhere')
    const { error } = await rowOf('elsewhere')
    assert.match(String(error), /does not answer as the Bot API does: check telegram_api_root/)
    await awaitState('elsewhere', 'sent')
  })

  test('for good, is given up', async () => {
    telegram.script('sendMessage', refuses(400, 'Bad Request: message text is empty'))
    await notify('for good')
    const row = await awaitState('for good', 'failed')
    assert.partialDeepStrictEqual(row, { attempts: 1, message_id: null })
    assert.match(row.error ?? '', /message text is empty/)
    assert.doesNotMatch(row.error ?? '', /a-token-of/)
  })

  test('for a day, is given up', async () => {
    telegram.script('sendMessage', ...Array.from({ length: 50 }, () => refuses(500, 'Oops')))
    await notify('for a day')
    await until(async () => (await rowOf('for a day')).attempts > 0)
    await service.db.query(
      "update notify_messages set created_at = now() - interval '25 hours' where source = 'for a day'"
    )
    await awaitState('for a day', 'failed')
  })

  test('is sent once it is back', async () => {
    await telegram.disconnect()
    await notify('away')
    await isTriedOnce('away')
    // As after many attempts: it is not tried again before the service is back.
    await service.db.query("update notify_messages set not_before = now() + interval '5 minutes' where source = 'away'")
    await notify('away, too')
    await telegram.reconnect()
    await awaitState('away', 'sent')
    assert.partialDeepStrictEqual(await awaitState('away, too', 'sent'), { attempts: 1 })
    // It may have been on its way over a connection that was there still: then it says that it may have arrived before.
    assert.deepEqual(telegram.messages.map(({ text }) => text.split('\n')[0]).sort(), ['away', 'away, too'])
    assert.equal((await rowOf('away')).unanswered, 0)
  })
})

test('a service that asks to wait is not asked before, and gets nothing else meanwhile', async () => {
  telegram.script('sendMessage', refuses(429, 'Too Many Requests', { retry_after: 40 }))
  await notify('too many')
  await isTriedOnce('too many')
  const [row] = await service.db.query(
    `select not_before between created_at + interval '40 s' and now() + interval '40 s' as waits
     from notify_messages where source = 'too many'`
  )
  assert.deepEqual(row, { waits: true })
  const { error } = await rowOf('too many')
  assert.match(String(error), /Too Many Requests\. It asks to wait 40 s\. notify_messages_per_minute bounds/)
  await notify('one more')
  await senderPauses()
  assert.partialDeepStrictEqual(await rowOf('one more'), { state: 'pending', attempts: 0 })
  assert.equal(telegram.messages.length, 0)
})

test('what a process was sending when it ended is sent again, and says that it may have arrived before', async () => {
  await notify('in hand')
  await awaitState('in hand', 'sent')
  await senderPauses()
  await service.db.query(
    `update notify_messages set state = 'sending', message_id = null, claimed_at = now() - interval '21 seconds'
     where source = 'in hand'`
  )
  await notify('the next one')
  assert.partialDeepStrictEqual(await awaitState('in hand', 'sent'), { attempts: 2, unanswered: 1, error: null })
  await awaitState('the next one', 'sent')
  // Two runs may send at once, in any order.
  assert.deepEqual(telegram.messages.map(({ text }) => text).sort(), [
    'in hand',
    'in hand\n(This may have reached you before.)',
    'the next one'
  ])
})

test('an event that is delivered twice makes one message', async () => {
  await notify('same source')
  await notify('same source')
  await awaitState('same source', 'sent')
  await notify('after it')
  await awaitState('after it', 'sent')
  assert.equal(count('same source'), 1)
})

test('what a transaction that rolled back told is not told', async () => {
  const failing = service.db.transaction(async tx => {
    await service.kernel.service(NotifyService)?.send(tx, 'undone', { title: 'undone', lines: [], actions: [] })
    throw new Error('no')
  })
  await assert.rejects(failing, /no/)
  await notify('done')
  await awaitState('done', 'sent')
  assert.equal(count('undone'), 0)
})
