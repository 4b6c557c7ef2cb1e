import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

export interface SocketLimits {
  /** Connections held at once; one more, and the oldest that waits for a request is closed. */
  readonly most: number
  /** An answer of which nothing is taken for so long is given up. */
  readonly unreadMs: number
  /** Bytes of answers that wait for their readers, of all connections: beyond it those who hold most are closed. */
  readonly mostUnread: number
}

/** Every process may have 4,096 files open on the systems we know; the database and files need some of them. */
export const socketLimits: SocketLimits = { most: 3_000, unreadMs: 30_000, mostUnread: 268_435_456 }

const sweepEveryMs = 1_000

/** Sees to it that no reader can take the memory or the connections of the others. */
export function guardSockets(server: Server, { most, unreadMs, mostUnread }: SocketLimits): void {
  // The order of the set is that of coming.
  const open = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
    if (open.size > most) oldestIdle(open)?.destroy()
  })
  // With a listener Node leaves the closing to it; kept-alive connections that time out come here, too.
  server.setTimeout(unreadMs, socket => {
    if (!isAnswering(socket) || socket.writableLength > 0) socket.destroy()
  })
  const sweep = setInterval(() => closeUnread(open, mostUnread), sweepEveryMs)
  sweep.unref()
  server.once('close', () => clearInterval(sweep))
}

/** Node keeps the answer in progress at this property. */
const isAnswering = (socket: Socket): boolean =>
  ((socket as Socket & { _httpMessage?: object | null })._httpMessage ?? null) !== null

function oldestIdle(open: ReadonlySet<Socket>): Socket | undefined {
  let oldest: Socket | undefined
  for (const socket of open) {
    if (!isAnswering(socket)) return socket
    oldest ??= socket
  }
  return oldest
}

function closeUnread(open: ReadonlySet<Socket>, most: number): void {
  let unread = 0
  for (const { writableLength } of open) unread += writableLength
  if (unread <= most) return
  const largestFirst = [...open].sort((a, b) => b.writableLength - a.writableLength)
  for (const socket of largestFirst) {
    if (unread <= most) return
    unread -= socket.writableLength
    socket.destroy()
  }
}

/** Answers that one connection may have made before the first of them is sent: nobody but a flood asks for more. */
const mostQueued = 64
const queued = new WeakMap<Socket, number>()

/** True for an answer whose connection has another to send before it. */
export const isQueued = ({ socket }: ServerResponse): boolean => socket === null

/** Counts a queued answer until it is sent; true when they are too many. */
export function countQueued(socket: Socket, response: ServerResponse): boolean {
  const count = (queued.get(socket) ?? 0) + 1
  queued.set(socket, count)
  response.once('close', () => queued.set(socket, (queued.get(socket) ?? 1) - 1))
  return count > mostQueued
}

export const hasTooMany = (socket: Socket): boolean => (queued.get(socket) ?? 0) > mostQueued
