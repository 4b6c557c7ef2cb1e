import { setTimeout as delay } from 'node:timers/promises'
import { type Settings, UnavailableError } from '#core'
import { type Embedder, type EmbedOptions, embeddingDimensions, TextsRefusedError } from './index.ts'
import type { MemorySettings } from './settings.ts'

// Enough to keep an endpoint busy, few enough that an answer stays far below the cap: 64 vectors are about 1 MB.
const batchTexts = 64
const mostBytes = 10 * 1024 * 1024
const attempts = 3
const firstPauseMs = 500
// A caller waits for the answer: an endpoint that asks for more patience is unavailable now.
const longestPauseMs = 5000
// What an endpoint asks for beyond this may be a mistake, and nobody could take it back.
const longestRestMs = 5 * 60_000
// Of an endpoint's own words, in characters.
const longestWords = 200

export interface OpenAiEmbedderParts {
  settings: Pick<Settings<MemorySettings>, 'get'>
  /** Waits; tests give one that does not. */
  pause?: (ms: number, signal: AbortSignal) => Promise<unknown>
}

type Pause = NonNullable<OpenAiEmbedderParts['pause']>

/** A failed request; `retryAfterMs` is null when asking again cannot help. */
class Refusal extends UnavailableError {
  readonly retryAfterMs: number | null

  constructor(message: string, retryAfterMs: number | null, cause?: unknown) {
    super(message, { cause })
    this.retryAfterMs = retryAfterMs
  }
}

/** Any endpoint that speaks OpenAI's `/v1/embeddings`: OpenAI, Ollama, vLLM, LM Studio. */
export function createOpenAiEmbedder({ settings, pause = waitFor }: OpenAiEmbedderParts): Embedder {
  const turn = createTurns(() => settings.get('embedder_requests_per_minute'), pause)
  const rests = createRests()
  const embed = async (endpoint: Endpoint, texts: readonly string[], signal: AbortSignal, options?: EmbedOptions) => {
    const asking = { pause, turn, rests, isQuestion: options?.isQuestion ?? false }
    const vectors: number[][] = []
    for (let at = 0; at < texts.length; at += batchTexts) {
      vectors.push(...(await embedBatch(endpoint, texts.slice(at, at + batchTexts), signal, asking)))
    }
    return vectors
  }
  const isResting = (baseUrl: string) => rests.of(endpointAt(settings, settings.get('embedder_model'), baseUrl)).ms > 0
  return {
    get model() {
      return settings.get('embedder_model')
    },
    get lacks() {
      return isIncomplete(settings.get('embedder_model'), settings.get('embedder_base_url')) ? incomplete : null
    },
    get origin() {
      return { base_url: settings.get('embedder_base_url') }
    },
    get isResting() {
      return isResting(settings.get('embedder_base_url'))
    },
    embed: async (texts, signal, options) => embed(readEndpoint(settings), texts, signal, options),
    at: (model, origin) => ({
      model,
      get isResting() {
        return isResting(origin.base_url ?? settings.get('embedder_base_url'))
      },
      embed: async (texts, signal, options) =>
        embed(readEndpoint(settings, model, origin.base_url), texts, signal, options)
    })
  }
}

/** How long an endpoint still wants to be left alone, and what it said. */
interface Rest {
  ms: number
  refusal: Refusal | null
}

interface Rests {
  of(endpoint: Endpoint): Rest
  /** Notes the `Retry-After` of a refusal. */
  note(endpoint: Endpoint, refusal: Refusal): void
}

/** What one call is told holds for all of the process; another key or address is another's quota. */
function createRests(): Rests {
  const known = new Map<string, { until: number; refusal: Refusal }>()
  const keyOf = ({ url, apiKey }: Endpoint) => `${url} ${apiKey}`
  return {
    of(endpoint) {
      const rest = known.get(keyOf(endpoint))
      const ms = (rest?.until ?? 0) - Date.now()
      return rest === undefined || ms <= 0 ? { ms: 0, refusal: null } : { ms, refusal: rest.refusal }
    },
    note(endpoint, refusal) {
      const ms = Math.min(refusal.retryAfterMs ?? 0, longestRestMs)
      if (ms > this.of(endpoint).ms) known.set(keyOf(endpoint), { until: Date.now() + ms, refusal })
    }
  }
}

/** Lets requests pass one by one, as far apart as a limit a minute asks for; 0 is no limit. */
function createTurns(perMinute: () => number, pause: Pause): (signal: AbortSignal) => Promise<void> {
  let next = 0
  return async signal => {
    const limit = perMinute()
    if (limit === 0) return
    const now = Date.now()
    const at = Math.max(now, next)
    next = at + 60_000 / limit
    if (at > now) await pause(at - now, signal)
  }
}

