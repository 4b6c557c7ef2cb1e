import { UnavailableError } from '../../core/contract/errors.ts'
import { errorCode, messageOf } from '../../core/unknown.ts'

/** Classes 08 and 57P: the connection or the server went away. 25P03: it ended an idle transaction. 53300: no connection is left. */
const lostStates = /^(08...|57P0[1235]|25P03|53300)$/

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

/** True when the connection is of no more use: it must not go back to the pool. */
export function isConnectionFault(error: unknown): boolean {
  if (error instanceof UnavailableError) return !isDiskFull(error.cause)
  if (!(error instanceof Error)) return false
  const code = errorCode(error)
  if (code === undefined) return lostMessages.test(error.message)
  return lostStates.test(code) || lostSockets.has(code)
}

/** The statement changed nothing, and the connection still works. */
const isDiskFull = (error: unknown): boolean => errorCode(error) === '53100'

/**
 * Connection faults and a full disk become an UnavailableError that keeps its cause; any other error is answered unchanged.
 * `name`: of the database, for the operator.
 */
export function toUnavailable(error: unknown, name?: string): unknown {
  if (isDiskFull(error)) return diskFull(error)
  if (!isConnectionFault(error)) return error
  if (!(error instanceof UnavailableError)) return unreachable(error, name)
  const isUnnamed = error.detail === undefined && isConnectionFault(error.cause)
  return isUnnamed && name !== undefined ? unreachable(error.cause, name, error.message) : error
}

const diskFull = (cause: unknown): UnavailableError =>
  new UnavailableError('The database has no room for this change, which was not saved. Try again later.', {
    cause,
    detail: `The disk of the database is full (${faultMessage(cause)}): make room on it. Nothing that was saved is lost.`
  })

/** The database cannot be reached, or refuses the login: clients learn that it is unreachable, the operator why. */
export function unreachable(
  cause: unknown,
  name?: string,
  message = 'The database does not answer. Try again in a few seconds.'
): UnavailableError {
  if (name === undefined) return new UnavailableError(message, { cause })
  const remedy = remedyOfConnection(cause) ?? 'check that the server runs, and the address and login in DATABASE_URL'
  const detail = `${name.charAt(0).toUpperCase()}${name.slice(1)} cannot be used (${faultMessage(cause)}): ${remedy}.`
  return new UnavailableError(message, { cause, detail })
}

/** By SQLSTATE: a wrong password, no such database, no connection left. */
const remedies = new Map([
  ['28P01', 'check the login and the password in the URL'],
  ['3D000', 'create the database on that server, or name another one in the URL'],
  [
    '53300',
    'raise max_connections of the server, or the connection limit of the login or the database where the message names one: it has to allow 18 for each process of galley'
  ]
])

/** What to do where the server says why it refuses a connection; undefined where it says nothing, or something else. */
export const remedyOfConnection = (cause: unknown): string | undefined => remedies.get(errorCode(cause) ?? '')

/** The driver's words. Where a name has several addresses, its error holds one for each and says nothing itself. */
export function faultMessage(cause: unknown): string {
  if (!(cause instanceof Error)) return messageOf(cause)
  const first = cause instanceof AggregateError ? cause.errors.find(each => each instanceof Error) : undefined
  return cause.message || first?.message || errorCode(cause) || 'unknown'
}
