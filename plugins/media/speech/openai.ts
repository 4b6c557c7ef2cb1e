import { type Log, type Settings, UnavailableError } from '#core'
import { type Bill, type PaidCall, type Payments, payIfCounted } from '#plugins/costs'
import { jsonHeaders, readResponseStart, redirectFault, requestFailure, serverMessage, urlUnder } from '#requests'
import { retryAfterMs } from '#time'
import type { SpeechDriver, SpokenText } from '../index.ts'
import type { MediaSettings } from '../settings.ts'
import { SpeechError, tooLong } from './speech-error.ts'
import { secondsOf, speechWorst } from './usage.ts'
import { writeWavFile } from './wav-file.ts'

export interface OpenAiSpeechDeps {
  settings: Pick<Settings<MediaSettings>, 'get' | 'secretFor'>
  /** Records what an endpoint says about its refusals: clients read the errors, and are not to read another host's answers. */
  log: Pick<Log, 'warn'>
  now: () => Date
  /** Absent: requests are not counted. */
  costs?: Payments | undefined
}

const incomplete = 'The setting speech_driver is openai, but speech_base_url or speech_model is empty: set both.'

const refusalBytes = 4000

interface Endpoint {
  url: string
  apiKey: string
  /** Why a key that is stored is not sent there. */
  keyFault: string | null
  model: string
  voice: string
}

/** Any endpoint that speaks OpenAI's `/v1/audio/speech`. */
export function createOpenAiSpeech({ settings, log, now, costs }: OpenAiSpeechDeps): SpeechDriver {
  const isIncomplete = () => settings.get('speech_base_url') === '' || settings.get('speech_model') === ''
  return {
    get voice() {
      return `${settings.get('speech_model')} ${settings.get('speech_voice') || defaultVoice}`
    },
    get settingsFault() {
      return isIncomplete() ? incomplete : null
    },
    concurrency: 2,
    async speak(spoken, signal) {
      if (isIncomplete()) throw new SpeechError(incomplete)
      const endpoint = readEndpoint(settings)
      await payIfCounted(costs, paidCall(endpoint, spoken), bill =>
        request(endpoint, spoken, signal, { log, now, bill })
      )
      return null
    }
  }
}

const defaultVoice = 'alloy'

const paidCall = ({ model }: Endpoint, spoken: SpokenText): PaidCall => ({
  kind: 'speech',
  model,
  worst: speechWorst(spoken)
})

function readEndpoint(settings: OpenAiSpeechDeps['settings']): Endpoint {
  const baseUrl = settings.get('speech_base_url')
  const { value, fault } = settings.secretFor('speech_api_key', baseUrl)
  return {
    url: urlUnder(baseUrl, 'audio/speech'),
    apiKey: value,
    keyFault: fault,
    model: settings.get('speech_model'),
    voice: settings.get('speech_voice') || defaultVoice
  }
}

async function request(
  endpoint: Endpoint,
  { text, file }: SpokenText,
  signal: AbortSignal,
  { bill, ...context }: Pick<OpenAiSpeechDeps, 'log' | 'now'> & { bill: Bill }
): Promise<void> {
  const { url, apiKey, model, voice } = endpoint
  const headers = jsonHeaders(apiKey, 'speech_api_key')
  try {
    const response = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      headers,
      body: JSON.stringify({ model, voice, input: text, response_format: 'wav' }),
      signal
    })
    if (response.status < 500 && !response.ok) bill.nothing()
    if (!response.ok) throw await refusal(endpoint, response, context)
    if ((await writeWavFile(file, response.body ?? [])) === null) throw tooLong(url)
    bill.used({ characters: text.length, seconds: await secondsOf({ file }) })
  } catch (error) {
    if (error instanceof UnavailableError) throw error
    const { mayHaveArrived, reason } = requestFailure(error)
    if (!mayHaveArrived) bill.nothing()
    signal.throwIfAborted()
    throw new SpeechError(`${url} ${reason}: is speech_base_url right, and the endpoint running?`, {
      retryAfterMs: 0,
      cause: error
    })
  }
}

/** What an answer other than 2xx stands for; the endpoint's own words go to the log alone. */
async function refusal(
  endpoint: Endpoint,
  response: Response,
  { log, now }: Pick<OpenAiSpeechDeps, 'log' | 'now'>
): Promise<SpeechError> {
  const { url, model, voice, apiKey, keyFault } = endpoint
  const { status } = response
  const redirect = redirectFault(response, url, 'speech_base_url')
  if (redirect !== null) {
    await response.body?.cancel().catch(() => undefined)
    return new SpeechError(redirect)
  }
  const said = `${url} answered ${status}`
  if (status === 401 || status === 403) {
    // Its words may quote the key.
    await response.body?.cancel().catch(() => undefined)
    return new SpeechError(`${said}: ${keyFault ?? 'check the setting speech_api_key.'}`)
  }
  const words = serverMessage(await readResponseStart(response, refusalBytes), apiKey)
  log.warn({ url, status, words }, 'the speech endpoint refused a request')
  if (status === 429 || status >= 500)
    return new SpeechError(`${said}: try again later.`, {
      retryAfterMs: retryAfterMs(response.headers.get('retry-after'), now()) ?? 0
    })
  return new SpeechError(`${said}: check speech_base_url, speech_model (${model}) and speech_voice (${voice}).`)
}
