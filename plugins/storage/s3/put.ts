import { createHash } from 'node:crypto'
import type { PutObjectCommandInput, S3Client } from '@aws-sdk/client-s3'
import { forEachAsync } from '#concurrency'
import { ConflictError, UnavailableError } from '#core'
import type { PutOptions } from '../index.ts'
import { requireEtag, s3Failure } from './faults.ts'
import { hasOtherBytes, md5Of } from './md5.ts'
import type { ObjectUpload } from './upload.ts'

/** An object by its bucket and its whole key. */
export interface ObjectAt {
  Bucket: string
  Key: string
}

/** Parts in flight of one file. */
const partsAtOnce = 4

/** Sends a file. @returns its ETag. @throws ConflictError as `PutOptions.ifMatch` says */
export async function putObject(
  client: S3Client,
  at: ObjectAt,
  upload: ObjectUpload,
  options: PutOptions
): Promise<string> {
  const about = {
    ContentType: options.type ?? 'application/octet-stream',
    CacheControl: options.cacheControl,
    Metadata: { sha256: upload.sha256 }
  }
  return upload.whole === null
    ? putParts(client, { ...at, ...about }, upload)
    : putWhole(client, { ...at, ...about, ...conditionOf(options) }, upload.whole)
}

function conditionOf({ ifMatch }: PutOptions): Pick<PutObjectCommandInput, 'IfMatch' | 'IfNoneMatch'> {
  if (ifMatch === undefined) return {}
  return ifMatch === null ? { IfNoneMatch: '*' } : { IfMatch: ifMatch }
}

async function putWhole(client: S3Client, input: PutObjectCommandInput, Body: Buffer): Promise<string> {
  const { PutObjectCommand } = await import('@aws-sdk/client-s3')
  const md5 = md5Of(Body)
  const ContentMD5 = Buffer.from(md5, 'hex').toString('base64')
  const expected = `"${md5}"`
  try {
    const answer = await client.send(new PutObjectCommand({ ...input, Body, ContentMD5 }))
    const ETag = requireEtag(answer)
    if (hasOtherBytes(ETag, md5, answer))
      throw new UnavailableError(
        `${input.Key} was stored in the bucket ${input.Bucket} with other bytes than were sent.`
      )
    return ETag
  } catch (error) {
    return conditionRefused(client, input, { Body, expected }, error)
  }
}

/** A condition that is not met, or that the service does not know. */
async function conditionRefused(
  client: S3Client,
  { IfMatch, IfNoneMatch, ...input }: PutObjectCommandInput,
  { Body, expected }: { Body: Buffer; expected: string },
  error: unknown
): Promise<string> {
  if (IfMatch === undefined && IfNoneMatch === undefined) throw error
  const { status } = s3Failure(error)
  if (status === 501) return putWhole(client, input, Body)
  if (status !== 412 && status !== 409) throw error
  const { HeadObjectCommand } = await import('@aws-sdk/client-s3')
  const { ETag } = await client.send(new HeadObjectCommand({ Bucket: input.Bucket, Key: input.Key }))
  // A first try may have been stored, and its answer lost.
  if (ETag === expected) return expected
  throw new ConflictError(
    `${input.Key} in the bucket ${input.Bucket} was changed by another program meanwhile: nothing was written.`
  )
}

async function putParts(client: S3Client, input: PutObjectCommandInput, upload: ObjectUpload): Promise<string> {
  const sdk = await import('@aws-sdk/client-s3')
  const { Bucket, Key } = input
  const { UploadId } = await client.send(new sdk.CreateMultipartUploadCommand(input))
  const Parts: { PartNumber: number; ETag: string | undefined }[] = []
  let count = 0
  const send = async (Body: Buffer) => {
    const PartNumber = ++count
    const ContentMD5 = createHash('md5').update(Body).digest('base64')
    const { ETag } = await client.send(
      new sdk.UploadPartCommand({ Bucket, Key, UploadId, PartNumber, Body, ContentMD5 })
    )
    Parts[PartNumber - 1] = { PartNumber, ETag }
  }
  try {
    await forEachAsync(upload.parts(), send, { concurrency: partsAtOnce })
    const MultipartUpload = { Parts }
    const { ETag = '' } = await client.send(
      new sdk.CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload })
    )
    return ETag
  } catch (error) {
    // What cannot be aborted now is removed a day later, by `clean`.
    await client.send(new sdk.AbortMultipartUploadCommand({ Bucket, Key, UploadId })).catch(() => {})
    throw error
  }
}
