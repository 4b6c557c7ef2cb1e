import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError, matchesIfNoneMatch, NotFoundError } from '#core'
import type { OpenFile, StoredFile } from '#plugins/storage'
import { type ByteRange, byteRange } from './byte-range.ts'
import type { ServedFile } from './cached-files.ts'

export interface SentFile {
  /** Null where there is none. It is closed when the answer has ended. */
  served: ServedFile | null
  type: string
  cacheControl: string
}

/** Larger parts are streamed: a slow reader holds no more than this in memory. */
const maxBufferedBytes = 128 * 1024

/** Sends a file or the requested range, with a strong ETag. @throws NotFoundError */
export async function sendFile(request: FastifyRequest, reply: FastifyReply, sent: SentFile): Promise<FastifyReply> {
  const { served } = sent
  if (served === null) throw new NotFoundError('There is no such file.')
  try {
    return await send(request, reply, { ...sent, served })
  } catch (error) {
    if (served.content === null) await served.file.close()
    throw error
  }
}

async function send(
  request: FastifyRequest,
  reply: FastifyReply,
  { served, type, cacheControl }: SentFile & { served: ServedFile }
): Promise<FastifyReply> {
  const { file } = served
  const { bytes: size, etag } = file
  const headers = { etag, 'last-modified': file.modifiedAt.toUTCString(), 'cache-control': cacheControl }
  reply.headers({ ...headers, 'accept-ranges': 'bytes' })
  if (matchesIfNoneMatch(request.headers['if-none-match'] ?? '', etag)) return sendHead(reply.code(304), served)
  const range = byteRange(rangeHeader(request, file), size)
  if (range === 'unsatisfiable') throw outOfRange(reply, request.headers.range ?? '', size)
  const part = partOf(range, size)
  if (range !== 'whole') reply.code(206).header('content-range', `bytes ${part.start}-${part.end}/${size}`)
  reply.type(type).header('content-length', part.end - part.start + 1)
  if (request.method === 'HEAD' || size === 0) return sendHead(reply, served)
  return reply.send(await contentOf(served, part))
}

interface Part {
  start: number
  /** Included. */
  end: number
}

const partOf = (range: Exclude<ByteRange, 'unsatisfiable'>, size: number): Part =>
  range === 'whole' ? { start: 0, end: size - 1 } : range

async function contentOf({ file, content }: ServedFile, part: Part): Promise<Buffer | Readable> {
  if (content !== null) return content.subarray(part.start, part.end + 1)
  return part.end - part.start < maxBufferedBytes ? readPart(file, part) : file.read(part)
}

/** At once, which takes half the time of a stream. @throws Error when the file was cut meanwhile */
async function readPart(file: OpenFile, part: Part): Promise<Buffer> {
  const bytes = await file.readPart(part)
  await file.close()
  return bytes
}

/** Sends headers only. An empty stream keeps Fastify from setting content-length to 0. */
async function sendHead(reply: FastifyReply, served: ServedFile): Promise<FastifyReply> {
  if (served.content === null) await served.file.close()
  return reply.send(Readable.from([]))
}

/** The `Range` header, unless `If-Range` names another state of the file. */
function rangeHeader({ headers }: FastifyRequest, file: StoredFile): string | undefined {
  const condition = headers['if-range']
  return condition === undefined || condition === file.etag || isDateOf(file, condition) ? headers.range : undefined
}

/** A file may change twice within the second that a date tells: until that second is over the date says nothing. */
function isDateOf({ modifiedAt }: StoredFile, condition: string | string[]): boolean {
  return condition === modifiedAt.toUTCString() && Date.now() - modifiedAt.getTime() > 2000
}

function outOfRange(reply: FastifyReply, range: string, size: number): AppError {
  reply.header('content-range', `bytes */${size}`)
  return new AppError(
    'RANGE_NOT_SATISFIABLE',
    `The range ${range.slice(0, 100)} is not within the file's ${size} bytes: ask for a part of them.`
  )
}
