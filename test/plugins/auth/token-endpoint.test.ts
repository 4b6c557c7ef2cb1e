import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { startService } from '../../helpers/service.ts'
import { basic, type Credentials, grant, registerClient, sendForm, statusWith } from './requests.ts'

const now = new Date('2026-11-21T10:00:00.400Z')
const service = await startService({ worker: false, now: () => now })
after(() => service.close())
const client = await registerClient(service)
const reader = await registerClient(service, 'api:read')

test('the credentials of a client are answered with a bearer token that nothing may store', async () => {
  const { status, body, headers } = await sendForm(service, '/token', grant(client))
  assert.equal(status, 200)
  assert.deepEqual(Object.keys(body).sort(), ['access_token', 'expires_in', 'scope', 'token_type'])
  assert.deepEqual([body.token_type, body.expires_in, body.scope], ['Bearer', 900, 'api:read api:write'])
  assert.equal(headers.get('cache-control'), 'no-store')
  assert.equal(headers.get('pragma'), 'no-cache')
  assert.equal(headers.get('ratelimit-policy'), '1200;w=60')
  assert.equal(await statusWith(service, body.access_token), 200)
})

test('a token says who issued it, for whom, to whom, for what and until when', async () => {
  const { body } = await sendForm(service, '/token', grant(client))
  assert.equal(decodeProtectedHeader(body.access_token).alg, 'HS256')
  const { jti, ...claims } = decodeJwt(body.access_token)
  const iat = Date.parse('2026-11-21T10:00:00Z') / 1000
  assert.match(jti as string, /^[0-9a-f-]{36}$/)
  assert.deepEqual(claims, {
    iss: 'galley',
    aud: service.url,
    sub: client.client_id,
    client_id: client.client_id,
    scope: 'api:read api:write',
    iat,
    exp: iat + 900
  })
})

test('no two tokens are the same', async () => {
  const [one, other] = await Promise.all([1, 2].map(() => sendForm(service, '/token', grant(client))))
  assert.notEqual(one?.body.access_token, other?.body.access_token)
})

test('credentials by HTTP Basic, form-encoded or not, are as good as fields', async () => {
  const encoded = { ...client, client_id: client.client_id.replace('_', '%5F') }
  for (const credentials of [client, encoded]) {
    const answer = await sendForm(service, '/token', { grant_type: 'client_credentials' }, basic(credentials))
    assert.equal(answer.status, 200)
  }
  const named = { grant_type: 'client_credentials', client_id: client.client_id }
  assert.equal((await sendForm(service, '/token', named, basic(client))).status, 200)
})

const scopes: [title: string, credentials: Credentials, scope: string, expected: string | null][] = [
  ['narrows', client, 'api:read', 'api:read'],
  ['is answered in one order', client, 'api:write  api:read', 'api:read api:write'],
  ['counts once', client, 'api:read api:read', 'api:read'],
  ['without a value is left out', reader, '', 'api:read'],
  ['beyond the client is refused', reader, 'api:read api:write', null],
  ['that does not exist is refused', client, 'admin', null]
]
for (const [title, credentials, scope, expected] of scopes) {
  test(`a wanted scope ${title}`, async () => {
    const { status, body } = await sendForm(service, '/token', grant(credentials, { scope }))
    if (expected === null) assert.deepEqual([status, body.error], [400, 'invalid_scope'])
    else assert.deepEqual([status, body.scope], [200, expected])
  })
}

