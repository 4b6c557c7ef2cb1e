import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ClientProvisionerService } from '../../../core/contract/client-provisioner.ts'
import { runCommand } from '../../helpers/run-command.ts'
import { startService, type TestService } from '../../helpers/service.ts'
import { grant, registerClient, sendForm, statusWith } from './requests.ts'

let service: TestService
before(async () => {
  service = await startService({ worker: false })
})
after(() => service.close())
const auth = (...argv: string[]) => runCommand(service.kernel, 'auth', ...argv)

test('register-client prints the credentials once; only a hash of the secret is stored', async () => {
  const { status, out } = await auth('register-client', '--name', 'a reader', '--scope', 'api:read', '--json')
  const { client_id, client_secret, ...rest } = JSON.parse(out)
  assert.equal(status, 0)
  assert.deepEqual(rest, { scope: 'api:read' })
  assert.match(client_id, /^gly_[0-9a-f]{32}$/)
  assert.equal(Buffer.from(client_secret, 'base64url').length, 32)
  const [row] = await service.db.query('select * from oauth_clients where client_id = $1', [client_id])
  assert.equal(JSON.stringify(row).includes(client_secret), false)
  assert.match(String(row?.secret_hash), /^[0-9a-f]{64}$/)
  const listed = await auth('list-clients', '--json')
  assert.equal(listed.out.includes(client_secret) || listed.out.includes(String(row?.secret_hash)), false)
  const printed = await auth('register-client', '--name', 'b')
  assert.match(printed.out, /^client_id: gly_\S+\nclient_secret: \S{43}\nscope: api:read api:write$/)
})

const badRegistrations: [title: string, argv: string[], status: number, message: RegExp][] = [
  ['no name', [], 2, /name/],
  ['a blank name', ['--name', '  '], 2, /--name must be 1 to 100 characters \(given: " {2}"\)/],
  ['an endless name', ['--name', 'n'.repeat(101)], 2, /--name must be 1 to 100 characters/],
  [
    'a scope that does not exist',
    ['--name', 'n', '--scope', 'api:read admin'],
    2,
    /--scope must be some of api:read api:write api:admin \(given: "api:read admin"\)/
  ],
  ['an unknown flag', ['--name', 'n', '--colour', 'red'], 2, /unknown flag --colour/]
]
for (const [title, argv, expected, message] of badRegistrations) {
  test(`register-client refuses ${title} and registers nothing`, async () => {
    const count = 'select count(*)::int as n from oauth_clients'
    const before = await service.db.query(count)
    const { status, out, err } = await auth('register-client', ...argv)
    assert.deepEqual([status, out], [expected, ''])
    assert.match(err, message)
    assert.deepEqual(await service.db.query(count), before)
  })
}

test('with --json every faulty argument is named at once, in snake_case', async () => {
  const errorsOf = async (...argv: string[]) => JSON.parse((await auth(...argv, '--json')).err).errors
  assert.deepEqual(Object.keys(await errorsOf('register-client', '--name', '', '--scope', 'zz')).sort(), [
    'name',
    'scope'
  ])
  assert.deepEqual(Object.keys(await errorsOf('register-client', '--name', ' ', '--scope', 'zz')).sort(), [
    'name',
    'scope'
  ])
  assert.deepEqual(Object.keys(await errorsOf('mint-token', '--client-id', 'x')), ['client_id'])
})

test('list-clients shows every client, revoked ones too, never a secret', async () => {
  const client = await registerClient(service)
  await auth('revoke-client', client.client_id)
  const { items, total } = JSON.parse((await auth('list-clients', '--json')).out)
  assert.equal(total, items.length)
  const shown = items.find((item: { client_id: string }) => item.client_id === client.client_id)
  assert.match(shown.revoked_at, /^\d{4}-\d\d-\d\dT[\d:.]{12}Z$/)
  assert.deepEqual(Object.keys(shown).sort(), [
    'client_id',
    'client_name',
    'consumer',
    'created_at',
    'revoked_at',
    'scope'
  ])
  const { out } = await auth('list-clients')
  assert.match(out, /^CLIENT +NAME +REVOKED\n/)
  assert.match(out, new RegExp(`^${client.client_id} .* ${shown.revoked_at.slice(0, 10)} `, 'm'))
})

