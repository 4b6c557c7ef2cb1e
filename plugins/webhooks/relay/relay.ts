import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { ConflictError, errorCode } from '#core'
import { readResponseStart, requestFailure } from '#requests'

const maxBodyBytes = 1_048_576
const maxAnswerBytes = 65_536
/** Requests at once; more are asked to come again. */
const maxRequests = 16
const maxConnections = 64
const maxReadMs = 10_000
const maxSendMs = 30_000

/** What a relayed request became. */
export interface Relayed {
  path: string
  bytes: number
  status: number
  /** Null when the service answered. */
  error: string | null
}

interface RelayOptions {
  /** 0 takes a free one. */
  port: number
  /** Address of the service, without a slash at its end. */
  target: string
  /** The secret that is signed with, as it is now. */
  secret(): string
  /** Called after each request. */
  onRelayed(relayed: Relayed): void
}

/** Paths a sender may ask for, with the address of the service that each goes to. */
const paths: Readonly<Record<string, string>> = {
  '/': '/alert-router',
  '/alert-router': '/alert-router',
  '/api/webhooks/alert-router': '/api/webhooks/alert-router'
}

/**
 * Listens on this machine only, signs what comes, and hands it on. The sender gets the service's answer, so that what was not
 * accepted is sent again.
 * @throws ConflictError when the port is taken
 */
export async function startRelay(options: RelayOptions): Promise<{ url: string; close(): Promise<void> }> {
  let underWay = 0
  const server = createServer({ requestTimeout: maxReadMs, headersTimeout: maxReadMs }, async (request, response) => {
    if (underWay >= maxRequests) {
      refuse(response, 503, 'Too many requests at once: send it again.')
      return
    }
    underWay += 1
    await relay(options, request, response).finally(() => {
      underWay -= 1
    })
  })
  server.maxConnections = maxConnections
  const port = await listen(server, options.port)
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      server.close()
      server.closeAllConnections()
      if (server.listening) await once(server, 'close')
    }
  }
}

async function listen(server: Server, port: number): Promise<number> {
  try {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  } catch (error) {
    if (errorCode(error) === 'EADDRINUSE')
      throw new ConflictError(`Port ${port} of 127.0.0.1 is in use: give another one with --port.`)
    throw error
  }
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : port
}

async function relay(options: RelayOptions, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = paths[request.url ?? '']
  if (isFromBrowser(request)) return refuse(response, 403, 'A web page may not use the relay.')
  if (path === undefined) return refuse(response, 404, `The relay takes POST to ${Object.keys(paths).join(', ')}.`)
  if (request.method !== 'POST') return refuse(response, 405, 'The relay takes POST.')
  const body = await readBody(request)
  if (body === null) return refuse(response, 413, `The body is larger than ${maxBodyBytes} bytes, or was cut.`)
  const { status, text, headers, error } = await send(options, path, body, response)
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers }).end(text)
  options.onRelayed({ path, bytes: body.length, status, error })
}

/**
 * What reaches the relay is signed: a page in a browser on this machine must not. Browsers name themselves; one that was led here
 * by a name of its own gives that as the host.
 */
function isFromBrowser({ headers }: IncomingMessage): boolean {
  const isElsewhere = !/^(127\.0\.0\.1|localhost)(:\d+)?$/.test(headers.host ?? '')
  return isElsewhere || headers.origin !== undefined || headers['sec-fetch-site'] !== undefined
}

/** Null for one that is too large, or ended before its end. The signature covers all of it: it goes on only when it is whole. */
async function readBody(request: IncomingMessage): Promise<Buffer | null> {
  const pieces: Buffer[] = []
  let bytes = 0
  try {
    for await (const piece of request) {
      if (!Buffer.isBuffer(piece)) return null
      bytes += piece.length
      if (bytes > maxBodyBytes) return null
      pieces.push(piece)
    }
  } catch {
    return null
  }
  return Buffer.concat(pieces)
}

interface ServiceAnswer {
  status: number
  text: string
  headers: Record<string, string>
  error: string | null
}

/** A sender that has gone ends the request. */
async function send(
  options: RelayOptions,
  path: string,
  body: Buffer,
  response: ServerResponse
): Promise<ServiceAnswer> {
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  const signature = createHmac('sha256', options.secret()).update(body).digest('hex')
  try {
    const answer = await fetch(options.target + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-signature-256': `sha256=${signature}` },
      body: new Uint8Array(body),
      redirect: 'manual',
      signal: AbortSignal.any([gone.signal, AbortSignal.timeout(maxSendMs)])
    })
    const retryAfter = answer.headers.get('retry-after')
    const headers: Record<string, string> = retryAfter === null ? {} : { 'retry-after': retryAfter }
    return { status: answer.status, text: await readResponseStart(answer, maxAnswerBytes), headers, error: null }
  } catch (error) {
    const { reason } = requestFailure(error)
    return { status: 502, text: messageText(`The service ${reason}.`), headers: {}, error: reason }
  }
}

/** What is not read of the request is not waited for. */
function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', connection: 'close' })
  response.end(messageText(message))
}

const messageText = (message: string): string => JSON.stringify({ message })
