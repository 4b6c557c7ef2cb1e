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

test('what a combined message shows was seen from its own number on, and numbers are compared as numbers', async () => {
  const { db } = service
  const channel = 'combined'
  const subject_id = randomUUID()
  const notice = { title: 'A draft waits', lines: [], actions: [] }
  const queue = (source: string, content_hash: string) => {
    const subject = { gate_name: 'awaiting_approval', subject_id, content_hash }
    return insertMessages(db, [{ source, channel, notice, subject, reply_to: null, kind: 'held' }])
  }
  const send = async (message_id: string) => {
    const claim = randomUUID()
    const message = await claimNext(db, channel, claim, 20)
    assert.ok(message)
    await markSent(db, message.id, claim, message_id)
  }
  await queue('shown first', 'a')
  await send('99')
  await queue('shown in a combined message', 'b')
  const [{ id }] = (await db.query(`select id from notify_messages where source = 'shown in a combined message'`)) as [
    { id: number }
  ]
  await db.transaction(tx => combineInto(tx, [id], { channel, kind: 'held', notice }))
  await send('101')
  const shown = (before: number, answers: number | null = null) =>
    findShown(db, { channel, gate_name: 'awaiting_approval', id_prefix: subject_id }, { before, answers })
  assert.deepEqual(await shown(98), { content_hash: 'b', was_shown: false })
  assert.deepEqual(await shown(100), { content_hash: 'a', was_shown: true })
  assert.deepEqual(await shown(102), { content_hash: 'b', was_shown: true })
  assert.deepEqual(await shown(102, 99), { content_hash: 'a', was_shown: true })
  assert.deepEqual(await shown(102, 50), { content_hash: 'b', was_shown: true })
})
