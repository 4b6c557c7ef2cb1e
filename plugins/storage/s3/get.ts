import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { GetObjectCommandOutput, S3Client } from '@aws-sdk/client-s3'
import { UnavailableError } from '#core'
import type { OpenFile, StoredFile } from '../index.ts'
import { readUnbroken } from './body.ts'
import { requireEtag, s3Failure } from './faults.ts'
import { hasOtherBytes, md5Of } from './md5.ts'
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
      yield* readUnbroken({ start: Math.max(start, first.length), end, open: from => guard(readRange(from, end)) })
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
  const end = file.bytes - 1
  const open = (start: number) => readRanges(client, { ...at, IfMatch: file.etag }, start, end)
  return { file, first: await buffer(readUnbroken({ start: 0, end, open })) }
}

/** A service that cuts a file short is asked so often. */
const maxReads = 3

/** Half of a manifest would read as none. */
async function readWhole(client: S3Client, at: ObjectAt, key: string): Promise<FirstBytes | null> {
  for (let reads = 1; ; reads++) {
    const answer = await askWhole(client, at)
    const found = answer === null ? null : await readAnswer(client, at, key, answer)
    if (answer === null || found === null || found.first.length < found.file.bytes) return found
    if (!hasOtherBytes(found.file.etag, md5Of(found.first), answer)) return found
    if (reads >= maxReads)
      throw new UnavailableError(
        `${at.Key} comes from the bucket ${at.Bucket} with other bytes than its ETag says: ask whoever runs it, or delete it there.`
      )
  }
}

/** In one request. What is too long, or does not tell how long it is, is read in parts. */
async function readAnswer(
  client: S3Client,
  at: ObjectAt,
  key: string,
  answer: GetObjectCommandOutput
): Promise<FirstBytes | null> {
  const { ContentLength: bytes, LastModified: modifiedAt = new Date(0) } = answer
  const etag = requireEtag(answer)
  const body = bodyOf(answer)
  if (bytes === undefined || bytes > maxReadBytes) {
    body.destroy()
    return readFirst(client, at, key)
  }
  const end = bytes - 1
  const open = (start: number) => readRanges(client, { ...at, IfMatch: etag }, start, end)
  return { file: { key, bytes, etag, modifiedAt }, first: await buffer(readUnbroken({ start: 0, end, open, body })) }
}

async function askWhole(client: S3Client, at: ObjectAt): Promise<GetObjectCommandOutput | null> {
  const { GetObjectCommand } = await import('@aws-sdk/client-s3')
  try {
    return await client.send(new GetObjectCommand(at))
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
    const answer = await client.send(new GetObjectCommand({ ...at, Range: `bytes=${start}-${end}` }))
    const body = bodyOf(answer)
    if (start === 0 || answer.ContentRange?.startsWith(`bytes ${start}-`)) return body
    body.destroy()
    throw new UnavailableError(
      `The bucket ${at.Bucket} answers requests for a part of ${at.Key} with something else: ask whoever runs it.`
    )
  } catch (error) {
    if (![404, 412].includes(s3Failure(error).status ?? 0)) throw error
    throw new UnavailableError('The file was replaced while it was read: try again.', { cause: error })
  }
}

function bodyOf({ Body }: GetObjectCommandOutput): Readable {
  if (Body instanceof Readable) return Body
  throw new UnavailableError('The object storage sent no content.')
}
