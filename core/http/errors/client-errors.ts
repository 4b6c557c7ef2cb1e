import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { STATUS_CODES } from '../node-http.ts'
import { responseInProgress } from '../sockets.ts'
import { rawAnswer } from './raw-answer.ts'

/** Answers bytes that are not a request. There is no Fastify reply to answer with: only the socket. */
export function handleClientError(error: Error & { code?: string }, socket: Socket): void {
  // The peer is gone, or an answer is already on its way.
  const isTooLate = error.code === 'ECONNRESET' || !socket.writable || responseInProgress(socket)?.headersSent
  if (isTooLate) socket.destroy()
  else
    refuseOnSocket(socket, 'VALIDATION_ERROR', messages[error.code ?? ''] ?? 'This is not a well-formed HTTP request.')
}

const messages: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'The request headers are larger than 16 KiB.',
  ERR_HTTP_REQUEST_TIMEOUT: 'The request did not arrive in time.'
}

/** Node hands a CONNECT to nobody else, and would close it without a word. */
export function refuseConnect(_request: unknown, socket: Duplex): void {
  socket.on('error', () => socket.destroy())
  refuseOnSocket(socket, 'METHOD_NOT_ALLOWED', 'CONNECT is not possible: this service is no proxy.')
}

function refuseOnSocket(socket: Duplex, error_code: 'VALIDATION_ERROR' | 'METHOD_NOT_ALLOWED', message: string): void {
  const { status, head, body } = rawAnswer(error_code, message)
  const allow = error_code === 'METHOD_NOT_ALLOWED' ? { allow: '' } : {}
  const lines = Object.entries({ ...head, connection: 'close', ...allow }).map(([name, value]) => `${name}: ${value}`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('\r\n')}\r\n\r\n${body}`)
}
