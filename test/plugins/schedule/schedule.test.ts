import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { ScheduleItem } from '../../../plugins/schedule/results.ts'
import { runCommand } from '../../helpers/run-command.ts'
import { startService, type TestService } from '../../helpers/service.ts'

let service: TestService
before(async () => {
  service = await startService({ worker: false })
})
beforeEach(async () => {
  await service.db.script(`truncate posts, gate_history, audit_log cascade;
    delete from app_settings where key in ('publish_quiet_hours', 'operator_timezone')`)
  await service.kernel.settings.load()
})
after(() => service.close())

const run = (...argv: string[]) => runCommand(service.kernel, 'schedule', ...argv)

/** Runs with `--json`; the answer, or the failure's body. */
async function json(...argv: string[]) {
  const { status, out, err } = await run(...argv, '--json')
  // biome-ignore lint/suspicious/noExplicitAny: tests assert the shape of what they read
  const body: any = JSON.parse(out === '' ? err : out)
  return { status, body }
}

let made = 0
async function make(status = 'approved', { title = `Post ${made}`, slot = 'null', approved = 'null', gate = '' } = {}) {
  made += 1
  const [row] = await service.db.query<{ post_id: string }>(
    `insert into posts (slug, title, content, content_html, status, published_at, approved_at, awaiting_gate, created_at)
     values ($1, $2, 'c', 'c', $3, ${slot}, ${approved}, nullif($4, ''), now() + $5 * interval '1 minute') returning post_id`,
    [`post-${made}`, title, status, gate, made]
  )
  const approve = 'update posts set approved_hash = content_hash where post_id = $1 and approved_at is not null'
  await service.db.query(approve, [row?.post_id ?? ''])
  return row?.post_id ?? ''
}
const makeMany = (count: number, status?: string) => Promise.all(Array.from({ length: count }, () => make(status)))
const nextHour = { slot: "date_trunc('second', now()) + interval '1 hour'", approved: 'now()' }
const hourAgo = { slot: "date_trunc('second', now()) - interval '1 hour'", approved: 'now()' }
const held = { ...hourAgo, gate: 'final_publish_approval' }

async function rowOf(post_id: string) {
  const [row] = await service.db.query<{ status: string; published_at: string | null; approved: boolean }>(
    'select status, published_at, approved_at is not null as approved from posts where post_id = $1',
    [post_id]
  )
  return row
}
async function historyOf(post_id: string) {
  return service.db.query<{ action: string; to_status: string; actor: string; detail: Record<string, unknown> }>(
    'select action, to_status, actor, detail from post_history where post_id = $1 order by id',
    [post_id]
  )
}
const wakes = async () => {
  const rows = await service.db.query<{ at: string }>(
    "select start_after as at from jobs.job where name = 'schedule.publish_due' and state = 'created' and singleton_key ~ '^20'"
  )
  return rows.map(({ at }) => new Date(at).toISOString())
}
const msUntil = (at: string) => Date.parse(at) - Date.now()

test('at gives an approved or a waiting post its slot, by a prefix of its id, once', async () => {
  for (const status of ['approved', 'awaiting_approval']) {
    const post_id = await make(status, { title: 'A title' })
    const first = await json('at', post_id.slice(0, 8), '2030-01-02 09:00')
    assert.equal(first.status, 0)
    const item = { post_id, slug: `post-${made}`, title: 'A title', published_at: '2030-01-02T09:00:00.000Z' }
    assert.deepEqual(
      { ...first.body, detail: '' },
      { ok: true, detail: '', items: [{ ...item, status: 'scheduled' }], count: 1 }
    )
    assert.deepEqual(await rowOf(post_id), { status: 'scheduled', published_at: item.published_at, approved: true })
    assert.ok((await wakes()).includes(item.published_at))
    const again = await json('at', post_id, '2030-01-03 09:00')
    assert.deepEqual([again.status, again.body.error_code], [1, 'CONFLICT'])
    assert.equal((await rowOf(post_id))?.published_at, item.published_at)
    assert.equal((await json('at', post_id, '2030-01-03 09:00', '--force')).status, 0)
    assert.deepEqual(
      (await historyOf(post_id)).map(({ action, actor, detail }) => [action, actor, detail.published_at]),
      [
        ['schedule', 'operator', '2030-01-02T09:00:00.000Z'],
        ['reschedule', 'operator', '2030-01-03T09:00:00.000Z']
      ]
    )
  }
})

