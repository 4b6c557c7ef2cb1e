import { type Log, UnavailableError } from '#core'
import { readResponseBody, readResponseStart, redirectFault, serverMessage } from '#requests'
import { retryAfterMs } from '#time'
import { TextsRefusedError } from '../index.ts'

/** Of one answer: 64 vectors are about 1 MB. */
const maxBytes = 10 * 1024 * 1024
const refusalBytes = 64_000
/** What an endpoint asks for beyond this may be a mistake. */
const maxRetryAfterMs = 5 * 60_000

/** Where texts are embedded, as the settings say it at the time of a request. */
export interface EmbeddingsEndpoint {
  url: string
  apiKey: string
  /** Why a key that is stored is not sent there. */
  keyFault: string | null
  model: string
  timeoutSeconds: number
}

/** A failed request; `retryAfterMs` is null when asking again cannot help. */
export class EmbeddingRequestError extends UnavailableError {
  readonly retryAfterMs: number | null

  constructor(message: string, retryAfterMs: number | null, cause?: unknown) {
    super(message, { cause })
    this.retryAfterMs = retryAfterMs
  }
}

/** What an answer other than 2xx stands for; the endpoint's own words go to the log alone. */
export async function errorOfResponse(
  endpoint: EmbeddingsEndpoint,
  response: Response,
  { log, now }: { log: Pick<Log, 'warn'>; now: () => Date }
): Promise<UnavailableError> {
  const { status } = response
  const said = `${endpoint.url} answered ${status}`
  if (status === 401 || status === 403) {
    // Its words may quote the key.
    await response.body?.cancel().catch(() => undefined)
    return new EmbeddingRequestError(`${said}: ${endpoint.keyFault ?? 'check the setting embedder_api_key.'}`, null)
  }
  const redirect = redirectFault(response, endpoint.url, 'embedder_base_url')
  if (redirect !== null) {
    await response.body?.cancel().catch(() => undefined)
    return new EmbeddingRequestError(redirect, null)
  }
  const words = serverMessage(await readResponseStart(response, refusalBytes), endpoint.apiKey)
  log.warn({ url: endpoint.url, status, words }, 'the embeddings endpoint refused a request')
  if (status === 429 || status >= 500) return tryAgain(said, response, now())
  if (status === 404)
    return new EmbeddingRequestError(
      `${said}: check the settings embedder_base_url and embedder_model (${endpoint.model}).`,
      null
    )
  const checked = `${said} for the model ${endpoint.model}: check the setting embedder_model`
  // Any other fault of the request may be one text's: too long, or of a kind the model does not take.
  if (status >= 400 && status !== 408) return new TextsRefusedError(`${checked}, and the text.`)
  return new EmbeddingRequestError(`${checked}.`, null)
}

function tryAgain(said: string, { status, headers }: Response, now: Date): EmbeddingRequestError {
  const waitMs = Math.min(retryAfterMs(headers.get('retry-after'), now) ?? 0, maxRetryAfterMs)
  const what = status === 429 ? 'too many requests' : 'the endpoint has a fault of its own'
  const advice =
    waitMs === 0
      ? 'Try again later.'
      : `It is asked again from ${new Date(now.getTime() + waitMs).toISOString()} on, or once another embedder_api_key or embedder_model is set.`
  return new EmbeddingRequestError(`${said}: ${what}. ${advice}`, waitMs)
}

/** @throws EmbeddingRequestError for an answer that is longer than any should be. */
export async function readBounded(endpoint: EmbeddingsEndpoint, response: Response): Promise<string> {
  const body = await readResponseBody(response, maxBytes)
  if (body !== null) return body.toString('utf8')
  throw new EmbeddingRequestError(
    `${endpoint.url} sent more than ${maxBytes} bytes for one answer: it was not read on.`,
    null
  )
}

/** The vectors in the order of the texts, whatever order they came in. */
export function readVectors(endpoint: EmbeddingsEndpoint, text: string, wanted: number): number[][] {
  const fault = (what: string) =>
    new EmbeddingRequestError(
      `${endpoint.url} ${what}: check embedder_base_url and embedder_model (${endpoint.model}).`,
      null
    )
  const data = parseData(text)
  if (data === null) throw fault('did not answer with a list of embeddings')
  if (data.length !== wanted) throw fault(`answered ${data.length} embeddings for ${wanted} texts`)
  const vectors: number[][] = []
  for (const [position, item] of data.entries()) {
    const { index = position, embedding }: EmbeddingItem = Object(item)
    const at = Number(index ?? Number.NaN)
    if (!Array.isArray(embedding)) throw fault('answered an item without an embedding')
    if (vectors[at] !== undefined) throw fault(`answered two embeddings with the index ${index}`)
    vectors[at] = embedding
  }
  if (Object.keys(vectors).length !== vectors.length || vectors.length !== wanted)
    throw fault('answered embeddings with wrong indexes')
  return vectors
}

/** What an endpoint may answer for a text. */
interface EmbeddingItem {
  index?: unknown
  embedding?: unknown
}

/** How many tokens an answer says it read; 0 where it does not say. */
export function readTokens(text: string): number {
  // At the end of a megabyte of vectors: it is not parsed twice.
  const found = /"prompt_tokens"\s*:\s*(\d{1,12})\b/.exec(text)
  return found === null ? 0 : Number(found[1])
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
