import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { afterEach, beforeEach, describe, it } from 'node:test'
import type { FastifyPluginAsync } from 'fastify'
import { access, type FastResponse } from '../../../../core/contract/access.ts'
import { BootError } from '../../../../core/contract/boot-error.ts'
import { bearer, startApp } from '../app-under-test.ts'

const headers = { 'content-type': 'text/plain', 'content-length': 4, 'cache-control': 'public, max-age=9', etag: '"1"' }
let answer: () => FastResponse | undefined
let asked: string[]
let app: Awaited<ReturnType<typeof startApp>>
/** How often the handler answered. */
let handled: number
let sent: number

const routes: FastifyPluginAsync = async scope => {
  const fastPath = (name: string) => {
    asked.push(name)
    return answer()
  }
  const schema = { operationId: 'file' }
  scope.get('/files/:name.txt', { config: { access: access.public, fastPath }, schema }, async (_request, reply) => {
    handled += 1
    return reply.headers(headers).send(Buffer.from('text'))
  })
}

/** The bytes of all responses to what is sent at once. */
async function send(text: string): Promise<string> {
  const socket = connect(app.port, '127.0.0.1').end(text)
  return Buffer.concat(await socket.toArray()).toString()
}

beforeEach(async () => {
  asked = []
  handled = sent = 0
  answer = () => ({ status: 200, headers, body: Buffer.from('text') })
  app = await startApp({ routes })
})
afterEach(() => app.close())