test("times are read in the operator's zone, by the database's clock", async () => {
  await service.kernel.settings.set('operator_timezone', 'Asia/Kathmandu')
  const [one, two, three] = (await makeMany(3)) as [string, string, string]
  assert.equal((await json('at', one, '2030-01-02T09:00')).body.items[0].published_at, '2030-01-02T03:15:00.000Z')
  const inAnHour = (await json('at', two, '--in', '1h30m')).body.items[0].published_at
  assert.ok(Math.abs(msUntil(inAnHour) - 5_400_000) < 60_000)
  const now = (await json('at', three, 'now')).body.items[0]
  assert.deepEqual([now.status, Math.abs(msUntil(now.published_at)) < 60_000], ['scheduled', true])
})

test('what at cannot do changes nothing', async () => {
  const post_id = await make()
  const refused: [args: string[], code: string, exit: number][] = [
    [[post_id, '2020-01-01 09:00'], 'VALIDATION_ERROR', 2],
    [[post_id, 'soon'], 'VALIDATION_ERROR', 2],
    [[post_id], 'VALIDATION_ERROR', 2],
    [[post_id, 'now', '--in', '1h'], 'VALIDATION_ERROR', 2],
    [[post_id, '--in', '1.5h'], 'VALIDATION_ERROR', 2],
    [[post_id, '--in=-1h'], 'VALIDATION_ERROR', 2],
    [[post_id, '9999-12-31 09:00'], 'VALIDATION_ERROR', 2],
    [[post_id, ''], 'VALIDATION_ERROR', 2],
    [[post_id, 'now', '--soon'], 'VALIDATION_ERROR', 2],
    [['ffffffff', 'now'], 'NOT_FOUND', 1],
    [['ffffffff-ffff-4fff-8fff-ffffffffffff', 'now'], 'NOT_FOUND', 1],
    [[await make('draft'), '2030-01-01 09:00'], 'CONFLICT', 1],
    [[await make('archived'), '2030-01-01 09:00'], 'CONFLICT', 1],
    [[await make('published', hourAgo), '2030-01-01 09:00', '--force'], 'CONFLICT', 1]
  ]
  for (const [args, code, exit] of refused) {
    const { status, body } = await json('at', ...args)
    assert.deepEqual([status, body.error_code], [exit, code], args.join(' '))
  }
  assert.deepEqual(await rowOf(post_id), { status: 'approved', published_at: null, approved: false })
})

test('batch gives slots in order, moves those in quiet hours, and says when there are fewer', async () => {
  const posts = await makeMany(3)
  const { status, body } = await json(
    'batch',
    '--count',
    '5',
    '--interval',
    '2h',
    '--start',
    '2030-01-02 19:00',
    '--quiet-hours',
    '22:00-07:00',
    '--ordered-by',
    'created_at'
  )
  assert.equal(status, 0)
  assert.deepEqual([body.ok, body.count, body.dry_run], [true, 3, false])
  assert.match(body.detail, /3 of 5/)
  assert.deepEqual(
    body.items.map((item: ScheduleItem) => [item.post_id, item.published_at, item.status]),
    ['2030-01-02T19:00', '2030-01-02T21:00', '2030-01-03T07:00'].map((at, index) => [
      posts[index],
      `${at}:00.000Z`,
      'scheduled'
    ])
  )
  assert.deepEqual(
    (await historyOf(posts[2] ?? '')).map(({ action }) => action),
    ['schedule']
  )
  assert.ok((await wakes()).includes('2030-01-02T19:00:00.000Z'))
})

test('each order of a batch', async () => {
  const c = await make('approved', { title: 'c', approved: "'2026-01-03'" })
  const b = await make('awaiting_approval', { title: 'B' })
  const a = await make('approved', { title: 'a', approved: "'2026-01-01'" })
  const orders: [string, string[]][] = [
    ['approved_at', [a, c, b]],
    ['created_at', [c, b, a]],
    ['title', [a, b, c]],
    ['id', [a, b, c].sort()]
  ]
  for (const [order, expected] of orders) {
    const plan = ['batch', '--count', '9', '--interval', '1h', '--start', 'next monday 14:00', '--dry-run']
    const { body } = await json(...plan, '--ordered-by', order)
    assert.deepEqual(
      body.items.map((item: ScheduleItem) => item.post_id),
      expected,
      order
    )
  }
  assert.equal(
    (await json('batch', '--count', '1', '--interval', '1h', '--start', 'now', '--dry-run')).body.items[0].post_id,
    a
  )
  assert.equal((await json('list')).body.count, 0)
})

