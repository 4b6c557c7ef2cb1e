import { addressFault, readResponseStart, requestFailure } from '#requests'
import { retryAfterMs } from '#time'
import { TargetError } from './target-error.ts'

const maxMs = 10_000
/** A CDN says in its answer what went wrong; a front end's is not looked at. */
const maxAnswerBytes = 16_384

export interface TargetRequest {
  /** Who is asked, to begin a sentence with. */
  who: string
  /** The setting that holds the address. */
  addressSetting: string
  /** Why the target refuses the request, where that is known, as without its secret. Default: its secret is another one. */
  refusedFor?: string | null
  url: string
  method?: string
  headers: Readonly<Record<string, string>>
  body?: string
  now: Date
  /** Default: 10 s. */
  timeoutMs?: number
}

/** Sends one request with a secret: no redirect is followed. @throws TargetError unless the answer is a success */
export async function sendRequest(
  request: TargetRequest,
  signal: AbortSignal
): Promise<{ status: number; reason: string; text: string }> {
  const { who, url, method = 'POST', headers, body } = request
  const fault = addressFault(request.addressSetting, url)
  if (fault !== null) throw new TargetError(fault)
  const response = await fetch(url, {
    method,
    headers,
    redirect: 'manual',
    ...(body === undefined ? {} : { body }),
    signal: AbortSignal.any([signal, AbortSignal.timeout(request.timeoutMs ?? maxMs)])
  }).catch(error => {
    throw new TargetError(`${who} ${requestFailure(error).reason}.`)
  })
  const text = await readResponseStart(response, maxAnswerBytes)
  if (!response.ok) throw refusal(request, response)
  return { status: response.status, reason: response.statusText, text }
}

/** A Retry-After of more than a day is cut to a day. */
const maxAskedSeconds = 24 * 60 * 60

function refusal({ who, addressSetting, refusedFor, now }: TargetRequest, { status, headers }: Response): TargetError {
  const found = `${who} answered ${status}`
  const asked = retryAfterMs(headers.get('retry-after'), now)
  const retryAfterSeconds = asked === null ? null : Math.min(Math.ceil(asked / 1000), maxAskedSeconds)
  const isRedirect = status >= 300 && status < 400
  if (isRedirect)
    return new TargetError(`${found}: no redirect is followed. Set ${addressSetting} to the address itself.`, {
      status
    })
  const isRefused = status === 401 || status === 403
  if (isRefused) return new TargetError(`${found}: ${refusedFor ?? 'its secret is another one.'}`, { status })
  if (status === 404 || status === 410) return new TargetError(`${found}: check ${addressSetting}.`, { status })
  const isTargetDown = status >= 500 || status === 408 || status === 425 || status === 429
  return new TargetError(`${found}.`, { status, retryAfterSeconds, isTargetDown })
}
