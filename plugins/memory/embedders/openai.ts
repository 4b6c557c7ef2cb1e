import { setTimeout as delay } from 'node:timers/promises'
import { type Log, type Settings, UnavailableError } from '#core'
import { type Embedder, type EmbedOptions, embeddingDimensions, TextsRefusedError } from '../index.ts'
import type { MemorySettings } from '../settings.ts'
import {
  EmbedderRefusal,
  type EmbeddingsEndpoint,
  embedderRefusal,
  readBounded,
  readVectors
} from './openai-answers.ts'

// Enough to keep an endpoint busy, few enough that an answer stays far below the cap: 64 vectors are about 1 MB.
const batchTexts = 64
const attempts = 3
const firstPauseMs = 500
// A caller waits for the answer: an endpoint that asks for more timeLimit is unavailable now.
const maxPauseMs = 5000
// What an endpoint asks for beyond this may be a mistake, and nobody could take it back.
const maxRetryAfterMs = 5 * 60_000

export interface OpenAiEmbedderParts {
  settings: Pick<Settings<MemorySettings>, 'get' | 'secretFor'>
  /** Records what an endpoint says about its refusals: clients read the errors, and are not to read another host's answers. */
  log: Pick<Log, 'warn'>
  /** Waits; tests give one that does not. */
  pause?: (ms: number, signal: AbortSignal) => Promise<unknown>
}

type Pause = NonNullable<OpenAiEmbedderParts['pause']>

/** Any endpoint that speaks OpenAI's `/v1/embeddings`: OpenAI, Ollama, vLLM, LM Studio. */
export function createOpenAiEmbedder({ settings, log, pause = waitFor }: OpenAiEmbedderParts): Embedder {
  const waitForRequest = createRequestPacing(() => settings.get('embedder_requests_per_minute'), pause)
  const rateLimits = createRateLimits()
  const embed = async (
    endpoint: EmbeddingsEndpoint,
    texts: readonly string[],
    signal: AbortSignal,
    options?: EmbedOptions
  ) => {
    const context = { pause, waitForRequest, rateLimits, log, isQuestion: options?.isQuestion ?? false }
    const vectors: number[][] = []
    for (let at = 0; at < texts.length; at += batchTexts) {
      vectors.push(...(await embedBatch(endpoint, texts.slice(at, at + batchTexts), signal, context)))
    }
    return vectors
  }
  const isRateLimited = (baseUrl: string) =>
    rateLimits.of(endpointAt(settings, settings.get('embedder_model'), baseUrl)).ms > 0
  return {
    get model() {
      return settings.get('embedder_model')
    },
    get settingsFault() {
      return isIncomplete(settings.get('embedder_model'), settings.get('embedder_base_url')) ? incomplete : null
    },
    get origin() {
      return { base_url: settings.get('embedder_base_url') }
    },
    get isRateLimited() {
      return isRateLimited(settings.get('embedder_base_url'))
    },
    embed: async (texts, signal, options) => embed(readEndpoint(settings), texts, signal, options),
    at: (model, origin) => ({
      model,
      get isRateLimited() {
        return isRateLimited(origin.base_url ?? settings.get('embedder_base_url'))
      },
      embed: async (texts, signal, options) =>
        embed(readEndpoint(settings, model, origin.base_url), texts, signal, options)
    })
  }
}

/** How long an endpoint still wants to be left alone, and what it said. */
interface RateLimit {
  ms: number
  refusal: EmbedderRefusal | null
}

interface RateLimits {
  of(endpoint: EmbeddingsEndpoint): RateLimit
  /** Notes the `Retry-After` of a refusal. */
  note(endpoint: EmbeddingsEndpoint, refusal: EmbedderRefusal): void
}

