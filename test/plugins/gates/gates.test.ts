import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { type Static, Type } from 'typebox'
import { ConflictError } from '#core'
import { type DecisionBy, GateDecided, GateHeld, GatesService, type HeldItem } from '#plugins/gates'
import {
  CONTRACT,
  service as coreService,
  definePlugin,
  on,
  type Plugin,
  setting
} from '../../../core/contract/plugin.ts'
import { listHistory, type RecordedDecision } from '../../../plugins/gates/repository.ts'
import { runCommand } from '../../helpers/run-command.ts'
import { startService, type TestService } from '../../helpers/service.ts'
import { until } from '../../helpers/until.ts'

const OnOff = Type.Union([Type.Literal('on'), Type.Literal('off')])
/** What the proofreader has to read: its own id to its title. */
const waiting = new Map<string, string>()
/** The ids it was asked for. */
const ranges: unknown[] = []
/** What its gate throws. */
let fault: Error | undefined
/** What its gate lists instead of what waits. */
let listed: unknown
const published: string[] = []
const events: { type: string; payload: { gate_name: string; subject_id: string } }[] = []
const ofGate = (type: string) => events.filter(each => each.type === type && each.payload.gate_name === 'proofreading')

const subjectOf = ([subject_id, title]: [string, string]) => ({
  ...{ subject_type: 'proof', subject_id, task_id: null, post_id: null },
  ...{ title, content_hash: null, slot: null }
})

interface Proofs {
  /** Publishes a text, or holds it while the gate is on. */
  submit(subject_id: string, title: string): Promise<'held' | 'published'>
}
const ProofsService = coreService<Proofs>('proofreading')

/** A plugin of a third party: it holds what is submitted behind a gate of its own, and subscribes to what gates tell. */
const proofreading = definePlugin({
  name: 'proofreading',
  contract: CONTRACT,
  describe: 'Holds what has not been proofread',
  needs: { gates: GatesService },
  provides: { proofs: ProofsService },
  settings: { pipeline_gate_proofreading: setting(OnOff, { default: 'off', describe: 'Hold for a proofreader.' }) },
  setup({ needs: { gates }, settings, db }) {
    const gate_name = 'proofreading'
    const decide = async (subject_id: string, decision: 'approved' | 'rejected', by: DecisionBy) => {
      if (!waiting.has(subject_id)) throw new ConflictError(`The proof ${subject_id} does not wait.`)
      await db.transaction(tx => gates.record(tx, { gate_name, subject_type: 'proof', subject_id, decision, ...by }))
      waiting.delete(subject_id)
      if (decision === 'approved') published.push(subject_id)
      return { subject_id, decision }
    }
    gates.registerGate({
      gate_name,
      describe: 'Waits for a proofreader',
      wired_into: 'proofreading',
      setting_key: 'pipeline_gate_proofreading',
      isOn: () => (settings.get('pipeline_gate_proofreading') as Static<typeof OnOff>) === 'on',
      countPending: async () => {
        if (fault !== undefined) throw fault
        return waiting.size
      },
      listPending: async (_, limit, ids) => {
        ranges.push(ids)
        if (fault !== undefined) throw fault
        if (listed !== undefined) return listed as never
        return [...waiting].slice(0, limit).map(subjectOf)
      },
      approve: (id, by) => decide(id, 'approved', by),
      reject: (id, by) => decide(id, 'rejected', by)
    })
    const proofs: Proofs = {
      submit: async (subject_id, title) => {
        if (!gates.isOn(gate_name)) {
          published.push(subject_id)
          return 'published'
        }
        const by = { actor: 'typesetter', reason: null }
        await db.transaction(tx => gates.hold(tx, gate_name, subjectOf([subject_id, title]), by))
        waiting.set(subject_id, title)
        return 'held'
      }
    }
    const record = (type: string) => async (payload: { gate_name: string; subject_id: string }) => {
      events.push({ type, payload })
    }
    const subscriptions = [on(GateHeld, record('held')), on(GateDecided, record('decided'))]
    return { services: { proofs }, subscriptions }
  }
}) as Plugin

