import assert from 'node:assert/strict'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { test } from 'node:test'
import type { FastifyPluginAsync } from 'fastify'
import { access } from '../../../core/contract/access.ts'
import { guardSockets, type SocketLimits } from '../../../core/http/sockets.ts'
import { until } from '../../helpers/until.ts'
import { startApp } from './app-under-test.ts'

const wide: SocketLimits = { maxOpen: 100, unreadTimeoutMs: 60_000, maxUnreadBytes: 1e9 }

async function listening(listener: RequestListener, limits: Partial<SocketLimits>) {
  const server = createServer(listener)
  guardSockets(server, { ...wide, ...limits })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  /** A client that asks and does not read. */
  const ask = (bytes = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n') => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    socket.on('error', () => {})
    return socket
  }
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { ask, close }
}

const isClosed = (socket: Socket) => {
  let closed = false
  socket.on('close', () => {
    closed = true
  })
  return () => closed
}
const large = Buffer.alloc(20_000_000)

test('an answer that nobody reads is given up, one that takes long to make is not', async t => {
  const release = Promise.withResolvers<void>()
  const arrived: string[] = []
  let isGivenUp = false
  const { ask, close } = await listening(
    async ({ url }, response) => {
      arrived.push(String(url))
      if (url === '/slow') await release.promise
      else response.once('close', () => (isGivenUp = !response.writableFinished))
      response.end(url === '/slow' ? 'made' : large)
    },
    { unreadTimeoutMs: 100 }
  )
  t.after(close)
  const sockets: Socket[] = []
  t.after(() => {
    for (const socket of sockets) socket.destroy()
  })
  /** On a busy machine a connection may be closed before its request arrives: then it is asked again. */
  const askFor = (path: string, onData?: (chunk: Buffer) => void) => {
    const socket = ask(`GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`)
    sockets.push(socket)
    if (onData !== undefined) socket.on('data', onData)
    // Without a reader its end is seen only so; an answer stays unread.
    else socket.on('readable', () => arrived.includes(path) || socket.resume())
    socket.once('close', () => {
      if (!arrived.includes(path)) askFor(path, onData)
    })
  }
  let text = ''
  askFor('/slow', chunk => {
    text += chunk
  })
  askFor('/unread')
  const idle = ask('')
  idle.resume()
  await until(isClosed(idle))
  await until(() => isGivenUp && arrived.includes('/slow'))
  release.resolve()
  await until(() => text.endsWith('made'))
  assert.deepEqual(arrived.toSorted(), ['/slow', '/unread'])
})

test('one connection too many closes the oldest that waits for a request', async t => {
  const release = Promise.withResolvers<void>()
  const asked: string[] = []
  const { ask, close } = await listening(
    async ({ url }, response) => {
      asked.push(String(url))
      await release.promise
      response.end('made')
    },
    { maxOpen: 2 }
  )
  t.after(close)
  const busy = ask()
  busy.resume()
  const isBusyClosed = isClosed(busy)
  await until(() => asked.length === 1)
  const half = ask('GET / HTTP/1.1\r\nHost:')
  half.resume()
  const isHalfClosed = isClosed(half)
  await new Promise(resolve => half.once('connect', resolve))
  ask().resume()
  await until(isHalfClosed)
  assert.equal(isBusyClosed(), false)
  release.resolve()
})

test('of answers that wait for their readers the largest are given up when all are too large together', async t => {
  let isGivenUp = false
  const { ask, close } = await listening(
    ({ url }, response) => {
      if (url === '/') response.once('close', () => (isGivenUp = !response.writableFinished))
      response.end(url === '/' ? large : 'small')
    },
    { maxUnreadBytes: 10_000_000 }
  )
  t.after(close)
  const unread = ask()
  const other = ask('GET /small HTTP/1.1\r\nHost: a\r\n\r\n')
  const isOtherClosed = isClosed(other)
  other.resume()
  await until(() => isGivenUp)
  assert.equal(isOtherClosed(), false)
  for (const socket of [unread, other]) socket.destroy()
})

test('of hundreds of requests that a connection sends at once, those past the sixty-fourth are told to wait', async t => {
  const routes: FastifyPluginAsync = async app => {
    app.get('/a', { config: { access: access.public }, schema: { operationId: 'a' } }, async () => ({ made: true }))
  }
  const app = await startApp({ routes })
  t.after(app.close)
  let text = ''
  const one = 'GET /a HTTP/1.1\r\nHost: a\r\n\r\n'
  const last = 'GET /a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'
  const socket = connect(app.port, '127.0.0.1', () => socket.write(one.repeat(299) + last))
  socket.on('data', chunk => {
    text += chunk
  })
  await until(isClosed(socket))
  const count = (status: string) => text.split(`HTTP/1.1 ${status} `).length - 1
  assert.ok(count('200') >= 64, text.slice(0, 300))
  assert.equal(count('200') + count('503'), 300)
  assert.equal(text.toLowerCase().split('retry-after: 1').length - 1, count('503'))
})
