import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { createLog } from '../../../cli/log/json-log.ts'
import type { Bot } from '../../../plugins/notify/telegram/bot.ts'
import { botKey, createPolling } from '../../../plugins/notify/telegram/polling.ts'
import { openTestDatabase } from '../../helpers/database.ts'

test('the turn of a process that is gone comes with its job, also to one that polls for another job already', async () => {
  const db = await openTestDatabase()
  const config = { token: '1:a', chat_id: '1', api_root: 'http://127.0.0.1:9' }
  const lost = randomUUID()
  const own = randomUUID()
  const stop = new AbortController()
  await db.query(
    `insert into notify_pollers (bot, job_id, claim, lease_expires_at) values ($1, $2, gen_random_uuid(), now() + interval '1 minute')`,
    [botKey(config), lost]
  )
  const opened = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  const bot: Bot = {
    async updates(_, signal) {
      asked.resolve()
      await new Promise(resolve => signal.addEventListener('abort', resolve, { once: true }))
      return []
    },
    send: async () => '1',
    edit: async () => {},
    answerButton: async () => {},
    username: async () => 'bot'
  }
  const polling = createPolling({
    ...{ db, log: createLog('silent'), config: () => config, commandOf: () => undefined },
    // Nothing is said to the chat here.
    outbox: {} as never,
    open: async () => {
      await opened.promise
      return bot
    }
  })
  try {
    const polled = polling.run({ id: own, deliveryCount: 1, signal: stop.signal, recordProgress: async () => {} })
    assert.equal(
      await polling.run({ id: lost, deliveryCount: 2, signal: stop.signal, recordProgress: async () => {} }),
      true
    )
    opened.resolve()
    await Promise.race([asked.promise, polled.then(() => assert.fail('it gave up'))])
    const [row] = await db.query<{ job_id: string }>('select job_id from notify_pollers')
    assert.equal(row?.job_id, own)
    stop.abort()
    assert.equal(await polled, true)
  } finally {
    await db.close()
  }
})