const waitFor: Pause = (ms, signal) => delay(ms, undefined, { signal })

interface Endpoint {
  url: string
  apiKey: string
  model: string
  timeoutSeconds: number
}

const incomplete = 'The setting embedder is openai, but embedder_base_url or embedder_model is empty: set both.'

const isIncomplete = (model: string, baseUrl: string): boolean => /^\/*$/.test(baseUrl) || model === ''

function readEndpoint(
  settings: OpenAiEmbedderParts['settings'],
  model = settings.get('embedder_model'),
  baseUrl = settings.get('embedder_base_url')
): Endpoint {
  if (isIncomplete(model, baseUrl)) throw new UnavailableError(incomplete)
  return endpointAt(settings, model, baseUrl)
}

function endpointAt(settings: OpenAiEmbedderParts['settings'], model: string, baseUrl: string): Endpoint {
  return {
    url: `${baseUrl.replace(/\/+$/, '')}/embeddings`,
    apiKey: settings.get('embedder_api_key'),
    model,
    timeoutSeconds: settings.get('embedder_timeout_seconds')
  }
}

interface Asking {
  pause: Pause
  turn: (signal: AbortSignal) => Promise<void>
  rests: Rests
  isQuestion: boolean
}

async function embedBatch(
  endpoint: Endpoint,
  texts: readonly string[],
  signal: AbortSignal,
  { pause, turn, rests, isQuestion }: Asking
): Promise<number[][]> {
  for (let attempt = 1; ; attempt++) {
    await turn(signal)
    const { ms, refusal } = rests.of(endpoint)
    // Later attempts have waited.
    if (attempt === 1 && refusal !== null) {
      if (isQuestion || ms > longestPauseMs) throw refusal
      await pause(ms, signal)
    }
    signal.throwIfAborted()
    try {
      return await request(endpoint, texts, signal)
    } catch (error) {
      if (!(error instanceof Refusal) || error.retryAfterMs === null) throw error
      rests.note(endpoint, error)
      const restMs = rests.of(endpoint).ms
      if (attempt === attempts || (isQuestion && restMs > 0)) throw error
      const backoffMs = firstPauseMs * 2 ** (attempt - 1) * (1 + Math.random() / 4)
      const pauseMs = Math.max(error.retryAfterMs, restMs, backoffMs)
      if (pauseMs > longestPauseMs) throw error
      await pause(pauseMs, signal)
    }
  }
}

async function request(endpoint: Endpoint, texts: readonly string[], signal: AbortSignal): Promise<number[][]> {
  const timeout = AbortSignal.timeout(endpoint.timeoutSeconds * 1000)
  try {
    const response = await fetch(endpoint.url, {
      method: 'POST',
      redirect: 'error',
      headers: {
        'content-type': 'application/json',
        ...(endpoint.apiKey === '' ? {} : { authorization: `Bearer ${endpoint.apiKey}` })
      },
      body: JSON.stringify(requestBody(endpoint.model, texts)),
      signal: AbortSignal.any([signal, timeout])
    })
    if (!response.ok) throw await refusalOf(endpoint, response)
    return readVectors(endpoint, await readBounded(endpoint, response), texts.length)
  } catch (error) {
    if (error instanceof Refusal || error instanceof TextsRefusedError) throw error
    signal.throwIfAborted()
    if (timeout.aborted) {
      throw new Refusal(
        `${endpoint.url} did not answer within ${endpoint.timeoutSeconds} s (embedder_timeout_seconds).`,
        null,
        error
      )
    }
    throw new Refusal(
      `${endpoint.url} could not be reached or broke off: is embedder_base_url right, and the endpoint running?`,
      isNobodyThere(error) ? null : 0,
      error
    )
  }
}

/** Nothing listens at the address, or it names no host: a second later it will be the same, and somebody may be waiting. */
function isNobodyThere(error: unknown): boolean {
  const cause: unknown = error instanceof Error ? error.cause : undefined
  return cause instanceof Error && 'code' in cause && ['ECONNREFUSED', 'ENOTFOUND'].includes(String(cause.code))
}

function requestBody(model: string, texts: readonly string[]): object {
  const body = { model, input: texts, encoding_format: 'float' }
  // These have 1,536 and more unless asked; other endpoints refuse the parameter.
  return model.startsWith('text-embedding-3') ? { ...body, dimensions: embeddingDimensions } : body
}

