import { setTimeout as delay } from 'node:timers/promises'
import { batched } from '#concurrency'
import { type Log, type Settings, UnavailableError } from '#core'
import type { Payments } from '#plugins/costs'
import { urlUnder } from '#requests'
import type { Embedder, EmbedOptions } from '../index.ts'
import type { MemorySettings } from '../settings.ts'
import type { EmbeddingsEndpoint } from './openai-answers.ts'
import { createRateLimits, createRequestPacing, type Pause } from './openai-limits.ts'
import { embedBatch } from './openai-request.ts'

/** Enough to keep an endpoint busy, few enough that an answer stays far below the cap: 64 vectors are about 1 MB. */
const textsPerRequest = 64

interface OpenAiEmbedderDeps {
  settings: Pick<Settings<MemorySettings>, 'get' | 'secretFor'>
  /** Records what an endpoint says about its refusals: clients read the errors, and are not to read another host's answers. */
  log: Pick<Log, 'warn'>
  now: () => Date
  /** Absent: requests are not counted. */
  costs?: Payments | undefined
  /** Waits; tests give one that does not. */
  pause?: Pause
}

/** Any endpoint that speaks OpenAI's `/v1/embeddings`: OpenAI, Ollama, vLLM, LM Studio. */
export function createOpenAiEmbedder({ settings, log, now, costs, pause = waitFor }: OpenAiEmbedderDeps): Embedder {
  const waitForRequest = createRequestPacing(() => settings.get('embedder_requests_per_minute'), pause, now)
  const rateLimits = createRateLimits(now, () => settings.get('embedder_model'))
  const embed = async (
    endpoint: EmbeddingsEndpoint,
    texts: readonly string[],
    signal: AbortSignal,
    options?: EmbedOptions
  ) => {
    const context = { pause, waitForRequest, rateLimits, log, now, costs, isQuery: options?.isQuery ?? false }
    const vectors: number[][] = []
    for (const batch of batched(texts, { maxItems: textsPerRequest }))
      vectors.push(...(await embedBatch(endpoint, batch, signal, context)))
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
    forModel: (model, origin) => ({
      model,
      get isRateLimited() {
        return isRateLimited(origin.base_url ?? settings.get('embedder_base_url'))
      },
      embed: async (texts, signal, options) =>
        embed(readEndpoint(settings, model, origin.base_url), texts, signal, options)
    })
  }
}

const waitFor: Pause = (ms, signal) => delay(ms, undefined, { signal })

const incomplete = 'The setting embedder is openai, but embedder_base_url or embedder_model is empty: set both.'

const isIncomplete = (model: string, baseUrl: string): boolean => /^\/*$/.test(baseUrl) || model === ''

function readEndpoint(
  settings: OpenAiEmbedderDeps['settings'],
  model = settings.get('embedder_model'),
  baseUrl = settings.get('embedder_base_url')
): EmbeddingsEndpoint {
  if (isIncomplete(model, baseUrl)) throw new UnavailableError(incomplete)
  return endpointAt(settings, model, baseUrl)
}

function endpointAt(settings: OpenAiEmbedderDeps['settings'], model: string, baseUrl: string): EmbeddingsEndpoint {
  // The address may be that of the model before: it gets the key that was set for its own host, or none.
  const { value, fault } = settings.secretFor('embedder_api_key', baseUrl)
  return {
    url: urlUnder(baseUrl, 'embeddings'),
    apiKey: value,
    keyFault: fault,
    model,
    timeoutSeconds: settings.get('embedder_timeout_seconds')
  }
}
