import { type DestinationStream, pino } from 'pino'
import type { Log } from '../../core/log.ts'
import { messageOf } from '../../core/unknown.ts'

const redacted = [
  'authorization',
  'password',
  'secret',
  'token',
  'access_token',
  'client_secret',
  'api_key',
  'value',
  '*.authorization',
  '*.password',
  '*.secret',
  '*.token',
  '*.access_token',
  '*.client_secret',
  '*.api_key',
  'req.headers.authorization',
  'req.headers.cookie'
]

/** pino reads and marks what it writes. What a plugin threw may refuse both, as a proxy or a frozen error does. */
function errorFields(thrown: Error): object {
  try {
    return pino.stdSerializers.err(thrown)
  } catch {
    return { message: messageOf(thrown) }
  }
}

/** JSON lines on stderr: stdout belongs to the commands. Credentials are replaced wherever they stand. */
export function createLog(
  level: string,
  destination: DestinationStream = pino.destination({ dest: 2, sync: true })
): Log {
  const redact = { paths: redacted, censor: '********' }
  return pino({ level, base: null, redact, serializers: { err: errorFields } }, destination)
}