let service: TestService
before(async () => {
  service = await startService({ plugins: [proofreading] })
})
after(() => service.close())
const gates = (...argv: string[]) => runCommand(service.kernel, 'gates', ...argv)
const rows = async () => JSON.parse((await gates('list', '--json')).out)
const proofreadingRow = async () =>
  (await rows()).items.find((row: { gate_name: string }) => row.gate_name === 'proofreading')

/** Everything that happened to one subject, oldest first. */
const decisionsOn = async (id: string) => {
  const page = { limit: 100, offset: 0, after: null }
  return (await listHistory(service.db, { gate_name: null, ids: [id] }, page)).reverse()
}

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
    pending_count: 0
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

test('the default gate counts, lists and decides the posts that wait for a sign-off', async () => {
  const file = path.join(service.home, 'post.md')
  writeFileSync(file, '# What waits for a human\n\nText.')
  const create = ['posts', 'create', '--from-file', file, '--status', 'awaiting_approval', '--json', '--force']
  const one = await runCommand(service.kernel, ...create)
  const two = await runCommand(service.kernel, ...create)
  const first = JSON.parse(one.out).post_id
  const second = JSON.parse(two.out).post_id
  assert.equal((await rows()).items[0].pending_count, 2)
  const { items } = JSON.parse((await gates('pending', '--gate', 'awaiting_approval', '--json')).out)
  assert.deepEqual(
    items.map((item: HeldItem) => [item.subject_type, item.subject_id, item.title, item.actor, item.reason]),
    [
      ['post', first, 'What waits for a human', 'operator', null],
      ['post', second, 'What waits for a human', 'operator', null]
    ]
  )
  const gate = ['--gate', 'awaiting_approval', '--json']
  const { status, title } = JSON.parse((await gates('approve', first.slice(0, 8), ...gate)).out)
  assert.deepEqual([status, title], ['published', 'What waits for a human'])
  for (const silent of [[], ['--reason', '  ']]) {
    const { status, err } = await gates('reject', second, ...gate, ...silent)
    assert.deepEqual([status, Object.keys(JSON.parse(err).errors)], [2, ['reason']])
  }
  assert.equal(JSON.parse((await gates('reject', second, ...gate, '--reason', 'thin')).out).status, 'draft')
  const again = await gates('approve', second, ...gate)
  assert.deepEqual([again.status, JSON.parse(again.err).error_code], [1, 'CONFLICT'])
  assert.equal((await rows()).items[0].pending_count, 0)
  const decided = JSON.parse((await gates('history', '--gate', 'awaiting_approval', '--json')).out)
  assert.deepEqual(
    decided.items.map((row: RecordedDecision) => [row.subject_id, row.decision, row.reason]),
    [
      [second, 'rejected', 'thin'],
      [first, 'approved', null],
      [second, 'held', null],
      [first, 'held', null]
    ]
  )
})

test('a gate is switched on and off, by its command or its setting alike', async () => {
  const on = await gates('set', 'proofreading', 'on')
  assert.deepEqual([on.status, on.out], [0, 'The gate proofreading is on; 0 waiting.'])
  assert.equal((await proofreadingRow()).enabled, true)
  assert.equal(service.kernel.service(GatesService)?.isOn('proofreading'), true)
  assert.equal(service.kernel.settings.find('pipeline_gate_proofreading').value, 'on')
  await service.bearer('PUT', '/api/settings/pipeline_gate_proofreading', { value: 'off' })
  assert.equal((await proofreadingRow()).enabled, false)
})

test('a gate is switched whose setting is disabled', async () => {
  const settings = service.kernel.settings
  await settings.setActive('pipeline_gate_proofreading', false)
  const on = await gates('set', 'proofreading', 'on')
  assert.deepEqual([on.status, on.out], [0, 'The gate proofreading is on; 0 waiting.'])
  assert.equal(settings.find('pipeline_gate_proofreading').is_active, true)
  await settings.setActive('pipeline_gate_proofreading', false)
  const answer = await service.bearer('PUT', '/api/gates/proofreading', { enabled: true })
  assert.deepEqual([answer.status, answer.body.enabled], [200, true])
  await gates('set', 'proofreading', 'off')
})

