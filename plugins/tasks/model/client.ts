import type { Static, TSchema } from '#core'
import { type Bill, type Costs, payIfCounted } from '#plugins/costs'
import { readResponseStart, requestFailure, serverMessage } from '#requests'
import { retryAfterMs } from '#time'
import { type ModelAnswer, readAnswer, type Usage } from './answer.ts'
import { chatUrl, headersOf, type ModelEndpoint } from './endpoint.ts'
import { errorOfStatus, ModelError, TransientError, UnsupportedFormatError } from './errors.ts'
import { type RetryTimer, realRetryTimer, withRetries } from './retry.ts'
import { parseAnswer, wireSchema } from './schema.ts'

export interface ModelClientOptions
  extends Pick<ModelEndpoint, 'baseUrl' | 'apiKey'>,
    Partial<Pick<ModelEndpoint, 'keyFault'>> {
  /** For one request, from sending it to the last byte of the answer. */
  timeoutSeconds: number
  maxRetries: number
  /** Longest answer taken; default 1,000,000. */
  maxBytes?: number
  fetch?: typeof fetch
  retryTimer?: RetryTimer
  now?: () => Date
  /** Absent: requests are not counted. */
  costs?: Pick<Costs, 'pay' | 'maxOutputTokens'> | undefined
}

interface CompletionRequest<S extends TSchema = TSchema> {
  model: string
  system: string
  user: string
  /** Of the object that is asked for. */
  schema: S
  /** Instead of the client's own. */
  maxRetries?: number
  signal: AbortSignal
}

interface ModelCompletion<Value> {
  value: Value
  /** Summed over the requests that were answered. */
  usage: Usage
}

/** A chat model behind an OpenAI-compatible endpoint. */
export interface ModelClient {
  /**
   * Answers the object in the text of the model. An answer of another form is corrected once.
   * @throws UnavailableError when retries are used up, ModelError when trying again will not help, the signal's reason.
   */
  complete<S extends TSchema>(request: CompletionRequest<S>): Promise<ModelCompletion<Static<S>>>
}

interface Message {
  role: 'system' | 'user' | 'assistant'
  content: string
}

type Ask = (messages: readonly Message[]) => Promise<ModelAnswer>

const defaultMaxBytes = 1_000_000
/** Enough of an error's body to find its message in. */
const errorBytes = 64_000
/** Enough of an unusable answer to correct it from, when it is not junk. */
const repairChars = 50_000

/** A client for one endpoint (Ollama, vLLM, LM Studio, OpenAI). Answers are asked for as a stream, so that a slow model is no silent one. */
export function createModelClient(options: ModelClientOptions): ModelClient {
  // Models whose server refused the structured form, so that it is refused once and not for every task.
  const basicModels = new Set<string>()
  return {
    complete(request) {
      const { maxRetries = options.maxRetries } = request
      const ask: Ask = messages => sendWithFallback({ ...options, maxRetries }, basicModels, request, messages)
      return askForObject(ask, messagesOf(request), request.schema)
    }
  }
}

const messagesOf = ({ system, user }: CompletionRequest): Message[] => [
  { role: 'system', content: system },
  { role: 'user', content: user }
]

async function askForObject<S extends TSchema>(
  ask: Ask,
  question: readonly Message[],
  schema: S
): Promise<ModelCompletion<Static<S>>> {
  const first = await ask(question)
  const parsed = parseAnswer(first.text, schema)
  if ('value' in parsed) return { value: parsed.value, usage: first.usage }
  const second = await ask([
    ...question,
    { role: 'assistant', content: first.text.slice(0, repairChars) },
    correction(parsed.faults)
  ])
  const corrected = parseAnswer(second.text, schema)
  if ('value' in corrected) return { value: corrected.value, usage: sum(first.usage, second.usage) }
  const faults = corrected.faults.slice(0, 3).join('; ')
  throw new ModelError(`The model does not answer in the form it is asked for (${faults}): choose another model.`)
}

function correction(faults: readonly string[]): Message {
  const list = faults.map(fault => `- ${fault}`).join('\n')
  return {
    role: 'user',
    content: `That answer cannot be used:\n${list}\nAnswer again, with the corrected JSON object and nothing else.`
  }
}