test('quiet hours come from the setting unless a window or none is given; a bad one is never ignored', async () => {
  await makeMany(2)
  const plan = ['batch', '--count', '1', '--interval', '1h', '--start', '2030-01-02 23:00', '--dry-run']
  const slot = async (...more: string[]) => (await json(...plan, ...more)).body.items?.[0].published_at
  await service.kernel.settings.set('publish_quiet_hours', '22:00-07:00')
  assert.equal(await slot(), '2030-01-03T07:00:00.000Z')
  assert.equal(await slot('--quiet-hours', '22:30-23:30'), '2030-01-02T23:30:00.000Z')
  assert.equal(await slot('--quiet-hours', 'none'), '2030-01-02T23:00:00.000Z')
  for (const bad of ['22:00', '25:00-07:00', '07:00-07:00', '22-7']) {
    const { status, body } = await json(...plan, '--quiet-hours', bad)
    assert.deepEqual([status, Object.keys(body.errors)], [2, ['quiet_hours']], bad)
  }
  for (const bad of ['07:00-07:00', '99:00-07:00']) {
    await assert.rejects(service.kernel.settings.set('publish_quiet_hours', bad), { code: 'VALIDATION_ERROR' }, bad)
  }
  // As an older release or a hand in the database may have left it.
  for (const stored of ['99:00-07:00', '07:00-07:00']) {
    await service.db.query("update app_settings set value = $1 where key = 'publish_quiet_hours'", [stored])
    await service.kernel.settings.load()
    const { status, body } = await json(...plan)
    assert.deepEqual([status, Object.keys(body.errors)], [1, ['publish_quiet_hours']], stored)
  }
})

test('a batch without eligible posts fails and says so; --force takes slots that are ahead, and no others', async () => {
  const ahead = await make('scheduled', nextHour)
  await make('scheduled', hourAgo)
  await make('scheduled', held)
  for (const status of ['draft', 'archived']) await make(status)
  await make('published', hourAgo)
  const plan = ['batch', '--count', '9', '--interval', '1d', '--start', '2030-01-02 09:00']
  const none = await json(...plan)
  assert.deepEqual([none.status, none.body.ok, none.body.items, none.body.count], [1, false, [], 0])
  const { status, out, err } = await run(...plan)
  assert.deepEqual([status, out], [1, ''])
  assert.match(err, /^error: No post is eligible: /)
  const forced = await json(...plan, '--force')
  assert.deepEqual(
    forced.body.items.map((item: ScheduleItem) => item.post_id),
    [ahead]
  )
  assert.deepEqual(
    (await historyOf(ahead)).map(({ action }) => action),
    ['reschedule']
  )
})

test('batch refuses what it cannot read', async () => {
  await makeMany(1)
  const plan = { count: '1', interval: '1h', start: '2030-01-02 09:00' }
  const wrong: [Partial<typeof plan> & Record<string, string>, number][] = [
    [{ count: '0' }, 2],
    [{ count: '-1' }, 2],
    [{ count: '1.5' }, 2],
    [{ count: '10001' }, 2],
    [{ interval: '0h' }, 2],
    [{ interval: 'daily' }, 2],
    [{ start: 'yesterday' }, 2],
    [{ start: '2020-01-01 09:00' }, 2],
    [{ 'ordered-by': 'slug' }, 2]
  ]
  for (const [change, exit] of wrong) {
    const flags = Object.entries({ ...plan, ...change }).map(([name, value]) => `--${name}=${value}`)
    assert.equal((await json('batch', ...flags)).status, exit, JSON.stringify(change))
  }
  assert.equal((await json('batch', '--count', '1')).status, 2)
  assert.equal((await json('list')).body.count, 0)
})

const plan = ['batch', '--count', '0', '--interval', '0m', '--start', 'foo', '--quiet-hours', '9', '--ordered-by', 'x']
const atOnce: [argv: string[], fields: string[], message: RegExp][] = [
  [
    plan,
    ['count', 'interval', 'ordered_by', 'quiet_hours', 'start'],
    /--start is not a time: give ISO 8601.*\(given: "foo"\)/
  ],
  [['batch', '--start', '2020-01-01 09:00'], ['count', 'interval', 'start'], /--count is required; --interval is req/],
  [
    ['batch', '--count', '1', '--interval', 'x', '--start', 'y'],
    ['interval', 'start'],
    /--interval must be a duration/
  ],
  [['at'], ['post_id', 'when'], /^<post_id> is required; <when> is required, or --in$/],
  [['at', 'ffffffff', 'now', '--in', 'x'], ['in'], /^--in cannot be combined with <when>/],
  [['shift', '--by', '1h'], ['post_id'], /^<post_id> is required, or --all$/],
  [['shift', '--by', '0h'], ['by', 'post_id'], /^<post_id> is required, or --all; --by must be a duration/],
  [['shift', 'ffffffff', '--all', '--by', '1h'], ['all'], /^--all cannot be combined with <post_id>/],
  [['clear'], ['post_id'], /^<post_id> is required, or --all$/],
  [['list', '--limit', '0'], ['limit'], /^--limit must be a whole number/]
]
for (const [argv, fields, message] of atOnce) {
  test(`every fault is named at once, in JSON too: schedule ${argv.join(' ')}`, async () => {
    const { status, body } = await json(...argv)
    assert.deepEqual([status, body.error_code], [2, 'VALIDATION_ERROR'])
    assert.deepEqual(Object.keys(body.errors).sort(), fields)
    assert.match(body.message, message)
    assert.equal((await run(...argv)).err.match(/^error: /gm)?.length, fields.length)
  })
}

