import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { type Static, Type } from 'typebox'
import { GatesService } from '#plugins/gates'
import { CONTRACT, definePlugin, type Plugin, setting } from '../../../core/plugin.ts'
import { listDecisions } from '../../../plugins/gates/repository.ts'
import { runCommand } from '../../helpers/run-command.ts'
import { startService } from '../../helpers/service.ts'

const OnOff = Type.Union([Type.Literal('on'), Type.Literal('off')])
const held = new Map<string, { actor: string; reason: string | null }>()

/** A plugin that brings a gate of its own, as any may. */
const proofreading = definePlugin({
  name: 'proofreading',
  contract: CONTRACT,
  describe: 'Holds what has not been proofread',
  needs: { gates: GatesService },
  settings: { pipeline_gate_proofreading: setting(OnOff, { default: 'off', describe: 'Hold for a proofreader.' }) },
  setup({ needs, settings, db }) {
    needs.gates.define({
      gate_name: 'proofreading',
      describe: 'Waits for a proofreader',
      wired_into: 'proofreading',
      setting_key: 'pipeline_gate_proofreading',
      isOn: () => (settings.get('pipeline_gate_proofreading') as Static<typeof OnOff>) === 'on',
      countPending: async () => 2,
      approve: async (task_id, decision) => {
        held.set(task_id, decision)
        const row = {
          gate_name: 'proofreading',
          subject_type: 'task',
          subject_id: task_id,
          decision: 'approved'
        } as const
        await db.transaction(tx => needs.gates.record(tx, { ...row, ...decision }))
        return { task_id }
      }
    })
    return { services: {} }
  }
}) as Plugin

const service = await startService({ worker: false, plugins: [proofreading] })
after(() => service.close())
const gates = (...argv: string[]) => runCommand(service.kernel, 'gates', ...argv)
const rows = async () => JSON.parse((await gates('list', '--json')).out)
const proofreadingRow = async () =>
  (await rows()).items.find((row: { gate_name: string }) => row.gate_name === 'proofreading')

test('the list shows the default publish gate first, then the configurable gates by name, in full', async () => {
  const { items, total } = await rows()
  assert.equal(total, items.length)
  assert.deepEqual(items[0], {
    gate_name: 'awaiting_approval',
    mechanism: 'default',
    enabled: true,
    pending_count: 0,
    auto_publish_threshold: 0,
    require_human_approval: true
  })
  assert.deepEqual(await proofreadingRow(), {
    gate_name: 'proofreading',
    enabled: false,
    mechanism: 'configurable',
    wired_into: 'proofreading',
    setting_key: 'pipeline_gate_proofreading',
    pending_count: 2
  })
  const names = items.slice(1).map((row: { gate_name: string }) => row.gate_name)
  assert.deepEqual(names, [...names].sort())
  assert.ok(names.includes('final_publish_approval'))
})

test('the default gate shows the posture of the moment', async () => {
  await service.kernel.settings.set('require_human_approval', 'false')
  await service.kernel.settings.set('auto_publish_threshold', '90')
  const [row] = (await rows()).items
  assert.deepEqual([row.require_human_approval, row.auto_publish_threshold], [false, 90])
  assert.match((await gates('list')).out, /^GATE +STATE +WAITING +WIRED INTO\nawaiting_approval +auto-publish at 90 +0/)
})

test('the default gate counts the tasks that wait for a sign-off', async () => {
  await service.bearer('POST', '/api/tasks', { topic: 'What waits for a human' })
  await service.db.query("update tasks set status = 'awaiting_approval'")
  assert.equal((await rows()).items[0].pending_count, 1)
})

test('a gate is switched on and off, by its command or its setting alike', async () => {
  const on = await gates('set', 'proofreading', 'on')
  assert.deepEqual([on.status, on.out], [0, 'The gate proofreading is on; 2 waiting.'])
  assert.equal((await proofreadingRow()).enabled, true)
  assert.equal(service.kernel.service(GatesService)?.isOn('proofreading'), true)
  assert.equal(service.kernel.settings.find('pipeline_gate_proofreading').value, 'on')
  await service.bearer('PUT', '/api/settings/pipeline_gate_proofreading', { value: 'off' })
  assert.equal((await proofreadingRow()).enabled, false)
})

test('passing a gate reaches the plugin that holds, and is written to the history with who and why', async () => {
  const task_id = randomUUID()
  const { status } = await gates('approve', task_id, '--gate', 'proofreading', '--reason', 'reads well')
  assert.equal(status, 0)
  assert.deepEqual(held.get(task_id), { actor: 'operator', reason: 'reads well' })
  const [{ at, ...decision } = { at: '' }, ...others] = await listDecisions(service.db, 'task', task_id)
  assert.deepEqual(others, [])
  assert.match(at, /^\d{4}-\d\d-\d\dT[\d:.]{12}Z$/)
  assert.deepEqual(decision, {
    gate_name: 'proofreading',
    subject_type: 'task',
    subject_id: task_id,
    decision: 'approved',
    actor: 'operator',
    reason: 'reads well'
  })
})

test('a decision whose transaction fails leaves no history', async () => {
  const subject_id = randomUUID()
  const failing = service.db.transaction(async tx => {
    const row = { gate_name: 'proofreading', subject_type: 'post', decision: 'held', actor: 'pipeline' } as const
    await service.kernel.service(GatesService)?.record(tx, { ...row, subject_id, reason: null })
    throw new Error('rolled back')
  })
  await assert.rejects(failing, /rolled back/)
  assert.deepEqual(await listDecisions(service.db, 'post', subject_id), [])
})

const refusals: [title: string, argv: string[], status: number, message: RegExp][] = [
  ['an unknown gate to switch', ['set', 'nobodys', 'on'], 1, /no gate "nobodys".*There is .*proofreading/],
  ['an unknown gate to pass', ['approve', randomUUID(), '--gate', 'nobodys'], 1, /no gate "nobodys"/],
  ['the default gate to switch', ['set', 'awaiting_approval', 'off'], 1, /awaiting_approval is always on/],
  ['another state', ['set', 'proofreading', 'open'], 2, /must be one of on, off/],
  ['no state', ['set', 'proofreading'], 2, /state/],
  ['no gate', ['approve', randomUUID()], 2, /--gate/]
]
for (const [title, argv, expected, message] of refusals) {
  test(`refused, and nothing changes: ${title}`, async () => {
    const before = await proofreadingRow()
    const { status, out, err } = await gates(...argv)
    assert.deepEqual([status, out], [expected, ''])
    assert.match(err, message)
    assert.deepEqual(await proofreadingRow(), before)
  })
}

test('a gate is defined once', () => {
  const gate = {
    describe: '',
    wired_into: '',
    isOn: () => true,
    countPending: async () => 0,
    approve: async () => ({})
  }
  const definition = { ...gate, gate_name: 'proofreading', setting_key: 'pipeline_gate_proofreading' as const }
  assert.throws(() => service.kernel.service(GatesService)?.define(definition), /proofreading is defined twice/)
})