function sum(one: Usage, other: Usage): Usage {
  return {
    prompt_tokens: one.prompt_tokens + other.prompt_tokens,
    completion_tokens: one.completion_tokens + other.completion_tokens
  }
}

/** Older servers refuse response_format or stream_options with a 400 that rarely says which: all go at once. */
async function sendWithFallback(
  options: ModelClientOptions,
  basicModels: Set<string>,
  request: CompletionRequest,
  messages: readonly Message[]
): Promise<ModelAnswer> {
  if (basicModels.has(request.model)) return send(options, basicBody(request, messages), request)
  try {
    return await send(options, structuredBody(options, request, messages), request)
  } catch (error) {
    if (!(error instanceof UnsupportedFormatError)) throw error
    const answer = await send(options, basicBody(request, messages), request)
    basicModels.add(request.model)
    return answer
  }
}

function structuredBody(
  { costs }: ModelClientOptions,
  { model, schema }: CompletionRequest,
  messages: readonly Message[]
): object {
  return {
    model,
    messages,
    stream: true,
    stream_options: { include_usage: true },
    response_format: {
      type: 'json_schema',
      json_schema: { name: 'answer', strict: true, schema: wireSchema(schema) }
    },
    // What is reserved for the answer is not passed. Servers that do not know the field ignore it.
    max_completion_tokens: costs?.maxOutputTokens(model) ?? undefined
  }
}

function basicBody({ model, schema }: CompletionRequest, messages: readonly Message[]): object {
  const form = `\n\nAnswer with one JSON object that fits this JSON schema, and nothing else:\n${JSON.stringify(schema)}`
  const asked = messages.map(message =>
    message.role === 'system' ? { ...message, content: message.content + form } : message
  )
  return { model, messages: asked, stream: true }
}

function send(
  options: ModelClientOptions,
  body: object,
  { model, signal }: Pick<CompletionRequest, 'model' | 'signal'>
): Promise<ModelAnswer> {
  const url = chatUrl(options.baseUrl)
  const headers = headersOf(options.apiKey)
  const text = JSON.stringify(body)
  const init = { method: 'POST', headers, body: text, redirect: 'manual' } as const
  const request = (bill: Bill) => sendOnce(options, url, init, { signal, bill })
  // No token is shorter than a byte.
  const call = { kind: 'chat', model, worst: { input_tokens: Buffer.byteLength(text) } } as const
  const paid = () => payIfCounted(options.costs, call, request)
  return withRetries(paid, options.maxRetries, options.retryTimer ?? realRetryTimer, signal)
}

async function sendOnce(
  options: ModelClientOptions,
  url: string,
  init: RequestInit,
  { signal, bill }: { signal: AbortSignal; bill: Bill }
): Promise<ModelAnswer> {
  const timeout = AbortSignal.timeout(options.timeoutSeconds * 1000)
  try {
    const response = await (options.fetch ?? fetch)(url, { ...init, signal: AbortSignal.any([signal, timeout]) })
    if (!response.ok) {
      // A request that is refused is not charged; one that failed may have been.
      if (response.status < 500) bill.nothing()
      throw await errorOfResponse(response, options)
    }
    return await readAnswer(response, options.maxBytes ?? defaultMaxBytes, usage =>
      bill.used({ input_tokens: usage.prompt_tokens, output_tokens: usage.completion_tokens })
    )
  } catch (error) {
    if (error instanceof ModelError || error instanceof TransientError) throw error
    const { mayHaveArrived, code } = requestFailure(error)
    if (!mayHaveArrived) bill.nothing()
    if (timeout.aborted)
      throw new TransientError(`The model endpoint did not finish within ${options.timeoutSeconds} s`)
    throw new TransientError(`The connection to the model endpoint failed (${code})`, { cause: error })
  }
}

async function errorOfResponse(response: Response, options: ModelClientOptions): Promise<Error> {
  const { apiKey, keyFault = null, now = () => new Date() } = options
  return errorOfStatus({
    status: response.status,
    words: serverMessage(await readResponseStart(response, errorBytes), apiKey),
    keyFault,
    retryAfterMs: retryAfterMs(response.headers.get('retry-after'), now())
  })
}