test('with its gate off a plugin holds nothing; with it on what it holds waits, is listed, told of once, and decided', async () => {
  const proofs = service.kernel.service(ProofsService)
  const free = randomUUID()
  const accepted = randomUUID()
  const thrown = randomUUID()
  assert.equal(await proofs?.submit(free, 'Free'), 'published')
  await gates('set', 'proofreading', 'on')
  assert.equal(await proofs?.submit(accepted, 'To be kept'), 'held')
  assert.equal(await proofs?.submit(thrown, 'To be thrown away'), 'held')
  assert.deepEqual(published, [free])
  assert.equal((await proofreadingRow()).pending_count, 2)
  const shown = JSON.parse((await gates('show-pending', accepted.slice(0, 8), '--json')).out)
  const { held_at, ...item } = shown
  assert.match(held_at, /^\d{4}-\d\d-\d\dT[\d:.]{12}Z$/)
  const held = { gate_name: 'proofreading', ...subjectOf([accepted, 'To be kept']), actor: 'typesetter', reason: null }
  assert.deepEqual(item, held)
  await until(() => ofGate('held').length === 2, 'both are told of')
  const noticesOf = ofGate('held').find(each => each.payload.subject_id === accepted)?.payload
  assert.deepEqual(noticesOf, { ...held, waits_again: false })

  assert.equal(
    (await gates('approve', accepted.slice(0, 8), '--gate', 'proofreading', '--reason', 'reads well')).status,
    0
  )
  assert.equal((await gates('reject', thrown, '--gate', 'proofreading')).status, 0)
  assert.deepEqual([published, waiting.size], [[free, accepted], 0])
  const again = await gates('approve', accepted, '--gate', 'proofreading')
  assert.deepEqual([again.status, again.err.includes('does not wait')], [1, true])
  await until(() => ofGate('decided').length === 2, 'both decisions are told of')
  const rowsOf = async (id: string) =>
    (await decisionsOn(id)).map(({ decision, actor, reason }) => [decision, actor, reason])
  assert.deepEqual(await rowsOf(free), [])
  assert.deepEqual(await rowsOf(accepted), [
    ['held', 'typesetter', null],
    ['approved', 'operator', 'reads well']
  ])
  assert.deepEqual((await rowsOf(thrown)).at(-1), ['rejected', 'operator', null])
  await gates('set', 'proofreading', 'off')
})

test('what waits is counted, also where more waits than is listed', async () => {
  for (let n = 0; n < 120; n++) waiting.set(randomUUID(), `Proof ${n}`)
  const { items, ...page } = JSON.parse((await gates('pending', '--gate', 'proofreading', '--json')).out)
  assert.deepEqual([items.length, page], [100, { total: 120, limit: 100, offset: 0 }])
  assert.match((await gates('pending')).out, /\n100 of 120$/)
  const off = await gates('set', 'proofreading', 'off')
  assert.equal(off.out, 'The gate proofreading is off; 120 waiting: they stay held until approved or rejected.')
  waiting.clear()
})

test('a prefix of several held ids decides none of them', async () => {
  const ids = ['a', 'b'].map(end => `0badbeef-0000-4000-8000-${end.repeat(12)}`)
  for (const id of ids) waiting.set(id, 'Proof')
  const { status, err } = await gates('approve', '0badbeef', '--gate', 'proofreading', '--json')
  assert.deepEqual([status, JSON.parse(err).error_code], [2, 'AMBIGUOUS_ID'])
  for (const id of ids) assert.ok(err.includes(id), err)
  assert.equal(waiting.size, 2)
  assert.deepEqual(ranges.at(-1), ['0badbeef-0000-0000-0000-000000000000', '0badbeef-ffff-ffff-ffff-ffffffffffff'])
  waiting.clear()
})

test('a gate that throws is named, whichever command asks them all', async t => {
  t.after(() => {
    fault = undefined
  })
  fault = new Error('the proofreader is ill')
  for (const argv of [['list'], ['pending']]) {
    const { status, err } = await gates(...argv)
    assert.equal(status, 1)
    assert.match(err, /^error: The gate proofreading cannot list what waits: the proofreader is ill/)
  }
})

