import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { AuthenticatorService } from '../../../core/contract/access.ts'
import { consumers } from '../../../plugins/auth/settings.ts'
import { createInstallation } from '../../helpers/installation.ts'
import { bootPlugins, loadConfigured } from '../../helpers/kernel.ts'
import { runCommand } from '../../helpers/run-command.ts'
import { startService, type TestService } from '../../helpers/service.ts'
import { until } from '../../helpers/until.ts'
import { grant, mintToken, sendForm, statusWith } from './requests.ts'

let service: TestService
before(async () => {
  service = await startService({ worker: false })
})
after(() => service.close())
const auth = (...argv: string[]) => runCommand(service.kernel, 'auth', ...argv)
const migrate = async (consumer: string) => JSON.parse((await auth(`migrate-${consumer}`, '--json')).out)
const tokenStatus = async (client: Parameters<typeof grant>[0]) =>
  (await sendForm(service, '/token', grant(client))).status
const clientIds = async () => {
  const rows = await service.db.query<{ consumer: string }>(
    'select consumer from oauth_clients where revoked_at is null and consumer is not null'
  )
  return rows.map(({ consumer }) => consumer)
}

for (const consumer of consumers) {
  test(`migrate-${consumer} gives it a client, and again ends the old secret and its tokens`, async () => {
    const first = await migrate(consumer)
    assert.deepEqual(Object.keys(first).sort(), ['client_id', 'client_secret', 'revoked_client_id', 'scope'])
    const token = await mintToken(service, first)
    assert.equal(await statusWith(service, token), 200)
    const second = await migrate(consumer)
    assert.equal(second.revoked_client_id, first.client_id)
    assert.deepEqual([await tokenStatus(first), await tokenStatus(second)], [401, 200])
    assert.equal(await statusWith(service, token), 401)
    const { settings } = service.kernel
    assert.equal(settings.value(`${consumer}_oauth_client_id`), second.client_id)
    assert.equal(settings.value(`${consumer}_oauth_client_secret`), second.client_secret)
    const minted = await auth('mint-token', '--client', consumer)
    assert.equal(await statusWith(service, minted.out), 200)
  })
}

test('people see the id, the secret once, where it is kept and what was revoked', async () => {
  const { status, out } = await auth('migrate-scripts')
  assert.equal(status, 0)
  assert.match(out, /^client_id +gly_[0-9a-f]{32}\nclient_secret +\S{43}\nscope +api:read api:write\n/)
  assert.match(out, /The client gly_\S+ was revoked\.\n.*stored, encrypted, in scripts_oauth_client_secret\.$/s)
})

test('rotations of one consumer at once leave one client, and the stored pair is its own', async () => {
  await Promise.all([1, 2, 3, 4].map(() => migrate('openclaw')))
  assert.equal((await clientIds()).filter(consumer => consumer === 'openclaw').length, 1)
  assert.equal((await auth('mint-token', '--client', 'openclaw')).status, 0)
})

test('a rotation that fails changes neither the client nor the pair', async () => {
  const before = await migrate('mcp')
  await service.db.script(`create function refuse_pair() returns trigger language plpgsql as $$
    begin if new.key = 'mcp_oauth_client_secret' then raise exception 'no'; end if; return new; end $$;
    create trigger refuse_pair before insert or update on app_settings for each row execute function refuse_pair()`)
  const { status, out } = await auth('migrate-mcp', '--json')
  await service.db.script('drop trigger refuse_pair on app_settings')
  assert.deepEqual([status, out], [1, ''])
  assert.equal(await tokenStatus(before), 200)
  assert.equal(service.kernel.settings.value('mcp_oauth_client_id'), before.client_id)
})

test('rotating the signing secret voids every token here at once, and in the other process within a second', async () => {
  const file = path.join(service.home, 'bootstrap.env')
  const secret = 'a secret of the test suite that is long enough'
  const key = Buffer.alloc(32, 7).toString('base64')
  writeFileSync(file, `POINDEXTER_SECRET_KEY=${key}\nGALLEY_JWT_SECRET='${secret}'\n`, { mode: 0o600 })
  const other = bootPlugins(await loadConfigured(), {
    db: service.db,
    config: { home: service.home, jwtSecret: secret }
  })
  await other.open()
  await other.start({ worker: false })
  const seen = (token: string) =>
    other
      .service(AuthenticatorService)
      ?.authenticate(token)
      .then(
        () => true,
        () => false
      )
  const old = (await auth('mint-token')).out
  assert.deepEqual([await statusWith(service, old), await seen(old)], [200, true])
  const { status, out } = await auth('rotate-jwt-secret', '--json')
  assert.deepEqual([status, JSON.parse(out)], [0, { rotated: true, file }])
  assert.equal(await statusWith(service, old), 401)
  await until(async () => !(await seen(old)))
  const fresh = (await auth('mint-token')).out
  assert.deepEqual([await statusWith(service, fresh), await seen(fresh)], [200, true])
  await other.stop()
})

test('a signing secret from the environment is refused, and the file stays', async () => {
  const installation = await createInstallation()
  try {
    const before = installation.bootstrap()
    const { status, out, err } = await installation.run(['auth', 'rotate-jwt-secret'], {
      env: { GALLEY_JWT_SECRET: 'e'.repeat(43) }
    })
    assert.deepEqual([status, out, installation.bootstrap()], [1, '', before])
    assert.match(err, /GALLEY_JWT_SECRET comes from the environment/)
    const declined = await installation.run(['auth', 'rotate-jwt-secret'], { answer: 'n' })
    assert.deepEqual([declined.status, installation.bootstrap()], [1, before])
    assert.equal((await installation.run(['auth', 'rotate-jwt-secret'], { answer: 'y' })).status, 0)
    const { GALLEY_JWT_SECRET: fresh, ...rest } = installation.bootstrap()
    assert.deepEqual({ ...rest, GALLEY_JWT_SECRET: before.GALLEY_JWT_SECRET }, before)
    assert.match(fresh ?? '', /^[\w-]{43}$/)
    assert.notEqual(fresh, before.GALLEY_JWT_SECRET)
  } finally {
    await installation.close()
  }
})