test('list shows slots ahead in their order, with --all those reached, too', async () => {
  const later = await make('scheduled', { ...nextHour, slot: "now() + interval '2 hours'" })
  const sooner = await make('scheduled', nextHour)
  const reached = await make('scheduled', held)
  const out = await make('published', { ...hourAgo, slot: "now() - interval '2 hours'" })
  await make('approved')
  const idsOf = (body: { items: ScheduleItem[] }) => body.items.map((item: ScheduleItem) => item.post_id)
  const ahead = (await json('list')).body
  assert.deepEqual([idsOf(ahead), ahead.count, ahead.total, ahead.ok], [[sooner, later], 2, 2, true])
  assert.deepEqual(idsOf((await json('list', '--all')).body), [out, reached, sooner, later])
  const page = (await json('list', '--all', '--limit', '1', '--offset', '1')).body
  assert.deepEqual([idsOf(page), page.count, page.total], [[reached], 1, 4])
  assert.match((await run('list')).out, /^SLOT +POST +STATUS +SLUG +TITLE\n/)
})

test('shift moves what is ahead, all of it or one, and leaves one audit entry', async () => {
  const one = await make('scheduled', nextHour)
  const two = await make('scheduled', { ...nextHour, slot: "now() + interval '2 hours'" })
  const past = await make('scheduled', hourAgo)
  const before = await Promise.all([one, two, past].map(rowOf))
  const { status, body } = await json('shift', '--all', '--by', '1h30m')
  assert.deepEqual([status, body.count], [0, 2])
  const after = await Promise.all([one, two, past].map(rowOf))
  const moved = after.map(
    (row, index) => Date.parse(row?.published_at ?? '') - Date.parse(before[index]?.published_at ?? '')
  )
  assert.deepEqual(moved, [5_400_000, 5_400_000, 0])
  assert.equal((await json('shift', two, '--by=-2h')).status, 0)
  assert.equal((await json('shift', two, '--by', '-15m')).status, 0)
  const entries = await service.db.query('select event_type, actor, details from audit_log order by id')
  assert.deepEqual(entries, [
    { event_type: 'schedule.shifted', actor: 'operator', details: { by: '1h30m', count: 2, post_ids: [one, two] } },
    { event_type: 'schedule.shifted', actor: 'operator', details: { by: '-2h', count: 1, post_ids: [two] } },
    { event_type: 'schedule.shifted', actor: 'operator', details: { by: '-15m', count: 1, post_ids: [two] } }
  ])
})

test('a shift into the past moves nothing at all', async () => {
  const one = await make('scheduled', nextHour)
  const two = await make('scheduled', { ...nextHour, slot: "now() + interval '3 hours'" })
  const before = await Promise.all([one, two].map(rowOf))
  const refused: [string[], number][] = [
    [['--all', '--by=-2h'], 1],
    [[one, '--by=-1h'], 1],
    [[await make('scheduled', hourAgo), '--by', '3h'], 1],
    [[await make('scheduled', held), '--by', '3h'], 1],
    [[await make('approved'), '--by', '3h'], 1],
    [[await make('published', hourAgo), '--by', '3h'], 1],
    [[one, '--all', '--by', '1h'], 2],
    [['--by', '1h'], 2],
    [[one, '--by', '0m'], 2],
    [[one], 2]
  ]
  for (const [args, exit] of refused) assert.equal((await json('shift', ...args)).status, exit, args.join(' '))
  assert.deepEqual(await Promise.all([one, two].map(rowOf)), before)
  assert.deepEqual(await service.db.query('select id from audit_log'), [])
})

test('nothing ahead is nothing to move or to clear, and no failure', async () => {
  for (const args of [
    ['shift', '--all', '--by', '1h'],
    ['clear', '--all']
  ]) {
    const { status, body } = await json(...args)
    assert.deepEqual([status, body.ok, body.count], [0, true, 0])
  }
  assert.deepEqual(await service.db.query('select id from audit_log'), [])
})

