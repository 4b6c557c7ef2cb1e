import { ModelError, TransientError } from './errors.ts'

/** Tokens as the server counts them; 0 where it does not say. */
export interface Usage {
  prompt_tokens: number
  completion_tokens: number
}

export interface ModelAnswer {
  text: string
  usage: Usage
}

/** One JSON body or one event of a stream: whole messages and deltas have the same parts. */
interface CompletionChunk {
  choices?: { message?: Part | null; delta?: Part | null; finish_reason?: string | null }[] | null
  usage?: Partial<Usage> | null
  error?: unknown
}

interface Part {
  content?: string | null
  refusal?: string | null
}

interface Gathered {
  text: string
  refusal: string
  finish: string | null
  isDone: boolean
  usage: Usage
}

/**
 * Reads an answer, streamed or whole, of at most `maxBytes` of text. `onUsage` is called with what it used, also when it is refused.
 * @throws TransientError when it was cut or is not JSON; ModelError when it is too long, refused or stopped by a limit.
 */
export async function readAnswer(
  response: Response,
  maxBytes: number,
  onUsage: (usage: Usage) => void = () => {}
): Promise<ModelAnswer> {
  const isStream = response.headers.get('content-type')?.includes('text/event-stream') ?? false
  const gathered = isStream ? await readStream(response, maxBytes) : await readWhole(response, maxBytes)
  onUsage(gathered.usage)
  if (gathered.refusal !== '' || gathered.finish === 'content_filter') {
    const why = gathered.refusal === '' ? ', stopped by its content filter' : ''
    const options = gathered.refusal === '' ? {} : { cause: new Error(`It said: ${gathered.refusal.slice(0, 200)}`) }
    throw new ModelError(`The model refused to answer${why}: change the topic or choose another model.`, options)
  }
  if (gathered.finish === 'length') {
    throw new ModelError(
      'The answer was cut at the model’s own length limit: lower target_length, or choose a model with a larger context.'
    )
  }
  return { text: gathered.text, usage: gathered.usage }
}

/** The body as text. @throws ModelError when it passes `maxBytes`. */
async function readText(response: Response, maxBytes: number): Promise<string> {
  let text = ''
  for await (const piece of pieces(response, maxBytes)) text += piece
  return text
}

async function readWhole(response: Response, maxBytes: number): Promise<Gathered> {
  const gathered = nothing()
  const chunk = parseChunk(await readText(response, maxBytes))
  if (typeof chunk.choices?.[0]?.message !== 'object')
    throw new TransientError('The model endpoint answered without a message')
  add(gathered, chunk)
  return gathered
}

/** Events are separated by blank lines, but every server here writes an event's data on one line. */
async function readStream(response: Response, maxBytes: number): Promise<Gathered> {
  const gathered = nothing()
  let pending = ''
  try {
    for await (const piece of pieces(response, Number.POSITIVE_INFINITY)) {
      const lines = (pending + piece).split(/\r\n|\n|\r/)
      pending = lines.pop() ?? ''
      for (const line of lines) addLine(gathered, line)
      if (gathered.text.length + gathered.refusal.length + pending.length > maxBytes) throw tooLong(maxBytes)
      if (gathered.isDone) break
    }
    addLine(gathered, pending)
  } catch (error) {
    // What comes after the finish reason is only a count of tokens: losing it loses nothing of the answer.
    if (error instanceof ModelError || gathered.finish === null) throw error
  }
  if (gathered.finish === null && !gathered.isDone) throw new TransientError('The model’s answer was cut off')
  return gathered
}

function addLine(gathered: Gathered, line: string): void {
  if (!line.startsWith('data:')) return
  const data = line.slice('data:'.length).trim()
  if (data === '[DONE]') gathered.isDone = true
  else if (data !== '') add(gathered, parseChunk(data))
}

function add(gathered: Gathered, { choices, usage, error }: CompletionChunk): void {
  if (error) throw new TransientError('The model endpoint reported an error within its answer')
  const choice = choices?.[0]
  const part = choice?.message ?? choice?.delta
  gathered.text += part?.content ?? ''
  gathered.refusal += part?.refusal ?? ''
  gathered.finish = choice?.finish_reason ?? gathered.finish
  gathered.usage = {
    prompt_tokens: usage?.prompt_tokens ?? gathered.usage.prompt_tokens,
    completion_tokens: usage?.completion_tokens ?? gathered.usage.completion_tokens
  }
}

function parseChunk(text: string): CompletionChunk {
  try {
    const parsed: unknown = JSON.parse(text)
    if (typeof parsed === 'object' && parsed !== null) return parsed
  } catch (error) {
    throw new TransientError('The model endpoint answered something that is not JSON, or JSON that was cut off', {
      cause: error
    })
  }
  throw new TransientError('The model endpoint answered JSON that is no chat completion')
}

async function* pieces(response: Response, maxBytes: number): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let bytes = 0
  for await (const piece of response.body ?? []) {
    bytes += piece.byteLength
    if (bytes > maxBytes) throw tooLong(maxBytes)
    yield decoder.decode(piece, { stream: true })
  }
  yield decoder.decode()
}

function tooLong(maxBytes: number): ModelError {
  return new ModelError(
    `The model’s answer is longer than ${maxBytes} bytes: check that llm_base_url is a chat endpoint.`
  )
}

function nothing(): Gathered {
  return { text: '', refusal: '', finish: null, isDone: false, usage: { prompt_tokens: 0, completion_tokens: 0 } }
}
