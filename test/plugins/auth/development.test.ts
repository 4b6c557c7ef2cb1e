import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get } from 'node:http'
import { after, before, test } from 'node:test'
import { pluginsConfigPath } from '../../../cli/config/plugins-config.ts'
import { createLog } from '../../../cli/log/json-log.ts'
import { AuthenticatorService } from '../../../core/contract/access.ts'
import { boot } from '../../../core/kernel/boot.ts'
import { loadPlugins } from '../../../core/kernel/load.ts'
import { startService, type TestService } from '../../helpers/service.ts'
import { statusWith, withToken } from './requests.ts'

let service: TestService
before(async () => {
  service = await startService({ worker: false })
})
after(() => service.close())

test('dev-token is accepted while development_mode is true, and not a moment longer', async () => {
  assert.equal(await statusWith(service, 'dev-token'), 401)
  await service.kernel.settings.set('development_mode', 'true')
  assert.equal(await statusWith(service, 'dev-token'), 200)
  const written = await service.anonymous('PUT', '/api/settings/site_title', { value: 'x' }, withToken('dev-token'))
  assert.equal(written.status, 200)
  await service.kernel.settings.set('development_mode', 'false')
  assert.equal(await statusWith(service, 'dev-token'), 401)
})

test('only the literal dev-token is accepted', async () => {
  await service.kernel.settings.set('development_mode', 'true')
  for (const token of ['Dev-token', 'dev-token-2', 'dev_token', 'development']) {
    assert.equal(await statusWith(service, token), 401, token)
  }
})

test('dev-token changes nothing of the machine, whoever asks', async () => {
  await service.kernel.settings.set('development_mode', 'true')
  const { status, headers, body } = await service.anonymous(
    'PUT',
    '/api/settings/development_mode',
    { value: 'false' },
    withToken('dev-token')
  )
  assert.deepEqual([status, body.error_code], [403, 'INSUFFICIENT_SCOPE'])
  assert.match(headers.get('www-authenticate') ?? '', /error="insufficient_scope", scope="api:admin"/)
})

const forwarding = ['Forwarded', 'Via', 'X-Real-IP', 'X-Forwarded-For', 'x-forwarded-proto', 'X-FORWARDED-ANYTHING']
for (const name of forwarding) {
  test(`dev-token is refused behind ${name}, empty or not`, async () => {
    await service.kernel.settings.set('development_mode', 'true')
    for (const value of ['for=127.0.0.1', '']) {
      const { status } = await service.anonymous('GET', '/api/settings', undefined, {
        ...withToken('dev-token'),
        [name]: value
      })
      assert.equal(status, 401)
      const graphql = { query: '{ settings(first: 1) { totalCount } }' }
      const asked = await service.anonymous('POST', '/graphql', graphql, { ...withToken('dev-token'), [name]: value })
      assert.equal(asked.status, 401)
    }
  })
}

test('dev-token is refused under a name by which a web page may have reached this machine', async () => {
  await service.kernel.settings.set('development_mode', 'true')
  const { port } = new URL(service.url)
  const statusAt = async (host: string): Promise<number | undefined> => {
    const headers = { ...withToken('dev-token'), host: `${host}:${port}` }
    const [response] = await once(get(`http://127.0.0.1:${port}/api/settings?limit=1`, { headers }), 'response')
    response.resume()
    return response.statusCode
  }
  for (const host of ['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example', 'evillocalhost'])
    assert.equal(await statusAt(host), 401, host)
  for (const host of ['localhost', 'LOCALHOST', 'galley.localhost', '127.0.0.1', '[::1]'])
    assert.equal(await statusAt(host), 200, host)
  await service.kernel.settings.set('public_url', 'http://galley.test:8000')
  assert.equal(await statusAt('galley.test'), 200)
  assert.equal(await statusAt('evil.example'), 401)
})

test('doctor says that development_mode is on, and nothing while it is off', async () => {
  const found = async () =>
    (await service.kernel.plugins
      .find(({ plugin }) => plugin.name === 'auth')
      ?.contribution.checks?.[0]?.run({ signal: new AbortController().signal } as never)) as { status: string }
  await service.kernel.settings.set('development_mode', 'true')
  assert.equal((await found()).status, 'degraded')
  await service.kernel.settings.set('development_mode', 'false')
  assert.equal((await found()).status, 'ok')
})

const hosts: [host: string, accepted: boolean][] = [
  ['127.0.0.1', true],
  ['127.8.8.8', true],
  ['::1', true],
  ['localhost', true],
  ['0.0.0.0', false],
  ['::', false],
  ['10.0.0.5', false],
  ['127.example.org', false],
  ['localhost.example.org', false]
]
for (const [host, accepted] of hosts) {
  test(`with development_mode on, a service listening on ${host} ${accepted ? 'accepts' : 'refuses'} dev-token`, async () => {
    await service.kernel.settings.set('development_mode', 'true')
    const authenticator = await authenticatorAt(host)
    const outcome = await authenticator?.authenticate('dev-token').catch((error: Error) => error.name)
    assert.equal(typeof outcome === 'string' ? outcome : outcome?.client_id, accepted ? 'development' : 'AuthError')
  })
}

async function authenticatorAt(host: string) {
  const plugins = await loadPlugins(pluginsConfigPath(process.env.GALLEY_PLUGINS, process.cwd()))
  const config = {
    home: service.home,
    databaseUrl: undefined,
    secretKey: Buffer.alloc(32, 7).toString('base64'),
    jwtSecret: 'another secret that is long enough for it',
    host,
    port: 8000,
    logLevel: 'silent',
    pluginsConfigPath: ''
  }
  const kernel = boot({ config, db: service.db, log: createLog('silent'), plugins })
  await kernel.open()
  return kernel.service(AuthenticatorService)
}
