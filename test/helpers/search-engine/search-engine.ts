import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { bulk, search } from './documents-api.ts'
import { type Answer, type Engine, type EngineRequest, errorBody } from './engine.ts'
import { indicesApi } from './indices-api.ts'

/** Answers in the place of the engine; undefined lets the engine answer. */
export type Misbehaviour = (
  request: EngineRequest,
  response: ServerResponse
) => Answer | undefined | Promise<Answer | undefined>

/** An engine on loopback that keeps documents in memory, and speaks as OpenSearch 3 does what galley uses of it. */
export interface SearchEngine extends Engine {
  url: string
  requests: EngineRequest[]
  misbehaviour: Misbehaviour | undefined
  /** Forgets everything. */
  reset(): void
  close(): Promise<void>
}

export async function startSearchEngine(): Promise<SearchEngine> {
  const engine: Engine = { indices: new Map(), itemFault: () => undefined, isReadOnly: false }
  const server = createServer((request, response) => void serve(request, response))
  const requests: EngineRequest[] = []
  const serve = async (incoming: IncomingMessage, response: ServerResponse) => {
    const request = await readRequest(incoming)
    requests.push(request)
    const answer =
      (await standIn.misbehaviour?.(request, response)) ??
      (response.headersSent || response.destroyed ? undefined : answerOf(engine, request))
    if (answer === undefined || response.headersSent) return
    const text = request.method === 'HEAD' || answer.body === undefined ? '' : JSON.stringify(answer.body)
    response.writeHead(answer.status, { 'content-type': 'application/json; charset=UTF-8' }).end(text)
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const standIn: SearchEngine = Object.assign(engine, {
    url: `http://127.0.0.1:${port}`,
    requests,
    misbehaviour: undefined,
    reset() {
      engine.indices.clear()
      engine.itemFault = () => undefined
      engine.isReadOnly = false
      standIn.misbehaviour = undefined
      requests.length = 0
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    }
  })
  return standIn
}

async function readRequest(incoming: IncomingMessage): Promise<EngineRequest> {
  const parts: Buffer[] = []
  for await (const part of incoming) parts.push(part)
  const { pathname, searchParams } = new URL(incoming.url ?? '/', 'http://localhost')
  const { method = 'GET', headers } = incoming
  return { method, path: pathname.slice(1), query: searchParams, headers, body: Buffer.concat(parts).toString('utf8') }
}

function answerOf(engine: Engine, request: EngineRequest): Answer {
  const { method, path, body, headers } = request
  const type = headers['content-type']
  if (body !== '' && type !== 'application/json' && type !== 'application/x-ndjson')
    return { status: 406, body: { error: `Content-Type header [${type}] is not supported`, status: 406 } }
  if (path === '')
    return {
      status: 200,
      body: { name: 'stand-in', version: { distribution: 'opensearch', number: '3.3.0' }, tagline: '' }
    }
  const [name = '', api, ...rest] = path.split('/')
  if (method === 'POST' && api === '_bulk') return bulk(engine, name, request)
  if (method === 'POST' && api === '_search') return search(engine, name, request)
  return (
    indicesApi(engine, request, [name, api, ...rest]) ??
    errorBody(400, 'illegal_argument_exception', `no handler found for uri [/${path}] and method [${method}]`)
  )
}
