import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { recordAudit } from '../../../core/index.ts'
import type { AuditEntry } from '../../../plugins/events/repository.ts'
import { startService, type TestService } from '../../helpers/service.ts'
import { until } from '../../helpers/until.ts'

let service: TestService
let settings: TestService['kernel']['settings']
before(async () => {
  service = await startService({ worker: false })
  settings = service.kernel.settings
})
after(() => service.close())
beforeEach(() => service.db.query('delete from audit_log'))

const audit = async (query = ''): Promise<AuditEntry[]> => {
  const { status, body } = await service.bearer('GET', `/api/audit?limit=100${query}`)
  assert.equal(status, 200, JSON.stringify(body))
  return body.items
}
const entriesOf = async (query = '') =>
  (await audit(query)).reverse().map(({ event_type, actor, details }) => ({ event_type, actor, details }))
const clientId = () => settings.value('cli_oauth_client_id')

test('a change over REST is told with its client, the old value and the new', async () => {
  await service.bearer('PUT', '/api/settings/site_title', { value: 'One' })
  await service.bearer('PUT', '/api/settings/site_title', { value: 'Two' })
  const actor = clientId()
  const event_type = 'settings.changed'
  assert.deepEqual(await entriesOf(), [
    { event_type, actor, details: { key: 'site_title', is_secret: false, old: null, new: 'One' } },
    { event_type, actor, details: { key: 'site_title', is_secret: false, old: 'One', new: 'Two' } }
  ])
})

test('of a secret it is told that it changed, and neither value', async () => {
  await settings.set('own_word', 'plain before', { allowNew: true })
  await settings.set('own_word', 'hidden after', { secret: true, actor: 'somebody' })
  const [last] = (await entriesOf()).slice(-1)
  assert.deepEqual(last, {
    event_type: 'settings.changed',
    actor: 'somebody',
    details: { key: 'own_word', is_secret: true }
  })
})

test('a setting is switched off and on; what changes nothing is not told', async () => {
  await settings.set('site_title', 'Three')
  await settings.set('site_title', 'Three')
  for (const isActive of [false, false, true, true]) await settings.setActive('site_title', isActive)
  assert.deepEqual(
    (await entriesOf()).map(({ event_type, actor }) => [event_type, actor]),
    ['settings.changed', 'settings.disabled', 'settings.enabled'].map(type => [type, 'operator'])
  )
})

test('every other entry point is audited too: a gate, a consumer’s new client, a rotated key', async () => {
  assert.equal((await service.run('gates', 'set', 'topic_decision', 'on')).status, 0)
  assert.equal((await service.run('auth', 'migrate-mcp', '--yes')).status, 0)
  const entries = await entriesOf()
  assert.deepEqual(
    entries.map(({ event_type, actor, details }) => [event_type, actor, details.key]),
    [
      ['settings.changed', 'operator', 'pipeline_gate_topic_decision'],
      ['settings.changed', 'operator', 'mcp_oauth_client_id'],
      ['settings.changed', 'operator', 'mcp_oauth_client_secret'],
      ['auth.client_registered', 'operator', undefined]
    ]
  )
  assert.equal(JSON.stringify(entries).includes(settings.value('mcp_oauth_client_secret')), false)
})

test('a client that is registered or revoked is told of, with its scope and without its secret', async () => {
  const { out } = await service.run('auth', 'register-client', '--name', 'admin', '--scope', 'api:admin', '--json')
  const { client_id, client_secret, scope } = JSON.parse(out)
  await service.run('auth', 'revoke-client', client_id, '--yes')
  const entries = await entriesOf()
  assert.deepEqual(entries, [
    { event_type: 'auth.client_registered', actor: 'operator', details: { client_id, client_name: 'admin', scope } },
    { event_type: 'auth.client_revoked', actor: 'operator', details: { client_id } }
  ])
  assert.equal(JSON.stringify(entries).includes(client_secret), false)
})