test('revoke-client refuses one that does not exist, and one that is revoked already', async () => {
  const client = await registerClient(service)
  assert.equal((await auth('revoke-client', client.client_id)).status, 0)
  const again = await auth('revoke-client', client.client_id)
  assert.equal(again.status, 1)
  assert.match(again.err, /was revoked at .* already/)
  const unknown = await auth('revoke-client', 'gly_00000000')
  assert.equal(unknown.status, 1)
  assert.match(unknown.err, /There is no client gly_00000000/)
  const malformed = await auth('revoke-client', 'gly_nobody')
  assert.deepEqual(
    [malformed.status, /<client_id> is not a client id.*\(given: "gly_nobody"\)/.test(malformed.err)],
    [2, true]
  )
})

test('a client id may be given by its first characters; one that stands for several is refused, naming them', async () => {
  const { client_id } = await registerClient(service)
  const revoked = await auth('revoke-client', client_id.slice(0, 12), '--json')
  assert.equal(JSON.parse(revoked.out).client_id, client_id)
  const ids = ['a', 'b'].map(end => `gly_0badcafe${end.repeat(24)}`)
  for (const id of ids)
    await service.db.query(
      "insert into oauth_clients (client_id, client_name, scope, secret_hash) values ($1, 'n', 'api:read', 'h')",
      [id]
    )
  const { status, err } = await auth('revoke-client', '0badcafe')
  assert.equal(status, 2)
  for (const id of ids) assert.ok(err.includes(id), err)
  assert.equal((await auth('revoke-client', '0badcafea')).status, 0)
})

test('mint-token prints a bare token of the stored client, of a consumer by name, or of given credentials', async () => {
  const client = await registerClient(service)
  const given = ['--client-id', client.client_id, '--client-secret', client.client_secret]
  for (const argv of [[], ['--client', 'cli'], given]) {
    const { status, out, err } = await auth('mint-token', ...argv)
    assert.deepEqual([status, err], [0, ''])
    assert.equal(await statusWith(service, out), 200)
  }
  const reply = JSON.parse((await auth('mint-token', '--json')).out)
  assert.deepEqual(Object.keys(reply).sort(), ['access_token', 'expires_in', 'scope', 'token_type'])
})

const badMints: [title: string, argv: string[], status: number, message: RegExp][] = [
  ['an id without its secret', ['--client-id', 'gly_x'], 2, /--client-id and --client-secret, or --client <name>/],
  ['both ways at once', ['--client-id', 'x', '--client-secret', 'y', '--client', 'cli'], 2, /or --client <name>/],
  ['an unknown client', ['--client-id', 'gly_x', '--client-secret', 'y'], 1, /gly_x is unknown or revoked/],
  [
    'a consumer without credentials',
    ['--client', 'brain'],
    1,
    /brain has no stored credentials: run "galley auth migrate-brain"/
  ],
  ['an unknown consumer', ['--client', 'nobody'], 2, /must be one of cli, mcp/]
]
for (const [title, argv, expected, message] of badMints) {
  test(`mint-token refuses ${title}`, async () => {
    const { status, out, err } = await auth('mint-token', ...argv)
    assert.deepEqual([status, out], [expected, ''])
    assert.match(err, message)
  })
}

test('provisioning makes the first client once, and rotating it ends the old secret', async () => {
  const provisioner = service.kernel.service(ClientProvisionerService)
  const first = await provisioner?.provision({ rotate: true })
  const again = await provisioner?.provision({ rotate: false })
  assert.deepEqual(again, { client_id: first?.client_id, client_secret: null })
  const second = await provisioner?.provision({ rotate: true })
  assert.notEqual(second?.client_id, first?.client_id)
  const statusOf = async (client: typeof first) =>
    (
      await sendForm(
        service,
        '/token',
        grant({ client_id: client?.client_id ?? '', client_secret: client?.client_secret ?? '' })
      )
    ).status
  assert.deepEqual([await statusOf(first), await statusOf(second)], [401, 200])
  const { out } = await auth('mint-token')
  assert.equal(await statusWith(service, out), 200)
})

test('a consumer’s stored secret is encrypted and never shown', async () => {
  const [row] = await service.db.query<{ value: string; is_secret: boolean }>(
    "select value, is_secret from app_settings where key = 'cli_oauth_client_secret'"
  )
  assert.match(row?.value ?? '', /^enc:v1:/)
  assert.equal(row?.is_secret, true)
  assert.equal(service.kernel.settings.find('cli_oauth_client_secret').value, '********')
})