test('clear drops slots that are ahead: approved again, eligible again', async () => {
  const one = await make('scheduled', nextHour)
  const two = await make('scheduled', nextHour)
  const past = await make('scheduled', hourAgo)
  const single = await json('clear', one)
  assert.deepEqual([single.body.items[0].status, single.body.items[0].published_at], ['approved', null])
  assert.equal((await json('clear', one)).status, 1)
  assert.equal((await json('clear', past)).status, 1)
  assert.equal((await json('clear')).status, 2)
  assert.equal((await json('clear', '--all')).body.count, 1)
  assert.deepEqual(await rowOf(two), { status: 'approved', published_at: null, approved: true })
  assert.equal((await rowOf(past))?.status, 'scheduled')
  assert.equal((await historyOf(two)).at(-1)?.action, 'clear')
  assert.equal((await json('batch', '--count', '9', '--interval', '1h', '--start', 'tomorrow 9am')).body.count, 2)
})

test('the audit log has every slot that was given or dropped', async () => {
  const [one, two] = [await make('approved'), await make('approved')]
  await json('at', one, '2030-01-02 09:00')
  const plan = ['--count', '1', '--interval', '1h', '--start', '2030-01-03 09:00']
  await json('batch', ...plan, '--dry-run')
  await json('batch', ...plan)
  await json('clear', '--all')
  const first = { post_id: one, published_at: '2030-01-02T09:00:00.000Z' }
  const second = { post_id: two, published_at: '2030-01-03T09:00:00.000Z' }
  assert.deepEqual(await service.db.query('select event_type, actor, details from audit_log order by id'), [
    { event_type: 'schedule.set', actor: 'operator', details: { count: 1, slots: [first] } },
    { event_type: 'schedule.batched', actor: 'operator', details: { count: 1, slots: [second] } },
    { event_type: 'schedule.cleared', actor: 'operator', details: { count: 2, slots: [first, second] } }
  ])
})

test('the publish gate: pending, show-pending, approve, reject', async () => {
  const one = await make('scheduled', held)
  const two = await make('scheduled', held)
  const free = await make('scheduled', nextHour)
  assert.equal((await json('pending')).body.count, 2)
  const shown = (await json('show-pending', one.slice(0, 8))).body
  assert.deepEqual([shown.items[0].post_id, shown.post.content, typeof shown.preview_url], [one, 'c', 'string'])
  for (const name of ['show-pending', 'approve', 'reject']) assert.equal((await json(name, free)).status, 1, name)
  const approved = await json('approve', one, '--reason', 'fine')
  assert.deepEqual([approved.status, approved.body.items[0].status], [0, 'published'])
  const rejected = await json('reject', two, '--reason', 'not yet')
  assert.deepEqual(
    [rejected.status, rejected.body.items[0].status, rejected.body.items[0].published_at],
    [0, 'draft', null]
  )
  assert.deepEqual((await historyOf(two)).at(-1)?.detail, { reason: 'not yet' })
  assert.equal((await json('approve', one)).status, 1)
  assert.equal((await json('reject', two)).status, 1)
  assert.deepEqual(await service.db.query('select subject_id, decision, reason from gate_history order by id'), [
    { subject_id: one, decision: 'approved', reason: 'fine' },
    { subject_id: two, decision: 'rejected', reason: 'not yet' }
  ])
  assert.equal((await json('pending')).body.count, 0)
})

