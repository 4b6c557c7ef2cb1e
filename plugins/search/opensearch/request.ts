import { isObject, UnavailableError } from '#core'
import { readResponseBody, redirectFault, requestFailure } from '#requests'
import type { EngineAccess } from './access.ts'
import { type EngineAnswer, EngineRefusal, errorIn, readOnlyFault } from './faults.ts'

export interface EngineRequest {
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE'
  /** Below the address, with its query. */
  path: string
  /** Sent as JSON; a string is lines of JSON. */
  body?: object | string
  signal: AbortSignal
  /** After so many milliseconds nobody waits; default 30 s. */
  timeoutMs?: number
  /** Statuses other than 2xx that are answers. */
  accepts?: readonly number[]
}

/** Sends a request to the engine. @throws UnavailableError, or EngineRefusal for a status that is no answer */
export type AskEngine = (request: EngineRequest) => Promise<EngineAnswer>

const usualTimeoutMs = 30_000
/** 10,000 hits take half a megabyte. */
const maxAnswerBytes = 8_000_000

export const createRequest =
  (access: () => EngineAccess): AskEngine =>
  async ({ method = 'GET', path, body, signal, timeoutMs = usualTimeoutMs, accepts = [] }) => {
    const { url, authorization } = access()
    try {
      const response = await fetch(`${url}/${path}`, {
        method,
        // A redirect must not carry the key to another host.
        redirect: 'manual',
        headers: headersOf(body, authorization),
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) })
      })
      const redirect = redirectFault(response, url, 'search_url')
      if (redirect !== null) {
        await response.body?.cancel().catch(() => undefined)
        throw new UnavailableError(redirect)
      }
      const answer = { status: response.status, body: await readJson(response, url, method) }
      if (!response.ok && !accepts.includes(response.status)) throw refusalOf(answer, url)
      return answer
    } catch (error) {
      if (error instanceof UnavailableError) throw error
      signal.throwIfAborted()
      throw new UnavailableError(
        `${url} ${requestFailure(error).reason}: is search_url right, and the engine running?`,
        {
          cause: error
        }
      )
    }
  }

function headersOf(body: object | string | undefined, authorization: string | undefined): Record<string, string> {
  const type = typeof body === 'string' ? 'application/x-ndjson' : 'application/json'
  return {
    accept: 'application/json',
    ...(body === undefined ? {} : { 'content-type': type }),
    ...(authorization === undefined ? {} : { authorization })
  }
}

/** What is no JSON object is none of the engine's answers, whatever its status. */
async function readJson(response: Response, url: string, method: string): Promise<Record<string, unknown>> {
  const bytes = await readResponseBody(response, maxAnswerBytes)
  if (bytes === null) throw new UnavailableError(`${url} answered with more than ${maxAnswerBytes} bytes.`)
  if (bytes.length === 0 && (method === 'HEAD' || !response.ok)) return {}
  const parsed = parseObject(bytes)
  if (parsed === undefined) {
    if (!response.ok) return {}
    throw new UnavailableError(`${url} answered with something else than JSON: is search_url that of the engine?`)
  }
  return parsed
}

function parseObject(bytes: Buffer): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'))
    return isObject(value) && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}

function refusalOf(answer: EngineAnswer, url: string): UnavailableError {
  const { status } = answer
  const error = errorIn(answer.body.error)
  if (status === 401 || status === 403) {
    const readOnly = readOnlyFault(error)
    // Other words of such a refusal may quote the key.
    return new EngineRefusal(
      readOnly ??
        `${url} answered ${status}: search_username and search_password, or search_api_key, are not accepted.`,
      answer
    )
  }
  const said = error.type === '' ? '' : ` (${error.type}: ${error.reason})`
  return new EngineRefusal(readOnlyFault(error) ?? `${url} answered ${status}${said}.`, answer)
}
