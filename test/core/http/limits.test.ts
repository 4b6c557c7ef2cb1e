import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { FastifyPluginAsync } from 'fastify'
import { access } from '../../../core/http/access.ts'
import { bearer, startApp } from './app-under-test.ts'

const routes: FastifyPluginAsync = async app => {
  app.get(
    '/open',
    { config: { access: access.public, cache: { topics: [] } }, schema: { operationId: 'a' } },
    async () => ({})
  )
  app.get('/closed', { config: { access: access.bearer('api:read') }, schema: { operationId: 'b' } }, async () => ({}))
  app.get('/ip', { config: { access: access.public }, schema: { operationId: 'c' } }, async request => ({
    ip: request.ip
  }))
}
const preflight = {
  method: 'OPTIONS',
  headers: { origin: 'https://a.example', 'access-control-request-method': 'PUT' }
}

describe('rate limit', () => {
  it('counts the anonymous by address and clients by id, a minute at a time', async t => {
    let time = Date.parse('2026-11-21T10:00:15Z')
    const app = await startApp({ routes, settings: { rate_limit_per_minute: 2 }, now: () => new Date(time) })
    t.after(app.close)
    const status = async (path: string, init: RequestInit = {}) => (await app.fetch(path, init)).status
    assert.deepEqual([await status('/open'), await status('/open'), await status('/open')], [200, 200, 429])
    assert.deepEqual(
      [await status('/closed', { headers: bearer() }), await status('/closed', { headers: bearer('bob') })],
      [200, 200]
    )
    assert.equal(await status('/closed', { headers: { authorization: 'Bearer guess' } }), 429)
    assert.deepEqual([await status('/api/health'), await status('/health')], [200, 200])
    const refused = await app.fetch('/nothing')
    assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '45'])
    assert.equal(((await refused.json()) as { error_code: string }).error_code, 'RATE_LIMITED')
    time += 45_000
    assert.equal(await status('/open'), 200)
  })

  it('is off by default and follows its setting', async t => {
    const app = await startApp({ routes, now: () => new Date('2026-11-21T10:00:15Z') })
    t.after(app.close)
    for (let n = 0; n < 5; n++) assert.equal((await app.fetch('/open')).status, 200)
    app.settings.rate_limit_per_minute = 1
    await app.fetch('/open')
    assert.equal((await app.fetch('/open')).status, 429)
  })
})

describe('forwarded addresses', () => {
  const ip = async (trusted_proxies: string) => {
    const app = await startApp({ routes, settings: { trusted_proxies } })
    const answer = await app.fetch('/ip', { headers: { 'x-forwarded-for': '203.0.113.9, 10.1.2.3' } })
    await app.close()
    return ((await answer.json()) as { ip: string }).ip
  }
  const rows: [trusted: string, ip: string][] = [
    ['', '127.0.0.1'],
    ['10.0.0.0/8', '127.0.0.1'],
    ['127.0.0.1', '10.1.2.3'],
    ['127.0.0.1, 10.0.0.0/8', '203.0.113.9']
  ]
  for (const [trusted, expected] of rows)
    it(`with ${JSON.stringify(trusted)} trusted the caller is ${expected}`, async () =>
      assert.equal(await ip(trusted), expected))
})

describe('origins', () => {
  it('are refused by default', async t => {
    const app = await startApp({ routes })
    t.after(app.close)
    const answer = await app.fetch('/open', { headers: { origin: 'https://a.example' } })
    assert.equal(answer.headers.get('access-control-allow-origin'), null)
    assert.equal((await app.fetch('/open', preflight)).status, 405)
  })

  it('of the list are allowed, from the ready bytes as well', async t => {
    const app = await startApp({ routes, settings: { cors_origins: 'https://a.example, https://b.example' } })
    t.after(app.close)
    const allowed = async (origin: string) =>
      (await app.fetch('/open', { headers: { origin } })).headers.get('access-control-allow-origin')
    assert.deepEqual(
      [await allowed('https://a.example'), await allowed('https://b.example'), await allowed('https://c.example')],
      ['https://a.example', 'https://b.example', null]
    )
    const plain = await app.fetch('/open')
    assert.deepEqual([plain.headers.get('access-control-allow-origin'), plain.headers.get('vary')], [null, 'Origin'])
    const answer = await app.fetch('/closed', preflight)
    assert.equal(answer.status, 204)
    assert.match(answer.headers.get('access-control-allow-methods') as string, /PUT/)
    assert.match(answer.headers.get('access-control-allow-headers') as string, /Authorization/)
  })

  it('a refusal can be read by the page that caused it', async t => {
    const app = await startApp({ routes, settings: { cors_origins: '*' } })
    t.after(app.close)
    const answer = await app.fetch('/closed', { headers: { origin: 'https://a.example' } })
    assert.deepEqual([answer.status, answer.headers.get('access-control-allow-origin')], [401, '*'])
  })
})
