import { randomUUID } from 'node:crypto'
import { coreErrors, type ErrorCode } from '../../contract/error-codes.ts'
import { securityHeaders } from '../security-headers.ts'

/** The body of every failure. */
export interface ErrorBody {
  error_code: ErrorCode
  message: string
  errors: Readonly<Record<string, string>>
  request_id: string
}

/** A whole answer to what cannot be answered by Fastify. */
export function rawAnswer(
  error_code: keyof typeof coreErrors,
  message: string,
  request_id: string = randomUUID()
): { status: number; head: Record<string, string>; body: string } {
  const body = JSON.stringify({ error_code, message, errors: {}, request_id } satisfies ErrorBody)
  const head = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    'cache-control': 'no-store',
    'x-request-id': request_id,
    ...securityHeaders
  }
  return { status: coreErrors[error_code].status, head, body }
}
