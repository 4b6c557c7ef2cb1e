import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A chat request as it arrived. */
export interface ChatRequest {
  path: string
  headers: IncomingHttpHeaders
  body: {
    model: string
    messages: { role: string; content: string }[]
    stream?: boolean
    response_format?: { type: string; json_schema: { name: string; strict: boolean; schema: Record<string, unknown> } }
  }
}

/** How the server answers one request. */
export type Behaviour = (response: ServerResponse, request: ChatRequest) => void

interface Said {
  text?: string
  refusal?: string
  finish?: string
}

const usage = { prompt_tokens: 11, completion_tokens: 7 }

/** Answers `text` (a value is sent as its JSON), as a stream when one is asked for. */
export function says(text: unknown): Behaviour {
  return answering({ text: typeof text === 'string' ? text : JSON.stringify(text) })
}

export function refuses(refusal: string): Behaviour {
  return answering({ refusal, finish: 'stop' })
}

export function stopsFor(finish: string, text = 'half'): Behaviour {
  return answering({ text, finish })
}

/** Answers whole even when a stream is asked for, as some gateways do. */
export function saysWhole({ text = '', refusal, finish = 'stop' }: Said): Behaviour {
  const choices = [{ message: { role: 'assistant', content: text, refusal }, finish_reason: finish }]
  return sends('application/json', JSON.stringify({ choices, usage }))
}

export function sends(type: string, body: string): Behaviour {
  return response => response.writeHead(200, { 'content-type': type }).end(body)
}

export function fails(status: number, message = 'went wrong', headers: Record<string, string> = {}): Behaviour {
  return response =>
    response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify({ error: { message } }))
}

/** Refuses what older servers do not know. */
export function refusesSchema(otherwise: Behaviour): Behaviour {
  return (response, request) =>
    (request.body.response_format ? fails(400, 'response_format is not supported') : otherwise)(response, request)
}

export const hangs: Behaviour = () => {}

/** Sends its headers and half of an answer, then loses the connection. */
export function cutsConnection(type: string, half: string): Behaviour {
  return response => {
    response.writeHead(200, { 'content-type': type, 'content-length': half.length + 1000 })
    response.write(half, () => response.destroy())
  }
}

/** A byte now and then, for ever. */
export const drips: Behaviour = response => {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const timer = setInterval(() => response.write(':'), 10)
  response.on('close', () => clearInterval(timer))
}

/** One stream event with a piece of the answer. */
export function delta(content: string, finish: string | null = null): string {
  return `data: ${JSON.stringify({ choices: [{ delta: { content }, finish_reason: finish }] })}\n\n`
}

function answering(said: Said): Behaviour {
  return (response, request) => {
    if (!request.body.stream) return saysWhole(said)(response, request)
    const { text = '', refusal, finish = 'stop' } = said
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const piece of text.match(/[\s\S]{1,200}/g) ?? []) response.write(delta(piece))
    const last = { choices: [{ delta: refusal ? { refusal } : {}, finish_reason: finish }] }
    response.end(`data: ${JSON.stringify(last)}\n\ndata: ${JSON.stringify({ choices: [], usage })}\n\ndata: [DONE]\n\n`)
  }
}

/** A model endpoint on loopback that speaks the OpenAI chat wire format and does what it is told. */
export interface ModelServer {
  url: string
  requests: ChatRequest[]
  /** What the next requests get, one each; the last stays in force. Forgets what went before. */
  script(...behaviours: Behaviour[]): void
  close(): Promise<void>
}

export async function startModelServer(): Promise<ModelServer> {
  const requests: ChatRequest[] = []
  let behaviours: Behaviour[] = []
  const server = createServer(async (request, response) => {
    const { url: path = '', headers } = request
    const text = await textOf(request).catch(() => null)
    // Whoever asked has gone.
    if (text === null) return
    const received: ChatRequest = { path, headers, body: JSON.parse(text) }
    requests.push(received)
    const behaviour = behaviours.length > 1 ? behaviours.shift() : behaviours[0]
    ;(behaviour ?? fails(404))(response, received)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    script(...next) {
      behaviours = next
      requests.length = 0
    },
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    }
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const piece of request) text += piece
  return text
}
