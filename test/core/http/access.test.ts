import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { FastifyPluginAsync } from 'fastify'
import { access } from '../../../core/contract/access.ts'
import type { BootError } from '../../../core/contract/boot-error.ts'
import { bearer, startApp } from './app-under-test.ts'

const routes: FastifyPluginAsync = async app => {
  const who = async (request: { principal: { client_id: string } | null }) => ({
    client: request.principal?.client_id ?? null
  })
  app.get('/open', { config: { access: access.public }, schema: { operationId: 'a' } }, who)
  app.get('/either', { config: { access: access.optional() }, schema: { operationId: 'b' } }, who)
  app.get('/closed', { config: { access: access.bearer('api:read') }, schema: { operationId: 'c' } }, who)
  app.post('/closed', { config: { access: access.bearer('api:write') }, schema: { operationId: 'd' } }, who)
}

describe('access', () => {
  let app: Awaited<ReturnType<typeof startApp>>
  before(async () => {
    app = await startApp({ routes })
  })
  after(() => app.close())

  const reader = { authorization: 'Bearer bob+api:read' }
  const unknown = { authorization: 'Bearer nonsense' }
  const rows: [
    title: string,
    path: string,
    init: RequestInit,
    status: number,
    client: string | null,
    challenge: string | null
  ][] = [
    ['a public route takes no notice of a token', '/open', { headers: unknown }, 200, null, null],
    ['an optional route serves the anonymous', '/either', {}, 200, null, null],
    ['an optional route knows its client', '/either', { headers: reader }, 200, 'bob', null],
    [
      'an optional route refuses a bad token',
      '/either',
      { headers: unknown },
      401,
      null,
      'Bearer realm="galley", error="invalid_token"'
    ],
    ['a bearer route refuses the anonymous', '/closed', {}, 401, null, 'Bearer realm="galley"'],
    [
      'a bearer route refuses a bad token',
      '/closed',
      { headers: unknown },
      401,
      null,
      'Bearer realm="galley", error="invalid_token"'
    ],
    [
      'a bearer route refuses another scheme',
      '/closed',
      { headers: { authorization: 'Basic YTpi' } },
      401,
      null,
      'Bearer realm="galley", error="invalid_token"'
    ],
    [
      'a bearer route knows its client',
      '/closed',
      { headers: { authorization: 'bearer bob+api:read' } },
      200,
      'bob',
      null
    ],
    ['a HEAD wants the same token', '/closed', { method: 'HEAD' }, 401, null, 'Bearer realm="galley"'],
    [
      'a scope is missing',
      '/closed',
      { method: 'POST', headers: reader },
      403,
      null,
      'Bearer realm="galley", error="insufficient_scope", scope="api:write"'
    ],
    [
      'refused before the body is read',
      '/closed',
      { method: 'POST', body: 'no json' },
      401,
      null,
      'Bearer realm="galley"'
    ]
  ]
  for (const [title, path, init, status, client, challenge] of rows) {
    it(`${title}: ${status}`, async () => {
      const answer = await app.fetch(path, init)
      assert.equal(answer.status, status)
      assert.equal(answer.headers.get('www-authenticate'), challenge)
      if (status === 200) assert.deepEqual(await answer.json(), { client })
    })
  }

  it('no answer to a client is kept on the way', async () => {
    assert.equal((await app.fetch('/closed', { headers: bearer() })).headers.get('cache-control'), 'no-store')
    assert.equal((await app.fetch('/either', { headers: bearer() })).headers.get('cache-control'), 'no-store')
  })
})

describe('boot', () => {
  const refused = async (options: Parameters<typeof startApp>[0]) => {
    const error = await startApp(options).then(
      () => assert.fail('it booted'),
      (cause: BootError) => cause
    )
    return error.problems.map(({ plugin, cause }) => `${plugin}: ${cause}`)
  }

  it('a schema that cannot be compiled stops the boot and names its route, before any request', async () => {
    const bad: [part: string, schema: object][] = [
      ['querystring', { querystring: { type: 'object', properties: { n: { type: 'sting' } } } }],
      ['body', { body: { type: 'object', properties: { n: { minimum: 'one' } } } }],
      ['response', { response: { 200: { type: 'object', properties: { n: { $ref: 'nowhere#' } } } } }]
    ]
    for (const [part, schema] of bad) {
      const routes: FastifyPluginAsync = async app => {
        const config = { access: access.public }
        app.post('/bad', { config, schema: { operationId: 'bad', ...schema } }, async () => ({}))
      }
      await assert.rejects(startApp({ routes }), /\/bad/, part)
    }
  })

  it('names every route that breaks a rule, with its plugin', async () => {
    const problems = await refused({
      routes: async app => {
        app.get('/a', async () => ({}))
        app.post('/b/:id', { config: { access: access.public } }, async () => ({}))
        app.get(
          '/c',
          { config: { access: access.bearer('api:read'), cache: { tags: [] } }, schema: { operationId: 'c' } },
          async () => ({})
        )
        // As a plugin in JavaScript may have it.
        const cost = JSON.parse('"query"')
        app.get('/d', { config: { access: access.public, cost }, schema: { operationId: 'd' } }, async () => ({}))
      }
    })
    assert.deepEqual(problems, [
      'example: the route GET /a does not state who may use it',
      'example: the route POST /b/:id has no schema.operationId',
      'example: the responses of GET /c are to be cached for anonymous readers, and it has none',
      'example: the route GET /d has the unknown cost "query"'
    ])
  })

  it('names the plugin whose routes cannot be added', async () => {
    const problems = await refused({
      routes: async () => {
        throw new Error('broken')
      }
    })
    assert.deepEqual(problems, ['example: its routes could not be added (broken)'])
  })
})
