import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { findMessage } from '../../../plugins/notify/repository/lists.ts'
import { claimNext, insertMessages, markFailed, requeueLost } from '../../../plugins/notify/repository/messages.ts'
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
