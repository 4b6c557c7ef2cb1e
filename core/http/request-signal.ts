import type { Socket } from 'node:net'
import type { FastifyRequest } from 'fastify'

/** One for all requests of a connection: a client may have sent hundreds on it. */
const signals = new WeakMap<Socket, AbortSignal>()

/** Aborted when the client has hung up: nobody would read the answer. */
export function requestSignal({ raw: { socket } }: Pick<FastifyRequest, 'raw'>): AbortSignal {
  const known = signals.get(socket)
  if (known !== undefined) return known
  const controller = new AbortController()
  if (socket.destroyed) controller.abort()
  else socket.once('close', () => controller.abort())
  signals.set(socket, controller.signal)
  return controller.signal
}
