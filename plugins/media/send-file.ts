import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError, matchesIfNoneMatch, NotFoundError } from '#core'
import { byteRange } from './byte-range.ts'

export interface MediaFile {
  /** The caller has checked that it is inside the folder. */
  path: string
  type: string
  cacheControl: string
}

/** Sends a file or the requested range, with a strong ETag. @throws NotFoundError */
export async function sendFile(request: FastifyRequest, reply: FastifyReply, file: MediaFile): Promise<FastifyReply> {
  const { handle, size, etag } = await openFile(file.path)
  try {
    reply.headers({ etag, 'cache-control': file.cacheControl, 'accept-ranges': 'bytes' })
    if (matchesIfNoneMatch(request.headers['if-none-match'] ?? '', etag)) return await sendHead(reply.code(304), handle)
    const range = byteRange(rangeHeader(request, etag), size)
    if (range === 'unsatisfiable') throw outOfRange(reply, request.headers.range ?? '', size)
    const { start, end } = range === 'whole' ? { start: 0, end: size - 1 } : range
    if (range !== 'whole') reply.code(206).header('content-range', `bytes ${start}-${end}/${size}`)
    reply.type(file.type).header('content-length', end - start + 1)
    if (request.method === 'HEAD' || size === 0) return await sendHead(reply, handle)
    return reply.send(handle.createReadStream({ start, end }))
  } catch (error) {
    await handle.close()
    throw error
  }
}

async function openFile(path: string): Promise<{ handle: FileHandle; size: number; etag: string }> {
  // Links could lead out of the folder, and opening a pipe would wait for its other end.
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(missing)
  const stat = await handle.stat({ bigint: true })
  if (!stat.isFile()) {
    await handle.close()
    throw fileNotFound()
  }
  // A file replaced or changed in place has another inode or another time, to the nanosecond.
  const etag = `"${[stat.ino, stat.size, stat.mtimeNs].map(part => part.toString(36)).join('-')}"`
  return { handle, size: Number(stat.size), etag }
}

const fileNotFound = () => new NotFoundError('There is no such file.')

function missing(error: NodeJS.ErrnoException): never {
  throw ['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG', 'ENXIO'].includes(error.code ?? '') ? fileNotFound() : error
}

/** Sends headers only. An empty stream keeps Fastify from setting content-length to 0. */
async function sendHead(reply: FastifyReply, handle: FileHandle): Promise<FastifyReply> {
  await handle.close()
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
