import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { describe, it } from 'node:test'
import type { FastifyPluginAsync } from 'fastify'
import { access } from '../../../core/contract/access.ts'
import { createRateLimit } from '../../../core/http/rate-limit/allowances.ts'
import { networkOf } from '../../../core/http/rate-limit/callers.ts'
import { bearer, noDatabase, startApp } from './app-under-test.ts'

const routes: FastifyPluginAsync = async app => {
  app.get(
    '/open',
    { config: { access: access.public, cache: { tags: [] } }, schema: { operationId: 'a' } },
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

  const search: FastifyPluginAsync = async app => {
    const answer = async () => ({})
    app.get(
      '/s',
      { config: { access: access.optional('api:read'), rateLimit: 'query' }, schema: { operationId: 'd' } },
      answer
    )
    app.post('/t', { config: { access: access.public, rateLimit: 'token' }, schema: { operationId: 'e' } }, answer)
  }
  const atNoon = { now: () => new Date('2026-11-21T12:00:15Z') }

  it('of searches and tokens counts those without a token apart, and tells what is left', async t => {
    const settings = { rate_limit_search_per_minute: 2, rate_limit_token_per_minute: 1 }
    const app = await startApp({ routes: search, settings, ...atNoon })
    t.after(app.close)
    const statusAndLimits = async (path: string, init: RequestInit = {}) => {
      const { status, headers } = await app.fetch(path, init)
      const [limit, remaining, reset, policy] = ['limit', 'remaining', 'reset', 'policy'].map(name =>
        headers.get(`ratelimit-${name}`)
      )
      return [status, limit, remaining, reset, policy]
    }
    assert.deepEqual(await statusAndLimits('/s'), [200, '2', '1', '45', '2;w=60'])
    assert.deepEqual(await statusAndLimits('/s?a=%zz'), [400, '2', '0', '45', '2;w=60'])
    assert.deepEqual(await statusAndLimits('/s'), [429, '2', '0', '45', '2;w=60'])
    assert.deepEqual(await statusAndLimits('/s', { headers: bearer() }), [200, null, null, null, null])
    assert.deepEqual(await statusAndLimits('/t', { method: 'POST' }), [200, '1', '0', '45', '1;w=60'])
    assert.equal((await statusAndLimits('/t', { method: 'POST' }))[0], 429)
    app.settings.rate_limit_per_minute = 10
    assert.deepEqual(await statusAndLimits('/s', { headers: bearer() }), [200, '10', '9', '45', '10;w=60'])
    assert.equal((await statusAndLimits('/s'))[0], 429)
  })

  it('counts searches that a body asks for as so many requests, and tells the narrowest of what is left', async t => {
    const bodies: FastifyPluginAsync = async app => {
      await search(app, {})
      const config = { access: access.optional('api:read') }
      app.post<{ Body: { searches: number } }>(
        '/b',
        { config, schema: { operationId: 'f' } },
        async (request, reply) => {
          const refused = app.countSearches(request, reply, request.body.searches)
          if (refused !== undefined) throw refused
          return {}
        }
      )
    }
    const app = await startApp({ routes: bodies, settings: { rate_limit_search_per_minute: 5 }, ...atNoon })
    t.after(app.close)
    const ask = async (searches: number, headers = {}) => {
      const init = { method: 'POST', body: JSON.stringify({ searches }) }
      const answer = await app.fetch('/b', { ...init, headers: { 'content-type': 'application/json', ...headers } })
      const limits = ['limit', 'remaining'].map(name => answer.headers.get(`ratelimit-${name}`))
      return [answer.status, ...limits, answer.headers.get('retry-after')]
    }
    assert.deepEqual(await ask(0), [200, null, null, null])
    assert.deepEqual(await ask(3), [200, '5', '2', null])
    assert.equal((await app.fetch('/s')).headers.get('ratelimit-remaining'), '1')
    assert.deepEqual(await ask(2), [429, '5', '0', '45'])
    assert.deepEqual(await ask(2, bearer()), [200, null, null, null])
    app.settings.rate_limit_search_per_minute = 100
    app.settings.rate_limit_per_minute = 2
    assert.deepEqual(await ask(1), [200, '2', '1', null])
    app.settings.rate_limit_search_per_minute = 0
    app.settings.rate_limit_per_minute = 0
    assert.deepEqual(await ask(9), [200, null, null, null])
  })

  it('counts addresses that cannot be read and bytes that are no request', async t => {
    const app = await startApp({ routes, settings: { rate_limit_per_minute: 2 }, ...atNoon })
    t.after(app.close)
    const raw = (bytes: string) =>
      new Promise<string>(resolve => {
        let text = ''
        const socket = connect(app.port, '127.0.0.1', () => socket.write(bytes))
        socket.on('data', chunk => (text += chunk)).on('close', () => resolve(text.slice(0, 12)))
      })
    const malformed = 'GET /%zz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'
    assert.deepEqual([await raw(malformed), await raw('nonsense\r\n\r\n')], ['HTTP/1.1 400', 'HTTP/1.1 400'])
    assert.deepEqual([await raw(malformed), await raw('nonsense\r\n\r\n')], ['HTTP/1.1 429', ''])
  })

  it('gives all clients of a proxy that is not declared one wide allowance, and tells of the proxy once', async t => {
    const values: unknown[] = []
    const db = {
      ...noDatabase,
      transaction: async (work: (tx: unknown) => Promise<void>) =>
        work({ query: async (_: string, params: unknown[]) => void values.push(params) })
    } as never
    const app = await startApp({ routes: search, settings: { rate_limit_search_per_minute: 1 }, db, ...atNoon })
    t.after(app.close)
    const through = (client: string) => app.fetch('/s', { headers: { 'x-forwarded-for': client } })
    for (let n = 1; n <= 20; n++) assert.equal((await through(`203.0.113.${n}`)).status, 200)
    const refused = await through('203.0.113.99')
    assert.deepEqual([refused.status, refused.headers.get('ratelimit-limit')], [429, '20'])
    assert.deepEqual(values, [
      ['http.undeclared_proxy', 'service', '{"address":"127.0.0.1"}'],
      ['http.undeclared_proxy', 7]
    ])
    assert.equal((await app.fetch('/s')).status, 200)
    app.settings.trusted_proxies = '127.0.0.1'
    assert.deepEqual([(await through('203.0.113.99')).status, (await through('203.0.113.99')).status], [200, 429])
  })

  it('counts a hundred thousand callers and no more apart', () => {
    const rates = createRateLimit({ now: () => new Date('2026-11-21T12:00:15Z'), maxCallers: 2 })
    for (const caller of ['a', 'b']) assert.equal(rates.take(caller, 1).isExceeded, false)
    for (let n = 0; n < 20; n++) assert.equal(rates.take(`c${n}`, 1).isExceeded, false)
    assert.equal(rates.take('another', 1).isExceeded, true)
    assert.equal(rates.take('a', 1).isExceeded, true)
  })

  const addresses: [address: string, network: string][] = [
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['2001:db8:0:7:1::1', '2001:db8:0:7::/64'],
    ['2001:DB8:0:07:ffff:ffff:ffff:ffff', '2001:db8:0:7::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['1:2:3::', '1:2:3:0::/64'],
    ['64:ff9b::192.0.2.33', '64:ff9b:0:0::/64'],
    ['1::192.0.2.33', '1:0:0:0::/64']
  ]
  for (const [address, network] of addresses)
    it(`counts ${address} as ${network}`, () => assert.equal(networkOf(address), network))

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

  it('of the list are allowed, from the cache as well', async t => {
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
