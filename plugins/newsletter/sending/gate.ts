import type { Settings } from '#core'
import type { GateDefinition, GateLabels } from '#plugins/gates'
import { countSends, listHeldSends } from '../repository/sends.ts'
import type { newsletterSettings } from '../settings.ts'
import { heldSubjectOf, sendGateName } from './held-subject.ts'
import type { Sends } from './sends.ts'

/** What messages call a newsletter that waits. */
const sendLabels: GateLabels = {
  noun: 'newsletter',
  title: 'A newsletter waits to be sent',
  describe: 'a newsletter before it is sent'
}

interface GateDeps {
  sends: Pick<Sends, 'approve' | 'reject'>
  settings: Settings<typeof newsletterSettings>
}

export const createSendGate = ({ sends, settings }: GateDeps): GateDefinition => ({
  gate_name: sendGateName,
  describe: 'An approval of every newsletter before it is sent',
  wired_into: 'the newsletter',
  setting_key: 'pipeline_gate_newsletter_send',
  labels: sendLabels,
  isOn: () => settings.get('pipeline_gate_newsletter_send') === 'on',
  countPending: db => countSends(db, 'held'),
  listPending: async (db, limit, ids) => (await listHeldSends(db, limit, ids)).map(heldSubjectOf),
  approve: (id, by) => sends.approve(id, by),
  reject: (id, by) => sends.reject(id, by)
})