test('a gate that lists anything else than subjects is named', async t => {
  t.after(() => {
    listed = undefined
  })
  for (const [given, fault] of [
    [null, 'listPending returns no list'],
    [[{ subject_id: 7 }], 'the subject_id of {"subject_id":7} is no UUID']
  ] as const) {
    listed = given
    const { status, err } = await gates('pending')
    assert.equal(status, 1)
    assert.ok(err.startsWith(`error: The gate proofreading cannot list what waits: ${fault}`), err)
  }
})

test('a hold or a decision whose transaction fails leaves no history and tells nobody', async () => {
  const subject_id = randomUUID()
  const next_id = randomUUID()
  const registry = service.kernel.service(GatesService)
  const row = { gate_name: 'proofreading', subject_type: 'proof', subject_id, actor: 'typesetter', reason: null }
  const failing = service.db.transaction(async tx => {
    await registry?.hold(tx, 'proofreading', subjectOf([subject_id, 'Nothing']), row)
    await registry?.record(tx, { ...row, decision: 'approved' })
    throw new Error('rolled back')
  })
  await assert.rejects(failing, /rolled back/)
  assert.deepEqual(await decisionsOn(subject_id), [])
  await service.db.transaction(async tx => registry?.record(tx, { ...row, subject_id: next_id, decision: 'cleared' }))
  const hasNoticeOf = (id: string) => events.some(({ payload }) => payload.subject_id === id)
  await until(() => hasNoticeOf(next_id), 'the next is told of')
  assert.equal(hasNoticeOf(subject_id), false)
})

const refusals: [title: string, argv: string[], status: number, message: RegExp][] = [
  ['an unknown gate to switch', ['set', 'nobodys', 'on'], 1, /no gate "nobodys".*There is .*proofreading/],
  ['an unknown gate to pass', ['approve', randomUUID(), '--gate', 'nobodys'], 1, /no gate "nobodys"/],
  ['the default gate to switch', ['set', 'awaiting_approval', 'off'], 1, /awaiting_approval is always on/],
  ['another state', ['set', 'proofreading', 'open'], 2, /must be one of on, off/],
  ['no state', ['set', 'proofreading'], 2, /state/],
  ['no gate', ['approve', randomUUID()], 2, /--gate/],
  ['no gate to turn down at', ['reject', randomUUID()], 2, /--gate/],
  ['what does not wait', ['show-pending', randomUUID()], 1, /Nothing waits at any gate/],
  ['what is no id', ['show-pending', 'it'], 2, /^error: <task_id> is not an id.*\(given: "it"\)$/],
  ['the history of an unknown gate', ['history', '--gate', 'nobodys'], 1, /no gate "nobodys"/],
  ['what waits at an unknown gate', ['pending', '--gate', 'nobodys'], 1, /no gate "nobodys"/],
  ['a draft that does not exist', ['approve', randomUUID(), '--gate', 'awaiting_approval'], 1, /no post/]
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

test('the history is of one thing: an id that stands for several, or for none, is refused', async () => {
  const ids = ['a', 'b'].map(end => `0badcafe-0000-4000-8000-${end.repeat(12)}`)
  for (const id of ids)
    await service.db.query(
      `insert into tasks (task_id, topic, target_length, style, tone, status, stage) values ($1, 't', 500, 's', 't', 'failed', 'draft')`,
      [id]
    )
  const several = await gates('history', '0badcafe')
  assert.equal(several.status, 2)
  for (const id of ids) assert.ok(several.err.includes(id), several.err)
  assert.equal((await gates('history', '0badcafe-0000-4000-8000-a')).status, 0)
  for (const nobodys of ['fffffff0', randomUUID()]) {
    const { status, err } = await gates('history', nobodys, '--json')
    assert.deepEqual([status, JSON.parse(err).error_code], [1, 'NOT_FOUND'])
  }
})

test('a gate is defined once', () => {
  const gate = {
    describe: '',
    wired_into: '',
    isOn: () => true,
    countPending: async () => 0,
    listPending: async () => [],
    approve: async () => ({}),
    reject: async () => ({})
  }
  const definition = { ...gate, gate_name: 'proofreading', setting_key: 'pipeline_gate_proofreading' as const }
  assert.throws(() => service.kernel.service(GatesService)?.registerGate(definition), /proofreading is defined twice/)
})
