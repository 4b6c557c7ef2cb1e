import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { FastifyPluginAsync, RouteShorthandOptions } from 'fastify'
import { Type } from 'typebox'
import { access } from '../../../core/contract/access.ts'
import { ConflictError, UnavailableError } from '../../../core/contract/errors.ts'
import { bearer, startApp } from './app-under-test.ts'

const Body = Type.Object({
  topic: Type.String({ minLength: 3, maxLength: 10 }),
  approved: Type.Optional(Type.Boolean()),
  count: Type.Optional(Type.Integer({ minimum: 1, maximum: 5 })),
  style: Type.Optional(Type.Union([Type.Literal('plain'), Type.Literal('formal')])),
  category: Type.Optional(Type.Union([Type.String({ maxLength: 4 }), Type.Null()])),
  items: Type.Optional(Type.Array(Type.Object({ name: Type.String() }), { maxItems: 2 })),
  metadata: Type.Optional(Type.Record(Type.String(), Type.Unknown()))
})
const Query = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  flag: Type.Optional(Type.Boolean())
})

const routes: FastifyPluginAsync = async app => {
  const open = { access: access.public, bodyLimit: 1_048_576 }
  app.post(
    '/own-limit',
    { bodyLimit: 20_000, config: { access: access.public }, schema: { operationId: 'ownLimit' } },
    async () => ({})
  )
  const tag = Type.String({ minLength: 1, pattern: '\\S' })
  const Tags = Type.Object({ tags: Type.Array(tag), language: Type.String() })
  app.post('/tags', { config: open, schema: { operationId: 'tags', body: Tags } }, async () => ({}))
  app.post('/anybody', { config: { access: access.public }, schema: { operationId: 'takeAny' } }, async () => ({}))
  app.post('/echo', { config: open, schema: { operationId: 'echo', body: Body } }, async request => request.body)
  app.get(
    '/list',
    { config: open, schema: { operationId: 'list', querystring: Query } },
    async request => request.query
  )
  app.get('/twins', { config: open, schema: { operationId: 'twins' } }, async () => [])
  app.get('/twins/:id', { config: open, schema: { operationId: 'twin' } }, async request => request.params)
  app.get('/things/latest', { config: open, schema: { operationId: 'latest' } }, async () => ({}))
  app.get('/things/:id', { config: open, schema: { operationId: 'thing' } }, async request => request.params)
  app.delete(
    '/things/:id',
    { config: { access: access.bearer('api:write') }, schema: { operationId: 'drop' } },
    async () => ({})
  )
  app.post(
    '/start',
    { config: { access: access.bearer('api:write') }, schema: { operationId: 'start' } },
    async () => ({ started: true })
  )
  app.post(
    '/small',
    { config: { ...open, bodyLimit: 10 }, schema: { operationId: 'small', body: Body } },
    async () => ({})
  )
  app.put(
    '/both/:id',
    {
      config: open,
      schema: { operationId: 'both', params: Type.Object({ id: Type.Integer() }), querystring: Query, body: Body }
    },
    async () => ({})
  )
  const failures: Record<string, unknown> = {
    nothing: null,
    bug: new TypeError('secret detail'),
    database: new UnavailableError('The database does not answer.'),
    denied: Object.assign(new Error('permission denied for table tasks'), { code: '42501' }),
    conflict: new ConflictError('It is done already.', 'ALREADY_DONE'),
    undeclared: new ConflictError('It is done already.', 'NOT_DECLARED')
  }
  const answers: Record<string, Partial<RouteShorthandOptions>> = {
    hook: { onSend: () => Promise.reject(new Error('secret detail')) },
    textless: { onSend: () => Promise.reject(Object.create(null)) },
    thrown: {
      onSend: () => {
        throw new Error('secret detail')
      }
    },
    serialized: { preSerialization: () => Promise.reject(new Error('secret detail')) }
  }
  for (const [name, hooks] of Object.entries(answers))
    app.get(`/answer/${name}`, { config: open, schema: { operationId: name }, ...hooks }, async () => ({
      tide: 'high'
    }))
  app.get('/answer/header', { config: open, schema: { operationId: 'header' } }, async (_request, reply) => {
    reply.header('x-tide', 'high\r\nx-moon: full')
    return {}
  })
  for (const [name, error] of Object.entries(failures)) {
    app.get(`/fail/${name}`, { config: open, schema: { operationId: name } }, async () => {
      throw error
    })
  }
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const json = (body: unknown) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: typeof body === 'string' ? body : JSON.stringify(body)
})
const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)

