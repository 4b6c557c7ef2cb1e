import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** What arrives at the stand-in, and what it has. */
export interface StoredObject {
  body: Buffer
  headers: Record<string, string | string[] | undefined>
}

export interface ObjectRequest {
  method: string
  bucket: string
  key: string
  query: URLSearchParams
  headers: IncomingMessage['headers']
}

/** What the stand-in does instead of its work. */
export type Misbehaviour =
  | { status: number; code: string; headers?: Record<string, string>; extra?: string }
  | 'drop'
  | 'silence'
  | 'lie'
  | 'cut'
  | 'unconditional'
  /** The connection is lost in the middle of an answer. */
  | 'break'
  /** Of an object that is read it sends the first half, as if that were all. */
  | 'half'
  /** It has never heard of ranges. */
  | 'rangeless'
  /** Each page of a list is the first, and says that there is another. */
  | 'endless'
  /** This answer, with success. */
  | { xml: string }

/** A stand-in for an object storage that keeps everything in memory and misbehaves when told to. It checks no signature. */
export async function startObjectStorage() {
  const objects = new Map<string, StoredObject>()
  const requests: ObjectRequest[] = []
  let misbehave: (request: ObjectRequest) => Misbehaviour | null = () => null
  let aheadMs = 0
  let hold: (request: ObjectRequest) => Promise<unknown> | null = () => null
  const server = createServer(async (incoming, response) => {
    const request = requestOf(incoming)
    requests.push(request)
    await hold(request)
    const now = Date.now() + aheadMs
    response.setHeader('date', new Date(now).toUTCString())
    const wrong = Math.abs(sentAt(request) - now) > maxSkewMs ? skewed : misbehave(request)
    if (wrong === 'drop') return incoming.socket.destroy()
    if (wrong === 'silence') return
    const body = await buffer(incoming).catch(() => null)
    if (body === null) return
    if (wrong !== null && typeof wrong !== 'string')
      return 'xml' in wrong ? sendXml(response, wrong.xml) : refuse(response, wrong)
    const stored = wrong === 'cut' ? body.subarray(1) : body
    answer(response, {
      request,
      body: stored,
      objects: wrong === 'lie' ? new Map(objects) : objects,
      isUnconditional: wrong === 'unconditional',
      isEndless: wrong === 'endless',
      fault: wrong === 'break' || wrong === 'half' || wrong === 'rangeless' ? wrong : null
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects,
    requests,
    /** From now on. */
    misbehaveWith(next: typeof misbehave) {
      misbehave = next
    },
    /** From now on its clock is so far ahead of this machine's. */
    setClock(ahead: number) {
      aheadMs = ahead
    },
    /** From now on: requests wait for what it answers. */
    holdWith(next: typeof hold) {
      hold = next
    },
    reset() {
      objects.clear()
      requests.length = 0
      misbehave = () => null
      hold = () => null
      aheadMs = 0
    },
    async close() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    }
  }
}
export type ObjectStorage = Awaited<ReturnType<typeof startObjectStorage>>

/** As Amazon does: it refuses what seems to be sent over 15 minutes ago, or in as many. */
const maxSkewMs = 900_000
const skewed: Misbehaviour = { status: 403, code: 'RequestTimeTooSkewed' }

function sentAt({ headers }: ObjectRequest): number {
  const at = String(headers['x-amz-date']).replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z')
  return Date.parse(at)
}

function requestOf({ method = '', url = '', headers }: IncomingMessage): ObjectRequest {
  const { pathname, searchParams } = new URL(url, 'http://localhost')
  const [, bucket = '', ...rest] = decodeURIComponent(pathname).split('/')
  return { method, bucket, key: rest.join('/'), query: searchParams, headers }
}

function refuse(
  response: ServerResponse,
  { status, code, headers = {}, extra = '' }: Extract<Misbehaviour, { status: number }>
): ServerResponse {
  const body = `<?xml version="1.0"?><Error><Code>${code}</Code><Message>no</Message>${extra}</Error>`
  return response.writeHead(status, { 'content-type': 'application/xml', ...headers }).end(body)
}

interface Work {
  request: ObjectRequest
  body: Buffer
  objects: Map<string, StoredObject>
  /** It has never heard of conditions. */
  isUnconditional: boolean
  isEndless: boolean
  fault: 'break' | 'half' | 'rangeless' | null
}

function answer(
  response: ServerResponse,
  { request, body, objects, isUnconditional, isEndless, fault }: Work
): ServerResponse {
  const { method, key, query, headers } = request
  if (key === '' && query.has('uploads')) return refuse(response, { status: 501, code: 'NotImplemented' })
  if (key === '' && method === 'GET') return list(response, objects, { query, isEndless })
  const found = objects.get(key)
  if (method === 'PUT') {
    const condition = isUnconditional ? undefined : (headers['if-match'] ?? headers['if-none-match'])
    const isMet = condition === '*' ? found === undefined : condition === undefined || etagOf(found) === condition
    if (!isMet) return refuse(response, { status: 412, code: 'PreconditionFailed' })
    objects.set(key, { body, headers })
    return response.writeHead(200, { etag: etagOf({ body, headers }) }).end()
  }
  if (method === 'DELETE') {
    objects.delete(key)
    return response.writeHead(204).end()
  }
  if (found === undefined) return refuse(response, { status: 404, code: 'NoSuchKey' })
  return send(response, request, { ...found, fault })
}

const etagOf = (object: StoredObject | undefined) =>
  object === undefined ? '' : `"${createHash('md5').update(object.body).digest('hex')}"`

function send(
  response: ServerResponse,
  { method, headers }: ObjectRequest,
  { fault, ...object }: StoredObject & Pick<Work, 'fault'>
): ServerResponse {
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? []
  const size = object.body.length
  const about = { etag: etagOf(object), 'last-modified': new Date(0).toUTCString() }
  if (method === 'HEAD') return response.writeHead(200, { ...about, 'content-length': size }).end()
  const half = object.body.subarray(0, size / 2)
  if (fault === 'half') return response.writeHead(200, { ...about, 'content-length': half.length }).end(half)
  if (fault === 'break') return breakOff(response.writeHead(200, { ...about, 'content-length': size }), half)
  if (from === undefined || fault === 'rangeless')
    return response.writeHead(200, { ...about, 'content-length': size }).end(object.body)
  if (Number(from) >= size) return refuse(response, { status: 416, code: 'InvalidRange' })
  const end = Math.min(Number(to), size - 1)
  const range = { 'content-range': `bytes ${from}-${end}/${size}` }
  return response.writeHead(206, { ...about, ...range }).end(object.body.subarray(Number(from), end + 1))
}

function breakOff(response: ServerResponse, half: Buffer): ServerResponse {
  response.write(half, () => setImmediate(() => response.destroy()))
  return response
}

function list(
  response: ServerResponse,
  objects: Map<string, StoredObject>,
  { query, isEndless }: { query: URLSearchParams; isEndless: boolean }
): ServerResponse {
  const prefix = query.get('prefix') ?? ''
  const after = isEndless ? '' : (query.get('continuation-token') ?? '')
  const limit = Number(query.get('max-keys') ?? 1000)
  const keys = [...objects.keys()].filter(key => key.startsWith(prefix) && key > after).sort()
  const page = keys.slice(0, limit)
  const contents = page.map(key => {
    const object = objects.get(key)
    return `<Contents><Key>${key}</Key><Size>${object?.body.length}</Size><ETag>${etagOf(object)}</ETag></Contents>`
  })
  const next =
    isEndless || keys.length > limit
      ? `<IsTruncated>true</IsTruncated><NextContinuationToken>${page.at(-1)}</NextContinuationToken>`
      : ''
  const result = `<Name>site</Name>${contents.join('')}${next}`
  return sendXml(response, `<?xml version="1.0"?><ListBucketResult>${result}</ListBucketResult>`)
}

const sendXml = (response: ServerResponse, xml: string): ServerResponse =>
  response.writeHead(200, { 'content-type': 'application/xml' }).end(xml)
