import { errorCode } from '#core'

/** Why a request to another server has no answer. */
interface RequestFailure {
  /** False when nothing was sent. */
  mayHaveArrived: boolean
  /** The code of the error, or the name of one without. Never its message: that may hold what came over the wire. */
  code: string
  /** The end of a sentence about the server: `cannot be reached (ECONNREFUSED)`. */
  reason: string
}

/** Errors before anything was sent. */
const neverSent = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT']

/** The message of fetch for a port that it never connects to; it has no code. */
const badPort = 'bad port'

/** What the error of a `fetch` means for the request. */
export function requestFailure(error: unknown): RequestFailure {
  const code = codeOf(innermost(error))
  if (neverSent.includes(code)) return { mayHaveArrived: false, code, reason: `cannot be reached (${code})` }
  if (code === badPort)
    return { mayHaveArrived: false, code, reason: `needs another port: HTTP clients refuse this one (${code})` }
  if (code === 'TimeoutError') return { mayHaveArrived: true, code, reason: 'did not answer in time' }
  return { mayHaveArrived: true, code, reason: `broke off (${code})` }
}

function innermost(error: unknown): unknown {
  if (error instanceof Error && error.cause instanceof Error) return innermost(error.cause)
  return error instanceof AggregateError ? (error.errors[0] ?? error) : error
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown reason'
  return errorCode(error) ?? (error.message === badPort ? badPort : error.name)
}
