import assert from 'node:assert/strict'
import path from 'node:path'
import { after, before, beforeEach, test } from 'node:test'
import { Type } from 'typebox'
import { CONTRACT, definePlugin, type Plugin, setting } from '../../../core/contract/plugin.ts'
import { packageRoot } from '../../../core/paths.ts'
import { urlOrigin } from '../../../core/settings/destination.ts'
import type { SettingView } from '../../../core/settings/types.ts'
import { bootPlugins } from '../../helpers/kernel.ts'
import { startService, type TestService } from '../../helpers/service.ts'
import { grant, registerClient, sendForm } from '../../plugins/auth/requests.ts'

const courierSettings = {
  courier_url: setting(Type.String({ maxLength: 200, pattern: '^(https?://.+)?$' }), {
    default: '',
    describe: 'Address of the courier.'
  }),
  courier_key: setting(Type.String({ maxLength: 40 }), {
    default: '',
    describe: 'Its key.',
    isSecret: true,
    sentTo: 'courier_url'
  }),
  courier_folder: setting(Type.String(), { default: '', describe: 'A folder.', isMachine: true }),
  courier_shelf: setting(Type.String(), { default: '', describe: 'A shelf.', category: 'machine' })
}
const courier = definePlugin({
  name: 'courier',
  contract: CONTRACT,
  describe: 'Sends a key somewhere',
  settings: courierSettings,
  setup: () => ({ services: {} })
}) as Plugin

let service: TestService
let settings: TestService['kernel']['settings']
let reader: ReturnType<typeof readerOf>
const readerOf = () => settings.reader(courierSettings)
before(async () => {
  service = await startService({ worker: false, plugins: [courier] })
  settings = service.kernel.settings
  reader = readerOf()
})
after(() => service.close())
const url = (value: string) => settings.set('courier_url', value)
const key = (value: string) => settings.set('courier_key', value)
const one = 'https://one.example'
const two = 'https://two.example'

beforeEach(async () => {
  await service.db.query("delete from app_settings where key like 'courier%'")
  await settings.load()
})

const origins: [address: string, origin: string | null][] = [
  ['', null],
  ['  ', null],
  ['https://One.example/v1', 'https://one.example'],
  ['https://one.example:443/v2?x', 'https://one.example'],
  ['http://one.example', 'http://one.example'],
  ['https://one.example:8443', 'https://one.example:8443'],
  ['https://user@one.example/', 'https://one.example'],
  ['https://one.example.', 'https://one.example.'],
  ['https:\\\\one.example\\v1', 'https://one.example'],
  ['smtp://mail.example:587', 'smtp://mail.example:587'],
  ['s3://bucket/prefix', 's3://bucket'],
  ['localhost', 'localhost']
]
for (const [address, origin] of origins) {
  test(`the host of ${JSON.stringify(address)} is ${origin}`, () => assert.equal(urlOrigin(address), origin))
}

test('a key is for the host it was set for, whatever the path; for another it reads as unset, and says why', async () => {
  await url(`${one}/v1`)
  await key('k1')
  await url(`${one}/v2`)
  assert.equal(reader.get('courier_key'), 'k1')
  await url(`${two}/v1`)
  assert.equal(reader.get('courier_key'), '')
  assert.equal(settings.value('courier_key'), '')
  const { fault } = settings.find('courier_key')
  assert.equal(fault, `courier_key was set for ${one} and is not sent to ${two}: set it again for that host.`)
  const { body } = await service.bearer('GET', '/api/settings/courier_key')
  assert.deepEqual([body.value, body.sent_to, body.fault], ['********', one, fault])
  await key('k2')
  assert.deepEqual([reader.get('courier_key'), settings.find('courier_key').fault], ['k2', null])
})

test('another scheme or port is another host', async () => {
  await url(one)
  await key('k1')
  for (const other of ['http://one.example', 'https://one.example:444', 'https://one.example.evil.example']) {
    await url(other)
    assert.equal(reader.get('courier_key'), '', other)
  }
})

test('back at its host the key counts again; set anew for another it is gone for the first', async () => {
  await url(one)
  await key('k1')
  await url(two)
  await url(one)
  assert.equal(reader.get('courier_key'), 'k1')
  await url('')
  await url(two)
  assert.equal(reader.get('courier_key'), '')
  await key('k2')
  await url(one)
  assert.equal(reader.get('courier_key'), '')
})

test('a key that was set ahead of any address is for the first one, and for no other', async () => {
  await key('k1')
  await url(one)
  assert.equal(reader.get('courier_key'), 'k1')
  await url(two)
  assert.equal(reader.get('courier_key'), '')
})

test('an address that is switched off and on takes its key along', async () => {
  await url(one)
  await key('k1')
  await settings.setActive('courier_url', false)
  await settings.set('courier_url', two)
  await settings.setActive('courier_url', true)
  assert.equal(reader.get('courier_key'), '')
})