/** A `Retry-After` binds every call of the process to the same address and key. */
function createRateLimits(): RateLimits {
  const known = new Map<string, { until: number; refusal: EmbedderRefusal }>()
  const keyOf = ({ url, apiKey }: EmbeddingsEndpoint) => `${url} ${apiKey}`
  return {
    of(endpoint) {
      const limited = known.get(keyOf(endpoint))
      const ms = (limited?.until ?? 0) - Date.now()
      return limited === undefined || ms <= 0 ? { ms: 0, refusal: null } : { ms, refusal: limited.refusal }
    },
    note(endpoint, refusal) {
      const ms = Math.min(refusal.retryAfterMs ?? 0, maxRetryAfterMs)
      if (ms > this.of(endpoint).ms) known.set(keyOf(endpoint), { until: Date.now() + ms, refusal })
    }
  }
}

/** Lets requests pass one by one, as far apart as a limit a minute asks for; 0 is no limit. */
function createRequestPacing(perMinute: () => number, pause: Pause): (signal: AbortSignal) => Promise<void> {
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

const incomplete = 'The setting embedder is openai, but embedder_base_url or embedder_model is empty: set both.'

const isIncomplete = (model: string, baseUrl: string): boolean => /^\/*$/.test(baseUrl) || model === ''

function readEndpoint(
  settings: OpenAiEmbedderParts['settings'],
  model = settings.get('embedder_model'),
  baseUrl = settings.get('embedder_base_url')
): EmbeddingsEndpoint {
  if (isIncomplete(model, baseUrl)) throw new UnavailableError(incomplete)
  return endpointAt(settings, model, baseUrl)
}

function endpointAt(settings: OpenAiEmbedderParts['settings'], model: string, baseUrl: string): EmbeddingsEndpoint {
  // The address may be that of the model before: it gets the key that was set for its own host, or none.
  const { value, fault } = settings.secretFor('embedder_api_key', baseUrl)
  return {
    url: `${baseUrl.replace(/\/+$/, '')}/embeddings`,
    apiKey: value,
    keyFault: fault,
    model,
    timeoutSeconds: settings.get('embedder_timeout_seconds')
  }
}

interface RequestContext {
  pause: Pause
  waitForRequest: (signal: AbortSignal) => Promise<void>
  rateLimits: RateLimits
  log: OpenAiEmbedderParts['log']
  isQuestion: boolean
}

async function embedBatch(
  endpoint: EmbeddingsEndpoint,
  texts: readonly string[],
  signal: AbortSignal,
  { pause, waitForRequest, rateLimits, log, isQuestion }: RequestContext
): Promise<number[][]> {
  for (let attempt = 1; ; attempt++) {
    await waitForRequest(signal)
    const { ms, refusal } = rateLimits.of(endpoint)
    // Later attempts have waited.
    if (attempt === 1 && refusal !== null) {
      if (isQuestion || ms > maxPauseMs) throw refusal
      await pause(ms, signal)
    }
    signal.throwIfAborted()
    try {
      return await request(endpoint, texts, signal, log)
    } catch (error) {
      if (!(error instanceof EmbedderRefusal) || error.retryAfterMs === null) throw error
      rateLimits.note(endpoint, error)
      const rateLimitedMs = rateLimits.of(endpoint).ms
      if (attempt === attempts || (isQuestion && rateLimitedMs > 0)) throw error
      const backoffMs = firstPauseMs * 2 ** (attempt - 1) * (1 + Math.random() / 4)
      const pauseMs = Math.max(error.retryAfterMs, rateLimitedMs, backoffMs)
      if (pauseMs > maxPauseMs) throw error
      await pause(pauseMs, signal)
    }
  }
}

async function request(
  endpoint: EmbeddingsEndpoint,
  texts: readonly string[],
  signal: AbortSignal,
  log: OpenAiEmbedderParts['log']
): Promise<number[][]> {
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
    if (!response.ok) throw await embedderRefusal(endpoint, response, log)
    return readVectors(endpoint, await readBounded(endpoint, response), texts.length)
  } catch (error) {
    if (error instanceof EmbedderRefusal || error instanceof TextsRefusedError) throw error
    signal.throwIfAborted()
    if (timeout.aborted) {
      throw new EmbedderRefusal(
        `${endpoint.url} did not answer within ${endpoint.timeoutSeconds} s (embedder_timeout_seconds).`,
        null,
        error
      )
    }
    throw new EmbedderRefusal(
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