describe("a route's own fast path", () => {
  it('answers as the handler does, with the headers of every response', async () => {
    const fast = await app.fetch('/files/a.txt')
    assert.deepEqual([handled, asked], [0, ['a']])
    // The token is not looked at, and goes through Fastify.
    const slow = await app.fetch('/files/a.txt', { headers: bearer() })
    assert.equal(handled, 1)
    const namesOf = (response: Response) => [...response.headers.keys()].filter(name => name !== 'date').sort()
    assert.deepEqual(namesOf(fast), namesOf(slow))
    for (const name of namesOf(fast).filter(each => each !== 'x-request-id'))
      assert.equal(fast.headers.get(name), slow.headers.get(name), name)
    assert.deepEqual([await fast.text(), await slow.text()], ['text', 'text'])
  })

  it('has headers of its own in the place of those that every response has', async () => {
    const own = { ...headers, 'content-security-policy': "media-src 'self'" }
    answer = () => ({ status: 200, headers: own, body: Buffer.from('text') })
    const fast = await app.fetch('/files/a.txt')
    assert.equal(fast.headers.get('content-security-policy'), "media-src 'self'")
    assert.equal(fast.headers.get('x-content-type-options'), 'nosniff')
    assert.equal(handled, 0)
  })

  it('answers HEAD without reading the body', async () => {
    answer = () => ({ status: 200, headers, body: () => assert.fail('it was read'), onSent: () => assert.fail('sent') })
    const { status, headers: own } = await app.fetch('/files/a.txt', { method: 'HEAD' })
    assert.deepEqual([status, own.get('content-length'), handled], [200, '4', 0])
  })

  it('says when the body was taken, so that its memory can be used again', async () => {
    const onSent = () => {
      sent += 1
    }
    answer = () => ({ status: 200, headers, body: async () => Buffer.from('read'), onSent })
    assert.equal(await (await app.fetch('/files/a.txt')).text(), 'read')
    assert.equal(sent, 1)
  })

  it('leaves to the handler what it does not know, cannot read or fails at', async () => {
    const failing: (typeof answer)[] = [
      () => undefined,
      () => ({ status: 200, headers, body: async () => Promise.reject(new Error('cut')) }),
      () => {
        throw new Error('a fault')
      },
      () => ({ status: 200, headers: { ...headers, etag: '"1"\r\nset-cookie: a=b' }, body: Buffer.from('fast') }),
      () => ({ status: 200, headers: { ...headers, 'a b': '1' }, body: Buffer.from('fast') }),
      () => ({ status: 200, headers: { ...headers, connection: 'close' }, body: Buffer.from('fast') }),
      () => ({ status: 200, headers, ownHeaders: { 'content-length': '4\r\nx: y' }, body: Buffer.from('fast') }),
      () => ({ status: 999, headers, body: Buffer.from('fast') })
    ]
    for (const each of failing) {
      answer = each
      assert.equal(await (await app.fetch('/files/a.txt')).text(), 'text')
    }
    assert.equal(handled, failing.length)
    assert.match(app.log.join(''), /a fast path failed/)
  })

  it('sends no body with 304, leaves out what is undefined, and cannot change headers that were sent', async () => {
    const shared = { ...headers, 'x-none': undefined as unknown as string }
    answer = () => ({ status: 304, headers: shared, body: Buffer.from('text') })
    for (const path of ['/files/a.txt', '/files/b.txt']) {
      const response = await app.fetch(path)
      assert.deepEqual([response.status, response.headers.has('x-none')], [304, false])
    }
    // Clients drop such a body, or take it for the next response.
    assert.match(await send('GET /files/a.txt HTTP/1.0\r\n\r\n'), /^HTTP\/1\.1 304 .*\r\n\r\n$/s)
    answer = () => {
      shared.etag = '"2"'
      return { status: 200, headers: shared, body: Buffer.from('fast') }
    }
    assert.equal(await (await app.fetch('/files/a.txt')).text(), 'text')
    const { 'content-length': _, ...ofAll } = headers
    answer = () => ({ status: 200, headers, ownHeaders: { 'x-own': 1 }, body: Buffer.from('text') })
    const own = await app.fetch('/files/a.txt')
    assert.deepEqual(
      [own.headers.get('content-length'), own.headers.get('x-own'), await own.text()],
      ['4', '1', 'text']
    )
    answer = () => ({ status: 200, headers: ofAll, body: Buffer.from('of no stated length') })
    assert.equal(await (await app.fetch('/files/a.txt')).text(), 'of no stated length')
  })

  it('keeps a connection as its client asks for', async () => {
    const old = await send('GET /files/a.txt HTTP/1.0\r\n\r\n')
    assert.match(old, /^HTTP\/1\.1 200 OK\r\n.*^content-length: 4\r\nDate: .*\r\nConnection: close\r\n\r\ntext$/ms)
    const last = 'GET /files/c.txt HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'
    const both = await send(`GET /files/b.txt HTTP/1.1\r\nHost: a\r\n\r\n${last}`)
    const ends = [...both.matchAll(/^Connection: ([\w-]+)\r\n(?:Keep-Alive: timeout=72\r\n)?\r\ntext/gm)].map(
      ([, said]) => said
    )
    assert.deepEqual(ends, ['keep-alive', 'close'])
    assert.deepEqual(asked, ['a', 'b', 'c'])
  })

  it('is not asked where the answer depends on the caller, or the address has more than the parameter', async () => {
    await app.fetch('/files/a%62.txt')
    await app.fetch('/files/a.txt?b=1')
    await app.fetch('/files/a/b.txt')
    app.settings.cors_origins = 'https://example.org'
    const { headers: own } = await app.fetch('/files/a.txt')
    assert.equal(own.get('vary'), 'Origin')
    app.settings.cors_origins = '*'
    const origin = await app.fetch('/files/a.txt', { headers: { origin: 'https://example.org' } })
    assert.equal(origin.headers.get('access-control-allow-origin'), '*')
    app.settings.rate_limit_per_minute = 1
    await app.fetch('/files/a.txt')
    assert.equal((await app.fetch('/files/a.txt')).status, 429)
    assert.deepEqual(asked, [])
  })
})

const wrong: [url: string, config: { access: ReturnType<typeof access.optional> }][] = [
  ['/files/:name', { access: access.optional() }],
  ['/files/:name/parts', { access: access.public }],
  ['/files/*', { access: access.public }]
]
for (const [url, config] of wrong)
  it(`a fast path of ${url} with ${config.access.kind} access does not boot`, async () => {
    const faulty: FastifyPluginAsync = async scope => {
      const schema = { operationId: 'file' }
      scope.get(url, { config: { ...config, fastPath: () => undefined }, schema }, async () => '')
    }
    await assert.rejects(startApp({ routes: faulty }), (error: unknown) => {
      assert.ok(error instanceof BootError)
      assert.match(JSON.stringify(error.problems), /cannot have a fast path/)
      return true
    })
  })
