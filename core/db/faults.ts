import { UnavailableError } from '../errors.ts'

/** Classes 08 and 57P: the connection or the server went away. 53300: no connection is left. */
const lostStates = /^(08...|57P0[1235]|53300)$/

const lostSockets = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT'
])

/** pg reports these without a code. */
const lostMessages =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Client has encountered a connection error|Client was closed|Cannot use a pool after)/

/** The SQLSTATE or the socket's error code, if the error carries one. */
export function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : undefined
}

/** True when the connection is of no more use: it must not go back to the pool. */
export function isConnectionFault(error: unknown): boolean {
  if (error instanceof UnavailableError) return true
  if (!(error instanceof Error)) return false
  const code = codeOf(error)
  if (code === undefined) return lostMessages.test(error.message)
  return lostStates.test(code) || lostSockets.has(code)
}

/** Connection faults become an UnavailableError that keeps its cause; any other error is answered unchanged. */
export function asUnavailable(error: unknown): unknown {
  if (error instanceof UnavailableError || !isConnectionFault(error)) return error
  return new UnavailableError('The database does not answer. Try again in a few seconds.', { cause: error })
}
