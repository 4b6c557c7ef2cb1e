import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { GetObjectCommandOutput, S3Client } from '@aws-sdk/client-s3'
import { UnavailableError } from '#core'
import type { OpenFile, StoredFile } from '../index.ts'
import { requireEtag, s3Failure } from './faults.ts'
import type { ObjectAt } from './put.ts'

/** A smaller file is read as it is opened: then it does not matter what becomes of it. */
const maxWholeBytes = 65_536
/** One that the caller reads as a whole. */
const maxReadBytes = 67_108_864

interface FirstBytes {
  file: StoredFile
  first: Buffer
}

/** Null where there is none. */
export async function headObject(client: S3Client, at: ObjectAt, key: string): Promise<StoredFile | null> {
  const { HeadObjectCommand } = await import('@aws-sdk/client-s3')
  try {
    const head = await client.send(new HeadObjectCommand(at))
    return {
      key,
      bytes: head.ContentLength ?? 0,
      etag: requireEtag(head),
      modifiedAt: head.LastModified ?? new Date(0)
    }
  } catch (error) {
    if (s3Failure(error).status === 404) return null
    throw error
  }
}

/** Opens an object; null where there is none. `guard` turns faults of reading into messages. */
export async function openObject(
  client: S3Client,
  at: ObjectAt,
  { key, isWhole, guard }: { key: string; isWhole: boolean; guard: <T>(work: Promise<T>) => Promise<T> }
): Promise<OpenFile | null> {
  const found = await (isWhole ? readWhole : readFirst)(client, at, key)
  if (found === null) return null
  const { file, first } = found
  const readRange = (start: number, end: number) => readRanges(client, { ...at, IfMatch: file.etag }, start, end)
  async function* pieces(start: number, end: number): AsyncGenerator<Uint8Array> {
    if (start < first.length) yield first.subarray(start, end + 1)
    if (end >= first.length)
      for await (const piece of await guard(readRange(Math.max(start, first.length), end))) yield piece
  }
  const read = ({ start, end } = { start: 0, end: file.bytes - 1 }) =>
    Readable.from(pieces(start, end), { objectMode: false })
  return {
    ...file,
    read,
    async readRange(range) {
      const part = await guard(buffer(read(range)))
      if (part.length === range.end - range.start + 1) return part
      throw new UnavailableError('The file was cut while it was read: try again.')
    },
    close: async () => {}
  }
}

/** The facts come first, in a request of their own: not every service answers a range of an empty file. */
async function readFirst(client: S3Client, at: ObjectAt, key: string): Promise<FirstBytes | null> {
  const file = await headObject(client, at, key)
  if (file === null) return null
  if (file.bytes === 0 || file.bytes > maxWholeBytes) return { file, first: Buffer.alloc(0) }
  return { file, first: await buffer(await readRanges(client, { ...at, IfMatch: file.etag }, 0, file.bytes - 1)) }
}

/** In one request. What is too long, or does not tell how long it is, is read in parts. */
async function readWhole(client: S3Client, at: ObjectAt, key: string): Promise<FirstBytes | null> {
  const { GetObjectCommand } = await import('@aws-sdk/client-s3')
  try {
    const answer = await client.send(new GetObjectCommand(at))
    const { ContentLength: bytes, LastModified: modifiedAt = new Date(0) } = answer
    const etag = requireEtag(answer)
    const body = bodyOf(answer)
    if (bytes !== undefined && bytes <= maxReadBytes)
      return { file: { key, bytes, etag, modifiedAt }, first: await buffer(body) }
    body.destroy()
    return await readFirst(client, at, key)
  } catch (error) {
    const { status, name } = s3Failure(error)
    if (status === 404 && name !== 'NoSuchBucket') return null
    throw error
  }
}

async function readRanges(
  client: S3Client,
  at: ObjectAt & { IfMatch: string },
  start: number,
  end: number
): Promise<Readable> {
  const { GetObjectCommand } = await import('@aws-sdk/client-s3')
  try {
    return bodyOf(await client.send(new GetObjectCommand({ ...at, Range: `bytes=${start}-${end}` })))
  } catch (error) {
    if (![404, 412].includes(s3Failure(error).status ?? 0)) throw error
    throw new UnavailableError('The file was replaced while it was read: try again.', { cause: error })
  }
}

function bodyOf({ Body }: GetObjectCommandOutput): Readable {
  if (Body instanceof Readable) return Body
  throw new UnavailableError('The object storage sent no content.')
}
