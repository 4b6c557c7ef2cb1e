import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { after, before, test } from 'node:test'
import { Type } from 'typebox'
import { createLog } from '../../../cli/log/json-log.ts'
import { createChanges } from '../../../core/changes.ts'
import type { Db } from '../../../core/contract/database.ts'
import { InputError } from '../../../core/contract/errors.ts'
import { CONTRACT, definePlugin, type Plugin, setting } from '../../../core/contract/plugin.ts'
import { createSecrets } from '../../../core/secrets.ts'
import { createSettings } from '../../../core/settings/store.ts'
import type { DeclaredSetting, SettingView } from '../../../core/settings/types.ts'
import { startService, type TestService } from '../../helpers/service.ts'
import { until } from '../../helpers/until.ts'

const sampleSettings = {
  sample_count: setting(Type.Integer({ minimum: 1, maximum: 9 }), { default: 3, describe: 'A number.' }),
  sample_mode: setting(Type.Enum(['slow', 'fast']), { default: 'slow', describe: 'A choice.', category: 'tuning' }),
  sample_secret: setting(Type.String({ maxLength: 40 }), { default: '', describe: 'A secret.', isSecret: true })
}
const sample = definePlugin({
  name: 'sample',
  contract: CONTRACT,
  describe: 'Settings of every kind',
  settings: sampleSettings,
  setup: () => ({ services: {} })
}) as Plugin

let service: TestService
let settings: TestService['kernel']['settings']
before(async () => {
  service = await startService({ worker: false, plugins: [sample] })
  settings = service.kernel.settings
})
after(() => service.close())
const put = (key: string, value: unknown, others: object = {}) =>
  service.bearer('PUT', `/api/settings/${key}`, { value, ...others })
const storedValue = async (key: string) => {
  const [row] = await service.db.query<{ value: string }>('select value from app_settings where key = $1', [key])
  return row?.value
}

/** The settings as another process has them, with what it logs. */
async function otherProcess(masterKey: Uint8Array = Buffer.alloc(32, 7), db: Db = service.db) {
  const log: string[] = []
  const destination = new Writable({ write: (chunk, _encoding, done) => done(void log.push(String(chunk))) })
  const logger = createLog('info', destination)
  const changes = createChanges({ db, log: logger })
  const declared = new Map<string, DeclaredSetting>(
    Object.entries(sampleSettings).map(([key, each]) => [
      key,
      { plugin: 'sample', setting: each as DeclaredSetting['setting'] }
    ])
  )
  const store = createSettings({ db, secrets: createSecrets(masterKey), changes, declared, log: logger })
  return { store, reader: store.reader(sampleSettings), changes, log }
}

test('all settings are answered, by key, each with what an operator needs to know', async () => {
  const { status, body } = await service.bearer('GET', '/api/settings')
  const keys = body.items.map((item: SettingView) => item.key)
  assert.equal(status, 200)
  assert.deepEqual([body.total, body.offset], [keys.length, 0])
  assert.deepEqual(keys, [...keys].sort())
  assert.deepEqual(
    body.items.find((item: SettingView) => item.key === 'sample_mode'),
    {
      key: 'sample_mode',
      value: 'slow',
      default: 'slow',
      bounds: 'slow | fast',
      category: 'tuning',
      description: 'A choice.',
      is_secret: false,
      is_machine: false,
      is_active: true,
      sent_to: null,
      fault: null,
      updated_at: null
    }
  )
})

test('a list can be cut and asked for one category', async () => {
  const cut = await service.bearer('GET', '/api/settings?limit=2&offset=1')
  assert.deepEqual([cut.body.items.length, cut.body.limit, cut.body.offset], [2, 2, 1])
  const tuned = await service.bearer('GET', '/api/settings?category=tuning')
  assert.deepEqual([tuned.body.total, tuned.body.items[0].key], [1, 'sample_mode'])
  const past = await service.bearer('GET', '/api/settings?category=tuning&limit=5&offset=50')
  assert.deepEqual([past.body.total, past.body.items], [1, []])
  for (const query of ['limit=0', 'limit=101', 'limit=x', 'offset=-1', 'colour=red']) {
    const { status, body } = await service.bearer('GET', `/api/settings?${query}`)
    assert.deepEqual([status, Object.keys(body.errors)], [400, [query.split('=')[0]]], query)
  }
})