test('of a consumer whose client is replaced both are told of', async () => {
  await service.run('auth', 'migrate-scripts', '--yes')
  const old = settings.value('scripts_oauth_client_id')
  await service.db.query('delete from audit_log')
  await service.run('auth', 'migrate-scripts', '--yes')
  const client_id = settings.value('scripts_oauth_client_id')
  const clients = (await entriesOf()).filter(({ event_type }) => event_type.startsWith('auth.'))
  assert.deepEqual(
    clients.map(({ event_type, details }) => [event_type, details]),
    [
      ['auth.client_revoked', { client_id: old }],
      ['auth.client_registered', { client_id, client_name: 'scripts', scope: 'api:read api:write' }]
    ]
  )
})

test('what anybody can have written down is kept for a week', async () => {
  await service.db.query(
    `insert into audit_log (event_type, actor, at) values
       ('http.undeclared_proxy', 'old', now() - interval '8 days'),
       ('http.undeclared_proxy', 'young', now() - interval '6 days'),
       ('settings.changed', 'old', now() - interval '8 days')`
  )
  await fetch(`${service.url}/api/posts/search?q=tides`, { headers: { 'x-forwarded-for': '203.0.113.7' } })
  await until(async () => (await entriesOf('&event_type=http.undeclared_proxy&actor=service')).length === 1)
  assert.deepEqual((await entriesOf()).map(({ actor }) => actor).sort(), ['old', 'service', 'young'])
})

test('of two changes at one moment each is told with the value it replaced', async () => {
  await Promise.all(['A', 'B', 'C', 'D'].map(value => settings.set('site_description', value)))
  const chain = await service.db.query<{ old: string | null; new: string }>(
    `select details->>'old' as old, details->>'new' as new from audit_log`
  )
  const nextOf = new Map(chain.map(each => [each.old, each.new]))
  const seen: (string | undefined)[] = []
  for (let value = nextOf.get(null); value !== undefined; value = nextOf.get(value)) seen.push(value)
  assert.deepEqual([...seen].sort(), ['A', 'B', 'C', 'D'])
  assert.equal(seen.at(-1), settings.value('site_description'))
})

test('a change that is rolled back is not told', async () => {
  const failing = service.db.transaction(async tx => {
    await settings.write(tx, 'site_title', 'Never')
    throw new Error('no')
  })
  await assert.rejects(failing)
  assert.deepEqual(await entriesOf(), [])
})

test('the log is filtered by type, actor and time, and paged by cursor', async () => {
  await service.db.transaction(async tx => {
    for (let n = 0; n < 5; n++)
      await recordAudit(tx, { event_type: n === 4 ? 'two' : 'one', actor: `a${n % 2}`, details: { n } })
  })
  await service.db.query(
    `update audit_log set at = '2026-01-01T00:00:00Z'::timestamptz + (details->>'n')::int * interval '1 day'`
  )
  const numbers = async (query: string) => (await audit(query)).map(({ details }) => details.n)
  assert.deepEqual(await numbers('&event_type=one&actor=a0'), [2, 0])
  assert.deepEqual(await numbers('&since=2026-01-02T00:00:00Z&until=2026-01-04T00:00:00Z'), [2, 1])
  const first = await service.bearer('GET', '/api/audit?limit=2')
  assert.equal(first.body.total, 5)
  const second = await service.bearer('GET', `/api/audit?limit=2&cursor=${first.body.next_cursor}`)
  assert.deepEqual(
    second.body.items.map((item: AuditEntry) => item.details.n),
    [2, 1]
  )
})

test('a moment that is none is refused by name, and nobody reads the log without a token', async () => {
  const { status, body } = await service.bearer('GET', '/api/audit?since=yesterday&until=never')
  assert.deepEqual([status, Object.keys(body.errors)], [400, ['since', 'until']])
  assert.equal((await service.anonymous('GET', '/api/audit')).status, 401)
})
