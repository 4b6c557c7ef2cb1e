import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { FastifyPluginAsync } from 'fastify'
import { Type } from 'typebox'
import { access } from '../../../../core/contract/access.ts'
import { securityHeaders } from '../../../../core/http/security-headers.ts'
import { bearer, type SwitchedChanges, startApp, switchedChanges } from '../app-under-test.ts'

/** A stand-in for a table: what it holds is what a read answers. */
interface Source {
  title: string
  reads: number
  until: Date | null
  /** Set: the next read answers what it saw, when this resolves. */
  hold: Promise<void> | null
  headers: Record<string, string>
}

function routesWith(source: Source): FastifyPluginAsync {
  return async app => {
    const config = {
      access: access.optional(),
      cache: { tags: ['posts', 'tags', 'settings'], until: () => source.until }
    }
    const querystring = Type.Object({ n: Type.Optional(Type.Integer()), size: Type.Optional(Type.Integer()) })
    app.get('/posts', { config, schema: { operationId: 'posts', querystring } }, async (request, reply) => {
      source.reads++
      const seen = source.title
      await source.hold
      const { size = 0 } = request.query as { size?: number }
      return reply
        .headers(source.headers)
        .send({ title: seen, client: request.principal?.client_id ?? null, padding: 'x'.repeat(size) })
    })
    const oftenNew = { ...config, cache: { ...config.cache, isCachedOnRepeat: true } }
    app.get('/found', { config: oftenNew, schema: { operationId: 'found', querystring } }, async () => {
      source.reads++
      return { title: source.title }
    })
    app.get('/missing', { config, schema: { operationId: 'missing' } }, async (_request, reply) => {
      source.reads++
      return reply.code(404).send({})
    })
    const ofAll = { access: access.public, cache: config.cache }
    app.get('/public', { config: ofAll, schema: { operationId: 'public' } }, async () => {
      source.reads++
      return { title: source.title }
    })
    app.get('/plain', { config: { access: access.public }, schema: { operationId: 'plain' } }, async () => ({
      title: source.title
    }))
  }
}

