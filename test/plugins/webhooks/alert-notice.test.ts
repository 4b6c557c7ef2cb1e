import assert from 'node:assert/strict'
import { test } from 'node:test'
import { alertNotice } from '../../../plugins/webhooks/alerts/notice.ts'

const alert = (status: string, labels: Record<string, string>, summary?: string) => ({
  status,
  labels,
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
  const own = alert('firing', { alertname: 'DiskFull' }, 'Disk at 97 %')
  assert.deepEqual(alertNotice({ title: 'DiskFull', payload: { alerts: [own] } }).lines, ['Disk at 97 %'])
  for (const alerts of [null, 'x', [null, 5], [{ labels: 'x' }, { labels: { alertname: 7, a: null } }]])
    assert.ok(alertNotice({ title: 'x', payload: { alerts } }).title.startsWith('Alert'), JSON.stringify(alerts))
  const many = Array.from({ length: 40 }, (_, index) => alert('firing', { alertname: `Alert${index}` }))
  assert.match(alertNotice({ title: 'x', payload: { alerts: many } }).lines.at(-1) ?? '', /30 more/)
})