test('show and explain say whether a post goes out, when, and why', async () => {
  const cases: [string, Parameters<typeof make>[1], boolean, RegExp][] = [
    ['draft', {}, false, /draft/],
    ['awaiting_approval', {}, false, /approval/],
    ['approved', {}, false, /no slot/],
    ['scheduled', nextHour, true, /goes out at its slot/],
    ['scheduled', hourAgo, true, /next tick/],
    ['scheduled', held, false, /waits at final_publish_approval/],
    ['scheduled', { slot: nextHour.slot }, false, /nobody approved/],
    ['published', hourAgo, false, /public since/],
    ['published', nextHour, true, /becomes visible/],
    ['archived', {}, false, /archived/]
  ]
  for (const [status, options, goesOut, reason] of cases) {
    const post_id = await make(status, options)
    const { body } = await json('explain', post_id)
    assert.deepEqual([body.goes_out, body.goes_out_at], [goesOut, goesOut ? body.items[0].published_at : null], status)
    assert.match(body.reason, reason)
    assert.deepEqual((await json('show', post_id)).body.items, body.items)
  }
  const turnedDown = await make('scheduled', held)
  await run('reject', turnedDown, '--reason', 'not yet')
  assert.match(
    (await json('explain', turnedDown)).body.reason,
    /draft, rejected by \S+ \(“not yet”\): "posts publish" publishes it now, "posts submit" submits it for approval/
  )
  const edited = await make('scheduled', held)
  for (const edit of [{ title: 'Another' }, { excerpt: 'A word', category: 'sea' }])
    await service.bearer('PATCH', `/api/posts/${edited}`, edit)
  assert.match(
    (await json('explain', edited)).body.reason,
    /waits at final_publish_approval, again since gly_\w+ changed excerpt, category: "schedule approve"/
  )
  await service.kernel.settings.set('pipeline_gate_final_publish_approval', 'on')
  const { body } = await json('explain', await make('scheduled', nextHour))
  assert.deepEqual([body.goes_out, /holds it/.test(body.reason)], [false, true])
  const given = await json('at', await make(), '2030-01-02 09:00')
  assert.match(given.body.detail, /has the slot 2030-01-02 09:00Z: final_publish_approval, which is on, holds it then/)
  await service.kernel.settings.set('pipeline_gate_final_publish_approval', 'off')
})

test('a draft made by hand is submitted with posts submit, and takes a slot then', async () => {
  const post_id = await make('draft')
  const posts = (...argv: string[]) => runCommand(service.kernel, 'posts', ...argv, '--json')
  assert.equal((await json('at', post_id, '2030-01-02 09:00')).status, 1)
  for (const _ of ['once', 'twice']) {
    const { status, out } = await posts('submit', post_id.slice(0, 8))
    assert.deepEqual([status, JSON.parse(out).status], [0, 'awaiting_approval'])
  }
  const { out } = await runCommand(service.kernel, 'gates', 'history', post_id, '--json')
  assert.deepEqual(
    JSON.parse(out).items.map((row: { decision: string; actor: string }) => [row.decision, row.actor]),
    [['held', 'operator']]
  )
  assert.equal((await json('at', post_id, '2030-01-02 09:00')).status, 0)
  for (const status of ['approved', 'scheduled', 'published', 'archived'])
    assert.equal((await posts('submit', await make(status, nextHour))).status, 1, status)
  const drafted = await make('draft')
  await service.db.query('update posts set task_id = gen_random_uuid() where post_id = $1', [drafted])
  const refused = await posts('submit', drafted)
  assert.deepEqual([refused.status, /written by task/.test(refused.err)], [1, true])
  assert.match((await json('explain', drafted)).body.reason, /"posts publish" .* anyway, and its task \w{8} says/)
})

test('REST: a slot for one post, and a batch', async () => {
  const [one, two] = (await makeMany(2)) as [string, string]
  const single = await service.bearer('POST', '/api/schedule', { post_id: one.slice(0, 8), when: '2030-01-02 09:00' })
  assert.deepEqual([single.status, single.body.items[0].published_at], [200, '2030-01-02T09:00:00.000Z'])
  const plan = { count: 5, interval: '1h', start: '2030-01-03T09:00:00Z' }
  const planned = await service.bearer('POST', '/api/schedule', { ...plan, dry_run: true })
  assert.deepEqual([planned.body.dry_run, planned.body.items[0].status], [true, 'approved'])
  const given = await service.bearer('POST', '/api/schedule', plan)
  assert.deepEqual([given.status, given.body.ok, given.body.items[0].post_id, given.body.count], [200, true, two, 1])
  assert.equal((await service.bearer('POST', '/api/schedule', plan)).status, 409)
  assert.equal((await historyOf(two)).at(-1)?.actor.slice(0, 4), 'gly_')
  const again = await service.bearer('POST', '/api/schedule', {
    post_id: one,
    publish_at: '2030-01-04T09:00Z',
    force: true
  })
  assert.equal(again.status, 200)
})