test('all settings come at once, and in pages as of every list to whoever asks for a page', async () => {
  const sizesOf = async (query: string) => {
    const { items, limit, offset } = (await service.bearer('GET', `/api/settings${query}`)).body
    return [items.length, limit, offset]
  }
  const { items, total, limit, next_cursor } = (await service.bearer('GET', '/api/settings')).body
  assert.ok(total > 100)
  assert.deepEqual([items.length, limit, next_cursor], [total, total, null])
  assert.deepEqual(await sizesOf('?offset=5'), [20, 20, 5])
  assert.deepEqual(await sizesOf('?offset=0'), [20, 20, 0])
  const { next_cursor: cursor } = (await service.bearer('GET', '/api/settings?limit=1')).body
  assert.deepEqual(await sizesOf(`?cursor=${cursor}`), [20, 20, 0])
})

test('a cut list leads on, by offset and by cursor', async () => {
  const all = (await service.bearer('GET', '/api/settings')).body.items.map((item: SettingView) => item.key)
  const first = await service.bearer('GET', '/api/settings?limit=2')
  assert.equal(first.headers.get('link'), '</api/settings?limit=2&offset=2>; rel="next"')
  const next = await service.bearer('GET', `/api/settings?limit=2&cursor=${first.body.next_cursor}`)
  assert.deepEqual(
    next.body.items.map((item: SettingView) => item.key),
    all.slice(2, 4)
  )
  assert.equal(next.body.total, all.length)
})

test('a change is in effect here the moment it is stored', async () => {
  const reader = settings.reader(sampleSettings)
  assert.equal(reader.get('sample_count'), 3)
  await settings.set('sample_count', '6')
  assert.equal(reader.get('sample_count'), 6)
})

test('a setting is changed, in effect at once, and back to other readers as it was written', async () => {
  const { status, body } = await put('sample_count', '7')
  assert.equal(status, 200)
  assert.equal(body.value, '7')
  assert.match(body.updated_at, /^\d{4}-\d\d-\d\dT[\d:.]{12}Z$/)
  assert.equal(settings.reader(sampleSettings).get('sample_count'), 7)
  assert.deepEqual((await service.bearer('GET', '/api/settings/sample_count')).body, body)
})

const refusals: [title: string, key: string, body: unknown, status: number, field: string | null][] = [
  ['a value out of bounds', 'sample_count', { value: '10' }, 400, 'value'],
  ['a choice that does not exist', 'sample_mode', { value: 'reckless' }, 400, 'value'],
  ['a number for text', 'sample_count', { value: 5 }, 400, 'value'],
  ['null', 'sample_count', { value: null }, 400, 'value'],
  ['no value', 'sample_count', {}, 400, 'value'],
  ['no body', 'sample_count', undefined, 400, 'value'],
  ['an unknown field', 'sample_count', { value: '5', force: true }, 400, 'force'],
  ['NUL', 'sample_secret', { value: 'a\0b' }, 400, 'value'],
  ['a lone surrogate', 'sample_secret', { value: 'a\ud800' }, 400, 'value'],
  ['a secret that is too long', 'sample_secret', { value: 'x'.repeat(41) }, 400, 'value'],
  ['a text that looks encrypted', 'sample_secret', { value: 'enc:v1:AAAA' }, 400, 'value'],
  ['a value of 64 KiB and one', 'public_url', { value: 'x'.repeat(65_537) }, 400, 'value'],
  ['a public address with a query', 'public_url', { value: 'https://example.org/?a' }, 400, 'value'],
  ['a public address with a fragment', 'public_url', { value: 'https://example.org/#a' }, 400, 'value'],
  ['the mask in a secret’s place', 'sample_secret', { value: '********' }, 400, 'value'],
  ['an unknown key', 'nobody_declared_this', { value: '1' }, 404, null],
  ['a key of another form', 'Sample%20Count', { value: '1' }, 404, null],
  ['an inherited name', '__proto__', { value: '1' }, 404, null],
  ['an endless key', 'k'.repeat(129), { value: '1' }, 400, 'key']
]
for (const [title, key, body, status, field] of refusals) {
  test(`refused, and nothing changes: ${title}`, async () => {
    const before = settings.list()
    const answer = await service.bearer('PUT', `/api/settings/${key}`, body)
    assert.deepEqual([answer.status, Object.keys(answer.body.errors)], [status, field === null ? [] : [field]])
    assert.deepEqual(settings.list(), before)
  })
}

