import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { base64url, SignJWT } from 'jose'
import { deriveKey } from '../../../core/secrets.ts'
import { startService } from '../../helpers/service.ts'
import { mintToken, registerClient, statusWith, withToken } from './requests.ts'

/** GALLEY_JWT_SECRET of the service under test. */
const testSecret = 'a secret of the test suite that is long enough'
const issuedAt = Date.parse('2026-11-21T10:00:00Z')
let clock = issuedAt
const service = await startService({ worker: false, now: () => new Date(clock) })
after(() => service.close())
const client = await registerClient(service)
const key = deriveKey(testSecret, 'access-token')

/** A token as the service writes it, with what a test changes. */
function forge(claims: Record<string, unknown> = {}, secret: Uint8Array = key, alg = 'HS256') {
  const iat = issuedAt / 1000
  const whole = {
    iss: 'galley',
    aud: service.url,
    sub: client.client_id,
    client_id: client.client_id,
    scope: 'api:read'
  }
  return new SignJWT({ ...whole, iat, exp: iat + 900, jti: 'forged', ...claims })
    .setProtectedHeader({ alg })
    .sign(secret)
}

const unsigned = (token: string) => `${base64url.encode(JSON.stringify({ alg: 'none' }))}.${token.split('.')[1]}.`

const good = await forge()
const bad: [title: string, authorization: string | undefined][] = [
  ['no header', undefined],
  ['an empty token', 'Bearer '],
  ['another scheme', `Basic ${good}`],
  ['two tokens', `Bearer ${good} ${good}`],
  ['a text that is no token', 'Bearer static-token'],
  ['the development token while its mode is off', 'Bearer dev-token'],
  ['no signature', `Bearer ${unsigned(good)}`],
  ['another secret', `Bearer ${await forge({}, new Uint8Array(32))}`],
  ['another algorithm', `Bearer ${await forge({}, new Uint8Array(64), 'HS512')}`],
  ['another issuer', `Bearer ${await forge({ iss: 'elsewhere' })}`],
  ['an expired token', `Bearer ${await forge({ exp: issuedAt / 1000 - 1 })}`],
  ['a token not valid yet', `Bearer ${await forge({ nbf: issuedAt / 1000 + 60 })}`],
  ['a token that never expires', `Bearer ${await forge({ exp: undefined })}`],
  ['a token without an id', `Bearer ${await forge({ jti: undefined })}`],
  ['a client that does not exist', `Bearer ${await forge({ client_id: 'gly_nobody' })}`],
  ['a changed payload', `Bearer ${good.replace(/\.[^.]+\./, `.${base64url.encode('{"scope":"api:write"}')}.`)}`]
]
interface Operation {
  security?: Record<string, string[]>[]
}
const document = await service.anonymous('GET', '/openapi.json')
const operations = Object.entries(document.body.paths as Record<string, Record<string, Operation>>).flatMap(
  ([path, methods]) => Object.entries(methods).map(([method, { security = [] }]) => ({ path, method, security }))
)
const bearerRoutes = operations.filter(({ security }) => security.length === 1)
const addressOf = (path: string) => path.replaceAll(/\{[^}]+\}/g, '00000000-0000-4000-8000-000000000000')

test('a token with the service’s key and claims is accepted: what the other cases change is what refuses them', async () => {
  assert.equal(await statusWith(service, await forge()), 200)
})

test('a token of a process that knows of another port is accepted while there is no public_url', async () => {
  assert.equal(await statusWith(service, await forge({ aud: 'http://127.0.0.1:8000' })), 200)
})

for (const [title, authorization] of bad) {
  test(`401 with a challenge: ${title}`, async () => {
    const headers: Record<string, string> = authorization === undefined ? {} : { authorization }
    const answer = await service.anonymous('GET', '/api/settings', undefined, headers)
    assert.deepEqual([answer.status, answer.body.error_code], [401, 'UNAUTHORIZED'])
    assert.deepEqual(answer.body.errors, {})
    const challenge = authorization === undefined ? '' : ', error="invalid_token"'
    assert.equal(answer.headers.get('www-authenticate'), `Bearer realm="galley"${challenge}`)
  })
}

test('a token works until it expires and not a second longer, remembered or not', async () => {
  const token = await mintToken(service, client)
  const unused = await mintToken(service, client)
  assert.equal(await statusWith(service, token), 200)
  clock = issuedAt + 899_999
  assert.equal(await statusWith(service, token), 200)
  clock = issuedAt + 900_000
  assert.equal(await statusWith(service, token), 401)
  assert.equal(await statusWith(service, unused), 401)
  clock = issuedAt
})

test('the API document has bearer routes to check, of both scopes', () => {
  const scopes = new Set(bearerRoutes.flatMap(({ security }) => security.flatMap(each => each.bearer ?? [])))
  assert.deepEqual([...scopes].sort(), ['api:read', 'api:write'])
})

test('a read needs api:read, everything else api:write, and the document says so', () => {
  for (const { path, method, security } of bearerRoutes) {
    const scope = method === 'get' || method === 'head' ? 'api:read' : 'api:write'
    assert.deepEqual(security, [{ bearer: [scope] }], `${method} ${path}`)
  }
})

test('every bearer route refuses a request without a token', async () => {
  for (const { path, method } of bearerRoutes) {
    const { status } = await service.anonymous(method.toUpperCase(), addressOf(path))
    assert.equal(status, 401, `${method} ${path}`)
  }
})

test('every bearer route refuses a token that lacks its scope, before it reads the body', async () => {
  const tokens = {
    'api:read': await mintToken(service, client, 'api:write'),
    'api:write': await mintToken(service, client, 'api:read')
  }
  for (const { path, method, security } of bearerRoutes) {
    const needed = security[0]?.bearer?.[0] as keyof typeof tokens
    const answer = await service.anonymous(method.toUpperCase(), addressOf(path), undefined, withToken(tokens[needed]))
    assert.deepEqual([answer.status, answer.body?.error_code], [403, 'INSUFFICIENT_SCOPE'], `${method} ${path}`)
    const challenge = `Bearer realm="galley", error="insufficient_scope", scope="${needed}"`
    assert.equal(answer.headers.get('www-authenticate'), challenge)
  }
})
