import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Catalogue, describeProgram } from '../../../cli/framework/catalogue.ts'
import { resolveLine } from '../../../cli/framework/resolve.ts'
import { alertNotice } from '../../../plugins/notify/alerts.ts'
import { actionsFor } from '../../../plugins/notify/notices.ts'
import { bootPlugins, loadConfigured } from '../../helpers/kernel.ts'

const catalogue: Catalogue = await describeProgram(bootPlugins(await loadConfigured()).commands)
const options = { name: 'galley', version: '0', colour: false }
const subject_id = 'c45b1b5e-6d3a-4a6c-a5a0-2a3d5b7f9d10'

const told: [gate_name: string, subject_type: string, approve: string, reject: string][] = [
  ['topic_decision', 'task', 'topics approve', 'topics reject'],
  ['awaiting_approval', 'task', 'tasks approve', 'tasks reject --feedback'],
  ['awaiting_approval', 'post', 'gates approve --gate', 'gates reject --gate --reason'],
  ['final_publish_approval', 'post', 'schedule approve', 'schedule reject'],
  ['proofreading', 'proof', 'gates approve --gate', 'gates reject --gate']
]
for (const [gate_name, subject_type, ...expected] of told) {
  test(`the command lines told for a ${subject_type} at ${gate_name} are right ones`, async () => {
    for (const [index, { cli }] of actionsFor({ gate_name, subject_type, subject_id }).entries()) {
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

const alert = (status: string, labels: Record<string, string>, summary?: string) => ({
  ...{ status, labels },
  annotations: summary === undefined ? {} : { summary }
})

test('the alerts of a group are named by their own labels', () => {
  const disk = { severity: 'page', job: 'node' }
  const { title, lines } = alertNotice({
    title: 'DiskFull, HighLoad',
    payload: {
      status: 'firing',
      commonLabels: disk,
      alerts: [
        alert('firing', { alertname: 'DiskFull', instance: 'db1', ...disk }, 'Disk at 97 %'),
        alert('resolved', { alertname: 'HighLoad', instance: 'web2', ...disk })
      ]
    }
  })
  assert.equal(title, 'Alert (firing, page, 2 alerts): DiskFull, HighLoad')
  assert.deepEqual(lines, ['• firing DiskFull instance=db1: Disk at 97 %', '• resolved HighLoad instance=web2'])
})

test('an alert alone shows its labels, and rubbish is no fault', () => {
  const one = alert('firing', { alertname: 'DiskFull', severity: 'page', instance: 'db1' })
  const { lines } = alertNotice({
    title: 'DiskFull',
    payload: { commonAnnotations: { summary: 'Full' }, alerts: [one] }
  })
  assert.deepEqual(lines, ['Full', 'instance=db1'])
  for (const alerts of [null, 'x', [null, 5], [{ labels: 'x' }, { labels: { alertname: 7, a: null } }]])
    assert.ok(alertNotice({ title: 'x', payload: { alerts } }).title.startsWith('Alert'), JSON.stringify(alerts))
  const many = Array.from({ length: 40 }, (_, index) => alert('firing', { alertname: `Alert${index}` }))
  assert.match(alertNotice({ title: 'x', payload: { alerts: many } }).lines.at(-1) ?? '', /30 more/)
})