test('a plugin refuses what the schema of its setting cannot judge', async () => {
  settings.check('sample_mode', value => (value === 'fast' ? 'must be slow while it rains' : null))
  const { status, body } = await put('sample_mode', 'fast')
  settings.check('sample_mode', () => null)
  assert.deepEqual([status, body.errors], [400, { value: 'must be slow while it rains, not "fast"' }])
  assert.equal(
    (await put('embedder', 'nonsense')).body.errors.value,
    'must be one of embedded, openai, onnx, not "nonsense"'
  )
})

test('an address with a user or a password is refused without repeating it, and the message says where they belong', async () => {
  for (const [key, advice] of [
    ['embedder_base_url', ', and set embedder_api_key instead'],
    ['search_url', ', and set search_password or search_api_key instead'],
    ['websub_hub_url', '']
  ] as const) {
    const refused = await settings.set(key, 'http://operator:sesame@127.0.0.1:9/v1').catch((error: InputError) => error)
    assert.ok(refused instanceof InputError)
    const { value = '' } = refused.fields
    assert.match(value, /^has a user or a password in its address, .*: leave them out/)
    assert.ok(value.endsWith(`leave them out${advice}`), value)
    assert.doesNotMatch(refused.message, /sesame/)
  }
  await settings.set('smtp_url', 'smtp://operator:sesame@127.0.0.1:2525')
})

test('what is refused here is not asked of another service', async () => {
  const asked: string[] = []
  const probe = async (value: string) => {
    asked.push(value)
    return value === 'fast' ? 'must be slow: the service says so' : null
  }
  settings.check('sample_mode', () => null, probe)
  assert.match((await put('sample_mode', 'reckless')).body.errors.value, /must be one of/)
  assert.match((await put('sample_mode', 'fast')).body.errors.value, /the service says so/)
  settings.check(
    'sample_mode',
    () => null,
    async () => null
  )
  assert.deepEqual(asked, ['fast'])
})

test('a secret is stored encrypted and shown nowhere', async () => {
  const { body } = await put('sample_secret', 'hunter2')
  assert.deepEqual([body.value, body.is_secret, body.category], ['********', true, 'secrets'])
  assert.match((await storedValue('sample_secret')) ?? '', /^enc:v1:/)
  const answers = [
    await service.bearer('GET', '/api/settings'),
    await service.bearer('GET', '/api/settings/sample_secret')
  ]
  for (const answer of answers) assert.equal(JSON.stringify(answer.body).includes('hunter2'), false)
  assert.equal(settings.value('sample_secret'), 'hunter2')
  assert.equal(settings.reader(sampleSettings).get('sample_secret'), 'hunter2')
})

test('a row that was stored in plain text before its key became a secret is masked, and encrypted when it is next set', async () => {
  await service.db.query(
    "insert into app_settings (key, value) values ('sample_secret', 'old') on conflict (key) do update set value = 'old', is_secret = false"
  )
  await settings.load()
  assert.deepEqual([settings.find('sample_secret').value, settings.find('sample_secret').is_secret], ['********', true])
  await settings.set('sample_secret', 'new')
  assert.match((await storedValue('sample_secret')) ?? '', /^enc:v1:/)
})

test('plain text cannot take the place of a secret that another process has just made one', async () => {
  const other = await otherProcess()
  await other.store.load()
  await settings.set('late_secret', 'first', { secret: true })
  await assert.rejects(other.store.set('late_secret', 'in plain text', { allowNew: true }))
  assert.equal(settings.value('late_secret'), 'first')
})

test('an undeclared key needs a word of consent, and stays what it was made', async () => {
  await assert.rejects(settings.set('own_key', 'x'), { code: 'NOT_FOUND' })
  await settings.set('own_key', 'x', { allowNew: true, category: 'mine' })
  assert.deepEqual((await put('own_key', 'y')).body.category, 'mine')
  await settings.set('own_secret', 's', { secret: true })
  assert.equal((await put('own_secret', 't')).body.value, '********')
  assert.equal(settings.value('own_secret'), 't')
  for (const key of ['Upper', '9lives', 'a b', '', 'k'.repeat(129)]) {
    await assert.rejects(settings.set(key, 'x', { allowNew: true }), { code: 'VALIDATION_ERROR' }, key)
  }
})