test('REST: what is wrong is named, and needs a token', async () => {
  const post_id = await make()
  const wrong: [object, string[]][] = [
    [{}, ['post_id']],
    [{ post_id }, ['when']],
    [{ post_id, when: 'now', in: '1h' }, ['when']],
    [{ post_id: 7, when: 'someday', in: 'x' }, ['in', 'post_id', 'when']],
    [{ post_id, when: 'now', publish_at: 'now' }, ['publish_at']],
    [{ post_id, when: 'now', count: 1 }, ['count']],
    [{ post_id, when: '2020-01-01T00:00Z' }, ['when']],
    [{ post_id, publish_at: new Date(Date.now() - 3_600_000).toISOString() }, ['publish_at']],
    [{ post_id, publish_at: 'now', in: '1h' }, ['publish_at']],
    [{ post_id, in: 'soon' }, ['in']],
    [{ count: 1 }, ['interval', 'start']],
    [{ count: 0, interval: '1h', start: 'now' }, ['count']],
    [{ count: 0, interval: '0m', start: 'foo', ordered_by: 'x' }, ['count', 'interval', 'ordered_by', 'start']],
    [{ count: 1.5, interval: 5, quiet_hours: '9' }, ['count', 'interval', 'quiet_hours', 'start']],
    [{ count: 1, interval: '0m', start: '2020-01-01 09:00' }, ['interval', 'start']],
    [{ count: 1, interval: '1h', start: 'now', when: 'now' }, ['when']],
    [{ count: 1, interval: '1h', start: 'now', quiet_hours: 'x' }, ['quiet_hours']],
    [{ post_id, when: 'now', surprise: 1 }, ['surprise']]
  ]
  for (const [body, fields] of wrong) {
    const response = await service.bearer('POST', '/api/schedule', body)
    assert.deepEqual([response.status, Object.keys(response.body.errors).sort()], [400, fields], JSON.stringify(body))
  }
  assert.equal((await service.anonymous('POST', '/api/schedule', { post_id, when: 'now' })).status, 401)
  assert.equal((await service.anonymous('GET', '/api/schedule')).status, 401)
  assert.equal((await service.bearer('POST', '/api/schedule', { post_id: 'ffffffff', when: 'now' })).status, 404)
  assert.equal((await rowOf(post_id))?.status, 'approved')
})

test('REST: a time that has passed is named as it was given, whatever the zone', async () => {
  await service.kernel.settings.set('operator_timezone', 'America/New_York')
  const { body } = await service.bearer('POST', '/api/schedule', { post_id: await make(), when: '2020-01-01T09:00' })
  assert.equal(body.errors.when, 'must be in the future: 2020-01-01T09:00 has passed')
})

test('REST: the list in pages', async () => {
  for (let hour = 1; hour <= 5; hour++) {
    await make('scheduled', { slot: `now() + interval '${Math.ceil(hour / 2)} hours'`, approved: 'now()' })
  }
  await make('scheduled', hourAgo)
  const whole = (await service.bearer('GET', '/api/schedule')).body
  assert.deepEqual([whole.ok, whole.count, whole.total, whole.limit, whole.offset], [true, 5, 5, 20, 0])
  assert.equal((await service.bearer('GET', '/api/schedule?all=true')).body.total, 6)
  const seen: string[] = []
  for (let cursor = ''; ; ) {
    const { body } = await service.bearer('GET', `/api/schedule?limit=2${cursor}`)
    seen.push(...body.items.map((item: { post_id: string }) => item.post_id))
    if (body.next_cursor === null) break
    cursor = `&cursor=${body.next_cursor}`
  }
  assert.deepEqual(
    seen,
    whole.items.map((item: { post_id: string }) => item.post_id)
  )
  for (const query of ['limit=0', 'limit=101', 'all=maybe', 'cursor=x', 'status=draft']) {
    assert.equal((await service.bearer('GET', `/api/schedule?${query}`)).status, 400, query)
  }
})

const firstDay = ['--count', '6', '--interval', '1h', '--start', '2030-01-02 09:00']

test('operators at once: no post gets two slots, and nobody waits for ever', async () => {
  await makeMany(10)
  const orders = ['approved_at', 'title', 'id', 'created_at']
  const results = await Promise.all(orders.map(order => json('batch', ...firstDay, '--ordered-by', order)))
  const given = results.flatMap(({ body }) => body.items.map((item: { post_id: string }) => item.post_id))
  assert.deepEqual([given.length, new Set(given).size], [10, 10])
  assert.deepEqual(results.map(({ status }) => status).sort(), [0, 0, 1, 1])
  const [row] = await service.db.query<{ n: number }>(
    "select count(*) as n from post_history where action = 'schedule'"
  )
  assert.equal(row?.n, 10)
})

test('a batch, single slots, shifts and clears at once leave one legal history each', async () => {
  const posts = await makeMany(8)
  const work = [
    ...posts.map(post_id => json('at', post_id, '2030-02-01 09:00')),
    ...['title', 'id'].map(order => json('batch', ...firstDay, '--ordered-by', order)),
    json('shift', '--all', '--by', '1h'),
    json('clear', '--all'),
    json('batch', ...firstDay, '--force')
  ]
  for (const { status, body } of await Promise.all(work)) {
    assert.ok(status === 0 || body.error_code === 'CONFLICT' || body.ok === false, JSON.stringify(body))
  }
  for (const post_id of posts) {
    let status = 'approved'
    for (const { action, to_status } of await historyOf(post_id)) {
      assert.equal(action === 'schedule' ? 'approved' : 'scheduled', status)
      status = to_status
    }
    const row = await rowOf(post_id)
    assert.deepEqual([row?.status, row?.published_at === null], [status, status === 'approved'])
  }
})