describe('errors', () => {
  let app: Awaited<ReturnType<typeof startApp>>
  before(async () => {
    app = await startApp({ routes })
  })
  after(() => app.close())

  type Row = [
    title: string,
    path: string,
    init: RequestInit,
    status: number,
    code: string,
    errors: Record<string, RegExp | string>
  ]
  const rows: Row[] = [
    [
      'a missing body names the missing field',
      '/echo',
      { method: 'POST' },
      400,
      'VALIDATION_ERROR',
      { topic: 'is required' }
    ],
    [
      'an empty JSON body names the missing field',
      '/echo',
      json(''),
      400,
      'VALIDATION_ERROR',
      { topic: 'is required' }
    ],
    ['null is no body', '/echo', json('null'), 400, 'VALIDATION_ERROR', { body: 'must be an object' }],
    ['an array is no object', '/echo', json([]), 400, 'VALIDATION_ERROR', { body: 'must be an object' }],
    [
      'all faulty fields are named at once, by dotted path',
      '/echo',
      json({
        topic: 'ab',
        approved: 'true',
        count: 6,
        style: 'x',
        category: 5,
        items: [{}, { name: 1, extra: 2 }],
        more: 1
      }),
      400,
      'VALIDATION_ERROR',
      {
        topic: 'must have at least 3 characters',
        approved: 'must be a boolean',
        count: 'must be at most 5',
        style: 'must be "plain" or "formal"',
        category: 'must be a string or null',
        'items.0.name': 'is required',
        'items.1.name': 'must be a string',
        'items.1.extra': 'is not a known field',
        more: 'is not a known field'
      }
    ],
    [
      'a union says which bound was passed',
      '/echo',
      json({ topic: 'abc', category: 'abcde' }),
      400,
      'VALIDATION_ERROR',
      { category: 'must have at most 4 characters; it has 5' }
    ],
    [
      'a number written as a string is no number in a body',
      '/echo',
      json({ topic: 'abc', count: '3' }),
      400,
      'VALIDATION_ERROR',
      { count: 'must be an integer' }
    ],
    [
      'faults of path, query and body are told together',
      '/both/x?limit=0',
      { ...json({}), method: 'PUT' },
      400,
      'VALIDATION_ERROR',
      { id: 'must be an integer', limit: 'must be at least 1', topic: 'is required' }
    ],
    ['malformed JSON', '/echo', json('{"topic":'), 400, 'VALIDATION_ERROR', { body: /^is not valid JSON/ }],
    [
      'bytes that are not UTF-8',
      '/echo',
      { ...json(''), body: Buffer.from([0x22, 0xff, 0x22]) },
      400,
      'VALIDATION_ERROR',
      { body: 'is not valid UTF-8' }
    ],
    [
      'JSON deeper than 32 levels',
      '/echo',
      json(`{"topic":"abc","metadata":{"a":${nested(31)}}}`),
      400,
      'VALIDATION_ERROR',
      { body: /32 levels/ }
    ],
    ['JSON of 100,000 levels', '/echo', json(nested(100_000)), 400, 'VALIDATION_ERROR', { body: /32 levels/ }],
    [
      'a __proto__ field',
      '/echo',
      json('{"topic":"abc","metadata":{"__proto__":{"a":1}}}'),
      400,
      'VALIDATION_ERROR',
      { 'metadata.__proto__': 'is not a known field' }
    ],
    [
      'a constructor.prototype field',
      '/echo',
      json('{"topic":"abc","metadata":{"constructor":{"prototype":1}}}'),
      400,
      'VALIDATION_ERROR',
      { 'metadata.constructor': 'is not a known field' }
    ],
    [
      'fields named as what every object has',
      '/echo',
      json('{"topic":"abc","constructor":1,"toString":2,"__proto__":{"x":1}}'),
      400,
      'VALIDATION_ERROR',
      Object.fromEntries(['__proto__', 'constructor', 'toString'].map(name => [name, 'is not a known field']))
    ],
    [
      'fields named as what every object has, without the one that would change them',
      '/echo',
      json('{"topic":"abc","constructor":1,"toString":2,"hasOwnProperty":{"valueOf":3}}'),
      400,
      'VALIDATION_ERROR',
      Object.fromEntries(['constructor', 'toString', 'hasOwnProperty'].map(name => [name, 'is not a known field']))
    ],
    ...['\u0007', '\u001b', '\u007f', '\u0085', '\u009b'].map(
      (control): Row => [
        `the control character ${JSON.stringify(control)} in a body`,
        '/echo',
        json({ topic: `abc${control}`, items: [{ name: `x${control}` }], metadata: { [`a${control}`]: 1 } }),
        400,
        'VALIDATION_ERROR',
        { topic: /control character U\+00/, 'items.0.name': /control character/, metadata: /control character/ }
      ]
    ),
    [
      'a control character beside other faults',
      '/echo',
      json({ topic: 'abc\u0007', items: 'x', zzz: 1 }),
      400,
      'VALIDATION_ERROR',
      { topic: /U\+0007/, items: /must be an array/, zzz: 'is not a known field' }
    ],
    ['a control character in a query', '/list?limit=%07', {}, 400, 'VALIDATION_ERROR', { limit: /U\+0007/ }],
    [
      'NUL in a body',
      '/echo',
      json({ topic: 'ab\0', items: [{ name: 'x\0' }] }),
      400,
      'VALIDATION_ERROR',
      { topic: /NUL/, 'items.0.name': /NUL/ }
    ],
    [
      'a lone surrogate in a body',
      '/echo',
      json('{"topic":"abc\\ud800"}'),
      400,
      'VALIDATION_ERROR',
      { topic: /surrogate/ }
    ],
    [
      'a lone surrogate in a field name',
      '/echo',
      json('{"topic":"abc","metadata":{"\\ud800":1}}'),
      400,
      'VALIDATION_ERROR',
      { metadata: /surrogate/ }
    ],
    [
      'a number beyond the bounds of a double',
      '/echo',
      json('{"topic":"abc","metadata":{"a":1e400}}'),
      400,
      'VALIDATION_ERROR',
      { 'metadata.a': /range/ }
    ],
    ['NUL in a query', '/list?limit=%00', {}, 400, 'VALIDATION_ERROR', { limit: /NUL/ }],
    ['NUL in a path', '/things/a%00b', {}, 400, 'VALIDATION_ERROR', { id: /NUL/ }],
    ['an unknown query parameter', '/list?limt=5', {}, 400, 'VALIDATION_ERROR', { limt: 'is not a known parameter' }],
    [
      'an unknown query parameter of a route without any',
      '/things/1?x=1',
      {},
      400,
      'VALIDATION_ERROR',
      { x: 'is not a known parameter' }
    ],
    [
      'a query parameter out of bounds',
      '/list?limit=-1&flag=yes',
      {},
      400,
      'VALIDATION_ERROR',
      { limit: 'must be at least 1', flag: 'must be a boolean' }
    ],
    [
      'a query number with an exponent',
      '/list?limit=1e1',
      {},
      400,
      'VALIDATION_ERROR',
      { limit: 'must be an integer' }
    ],
    [
      'a huge query number',
      '/list?limit=99999999999999999999',
      {},
      400,
      'VALIDATION_ERROR',
      { limit: 'must be an integer' }
    ],
    [
      'a query parameter given twice',
      '/list?limit=1&limit=2',
      {},
      400,
      'VALIDATION_ERROR',
      { limit: 'is given 2 times: give it once' }
    ],
    [
      'an unexpected field of a route without a body',
      '/start',
      { ...json({ now: true }), headers: { ...bearer(), 'content-type': 'application/json' } },
      400,
      'VALIDATION_ERROR',
      { now: 'is not a known field' }
    ],
    ['a URL that cannot be decoded', '/things/%zz', {}, 400, 'VALIDATION_ERROR', { path: /well-formed/ }],
    ['a query that cannot be decoded', '/list?limit=%zz', {}, 400, 'VALIDATION_ERROR', { query: /well-formed/ }],
    ['a query that is not UTF-8', '/things/1?q=%ff', {}, 400, 'VALIDATION_ERROR', { query: /UTF-8/ }],
    ['no token', '/things/1', { method: 'DELETE' }, 401, 'UNAUTHORIZED', {}],
    ['an unknown path', '/nothing', {}, 404, 'NOT_FOUND', {}],
    ['an unknown path with a body nobody reads', '/nothing', { method: 'POST', body: 'x' }, 404, 'NOT_FOUND', {}],
    ['a method the path does not have', '/things/1', { method: 'PATCH' }, 405, 'METHOD_NOT_ALLOWED', {}],
    ['a conflict', '/fail/conflict', {}, 409, 'ALREADY_DONE', {}],
    ['a code that nobody declares', '/fail/undeclared', {}, 500, 'INTERNAL_ERROR', {}],
    ['a body over 1 MiB', '/echo', json({ topic: 'x'.repeat(2_000_000) }), 413, 'PAYLOAD_TOO_LARGE', {}],
    ["a body over the route's own limit", '/small', json({ topic: 'x'.repeat(20) }), 413, 'PAYLOAD_TOO_LARGE', {}],
    [
      'a body that is not JSON',
      '/echo',
      { method: 'POST', body: 'topic=abc', headers: { 'content-type': 'text/plain' } },
      415,
      'UNSUPPORTED_MEDIA_TYPE',
      {}
    ],
    [
      'a form',
      '/echo',
      { method: 'POST', body: new URLSearchParams({ topic: 'abc' }) },
      415,
      'UNSUPPORTED_MEDIA_TYPE',
      {}
    ],
    [
      'JSON announced in another charset',
      '/echo',
      {
        method: 'POST',
        body: '{"topic":"abc"}',
        headers: { 'content-type': 'application/json; charset=utf-16' }
      },
      415,
      'UNSUPPORTED_MEDIA_TYPE',
      {}
    ],
    [
      'a compressed body',
      '/echo',
      {
        method: 'POST',
        body: gzipSync('{"topic":"abc"}'),
        headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' }
      },
      415,
      'UNSUPPORTED_MEDIA_TYPE',
      {}
    ],
    ['a file the API page does not have', '/docs/static/none.js', {}, 404, 'NOT_FOUND', {}],
    ['a handler that throws nothing', '/fail/nothing', {}, 500, 'INTERNAL_ERROR', {}],
    ['a bug', '/fail/bug', {}, 500, 'INTERNAL_ERROR', {}],
    ...['hook', 'textless', 'thrown', 'serialized', 'header'].map(
      (name): Row => [`an answer that cannot be sent (${name})`, `/answer/${name}`, {}, 500, 'INTERNAL_ERROR', {}]
    ),
    ['a database that does not answer', '/fail/database', {}, 503, 'SERVICE_UNAVAILABLE', {}],
    ['a right that the login lacks in the database', '/fail/denied', {}, 503, 'SERVICE_UNAVAILABLE', {}]
  ]
  for (const [title, path, init, status, code, errors] of rows) {
    it(`${title}: ${status}`, async () => {
      const answer = await app.fetch(path, init)
      const body = (await answer.json()) as {
        error_code: string
        message: string
        errors: Record<string, string>
        request_id: string
      }
      assert.deepEqual(Object.keys(body), ['error_code', 'message', 'errors', 'request_id'])
      assert.deepEqual([answer.status, body.error_code], [status, code])
      assert.deepEqual(Object.keys(body.errors).sort(), Object.keys(errors).sort())
      for (const [field, message] of Object.entries(errors)) {
        if (message instanceof RegExp) assert.match(body.errors[field] as string, message)
        else assert.equal(body.errors[field], message)
      }
      assert.match(body.request_id, uuid)
      assert.equal(answer.headers.get('x-request-id'), body.request_id)
      assert.equal(answer.headers.get('cache-control'), 'no-store')
      assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
      assert.match(answer.headers.get('content-type') as string, /^application\/json/)
    })
  }

  for (const type of ['text/', 'application/json; charset='])
    it(`repeats no more than the beginning of a long content type: ${type}…`, async () => {
      const headers = { 'content-type': type + 'x'.repeat(8_000) }
      const answer = await app.fetch('/echo', { method: 'POST', body: '{}', headers })
      assert.equal(answer.status, 415)
      assert.ok(((await answer.json()) as { message: string }).message.length < 300)
    })

  it('accepts what is right and gives it to the handler with its types', async () => {
    assert.deepEqual(await (await app.fetch('/list?limit=5&flag=true')).json(), { limit: 5, flag: true })
    const body = { topic: 'abc', approved: true, style: 'plain', category: null, metadata: { any: { thing: [1] } } }
    assert.deepEqual(await (await app.fetch('/echo', json(body))).json(), body)
    assert.equal((await app.fetch('/echo', json(`{"topic":"abc","metadata":{"a":${nested(30)}}}`))).status, 200)
    assert.equal((await app.fetch('/start', { method: 'POST', headers: bearer() })).status, 200)
    const quoted = { ...json(body), headers: { 'content-type': 'application/json;charset="UTF-8"' } }
    assert.equal((await app.fetch('/echo', quoted)).status, 200)
  })

  for (const path of ['/docs/static/%2e%2e/x', '/docs/static/..%2f..%2fpackage.json', '/docs/static/../x'])
    it(`finds nothing at ${path}`, async () => {
      // fetch would resolve the dots itself.
      const [response] = await once(get({ port: app.port, path }), 'response')
      const { error_code, errors } = JSON.parse(await text(response))
      assert.deepEqual([response.statusCode, error_code, errors], [404, 'NOT_FOUND', {}])
    })

  it('reads a body that is too large to its end, so that its sender gets the answer', async t => {
    const socket = connect(app.port, '127.0.0.1')
    t.after(() => socket.destroy())
    socket.write('POST /echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 4000000\r\n\r\n')
    const [refusal] = await once(socket, 'data')
    assert.match(String(refusal), /^HTTP\/1.1 413 /)
    socket.write('x'.repeat(4_000_000))
    socket.write('GET /list HTTP/1.1\r\nHost: x\r\n\r\n')
    const [next] = await once(socket, 'data')
    assert.match(String(next), /^HTTP\/1.1 200 /)
  })

  for (const [path, meant] of [
    ['/list/', '/list'],
    ['/list//', '/list'],
    ['/things/1/?x=1', '/things/1'],
    ['/things/', undefined],
    ['/twins/', '/twins'],
    ['/nothing/', undefined]
  ] as const) {
    it(`says of ${path} ${meant === undefined ? 'that there is nothing' : `that ${meant} was meant`}`, async () => {
      const answer = await app.fetch(path)
      const { message } = (await answer.json()) as { message: string }
      assert.equal(answer.status, 404)
      if (meant === undefined) assert.match(message, /check the address/)
      else assert.match(message, new RegExp(`the address is ${meant}\\.`))
    })

    it(`leads a browser at ${path} ${meant === undefined ? 'nowhere' : `to ${meant}`}`, async () => {
      const headers = { accept: 'text/html,*/*;q=0.8' }
      const answer = await app.fetch(path, { headers, redirect: 'manual' })
      const to = meant === undefined ? null : `${meant}${path.replace(/^[^?]*/, '')}`
      assert.deepEqual([answer.status, answer.headers.get('location')], [meant === undefined ? 404 : 301, to])
      // An import may lead it somewhere else later.
      if (meant !== undefined) assert.equal(answer.headers.get('cache-control'), 'no-cache')
    })
  }

  it('names the methods a path has', async () => {
    const answer = await app.fetch('/things/1', { method: 'PATCH' })
    assert.equal(answer.headers.get('allow'), 'DELETE, GET, HEAD')
    const latest = await app.fetch('/things/latest', { method: 'PATCH' })
    assert.deepEqual([latest.status, latest.headers.get('allow')], [405, 'GET, HEAD'])
  })

  it('says when to come back while the database does not answer', async () => {
    assert.equal((await app.fetch('/fail/database')).headers.get('retry-after'), '1')
  })

  it('tells the log the cause of a 500 under its request_id, and the caller nothing', async () => {
    const text = await (await app.fetch('/fail/bug')).text()
    assert.doesNotMatch(text, /secret detail|TypeError/)
    const line = app.log
      .map(each => JSON.parse(each))
      .find(({ request_id }) => request_id === JSON.parse(text).request_id)
    assert.match(line.err.stack, /TypeError: secret detail\n {4}at/)
  })

  it('keeps a request id that is a UUID and replaces any other', async () => {
    const given = '3F2504E0-4F89-41D3-9A0C-0305E82C3301'
    const id = async (value: string) =>
      (await app.fetch('/list', { headers: { 'x-request-id': value } })).headers.get('x-request-id')
    assert.equal(await id(given), given)
    assert.match((await id('<script>')) as string, uuid)
  })

  it('answers an expectation it cannot meet with 417 and the body of every failure', async () => {
    const request = get({ port: app.port, path: '/list', headers: { expect: 'teapot' } })
    const [response] = await once(request, 'response')
    const body = JSON.parse(await text(response))
    assert.equal(response.statusCode, 417)
    assert.deepEqual(Object.keys(body), ['error_code', 'message', 'errors', 'request_id'])
    assert.equal(body.error_code, 'EXPECTATION_FAILED')
    assert.match(body.message, /teapot/)
  })

  it('says the first hundred of many faults', async () => {
    const names = Array.from({ length: 20_000 }, (_, at) => [`field_${at}`, 'a\0b'])
    const response = await app.fetch('/echo', json({ topic: 'abc', ...Object.fromEntries(names) }))
    const { errors } = (await response.json()) as { errors: object }
    assert.deepEqual([response.status, Object.keys(errors).length], [400, 100])
  })

  it('names every field, however many faults another one has', async () => {
    const tags = Array.from({ length: 90 }, () => '')
    const response = await app.fetch('/tags', json({ tags, language: 5 }))
    const { errors } = (await response.json()) as { errors: Record<string, string> }
    assert.deepEqual([Object.keys(errors).length, errors.language], [91, 'must be a string'])
  })

  it('takes 16 KiB from anybody, where the route does not say otherwise', async () => {
    const bodyOf = (bytes: number) => json(JSON.stringify({ a: 'x'.repeat(bytes - 8) }))
    const statusOf = async (bytes: number) => (await app.fetch('/anybody', bodyOf(bytes))).status
    assert.deepEqual([await statusOf(16_384), await statusOf(16_385)], [200, 413])
    assert.equal((await app.fetch('/own-limit', bodyOf(20_000))).status, 200)
  })

  const garbage: [string, string][] = [
    ['what is no HTTP', 'nonsense\r\n\r\n'],
    ['a request without Host', 'GET /list HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ['two Host headers', 'GET /list HTTP/1.1\r\nHost: x\r\nhost: y\r\nConnection: close\r\n\r\n'],
    ['an unknown method', 'BREW /list HTTP/1.1\r\nHost: x\r\n\r\n'],
    [
      'two lengths of one body',
      'POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n'
    ],
    ['headers that never end', `GET /list HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`]
  ]
  for (const [title, bytes] of garbage) {
    it(`answers ${title} with the error body`, async () => {
      const socket = connect(app.port, '127.0.0.1')
      let text = ''
      socket.on('data', chunk => {
        text += chunk
      })
      socket.write(bytes)
      await once(socket, 'close')
      assert.match(text, /^HTTP\/1.1 400 /)
      assert.equal(JSON.parse(text.split('\r\n\r\n')[1] as string).error_code, 'VALIDATION_ERROR')
    })
  }

  it('answers CONNECT: it is no proxy', async () => {
    const socket = connect(app.port, '127.0.0.1')
    let text = ''
    socket.on('data', chunk => {
      text += chunk
    })
    socket.write('CONNECT example.org:443 HTTP/1.1\r\nHost: example.org:443\r\n\r\n')
    await once(socket, 'close')
    assert.match(text, /^HTTP\/1.1 405 /)
    assert.equal(JSON.parse(text.split('\r\n\r\n')[1] as string).error_code, 'METHOD_NOT_ALLOWED')
  })
})
