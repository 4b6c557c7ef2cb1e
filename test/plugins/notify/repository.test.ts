import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { combineInto } from '../../../plugins/notify/repository/combining.ts'
import { findMessage } from '../../../plugins/notify/repository/lists.ts'
import {
  claimNext,
  findShown,
  insertMessages,
  markFailed,
  markSent,
  requeueLost
} from '../../../plugins/notify/repository/messages.ts'
import { recordOutcomes } from '../../../plugins/notify/repository/outcomes.ts'
import { startService, type TestService } from '../../helpers/service.ts'

let service: TestService
before(async () => {
  service = await startService()
})
after(() => service.close())

/** A message that is being sent when its item is decided. No channel has this name: no job sends it. */
async function decidedWhileSending() {
  const { db } = service
  const channel = 'nowhere'
  const subject_id = randomUUID()
  const claim = randomUUID()
  const subject = { gate_name: 'awaiting_approval', subject_id, content_hash: null }
  const notice = { title: 'A draft waits', lines: [], actions: [] }
  await insertMessages(db, [{ source: subject_id, channel, notice, subject, reply_to: null }])
  const message = await claimNext(db, channel, claim, 20)
  assert.ok(message)
  await recordOutcomes(db, [{ gate_name: subject.gate_name, subject_id, outcome: 'Approved.', before: null }], [])
  return { id: message.id, channel, claim }
}

describe('a message whose item is decided while it is sent is dropped', () => {
  test('when its request fails', async () => {
    const { id, claim } = await decidedWhileSending()
    const failure = { error: 'refused connection', delaySeconds: 1, isFinal: false, wasUnanswered: false }
    assert.equal(await markFailed(service.db, id, claim, { ...failure, holdsChannel: false }), 'dropped')
  })

  test('when its process ends', async () => {
    const { id, channel } = await decidedWhileSending()
    assert.deepEqual(await requeueLost(service.db, channel, { own: [], isAlone: true }), [id])
    assert.equal((await findMessage(service.db, id))?.state, 'dropped')
  })
})

/** Messages about one item in a channel of its own. */
function itemOf(channel: string) {
  const { db } = service
  const subject_id = randomUUID()
  const notice = { title: 'A draft waits', lines: [], actions: [] }
  const claimed = async () => {
    const claim = randomUUID()
    const message = await claimNext(db, channel, claim, 20)
    assert.ok(message)
    return { id: message.id, claim }
  }
  return {
    queue: (content_hash: string) => {
      const subject = { gate_name: 'awaiting_approval', subject_id, content_hash }
      const source = `${channel}:${content_hash}`
      return insertMessages(db, [{ source, channel, notice, subject, reply_to: null, kind: 'held' }])
    },
    async combine() {
      const waiting = await db.query<{ id: number }>(
        `select id from notify_messages where channel = $1 and state = 'pending'`,
        [channel]
      )
      const ids = waiting.map(({ id }) => id)
      await db.transaction(tx => combineInto(tx, ids, { channel, kind: 'held', notice }))
    },
    async send(message_id: string) {
      const { id, claim } = await claimed()
      await markSent(db, id, claim, message_id)
    },
    async sendWithoutAnswer() {
      const { id, claim } = await claimed()
      const failure = { error: 'no answer', delaySeconds: 1, isFinal: false, wasUnanswered: true, holdsChannel: false }
      assert.equal(await markFailed(db, id, claim, failure), 'pending')
    },
    shown: (before: number, answers: number | null = null) =>
      findShown(db, { channel, gate_name: 'awaiting_approval', id_prefix: subject_id }, { before, answers })
  }
}

test('numbers of messages are compared as numbers', async () => {
  const { queue, send, shown } = itemOf('numbered')
  await queue('a')
  await send('99')
  await queue('b')
  await send('101')
  assert.deepEqual(await shown(98), { content_hash: 'b', unseen: 'later' })
  assert.deepEqual(await shown(100), { content_hash: 'a', unseen: null })
  assert.deepEqual(await shown(102), { content_hash: 'b', unseen: null })
  assert.deepEqual(await shown(102, 99), { content_hash: 'a', unseen: null })
  assert.deepEqual(await shown(102, 50), { content_hash: 'b', unseen: null })
})

test('a combined message shows no content: the last message about the item counts', async () => {
  const { queue, combine, send, shown } = itemOf('combined')
  await queue('a')
  assert.equal(await shown(98), undefined)
  await combine()
  assert.equal(await shown(98), undefined)
  await send('99')
  assert.deepEqual(await shown(102), { content_hash: 'a', unseen: 'combined' })
  assert.deepEqual(await shown(102, 99), { content_hash: 'a', unseen: 'combined' })
  await queue('b')
  await send('103')
  await queue('c')
  await combine()
  await send('105')
  assert.deepEqual(await shown(106), { content_hash: 'b', unseen: null })
  assert.deepEqual(await shown(106, 105), { content_hash: 'b', unseen: null })
  assert.deepEqual(await shown(102), { content_hash: 'b', unseen: 'later' })
})

test('a combined message that was sent without an answer may have arrived: its items do not count as never shown', async () => {
  const { queue, combine, sendWithoutAnswer, shown } = itemOf('combined without an answer')
  await queue('a')
  await combine()
  await sendWithoutAnswer()
  assert.deepEqual(await shown(100), { content_hash: 'a', unseen: 'combined' })
})
