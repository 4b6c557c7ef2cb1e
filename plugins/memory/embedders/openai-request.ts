import type { Log } from '#core'
import { type Bill, type Payments, payIfCounted } from '#plugins/costs'
import { jsonHeaders, requestFailure } from '#requests'
import { embeddingDimensions, TextsRefusedError } from '../index.ts'
import {
  EmbeddingRequestError,
  type EmbeddingsEndpoint,
  errorOfResponse,
  readBounded,
  readTokens,
  readVectors
} from './openai-answers.ts'
import type { Pause, RateLimits } from './openai-limits.ts'

const maxTries = 3
const firstPauseMs = 500
/** A caller waits for the answer: an endpoint that asks for more time is unavailable now. */
const maxPauseMs = 5000

/** What the requests of one embedder share, and whether somebody waits for this one. */
interface RequestContext {
  pause: Pause
  waitForRequest: (signal: AbortSignal) => Promise<void>
  rateLimits: RateLimits
  log: Pick<Log, 'warn'>
  now: () => Date
  costs: Payments | undefined
  isQuery: boolean
}

/** Vectors of a few texts. Tries again while the endpoint asks for it and the caller can wait. */
export async function embedBatch(
  endpoint: EmbeddingsEndpoint,
  texts: readonly string[],
  signal: AbortSignal,
  context: RequestContext
): Promise<number[][]> {
  const { pause, waitForRequest, rateLimits, isQuery } = context
  for (let tries = 1; ; tries++) {
    await waitForRequest(signal)
    const { ms, refusal } = rateLimits.of(endpoint)
    // Later tries have waited.
    if (tries === 1 && refusal !== null) {
      if (isQuery || ms > maxPauseMs) throw refusal
      await pause(ms, signal)
    }
    signal.throwIfAborted()
    try {
      return await request(endpoint, texts, signal, context)
    } catch (error) {
      if (!(error instanceof EmbeddingRequestError) || error.retryAfterMs === null) throw error
      rateLimits.record(endpoint, error)
      const rateLimitedMs = rateLimits.of(endpoint).ms
      if (tries === maxTries || (isQuery && rateLimitedMs > 0)) throw error
      const backoffMs = firstPauseMs * 2 ** (tries - 1) * (1 + Math.random() / 4)
      const pauseMs = Math.max(error.retryAfterMs, rateLimitedMs, backoffMs)
      if (pauseMs > maxPauseMs) throw error
      await pause(pauseMs, signal)
    }
  }
}

function request(
  endpoint: EmbeddingsEndpoint,
  texts: readonly string[],
  signal: AbortSignal,
  context: Pick<RequestContext, 'log' | 'now' | 'costs'>
): Promise<number[][]> {
  const { model } = endpoint
  const body = JSON.stringify(requestBody(model, texts))
  // No token is shorter than a byte.
  const call = { kind: 'embedding', model, worst: { input_tokens: Buffer.byteLength(body) } } as const
  return payIfCounted(context.costs, call, bill =>
    send(endpoint, { body, wanted: texts.length, bill }, signal, context)
  )
}

async function send(
  endpoint: EmbeddingsEndpoint,
  { body, wanted, bill }: { body: string; wanted: number; bill: Bill },
  signal: AbortSignal,
  context: Pick<RequestContext, 'log' | 'now'>
): Promise<number[][]> {
  const headers = jsonHeaders(endpoint.apiKey, 'embedder_api_key')
  const timeout = AbortSignal.timeout(endpoint.timeoutSeconds * 1000)
  try {
    const response = await fetch(endpoint.url, {
      method: 'POST',
      redirect: 'manual',
      headers,
      body,
      signal: AbortSignal.any([signal, timeout])
    })
    if (!response.ok) {
      if (response.status < 500) bill.nothing()
      throw await errorOfResponse(endpoint, response, context)
    }
    const answer = await readBounded(endpoint, response)
    bill.used({ input_tokens: readTokens(answer) })
    return readVectors(endpoint, answer, wanted)
  } catch (error) {
    if (error instanceof EmbeddingRequestError || error instanceof TextsRefusedError) throw error
    if (!requestFailure(error).mayHaveArrived) bill.nothing()
    signal.throwIfAborted()
    throw timeout.aborted ? timedOut(endpoint, error) : unreachable(endpoint, error)
  }
}

const timedOut = ({ url, timeoutSeconds }: EmbeddingsEndpoint, cause: unknown) =>
  new EmbeddingRequestError(`${url} did not answer within ${timeoutSeconds} s (embedder_timeout_seconds).`, null, cause)

const unreachable = ({ url }: EmbeddingsEndpoint, cause: unknown) =>
  new EmbeddingRequestError(
    `${url} could not be reached or broke off: is embedder_base_url right, and the endpoint running?`,
    isNobodyThere(cause) ? null : 0,
    cause
  )

/** Nothing listens at the address, or it names no host. A second later it will be the same, and somebody may be waiting. */
function isNobodyThere(error: unknown): boolean {
  const cause: unknown = error instanceof Error ? error.cause : undefined
  return cause instanceof Error && 'code' in cause && ['ECONNREFUSED', 'ENOTFOUND'].includes(String(cause.code))
}

function requestBody(model: string, texts: readonly string[]): object {
  const body = { model, input: texts, encoding_format: 'float' }
  // These have 1,536 and more unless asked; other endpoints refuse the parameter.
  return model.startsWith('text-embedding-3') ? { ...body, dimensions: embeddingDimensions } : body
}
