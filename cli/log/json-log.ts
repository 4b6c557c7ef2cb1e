import { type DestinationStream, pino } from 'pino'
import type { Log } from '../../core/log.ts'

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

/** JSON lines on stderr: stdout belongs to the commands. Credentials are replaced wherever they stand. */
export function createLog(
  level: string,
  destination: DestinationStream = pino.destination({ dest: 2, sync: true })
): Log {
  return pino({ level, base: null, redact: { paths: redacted, censor: '********' } }, destination)
}