async function refusalOf(endpoint: Endpoint, response: Response): Promise<UnavailableError> {
  const { status } = response
  const said = `${endpoint.url} answered ${status}`
  if (status === 401 || status === 403) {
    // Its words may quote the key.
    await response.body?.cancel().catch(() => undefined)
    return new Refusal(`${said}: check the setting embedder_api_key.`, null)
  }
  const words = wordsOf(await readBounded(endpoint, response).catch(() => ''), endpoint.apiKey)
  const quoted = words === '' ? '' : ` It said: ${words}`
  if (status === 429)
    return new Refusal(`${said}: too many requests. Try again later.${quoted}`, retryAfterMs(response))
  if (status >= 500)
    return new Refusal(
      `${said}: the endpoint has a fault of its own. Try again later.${quoted}`,
      retryAfterMs(response)
    )
  if (status === 404)
    return new Refusal(
      `${said}: check the settings embedder_base_url and embedder_model (${endpoint.model}).${quoted}`,
      null
    )
  const checked = `${said} for the model ${endpoint.model}: check the setting embedder_model`
  // Any other fault of the request may be one text's: too long, or of a kind the model does not take.
  if (status >= 400 && status !== 408) return new TextsRefusedError(`${checked}, and the text.${quoted}`)
  return new Refusal(`${checked}.${quoted}`, null)
}

/** What a refusal says itself, in one line without secrets; empty when it has no message. */
function wordsOf(body: string, apiKey: string): string {
  const message = messageIn(body)
  const hidden = (apiKey === '' ? message : message.replaceAll(apiKey, '…')).replace(secrets, '…')
  const line = [
    ...hidden
      .toWellFormed()
      .replace(/[\s\p{Cc}]+/gu, ' ')
      .trim()
  ]
  return line.length <= longestWords
    ? line.join('')
    : `${line
        .slice(0, longestWords - 1)
        .join('')
        .trimEnd()}…`
}

// Keys as OpenAI and others write them, cut or starred ones included.
const secrets = /\b(?:sk|hf|gsk)[-_][\w*.-]{6,}|\bBearer\s+\S+/gi

/** The message of an error as OpenAI, Ollama (`error`), vLLM (`message`) and FastAPI (`detail`) put it. */
function messageIn(body: string): string {
  try {
    const { error, message, detail } = Object(JSON.parse(body))
    const [first] = Array.isArray(detail) ? detail : []
    const found = [error?.message, error, message, detail, first?.msg].find(each => typeof each === 'string')
    return found ?? ''
  } catch {
    return ''
  }
}

/** `Retry-After` in seconds or as a date; 0 when absent or unreadable. */
function retryAfterMs(response: Response): number {
  const header = response.headers.get('retry-after')
  if (header === null) return 0
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now()
  return Number.isFinite(ms) ? Math.max(ms, 0) : 0
}

async function readBounded(endpoint: Endpoint, response: Response): Promise<string> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of response.body ?? []) {
    bytes += part.byteLength
    if (bytes > mostBytes)
      throw new Refusal(`${endpoint.url} sent more than ${mostBytes} bytes for one answer: it was not read on.`, null)
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

/** The vectors in the order of the texts, whatever order they came in. */
function readVectors(endpoint: Endpoint, text: string, wanted: number): number[][] {
  const fault = (what: string) =>
    new Refusal(`${endpoint.url} ${what}: check embedder_base_url and embedder_model (${endpoint.model}).`, null)
  const data = parseData(text)
  if (data === null) throw fault('did not answer with a list of embeddings')
  if (data.length !== wanted) throw fault(`answered ${data.length} embeddings for ${wanted} texts`)
  const vectors: number[][] = []
  for (const [position, item] of data.entries()) {
    const { index = position, embedding } = (item ?? {}) as { index?: number; embedding?: number[] }
    if (!Array.isArray(embedding)) throw fault('answered an item without an embedding')
    if (vectors[index] !== undefined) throw fault(`answered two embeddings with the index ${index}`)
    vectors[index] = embedding
  }
  if (Object.keys(vectors).length !== vectors.length || vectors.length !== wanted)
    throw fault('answered embeddings with wrong indexes')
  return vectors
}

function parseData(text: string): unknown[] | null {
  try {
    const answer: unknown = JSON.parse(text)
    const data = typeof answer === 'object' && answer !== null && 'data' in answer ? answer.data : null
    return Array.isArray(data) ? data : null
  } catch {
    return null
  }
}
