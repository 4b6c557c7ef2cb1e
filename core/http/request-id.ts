import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { isUuid } from '../uuid.ts'

/** The caller's `X-Request-ID` when it is a UUID, else a new one. */
export function requestIdOf(request: IncomingMessage): string {
  const given = request.headers['x-request-id']
  return typeof given === 'string' && isUuid(given.toLowerCase()) ? given : randomUUID()
}