test('a key stored before its host was noted belongs to the address as it was', async () => {
  await url(one)
  await key('k1')
  await service.db.query("update app_settings set sent_to = null where key = 'courier_key'")
  await settings.load()
  assert.equal(reader.get('courier_key'), 'k1')
  await url(two)
  assert.equal(reader.get('courier_key'), '')
})

test('for a request to an address the key of another host is never given, whatever the setting says now', async () => {
  await url(one)
  await key('k1')
  assert.deepEqual(reader.secretFor('courier_key', `${one}/old`), { value: 'k1', fault: null })
  assert.equal(reader.secretFor('courier_key', two).value, '')
  assert.match(
    reader.secretFor('courier_key', two).fault ?? '',
    /was set for https:\/\/one\.example and is not sent to/
  )
})

test('of a key and an address that change at one moment, no reader gets one with the other’s host', async () => {
  for (let round = 0; round < 10; round++) {
    await url(one)
    await key('k1')
    await Promise.all([url(two), key('k2'), url(one), key('k1')])
    const [row] = await service.db.query<{ sent_to: string }>(
      "select sent_to from app_settings where key = 'courier_key'"
    )
    const expected = row?.sent_to === urlOrigin(reader.get('courier_url')) ? settings.reveal('courier_key').value : ''
    assert.equal(reader.get('courier_key'), expected)
  }
})

test('what is of the machine needs api:admin over HTTP, for every plugin', async () => {
  const { client_id, client_secret } = await registerClient(service, 'api:read api:write api:admin')
  const { body: token } = await sendForm(service, '/token', grant({ client_id, client_secret }))
  assert.equal(token.scope, 'api:read api:write api:admin')
  const admin = { authorization: `Bearer ${token.access_token}` }
  await settings.set('own_place', 'x', { allowNew: true, category: 'machine' })
  const changes: [key: string, value: string][] = [
    ['courier_url', one],
    ['courier_folder', '/srv'],
    ['courier_shelf', 'a'],
    ['own_place', 'y'],
    ['development_mode', 'false'],
    ['export_target', 'file:/srv/site'],
    ['llm_base_url', one],
    ['embedder_base_url', one],
    ['embedder_model_path', '/srv/model'],
    ['telegram_api_root', one],
    ['telegram_chat_id', '-100200'],
    ['chat_webhook_url', `${one}/hook`],
    ['media_store', 'file:/srv/media'],
    ['storage_endpoint', one],
    ['storage_region', 'eu-west-1'],
    ['storage_access_key', 'AKIA'],
    ['storage_bucket_style', 'path'],
    ['cover_fonts', '/srv/fonts'],
    ['cover_stock_folder', '/srv/pictures'],
    ['image_base_url', one],
    ['speech_base_url', one],
    ['speech_command', '["/srv/speak"]'],
    ['speech_model_path', '/srv/voice'],
    ['search_url', one],
    ['search_index', 'posts'],
    ['search_username', 'galley'],
    ['smtp_url', 'smtp://mail.example:587'],
    ['newsletter_key', 'k'.repeat(43)],
    ['revalidate_url', one],
    ['websub_hub_url', one],
    ['site_theme', path.join(packageRoot, 'examples/theme')],
    ['fastly_api_url', one],
    ['cloudflare_api_url', one],
    ['varnish_url', one]
  ]
  for (const [name, value] of changes) {
    const target = `/api/settings/${name}`
    const before = settings.reveal(name).value
    const refused = await service.bearer('PUT', target, { value })
    assert.deepEqual([refused.status, refused.body.error_code], [403, 'INSUFFICIENT_SCOPE'], name)
    assert.match(refused.headers.get('www-authenticate') ?? '', /scope="api:admin"/)
    assert.equal(settings.reveal(name).value, before)
    assert.equal((await service.anonymous('PUT', target, { value }, admin)).status, 200, name)
  }
  assert.equal((await service.bearer('PUT', '/api/settings/courier_key', { value: 'k' })).status, 200)
  const { body } = await service.bearer('GET', '/api/settings')
  const ofMachine = body.items.filter((item: SettingView) => item.is_machine).map((item: SettingView) => item.key)
  assert.deepEqual(ofMachine, changes.map(([name]) => name).sort())
  for (const [name] of changes.slice(4)) await settings.set(name, settings.find(name).default ?? '')
})

test('a secret that names an address nobody declares stops the boot, and so does sentTo without a secret', () => {
  const wrong = (own: object) =>
    definePlugin({
      name: 'wrong',
      contract: CONTRACT,
      describe: 'Settings that fit nothing',
      settings: { wrong_key: setting(Type.String(), { default: '', describe: 'A key.', ...own }) },
      setup: () => ({ services: {} })
    }) as Plugin
  assert.throws(
    () => bootPlugins([wrong({ isSecret: true, sentTo: 'wrong_url' })]),
    /is sent to wrong_url, which it does/
  )
  assert.throws(() => bootPlugins([wrong({ sentTo: 'wrong_key' })]), /has sentTo and is no secret/)
})
