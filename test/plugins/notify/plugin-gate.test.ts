import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { Type } from 'typebox'
import { CONTRACT, ConflictError, definePlugin, type Plugin, setting } from '../../../core/index.ts'
import { type DecisionBy, GatesService, type HeldSubject } from '../../../plugins/gates/index.ts'
import { startService, type TestService } from '../../helpers/service.ts'
import { startTelegramServer, type TelegramServer } from '../../helpers/telegram-server.ts'
import { until } from '../../helpers/until.ts'

const gate_name = 'legal_review'
const waiting = new Map<string, HeldSubject>()

/** Of a third party: it knows whole ids only, and its decisions hold for the content that was shown. */
const legal = definePlugin({
  name: 'legal',
  contract: CONTRACT,
  describe: 'Holds what a lawyer has to read',
  needs: { gates: GatesService },
  settings: {
    pipeline_gate_legal_review: setting(Type.Union([Type.Literal('on'), Type.Literal('off')]), {
      default: 'on',
      describe: 'Hold for a lawyer.'
    })
  },
  setup({ needs: { gates }, settings, db }) {
    const decide = async (subject_id: string, decision: 'approved' | 'rejected', by: DecisionBy) => {
      const subject = waiting.get(subject_id)
      if (subject === undefined) throw new ConflictError(`The contract ${subject_id} does not wait.`)
      if (by.content_hash != null && by.content_hash !== subject.content_hash)
        throw new ConflictError('The contract has changed since: look again.', 'CONTENT_CHANGED')
      await db.transaction(tx => gates.record(tx, { gate_name, subject_type: 'contract', subject_id, decision, ...by }))
      waiting.delete(subject_id)
      return { title: subject.title, status: decision }
    }
    gates.registerGate({
      gate_name,
      describe: 'Waits for a lawyer',
      wired_into: 'contracts',
      setting_key: 'pipeline_gate_legal_review',
      isOn: () => settings.get('pipeline_gate_legal_review') === 'on',
      countPending: async () => waiting.size,
      listPending: async (_, limit) => [...waiting.values()].slice(0, limit),
      approve: (id, by) => decide(id, 'approved', by),
      reject: (id, by) => decide(id, 'rejected', by)
    })
    return { services: {} }
  }
}) as Plugin

let telegram: TelegramServer
let service: TestService
before(async () => {
  telegram = await startTelegramServer()
  service = await startService({ plugins: [legal], settings: telegram.settings() })
})
after(async () => {
  await service.close()
  await telegram.close()
})

const messageLike = async (pattern: RegExp) => {
  await until(() => telegram.messages.some(({ text }) => pattern.test(text)), String(pattern))
  return telegram.messages.find(({ text }) => pattern.test(text)) as TelegramServer['messages'][number]
}
async function hold(title: string, subject_id = randomUUID(), content_hash = 'one') {
  const ids = { subject_type: 'contract', subject_id, task_id: null, post_id: null }
  const subject = { ...ids, title, content_hash, slot: null }
  const waits_again = waiting.has(subject_id)
  const by = { actor: 'clerk', reason: waits_again ? 'clause 4 is new' : null, waits_again }
  await service.db.transaction(async tx => service.kernel.service(GatesService)?.hold(tx, gate_name, subject, by))
  waiting.set(subject_id, subject)
  return subject_id
}

test('what the gate of another plugin holds is told, listed, approved and rejected in the chat', async () => {
  const one = await hold('Lease')
  const two = await hold('Licence')
  const { text, reply_markup, message_id } = await messageLike(/^Something waits at the gate legal_review: Lease\n/)
  assert.match(text, new RegExp(`/approve legal_review ${one}\n/reject legal_review ${one} \\[reason\\]$`))
  telegram.say('/pending')
  await messageLike(/^2 waiting for a decision:\n[\s\S]*\n\d\. legal_review: Licence\n\/approve legal_review /)
  telegram.press(reply_markup?.inline_keyboard[0]?.[0]?.callback_data ?? '', message_id)
  await messageLike(/^Approved: “Lease” is now approved\.$/)
  telegram.say(`/reject legal_review ${two.slice(0, 8)} clause 7`)
  await messageLike(/^Rejected: “Licence” is now rejected\.$/)
  const rows = await service.db.query(
    'select decision, actor, reason from gate_history where subject_id = any ($1::uuid[]) and decision <> $2 order by id',
    [[one, two], 'held']
  )
  assert.deepEqual(rows, [
    { decision: 'approved', actor: 'telegram:ada', reason: null },
    { decision: 'rejected', actor: 'telegram:ada', reason: 'clause 7' }
  ])
  telegram.say('/pending')
  await messageLike(/^Nothing waits/)
})

test('what changed after it was told is not approved by the message that told of it before', async () => {
  const id = await hold('Treaty')
  const { reply_markup, message_id } = await messageLike(/legal_review: Treaty\n/)
  await hold('Treaty, new', id, 'two')
  await messageLike(/Treaty, new\nIt waits again: clause 4 is new\n/)
  telegram.press(reply_markup?.inline_keyboard[0]?.[0]?.callback_data ?? '/approve', message_id)
  await messageLike(/has changed since/)
  assert.ok(waiting.has(id))
  telegram.say(`/approve legal_review ${id}`)
  await messageLike(/^Approved: “Treaty, new”/)
})
