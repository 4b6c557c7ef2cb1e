import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

export interface SocketLimits {
  /** Open connections. Beyond it, the oldest that waits for a request is closed. */
  readonly maxOpen: number
  /** A response is given up when its reader takes nothing for so long. */
  readonly unreadTimeoutMs: number
  /** Bytes of responses that wait for their readers, over all connections. Beyond it, the largest are closed. */
  readonly maxUnreadBytes: number
}

/** Every process may have 4,096 files open on the systems we know; the database and files need some of them. */
export const socketLimits: SocketLimits = { maxOpen: 3_000, unreadTimeoutMs: 30_000, maxUnreadBytes: 268_435_456 }

const sweepEveryMs = 1_000

/** No reader may take the memory or the connections of the others. */
export function guardSockets(server: Server, { maxOpen, unreadTimeoutMs, maxUnreadBytes }: SocketLimits): void {
  // In the order in which they connected.
  const open = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
    if (open.size > maxOpen) oldestIdle(open)?.destroy()
  })
  // With a listener, Node leaves the closing to it, also of idle connections that time out.
  server.setTimeout(unreadTimeoutMs, socket => {
    if (responseInProgress(socket) === undefined || socket.writableLength > 0) socket.destroy()
  })
  const sweep = setInterval(() => closeUnread(open, maxUnreadBytes), sweepEveryMs)
  sweep.unref()
  server.once('close', () => clearInterval(sweep))
}

/** Node has it only in this property, which has no type. */
export const responseInProgress = (socket: Socket): Pick<ServerResponse, 'headersSent' | 'req'> | undefined =>
  (socket as Socket & { _httpMessage?: ServerResponse | null })._httpMessage ?? undefined

function oldestIdle(open: ReadonlySet<Socket>): Socket | undefined {
  let oldest: Socket | undefined
  for (const socket of open) {
    if (responseInProgress(socket) === undefined) return socket
    oldest ??= socket
  }
  return oldest
}

function closeUnread(open: ReadonlySet<Socket>, maxBytes: number): void {
  let unread = 0
  for (const { writableLength } of open) unread += writableLength
  if (unread <= maxBytes) return
  const largestFirst = [...open].sort((a, b) => b.writableLength - a.writableLength)
  for (const socket of largestFirst) {
    if (unread <= maxBytes) return
    unread -= socket.writableLength
    socket.destroy()
  }
}

/** Pipelined responses of one connection that may wait until those before them are sent. */
const maxQueued = 64
const queued = new WeakMap<Socket, number>()

/** True for a response that waits until another of its connection is sent. */
export const isQueued = ({ socket }: ServerResponse): boolean => socket === null

/** Counts a queued response until it is sent; true when there are too many. */
export function countQueued(socket: Socket, response: ServerResponse): boolean {
  const count = (queued.get(socket) ?? 0) + 1
  queued.set(socket, count)
  response.once('close', () => queued.set(socket, (queued.get(socket) ?? 1) - 1))
  return count > maxQueued
}

export const hasTooMany = (socket: Socket): boolean => (queued.get(socket) ?? 0) > maxQueued
