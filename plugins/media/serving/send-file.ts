import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError, type FastResponse, NotFoundError } from '#core'
import type { ByteRange, OpenFile } from '#plugins/storage'
import type { ReadyFile, ServedFile } from './cached-files.ts'
import { answerFor, type SendOptions } from './file-answer.ts'
import type { FileRequest } from './preconditions.ts'
import { maxRangeBytes } from './range-reader.ts'

export interface SentFile extends SendOptions {
  /** Null where there is none. It is closed when the answer has ended. */
  served: ServedFile | null
}

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

/** The same for the fast path; undefined for what `sendFile` has to do: a refusal, or a large range of what is not in memory. */
export function fastResponse(
  request: FileRequest,
  { file, content, read }: ReadyFile,
  options: SendOptions
): FastResponse | undefined {
  const { status, headers, ownHeaders, range } = answerFor(request, file, options)
  if (status === 412 || status === 416) return undefined
  if (range === null) return { status, headers, ownHeaders }
  if (content !== null) return { status, headers, ownHeaders, body: content.subarray(range.start, range.end + 1) }
  return isSmall(range) ? { status, headers, ownHeaders, ...read(range) } : undefined
}

async function send(
  request: FastifyRequest,
  reply: FastifyReply,
  { served, ...options }: SentFile & { served: ServedFile }
): Promise<FastifyReply> {
  const { status, headers, ownHeaders, range } = answerFor(request, served.file, options)
  reply.headers({ ...headers, ...ownHeaders })
  if (status === 412) throw changed()
  if (status === 416) throw outOfRange(request.headers.range ?? '', served.file.bytes)
  reply.code(status)
  if (request.method === 'HEAD' || range === null) return sendHead(reply, served)
  return reply.send(await contentOf(served, range))
}

const isSmall = ({ start, end }: ByteRange): boolean => end - start < maxRangeBytes

async function contentOf({ file, content }: ServedFile, range: ByteRange): Promise<Buffer | Readable> {
  if (content !== null) return content.subarray(range.start, range.end + 1)
  return isSmall(range) ? readRange(file, range) : file.read(range)
}

/** At once, which takes half the time of a stream. @throws Error when the file was cut meanwhile */
async function readRange(file: OpenFile, range: ByteRange): Promise<Buffer> {
  const bytes = await file.readRange(range)
  await file.close()
  return bytes
}

/** Sends headers only. An empty stream keeps Fastify from setting content-length to 0. */
async function sendHead(reply: FastifyReply, served: ServedFile): Promise<FastifyReply> {
  if (served.content === null) await served.file.close()
  return reply.send(Readable.from([]))
}

function changed(): AppError {
  return new AppError('PRECONDITION_FAILED', 'The file changed since it was read: ask for it without the condition.')
}

function outOfRange(range: string, size: number): AppError {
  return new AppError(
    'RANGE_NOT_SATISFIABLE',
    `The range ${range.slice(0, 100)} is not within the file's ${size} bytes: ask for a part of them.`
  )
}