test('a slot in the quiet hours is given, and told of: on stderr, in the JSON and over REST', async () => {
  const { settings } = service.kernel
  await settings.set('publish_quiet_hours', '22:00-07:00')
  await settings.set('operator_timezone', 'Asia/Kathmandu')
  const quiet = await make()
  const loud = await make()
  const given = await run('at', quiet, 'tomorrow 23:30')
  assert.equal(given.status, 0)
  assert.match(
    given.err,
    /^warning: A slot lies in the quiet hours 22:00-07:00: that of post-\d+ at .* 23:30\+05:45\.$/
  )
  const { body } = await json('at', loud, 'tomorrow 21:30')
  assert.deepEqual([body.warnings, body.items.length], [undefined, 1])
  const shifted = await json('shift', '--all', '--by', '2h')
  assert.match(shifted.body.warnings.join(), /^2 slots lie in the quiet hours 22:00-07:00, the first is that of /)
  assert.match((await run('shift', loud, '--by', '-1h')).err, /^warning: A slot lies in/)
  const rest = await service.bearer('POST', '/api/schedule', { post_id: loud, when: 'tomorrow 23:00', force: true })
  assert.equal(rest.body.warnings.length, 1)
  await service.db.query(`update app_settings set value = 'at night' where key = 'publish_quiet_hours'`)
  await settings.load()
  assert.match((await run('at', loud, 'tomorrow 12:00', '--force')).err, /publish_quiet_hours is not a window HH:MM/)
})

test('today, a clock alone and a weekday are read in the operator’s zone, however far it is from here', async () => {
  const now = new Date()
  for (const zone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
    await service.kernel.settings.set('operator_timezone', zone)
    // Over the end of the day there "today" has no later minute: another clock is as good.
    const local = new Date(now.getTime() + (zone === 'Pacific/Kiritimati' ? 14 : -11) * 3_600_000)
    const isLate = local.getUTCHours() === 23
    for (const when of isLate ? ['23:59'] : ['today 23:59', '23:59', `next ${weekdayOf(local)} 23:59`]) {
      const { status, body } = await json('at', await make(), when)
      assert.equal(status, 0, `${when} in ${zone}: ${JSON.stringify(body)}`)
      assert.ok(Date.parse(body.items[0].published_at) > now.getTime())
    }
    const past = await json('at', await make(), 'today 00:00')
    assert.deepEqual([past.status, past.body.error_code], [2, 'VALIDATION_ERROR'])
    assert.match(past.body.errors.when, /^must be in the future: .*\(given: "today 00:00"\)$/)
  }
})

const weekdayOf = (date: Date) =>
  new Intl.DateTimeFormat('en-US', { weekday: 'long', timeZone: 'UTC' }).format(date).toLowerCase()

test('the id of a task stands for its post, and a prefix of both for neither', async () => {
  const post_id = await make()
  const task_id = 'deadbeef-0000-4000-8000-000000000001'
  await service.db.query('update posts set task_id = $1 where post_id = $2', [task_id, post_id])
  for (const id of [task_id, 'deadbeef', task_id.toUpperCase()]) {
    const { body } = await json('explain', id)
    assert.equal(body.items[0].post_id, post_id)
  }
  assert.equal((await json('at', 'deadbeef', 'in 2h')).body.items[0].status, 'scheduled')
  assert.equal((await json('shift', 'deadbeef', '--by', '1w')).body.items[0].post_id, post_id)
  assert.equal((await json('clear', task_id)).body.items[0].status, 'approved')
  const other = await make()
  await service.db.query(`update posts set post_id = 'deadbeef-0000-4000-8000-000000000002' where post_id = $1`, [
    other
  ])
  const several = await json('show', 'deadbeef')
  assert.deepEqual([several.status, several.body.error_code], [2, 'AMBIGUOUS_ID'])
  assert.ok(several.body.message.includes(post_id) && several.body.message.includes('deadbeef-0000'))
  assert.equal((await json('show', task_id)).body.items[0].post_id, post_id)
  assert.equal((await json('show', 'deadbeef-0000-4000-8000-00000000000f')).status, 1)
})
