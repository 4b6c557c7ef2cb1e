import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Catalogue, describeProgram } from '../../../../cli/framework/catalogue.ts'
import { resolveLine } from '../../../../cli/framework/resolve.ts'
import { actionsFor } from '../../../../plugins/gates/chat/notices.ts'
import type { GateLabels } from '../../../../plugins/gates/index.ts'
import { publishLabels } from '../../../../plugins/schedule/publish-gate.ts'
import { draftLabels, topicLabels } from '../../../../plugins/tasks/labels.ts'
import { bootPlugins, loadConfigured } from '../../../helpers/kernel.ts'

const catalogue: Catalogue = await describeProgram(bootPlugins(await loadConfigured()).commands)
const options = { name: 'galley', version: '0', hasColour: false }
const subject_id = 'c45b1b5e-6d3a-4a6c-a5a0-2a3d5b7f9d10'

const labels: Record<string, GateLabels> = {
  topic_decision: topicLabels,
  awaiting_approval: draftLabels,
  final_publish_approval: publishLabels
}
const notices: [gate_name: string, subject_type: string, approve: string, reject: string][] = [
  ['topic_decision', 'task', 'topics approve', 'topics reject'],
  ['awaiting_approval', 'task', 'gates approve --gate', 'tasks reject --feedback'],
  ['awaiting_approval', 'post', 'gates approve --gate', 'gates reject --gate --reason'],
  ['final_publish_approval', 'post', 'schedule approve', 'schedule reject'],
  ['proofreading', 'proof', 'gates approve --gate', 'gates reject --gate']
]
for (const [gate_name, subject_type, ...expected] of notices) {
  test(`the command lines told for a ${subject_type} at ${gate_name} are right ones`, async () => {
    const actions = actionsFor({ subject: { gate_name, subject_type, subject_id }, labels: labels[gate_name] })
    for (const [index, { cli }] of actions.entries()) {
      const [, ...words] = cli.match(/"[^"]*"|\S+/g) ?? []
      const request = await resolveLine(
        catalogue,
        words.map(word => word.replaceAll('"', '')),
        options
      )
      assert.equal(request.kind, 'run', cli)
      const shape = words.filter(word => /^[a-z]+$|^--/.test(word) && word !== gate_name)
      assert.equal(shape.join(' '), expected[index], cli)
    }
  })
}
