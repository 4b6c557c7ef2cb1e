import { errorCode } from '#core'

/** Why a request to another server has no answer. */
interface RequestFailure {
  /** False when nothing was sent. */
  mayHaveArrived: boolean
  /** The end of a sentence about the server: `cannot be reached (ECONNREFUSED)`. */
  reason: string
}

/** Errors before anything was sent. */
const neverSent = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT']

/** What the error of a `fetch` means for the request. */
export function requestFailure(error: unknown): RequestFailure {
  const { name, code } = innermost(error)
  if (code !== undefined && neverSent.includes(code))
    return { mayHaveArrived: false, reason: `cannot be reached (${code})` }
  if (name === 'TimeoutError') return { mayHaveArrived: true, reason: 'did not answer in time' }
  return { mayHaveArrived: true, reason: `broke off (${code ?? name})` }
}

function innermost(error: unknown): { name: string; code: string | undefined } {
  if (error instanceof Error && error.cause instanceof Error) return innermost(error.cause)
  const inner: unknown = error instanceof AggregateError ? (error.errors[0] ?? error) : error
  return { name: inner instanceof Error ? inner.name : String(inner), code: errorCode(inner) }
}
