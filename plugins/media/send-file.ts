import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError, matchesIfNoneMatch, NotFoundError } from '#core'
import { byteRange } from './byte-range.ts'
import type { OpenFile } from './storage/media-store.ts'

export interface SentFile {
  /** Null where there is none. It is closed when the answer has ended. */
  file: OpenFile | null
  type: string
  cacheControl: string
}

/** Sends a file or the requested range, with a strong ETag. @throws NotFoundError */
export async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { file, type, cacheControl }: SentFile
): Promise<FastifyReply> {
  if (file === null) throw new NotFoundError('There is no such file.')
  const { bytes: size, etag } = file
  try {
    reply.headers({ etag, 'cache-control': cacheControl, 'accept-ranges': 'bytes' })
    if (matchesIfNoneMatch(request.headers['if-none-match'] ?? '', etag)) return await sendHead(reply.code(304), file)
    const range = byteRange(rangeHeader(request, etag), size)
    if (range === 'unsatisfiable') throw outOfRange(reply, request.headers.range ?? '', size)
    const { start, end } = range === 'whole' ? { start: 0, end: size - 1 } : range
    if (range !== 'whole') reply.code(206).header('content-range', `bytes ${start}-${end}/${size}`)
    reply.type(type).header('content-length', end - start + 1)
    if (request.method === 'HEAD' || size === 0) return await sendHead(reply, file)
    return reply.send(file.read({ start, end }))
  } catch (error) {
    await file.close()
    throw error
  }
}

/** Sends headers only. An empty stream keeps Fastify from setting content-length to 0. */
async function sendHead(reply: FastifyReply, file: OpenFile): Promise<FastifyReply> {
  await file.close()
  return reply.send(Readable.from([]))
}

/** The `Range` header, unless `If-Range` has another ETag. A date never matches, because none is sent. */
function rangeHeader({ headers }: FastifyRequest, etag: string): string | undefined {
  const condition = headers['if-range']
  return condition === undefined || condition === etag ? headers.range : undefined
}

function outOfRange(reply: FastifyReply, range: string, size: number): AppError {
  reply.header('content-range', `bytes */${size}`)
  return new AppError(
    'RANGE_NOT_SATISFIABLE',
    `The range ${range.slice(0, 100)} is not within the file's ${size} bytes: ask for a part of them.`
  )
}