test('a disabled setting keeps its value and reads as its default', async () => {
  await settings.set('sample_count', '8')
  const disabled = await settings.setActive('sample_count', false)
  assert.deepEqual([disabled.value, disabled.is_active], ['8', false])
  assert.equal(settings.reader(sampleSettings).get('sample_count'), 3)
  assert.equal(settings.value('sample_count'), '3')
  await settings.setActive('sample_count', true)
  assert.equal(settings.reader(sampleSettings).get('sample_count'), 8)
  await settings.set('own_switch', 'x', { allowNew: true })
  await settings.setActive('own_switch', false)
  assert.equal(settings.value('own_switch'), '')
  await assert.rejects(settings.setActive('nobody_declared_this', false), { code: 'NOT_FOUND' })
})

test('disabling a setting that was never set holds through a restart; enabling one stores nothing', async () => {
  await settings.setActive('sample_mode', true)
  assert.equal(await storedValue('sample_mode'), undefined)
  await settings.setActive('sample_mode', false)
  const other = await otherProcess()
  await other.store.load()
  assert.equal(other.store.find('sample_mode').is_active, false)
  await settings.setActive('sample_mode', true)
})

test('a stored value that has become invalid gives way to the default, with one warning', async () => {
  await service.db.query(
    "insert into app_settings (key, value) values ('sample_count', '99') on conflict (key) do update set value = '99', is_active = true"
  )
  const other = await otherProcess()
  await other.store.load()
  assert.deepEqual([other.reader.get('sample_count'), other.reader.get('sample_count')], [3, 3])
  assert.equal(other.log.length, 1)
  assert.match(other.log[0] ?? '', /"key":"sample_count".*must be a whole number from 1 to 9.*its default is in use/)
})

test('a change made in one process is seen by another', async () => {
  const other = await otherProcess()
  await other.changes.start()
  await put('sample_count', '5')
  await until(() => other.reader.get('sample_count') === 5)
  await put('sample_secret', 'rotated')
  await until(() => other.reader.get('sample_secret') === 'rotated')
  await other.changes.stop()
})

test('with another master key nothing is read, and the message says which key and what to do', async () => {
  await put('sample_secret', 'x')
  const other = await otherProcess(Buffer.alloc(32, 8))
  await assert.rejects(other.store.load(), {
    code: 'INTERNAL_ERROR',
    message: /^POINDEXTER_SECRET_KEY does not decrypt the stored setting \w+: start with the key/
  })
})

test('a write inside a caller’s transaction counts when it commits, and never when it does not', async () => {
  const rollback = new Error('rolled back')
  const failing = service.db.transaction(async tx => {
    await settings.write(tx, 'sample_count', '2')
    throw rollback
  })
  await assert.rejects(failing, rollback)
  assert.equal(settings.value('sample_count'), '5')
  await service.db.transaction(tx => settings.write(tx, 'sample_count', '4'))
  assert.equal(settings.value('sample_count'), '4')
})

test('a stored value that is no longer valid is named, and its default counts until it is set again', async () => {
  const spoilt: Record<string, [stored: string, standard: string]> = {
    sample_count: ['10', '3'],
    sample_mode: ['slower', 'slow'],
    operator_timezone: ['Mars/Olympus', 'UTC']
  }
  for (const [key, [stored]] of Object.entries(spoilt))
    await service.db.query(
      `insert into app_settings (key, value) values ($1, $2) on conflict (key) do update set value = excluded.value`,
      [key, stored]
    )
  await settings.load()
  const { body } = await service.bearer('GET', '/api/settings')
  for (const [key, [stored, standard]] of Object.entries(spoilt)) {
    const shown = body.items.find((item: SettingView) => item.key === key)
    assert.equal(settings.value(key), standard)
    assert.equal(shown.value, stored)
    assert.match(
      shown.fault,
      new RegExp(`^The stored value of ${key} is not valid: it must be .*Its default is in use`)
    )
  }
  assert.equal((await put('sample_count', '4')).body.fault, null)
  assert.equal(settings.value('sample_count'), '4')
})

