import type { GateDefinition, GateLabels } from '#plugins/gates'
import { countSends, listHeldSends } from '../repository/sends.ts'
import { heldSubjectOf, sendGateName } from './held-subject.ts'
import type { Sends } from './sends.ts'

/** What messages call a newsletter that waits. */
const sendLabels: GateLabels = {
  noun: 'newsletter',
  title: 'A newsletter waits to be sent',
  describe: 'a newsletter before it is sent'
}

export const createSendGate = (sends: Pick<Sends, 'approve' | 'reject'>, isOn: () => boolean): GateDefinition => ({
  gate_name: sendGateName,
  describe: 'An approval of every newsletter before it is sent',
  wired_into: 'the newsletter',
  setting_key: 'pipeline_gate_newsletter_send',
  labels: sendLabels,
  isOn,
  countPending: db => countSends(db, 'held'),
  listPending: async (db, limit, ids) => (await listHeldSends(db, limit, ids)).map(heldSubjectOf),
  approve: (id, by) => sends.approve(id, by),
  reject: (id, by) => sends.reject(id, by)
})