describe('the response cache', () => {
  let source: Source
  let changes: SwitchedChanges
  let time: number
  let app: Awaited<ReturnType<typeof startApp>>
  let settingsRead: () => void
  beforeEach(async () => {
    source = { title: 'one', reads: 0, until: null, hold: null, headers: {} }
    changes = switchedChanges()
    time = Date.parse('2026-11-21T10:00:00Z')
    app = await startApp({
      routes: routesWith(source),
      changes,
      now: () => new Date(time),
      onSettingsRead: drop => {
        settingsRead = drop
      }
    })
  })
  afterEach(() => app.close())

  const title = async (path = '/posts', init: RequestInit = {}) =>
    ((await (await app.fetch(path, init)).json()) as { title: string }).title

  it('a second reader gets the same answer without a read', async () => {
    const first = await app.fetch('/posts')
    const second = await app.fetch('/posts')
    assert.equal(source.reads, 1)
    assert.equal(await first.text(), await second.text())
    const names = [...first.headers.keys()].sort()
    assert.deepEqual([...second.headers.keys()].sort(), names)
    for (const name of names.filter(each => each !== 'x-request-id' && each !== 'date'))
      assert.equal(second.headers.get(name), first.headers.get(name), name)
    assert.notEqual(second.headers.get('x-request-id'), first.headers.get('x-request-id'))
    assert.equal(second.headers.get('x-content-type-options'), 'nosniff')
    assert.equal(second.headers.get('cache-control'), 'public, max-age=0, must-revalidate')
  })

  describe('that is being made, and asked for by many', () => {
    const many = 300
    const gate = () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      source.hold = promise
      return { open: resolve, isHeld: () => source.reads > 0 }
    }
    const connections = () =>
      new Promise<number>((resolve, reject) =>
        app.app.server.getConnections((error, count) => (error ? reject(error) : resolve(count)))
      )
    const held = async (isHeld: () => boolean) => {
      while (!isHeld()) await new Promise(setImmediate)
    }

    it('is made once', async () => {
      const { open, isHeld } = gate()
      const asked = Array.from({ length: many }, () => app.fetch('/posts'))
      await held(isHeld)
      while ((await connections()) < many) await new Promise(setImmediate)
      open()
      const answers = await Promise.all(asked)
      assert.ok(answers.every(({ status }) => status === 200))
      assert.equal(new Set(answers.map(({ headers }) => headers.get('x-request-id'))).size, many)
      assert.equal(source.reads, 1)
    })

    it('is made by the others when the first leaves', async () => {
      const { open, isHeld } = gate()
      const first = new AbortController()
      const left = app.fetch('/posts', { signal: first.signal }).catch(() => 'left')
      await held(isHeld)
      const others = Array.from({ length: 3 }, () => title())
      first.abort()
      assert.equal(await left, 'left')
      await held(() => source.reads > 1)
      open()
      assert.deepEqual(await Promise.all(others), ['one', 'one', 'one'])
    })

    it('is made anew when it changed meanwhile', async () => {
      const { open, isHeld } = gate()
      const first = title()
      await held(isHeld)
      source.title = 'two'
      changes.drop('posts')
      const others = [title(), title()]
      open()
      assert.equal(await first, 'one')
      assert.deepEqual(await Promise.all(others), ['two', 'two'])
    })

    it('is asked for again when it is not to be stored', async () => {
      const { open, isHeld } = gate()
      source.headers = { 'cache-control': 'no-store' }
      const asked = Array.from({ length: 3 }, () => title())
      await held(isHeld)
      open()
      assert.deepEqual(await Promise.all(asked), ['one', 'one', 'one'])
      assert.equal(source.reads, 3)
    })
  })

  it('of addresses that are often new, a response is cached from the second time on', async () => {
    for (const path of ['/found?n=1', '/found?n=2', '/found?n=1', '/found?n=1', '/found?n=1']) await title(path)
    assert.equal(source.reads, 3)
    changes.drop('posts')
    source.title = 'two'
    assert.equal(await title('/found?n=1'), 'two')
  })

  it("a reader's request id is echoed from the cache too", async () => {
    const id = '3f2504e0-4f89-41d3-9a0c-0305e82c3301'
    await title()
    assert.equal((await app.fetch('/posts', { headers: { 'x-request-id': id } })).headers.get('x-request-id'), id)
  })

  it('a change is visible at once', async () => {
    await title()
    source.title = 'two'
    assert.equal(await title(), 'one')
    changes.drop('tags')
    assert.equal(await title(), 'two')
  })

  it('a change of another tag drops nothing', async () => {
    await title()
    changes.drop('tasks')
    await title()
    assert.equal(source.reads, 1)
  })

  it('an answer made from settings that had changed elsewhere is dropped when the new ones are in effect', async () => {
    changes.drop('settings')
    assert.equal(await title(), 'one')
    source.title = 'two'
    settingsRead()
    assert.equal(await title(), 'two')
  })

  it('an answer read before a change and finished after it is not cached', async () => {
    let finish = () => {}
    source.hold = new Promise(resolve => {
      finish = resolve
    })
    const slow = title()
    while (source.reads === 0) await new Promise(setImmediate)
    source.title = 'two'
    changes.drop('posts')
    source.hold = null
    finish()
    assert.equal(await slow, 'one')
    assert.equal(await title(), 'two')
  })

  it('while a change elsewhere could be unknown, every reader reads through', async () => {
    await title()
    changes.current = false
    source.title = 'two'
    assert.equal(await title(), 'two')
    assert.equal(await title(), 'two')
    assert.equal(source.reads, 3)
  })

  it('nothing is served past the moment it expires, nor cached by a read that spans it', async () => {
    source.until = new Date(time + 1_000)
    await title()
    time += 999
    source.title = 'two'
    assert.equal(await title(), 'one')
    time += 1
    assert.equal(await title(), 'two')
    // The plugin still names the passed moment: what is read now may be either state.
    await title()
    assert.equal(source.reads, 3)
  })

  it('a client neither gets a cached response nor leaves one', async () => {
    const client = await app.fetch('/posts', { headers: bearer() })
    assert.equal(((await client.json()) as { client: string }).client, 'alice')
    assert.equal(client.headers.get('cache-control'), 'no-store')
    assert.equal(client.headers.get('etag'), null)
    assert.equal(((await (await app.fetch('/posts')).json()) as { client: null }).client, null)
    assert.equal(
      ((await (await app.fetch('/posts', { headers: bearer('bob') })).json()) as { client: string }).client,
      'bob'
    )
    assert.equal((await app.fetch('/posts', { headers: { authorization: 'Bearer nonsense' } })).status, 401)
    assert.equal(source.reads, 3)
  })

  it('whoever sends a token where none is looked at gets what everybody gets', async () => {
    for (const headers of [{}, bearer(), { authorization: 'Bearer nonsense' }])
      assert.equal((await app.fetch('/public', { headers })).status, 200)
    assert.equal(source.reads, 1)
  })

  it('only 200 is cached', async () => {
    await app.fetch('/missing')
    await app.fetch('/missing')
    assert.equal(source.reads, 2)
  })

  for (const headers of [{ 'cache-control': 'no-store' }, { 'cache-control': 'private' }, { 'set-cookie': 'a=b' }]) {
    it(`an answer with ${JSON.stringify(headers)} is not cached`, async () => {
      source.headers = headers as unknown as Record<string, string>
      await title()
      await title()
      assert.equal(source.reads, 2)
    })
  }

  it('every header that HTTP allows is that of the first answer, and one that it does not allow is never cached', async () => {
    source.headers = { "x_odd!'": 'a~' }
    for (const _ of [1, 2]) assert.equal((await app.fetch('/posts')).headers.get("x_odd!'"), 'a~')
    assert.equal(source.reads, 1)
    source.headers = { 'x-arrow': '→' }
    for (const _ of [1, 2]) assert.equal((await app.fetch('/posts?n=1')).status, 500)
    assert.equal(source.reads, 3)
  })

  it('other queries are other answers', async () => {
    await title('/posts?n=1')
    await title('/posts?n=2')
    await title('/posts?n=1')
    assert.equal(source.reads, 2)
  })

  it('a HEAD is answered from the bytes of a GET, without them', async () => {
    const get = await app.fetch('/posts?size=2000')
    const head = await app.fetch('/posts?size=2000', { method: 'HEAD' })
    assert.equal(head.headers.get('content-length'), String((await get.arrayBuffer()).byteLength))
    assert.equal(head.headers.get('etag'), get.headers.get('etag'))
    assert.equal(await head.text(), '')
    assert.equal(source.reads, 1)
  })

  it('memory is bounded, and what is used stays longest', async () => {
    app.settings.http_cache_mb = 1
    const path = (n: number) => `/posts?n=${n}&size=100000`
    for (let n = 0; n < 30; n++) {
      await title(path(n))
      await title(path(0))
    }
    assert.equal(source.reads, 30)
    assert.ok(app.app.telemetry.responseCache().bytes <= 1_048_576)
    await title(path(1))
    assert.equal(source.reads, 31)
  })

  it('with no memory for it nothing is cached', async () => {
    app.settings.http_cache_mb = 0
    await title()
    await title()
    assert.equal(source.reads, 2)
  })

  it('a response sent from the cache names what it varies by once, as the first did', async t => {
    // Where the origin matters, Fastify sends what is cached.
    const listed = await startApp({ routes: routesWith(source), settings: { cors_origins: 'https://a.example' } })
    t.after(listed.close)
    const headers = { origin: 'https://a.example' }
    const vary = async () => (await listed.fetch('/posts?size=5000', { headers })).headers.get('vary')
    assert.deepEqual([await vary(), await vary()], ['Origin, Accept-Encoding', 'Origin, Accept-Encoding'])
    assert.equal(source.reads, 1)
  })

  it('readers who take gzip get their own strong tag, the others the plain bytes', async () => {
    const gzip = { headers: { 'accept-encoding': 'gzip' } }
    const plain = await app.fetch('/posts?size=5000', { headers: { 'accept-encoding': 'identity' } })
    let packed = await app.fetch('/posts?size=5000', gzip)
    // Compression happens beside the requests: until it is done they get the plain bytes.
    while (packed.headers.get('content-encoding') === null) packed = await app.fetch('/posts?size=5000', gzip)
    const text = await plain.text()
    assert.equal(await packed.text(), text)
    assert.ok(Number(packed.headers.get('content-length')) < 500)
    const tags = [plain, packed].map(each => each.headers.get('etag') as string)
    assert.equal(tags[1], `${tags[0]?.slice(0, -1)}-gzip"`)
    for (const each of [plain, packed]) assert.equal(each.headers.get('vary'), 'Accept-Encoding')
    assert.equal(
      (await app.fetch('/posts?size=5000', { headers: { ...gzip.headers, 'if-none-match': tags[1] as string } }))
        .status,
      304
    )
    // What the reader has is named by its tag, whichever form it would get now.
    for (const tag of tags) {
      const headers = { ...gzip.headers, 'if-none-match': tag as string }
      const known = await app.fetch('/posts?size=5000', { headers })
      assert.deepEqual([known.status, known.headers.get('etag')], [304, tag])
    }
    const refused = await app.fetch('/posts?size=5000', { headers: { 'accept-encoding': 'gzip;q=0, identity' } })
    assert.equal(refused.headers.get('content-encoding'), null)
    const raw = await app.app.inject({ url: '/posts?size=5000', headers: gzip.headers })
    assert.equal(gunzipSync(raw.rawPayload).toString(), text)
    assert.equal(source.reads, 1)
  })

  it('readers who take Brotli get it rather than gzip', async () => {
    const read = (accepted: string) => app.fetch('/posts?size=5000', { headers: { 'accept-encoding': accepted } })
    const plain = await read('identity')
    let packed = await read('gzip, deflate, br')
    while (packed.headers.get('content-encoding') === null) packed = await read('gzip, deflate, br')
    assert.equal(packed.headers.get('content-encoding'), 'br')
    assert.equal(packed.headers.get('etag'), `${plain.headers.get('etag')?.slice(0, -1)}-br"`)
    const raw = await app.app.inject({ url: '/posts?size=5000', headers: { 'accept-encoding': 'br' } })
    assert.equal(brotliDecompressSync(raw.rawPayload).toString(), await plain.text())
    assert.equal((await read('br;q=0, identity')).headers.get('content-encoding'), null)
    assert.equal(source.reads, 1)
  })

  it('requests that follow each other on one connection are answered in turn', async () => {
    await title()
    const socket = connect(app.port, '127.0.0.1')
    let text = ''
    socket.on('data', chunk => {
      text += chunk
    })
    socket.write(
      'GET /posts HTTP/1.1\r\nHost: x\r\n\r\nGET /plain HTTP/1.1\r\nHost: x\r\n\r\nGET /posts HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'
    )
    await once(socket, 'close')
    assert.deepEqual(text.match(/HTTP\/1.1 \d+/g), ['HTTP/1.1 200', 'HTTP/1.1 200', 'HTTP/1.1 200'])
    assert.deepEqual(text.match(/"title"/g)?.length, 3)
  })

  it('counts hits and misses, and tells of every response', async () => {
    const responses: string[] = []
    app.app.telemetry.onResponse((method, route, status) => responses.push(`${method} ${route} ${status}`))
    await title()
    await title()
    await app.app.inject('/posts')
    const { hits, misses } = app.app.telemetry.responseCache()
    assert.deepEqual({ hits, misses }, { hits: 2, misses: 1 })
    assert.deepEqual(
      responses,
      Array.from({ length: 3 }, () => 'GET /posts 200')
    )
  })

  // From the cache, through Fastify, and of a route that caches nothing: all must agree.
  const ways = [
    { way: 'the cache', path: '/posts', limit: 0 },
    { way: 'Fastify', path: '/posts', limit: 1_000 },
    { way: 'a route that caches nothing', path: '/plain', limit: 0 }
  ]
  for (const { way, path, limit } of ways) {
    it(`answers 304 to a reader who has the bytes: ${way}`, async () => {
      app.settings.rate_limit_per_minute = limit
      const ask = async (headers: Record<string, string>, method = 'GET') => {
        const answer = await app.fetch(path, { headers, method })
        return { status: answer.status, headers: answer.headers, text: await answer.text() }
      }
      const { headers } = await ask({})
      const etag = headers.get('etag') as string
      assert.match(etag, /^"[\w-]+"$/)
      for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        for (const method of ['GET', 'HEAD']) {
          const answer = await ask({ 'if-none-match': known }, method)
          assert.deepEqual(
            [answer.status, answer.text, answer.headers.get('etag')],
            [304, '', etag],
            `${method} ${known}`
          )
          assert.equal(answer.headers.get('content-length'), null)
          assert.equal(answer.headers.get('content-type'), null)
          assert.equal(answer.headers.get('cache-control'), 'public, max-age=0, must-revalidate')
          for (const [name, value] of Object.entries(securityHeaders))
            assert.equal(answer.headers.get(name), value, name)
        }
      }
      for (const other of ['"other"', etag.replaceAll('"', ''), ''])
        assert.equal((await ask({ 'if-none-match': other })).status, 200, other)
    })
  }
})