const { client_id, client_secret } = client
const wrong = { client_id, client_secret: reader.client_secret }
const unknown = { client_id: `gly_${'0'.repeat(32)}`, client_secret }
const grant_type = 'client_credentials'
type Refusal = [
  title: string,
  fields: Record<string, string> | string,
  headers: Record<string, string>,
  status: number,
  error: string
]
const refusals: Refusal[] = [
  ['nothing', '', {}, 400, 'invalid_request'],
  ['no grant type', { client_id, client_secret }, {}, 400, 'invalid_request'],
  ['a grant type without a value', grant(client, { grant_type: '' }), {}, 400, 'invalid_request'],
  ['another grant type', grant(client, { grant_type: 'password' }), {}, 400, 'unsupported_grant_type'],
  ['no credentials', { grant_type }, {}, 401, 'invalid_client'],
  ['no secret', { grant_type, client_id }, {}, 401, 'invalid_client'],
  ['an empty secret', grant({ client_id, client_secret: '' }), {}, 401, 'invalid_client'],
  ['an unknown client', grant(unknown), {}, 401, 'invalid_client'],
  ['the secret of another', grant(wrong), {}, 401, 'invalid_client'],
  ['a wrong secret by Basic', { grant_type }, basic(wrong), 401, 'invalid_client'],
  ['a bearer token for Basic', { grant_type }, { authorization: 'Bearer x' }, 401, 'invalid_client'],
  ['Basic without a colon', { grant_type }, { authorization: 'Basic eHh4' }, 401, 'invalid_client'],
  ['NUL in Basic', { grant_type }, basic({ client_id: 'gly_\0', client_secret }), 401, 'invalid_client'],
  ['NUL in a field', grant({ client_id: 'gly_\0', client_secret }), {}, 400, 'invalid_request'],
  ['a field twice', `${new URLSearchParams(grant(client))}&scope=api:read&scope=api:read`, {}, 400, 'invalid_request'],
  ['credentials twice', grant(client), basic(client), 400, 'invalid_request'],
  ['two clients', { grant_type, client_id: reader.client_id }, basic(client), 400, 'invalid_request'],
  ['JSON', JSON.stringify(grant(client)), { 'content-type': 'application/json' }, 400, 'invalid_request'],
  ['plain text', 'grant_type', { 'content-type': 'text/plain' }, 400, 'invalid_request'],
  ['a form too large', grant(client, { scope: 'x'.repeat(20_000) }), {}, 413, 'invalid_request']
]
for (const [title, fields, headers, expected, error] of refusals) {
  test(`refused with the body of RFC 6749: ${title}`, async () => {
    const answer = await sendForm(service, '/token', fields, headers)
    assert.deepEqual([answer.status, answer.body.error], [expected, error])
    assert.deepEqual(Object.keys(answer.body).sort(), ['error', 'error_description'])
    assert.match(answer.body.error_description, /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/)
    assert.equal(answer.headers.get('cache-control'), 'no-store')
    assert.equal(answer.headers.get('www-authenticate')?.startsWith('Basic '), expected === 401 ? true : undefined)
  })
}

test('an unknown client and a wrong secret are answered alike', async () => {
  const [one, other] = await Promise.all([unknown, wrong].map(each => sendForm(service, '/token', grant(each))))
  assert.deepEqual(one?.body, other?.body)
  assert.equal(one?.status, other?.status)
})

test('a token cannot be had by GET', async () => {
  const { status, headers } = await service.anonymous('GET', `/token?${new URLSearchParams(grant(client))}`)
  assert.deepEqual([status, headers.get('allow')], [405, 'POST'])
})

test('the lifetime is a setting', async () => {
  await service.kernel.settings.set('oauth_token_ttl_seconds', '60')
  const { body } = await sendForm(service, '/token', grant(client))
  const { iat, exp } = decodeJwt(body.access_token)
  assert.deepEqual([body.expires_in, (exp ?? 0) - (iat ?? 0)], [60, 60])
})

test('the metadata document names the endpoints and what they take', async () => {
  const { status, body } = await service.anonymous('GET', '/.well-known/oauth-authorization-server')
  assert.equal(status, 200)
  assert.deepEqual(body, {
    issuer: service.url,
    token_endpoint: `${service.url}/token`,
    revocation_endpoint: `${service.url}/revoke`,
    grant_types_supported: ['client_credentials'],
    response_types_supported: [],
    scopes_supported: ['api:read', 'api:write', 'api:admin'],
    token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
    revocation_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic']
  })
})

test('the public address is the audience, and a token for another one is refused', async () => {
  const before = (await sendForm(service, '/token', grant(client))).body.access_token
  assert.equal(await statusWith(service, before), 200)
  await service.kernel.settings.set('public_url', 'https://press.example')
  const { body } = await sendForm(service, '/token', grant(client))
  assert.equal(decodeJwt(body.access_token).aud, 'https://press.example')
  assert.equal(await statusWith(service, body.access_token), 200)
  assert.equal(await statusWith(service, before), 401)
  const metadata = await service.anonymous('GET', '/.well-known/oauth-authorization-server')
  assert.equal(metadata.body.token_endpoint, 'https://press.example/token')
})
