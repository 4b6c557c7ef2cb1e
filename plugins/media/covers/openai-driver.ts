import { isObject, type Settings, UnavailableError } from '#core'
import { type Bill, type PaidCall, type Payments, payIfCounted } from '#plugins/costs'
import { jsonHeaders, readResponseBody, redirectFault, requestFailure, urlUnder } from '#requests'
import { retryAfterMs } from '#time'
import { CoverDelayedError, CoverError } from '../cover-error.ts'
import type { PictureProcess } from '../picture-process/picture-process.ts'
import { pictureLimits } from '../pictures/picture-limits.ts'
import { coverFrom } from './cover-from.ts'
import type { CoverSettings } from './settings.ts'
import { type CoverDriver, type CoverPost, requireSettings } from './source.ts'

export interface OpenAiDriverDeps {
  settings: Pick<Settings<CoverSettings>, 'get' | 'secretFor'>
  pictures: PictureProcess
  now: () => Date
  /** Absent: requests are not counted. */
  costs?: Payments | undefined
}

/** Covers by any endpoint that speaks OpenAI's `/v1/images/generations`. What it answers is checked as an upload is. */
export function createOpenAiDriver({ settings, pictures, now, costs }: OpenAiDriverDeps): CoverDriver {
  const isIncomplete = () => settings.get('image_base_url') === '' || settings.get('image_model') === ''
  const settingsFault = () =>
    isIncomplete()
      ? { found: 'cover_driver is openai, and image_base_url or image_model is empty', remedy: 'set both.' }
      : null
  return {
    settingsFault,
    plan: async post => {
      requireSettings({ settingsFault })
      const request = { model: settings.get('image_model'), prompt: promptOf(post), size: settings.get('image_size') }
      return {
        from: request,
        make: async signal => {
          const ask = (bill: Bill) => requestPicture(settings, request, { signal, bill, now })
          const answered = await payIfCounted(costs, paidCall(request), ask)
          return coverFrom(pictures, { ...answered, remedy: otherPicture(request) }, signal)
        }
      }
    }
  }
}

const paidCall = ({ model, size }: { model: string; size: string }): PaidCall => ({
  kind: 'image',
  model,
  size,
  worst: { images: 1 }
})

/** Nobody can save it anew: the endpoint drew it. */
const otherPicture = ({ model, size }: { model: string; size: string }): string =>
  `Check the endpoint, or choose another image_model (${model}) or image_size (${size}).`

const promptOf = ({ title, excerpt, category }: CoverPost): string =>
  [
    `An editorial illustration for an article titled "${title}".`,
    excerpt === null ? '' : `It is about this: ${excerpt.slice(0, 500)}`,
    category === null ? '' : `Its section is ${category.name}.`,
    'Landscape format, no text, no letters, no logos.'
  ]
    .filter(Boolean)
    .join(' ')

/** As base64 a picture is a third longer; the rest of the answer is small. */
const maxAnswerBytes = Math.ceil((pictureLimits.maxBytes * 4) / 3) + 100_000

async function requestPicture(
  settings: OpenAiDriverDeps['settings'],
  request: { model: string; prompt: string; size: string },
  { signal, bill, now }: { signal: AbortSignal; bill: Bill; now: () => Date }
): Promise<{ bytes: Uint8Array; from: string }> {
  const url = urlUnder(settings.get('image_base_url'), 'images/generations')
  const { value: key, fault } = settings.secretFor('image_api_key', settings.get('image_base_url'))
  const seconds = settings.get('image_timeout_seconds')
  const timeout = AbortSignal.timeout(seconds * 1000)
  try {
    const response = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      headers: jsonHeaders(key, 'image_api_key'),
      // OpenAI's own newer models answer base64 anyway, and refuse the field.
      body: JSON.stringify({
        ...request,
        n: 1,
        ...(request.model.startsWith('gpt-image') ? {} : { response_format: 'b64_json' })
      }),
      signal: AbortSignal.any([signal, timeout])
    })
    if (response.status < 500) bill.nothing()
    if (response.ok) bill.used({ images: 1 })
    else await response.body?.cancel().catch(() => undefined)
    const redirect = redirectFault(response, url, 'image_base_url')
    if (redirect !== null) throw new CoverError(redirect)
    if (!response.ok) throw refusal(url, response, remedyOf(response.status, request, fault), now())
    return { bytes: pictureIn(await readResponseBody(response, maxAnswerBytes), url), from: url }
  } catch (error) {
    if (error instanceof UnavailableError) throw error
    const { mayHaveArrived, reason } = requestFailure(error)
    if (!mayHaveArrived) bill.nothing()
    signal.throwIfAborted()
    const found = timeout.aborted ? `did not answer within ${seconds} s (image_timeout_seconds)` : reason
    throw new UnavailableError(`${url} ${found}: is image_base_url right, and the endpoint running?`, { cause: error })
  }
}

const isTransient = (status: number): boolean => status === 408 || status === 429 || status >= 500

function refusal(url: string, { status, headers }: Response, remedy: string, now: Date): UnavailableError {
  const message = `${url} answered ${remedy}`
  if (!isTransient(status)) return new CoverError(message)
  return new CoverDelayedError(message, retryAfterMs(headers.get('retry-after'), now) ?? 0)
}

/** A status other than 2xx, with what to do. The endpoint's own words may quote the key. */
function remedyOf(status: number, { model, size }: { model: string; size: string }, keyFault: string | null): string {
  if (status === 401 || status === 403) return `${status}: ${keyFault ?? 'check the setting image_api_key.'}`
  if (isTransient(status)) return `${status}: try again later.`
  return `${status}: check image_base_url, image_model (${model}) and image_size (${size}).`
}

/** An address in the answer is not followed: it may be of any host. */
function pictureIn(answer: Buffer | null, url: string): Uint8Array {
  if (answer === null)
    throw new CoverError(`${url} answered more than the 10 MB that a picture may have: choose a smaller image_size.`)
  const base64 = base64In(answer.toString('utf8'))
  if (base64 === undefined)
    throw new CoverError(`${url} answered no picture as b64_json: choose a model that does with image_model.`)
  return Buffer.from(base64.replace(dataAddress, ''), 'base64')
}

/** Many endpoints answer as browsers name a picture. Its bytes decide what it is, whatever type is named. */
const dataAddress = /^data:[\w.+/;=-]{0,100};base64,/i

function base64In(answer: string): string | undefined {
  try {
    const parsed: unknown = JSON.parse(answer)
    const [item] = isObject(parsed) && Array.isArray(parsed.data) ? parsed.data : []
    return isObject(item) && typeof item.b64_json === 'string' ? item.b64_json : undefined
  } catch {
    return undefined
  }
}