test('unset takes the stored value away, with an audit row, over HTTP and for a secret too', async () => {
  await put('sample_count', '7')
  await put('sample_secret', 'hidden')
  for (const key of ['sample_count', 'sample_secret', 'sample_mode', 'operator_timezone']) {
    const { status, body } = await service.bearer('DELETE', `/api/settings/${key}`)
    assert.deepEqual([status, body.updated_at, body.fault], [200, null, null])
    assert.equal(await storedValue(key), undefined)
  }
  assert.deepEqual([settings.value('sample_count'), settings.value('sample_secret')], ['3', ''])
  assert.equal((await service.bearer('DELETE', '/api/settings/sample_count')).status, 200, 'again is harmless')
  assert.equal((await service.bearer('DELETE', '/api/settings/sample_nothing')).status, 404)
  assert.equal((await service.anonymous('DELETE', '/api/settings/sample_count')).status, 401)
  const audit = await service.db.query<{ details: { key: string } }>(
    `select details from audit_log where event_type = 'settings.unset' order by id`
  )
  assert.deepEqual(
    audit.map(({ details }) => details),
    [
      { key: 'sample_count', is_secret: false, old: '7', new: null },
      { key: 'sample_secret', is_secret: true },
      { key: 'sample_mode', is_secret: false, old: 'slower', new: null },
      { key: 'operator_timezone', is_secret: false, old: 'Mars/Olympus', new: null }
    ]
  )
  await settings.set('own_note', 'x', { allowNew: true })
  await settings.unset('own_note')
  assert.throws(() => settings.find('own_note'), { code: 'NOT_FOUND' })
})

test('what was stored in plain text before its key became a secret is not told when it is taken away', async () => {
  await service.db.query("insert into app_settings (key, value) values ('sample_secret', 'typed too early')")
  await settings.load()
  await settings.unset('sample_secret')
  const [row] = await service.db.query<{ details: object }>('select details from audit_log order by id desc limit 1')
  assert.deepEqual(row?.details, { key: 'sample_secret', is_secret: true })
})

test('a declared setting that is public cannot be made a secret', async () => {
  await assert.rejects(settings.set('sample_count', '5', { secret: true }), {
    code: 'VALIDATION_ERROR',
    message: /^sample_count is a setting that everybody with access may read, and cannot be made a secret/
  })
  assert.equal(await storedValue('sample_count'), undefined)
})

test('one secret whose row was spoilt stops neither the start nor a write; another’s key still does', async () => {
  await settings.set('own_secret', 'sound', { secret: true })
  await put('sample_secret', 'sound')
  for (const rubbish of ['enc:v1:AAAAAAAA', 'enc:v1:']) {
    await service.db.query(`update app_settings set value = $1 where key = 'sample_secret'`, [rubbish])
    const other = await otherProcess()
    await other.store.load()
    assert.equal(other.store.value('sample_secret'), '')
    assert.equal(other.store.value('own_secret'), 'sound')
    assert.match(other.store.find('sample_secret').fault ?? '', /does not decrypt, and is not used: set it again/)
    await assert.rejects((await otherProcess(Buffer.alloc(32, 8))).store.load(), /start with the key/)
    await other.store.set('sample_secret', 'anew')
    assert.equal(other.store.value('sample_secret'), 'anew')
  }
})

test('a change is applied once where it was written: the table is not read again', async () => {
  const reads: string[] = []
  const query: Db['query'] = (sql, params) => {
    reads.push(sql)
    return service.db.query(sql, params)
  }
  const { store, reader } = await otherProcess(undefined, { ...service.db, query })
  await store.load()
  let calls = 0
  store.onRead(() => void calls++)
  await store.set('sample_count', '7')
  await store.whenIdle()
  assert.equal(reader.get('sample_count'), 7)
  assert.deepEqual([reads.length, calls], [1, 1])
  await store.unset('sample_count')
})

test('what a change sets going is waited for before the database is closed', async () => {
  let begun = 0
  let done = 0
  settings.onRead(async () => {
    begun++
    for (let n = 0; n < 20; n++) await service.db.query('select 1')
    done++
  })
  await settings.set('sample_count', '6')
  await settings.whenIdle()
  assert.ok(begun > 0)
  assert.equal(done, begun)
})
