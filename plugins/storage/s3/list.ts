import type { S3Client } from '@aws-sdk/client-s3'
import type { ListedFile } from '../index.ts'
import { CutListError, EndlessListError, NoObjectStorageError, s3Failure } from './faults.ts'
import type { ObjectAt } from './put.ts'

interface ListPage {
  files: ListedFile[]
  /** Names the next page; undefined at the last. */
  next: string | undefined
}

/** One page of at most 1,000 objects whose keys begin with `Key`. @throws CutListError */
export async function listObjects(
  client: S3Client,
  { Bucket, Key }: ObjectAt,
  token: string | undefined
): Promise<ListPage> {
  const { ListObjectsV2Command } = await import('@aws-sdk/client-s3')
  const page = await client.send(new ListObjectsV2Command({ Bucket, Prefix: Key, ContinuationToken: token }))
  // Any server answers 200. A list that were empty for that would have files written anew, and left over.
  if (page.Name === undefined && page.KeyCount === undefined && page.IsTruncated === undefined)
    throw new NoObjectStorageError()
  const next = page.IsTruncated ? page.NextContinuationToken : undefined
  if (page.IsTruncated && (next === undefined || next === '')) throw new CutListError()
  const files = (page.Contents ?? []).map(each => ({
    key: each.Key ?? '',
    bytes: each.Size ?? 0,
    etag: each.ETag ?? null
  }))
  return { files, next }
}

/** Some services list a page for objects that only they see. */
const maxEmptyPages = 1000

/** For the pages of one list. Followed for ever, it would hold the lease of an export. @throws EndlessListError */
export function createPageCheck(): (page: ListPage) => ListPage {
  const seen = new Set<string>()
  let empty = 0
  const isNew = (mark: string) => !seen.has(mark) && seen.add(mark).size > 0
  return page => {
    const { next, files } = page
    const [first] = files
    empty = first === undefined ? empty + 1 : 0
    const isOther = first === undefined || isNew(`key ${first.key}`)
    if (next !== undefined && !(isNew(`token ${next}`) && isOther && empty <= maxEmptyPages))
      throw new EndlessListError()
    return page
  }
}

/** An upload of a day has lost its process. */
const abandonedMs = 86_400_000

/** Ends the uploads in parts that were not finished. @returns how many; 0 where the service cannot list them */
export async function removeUnfinished(
  client: S3Client,
  { Bucket, Key }: ObjectAt,
  isOnlyWriter: boolean
): Promise<number> {
  const { AbortMultipartUploadCommand, ListMultipartUploadsCommand } = await import('@aws-sdk/client-s3')
  const listed = await client.send(new ListMultipartUploadsCommand({ Bucket, Prefix: Key })).catch(nothingWhenUnknown)
  const isAbandoned = ({ Initiated }: { Initiated?: Date | undefined }) =>
    isOnlyWriter || Date.now() - (Initiated?.getTime() ?? 0) > abandonedMs
  const old = (listed?.Uploads ?? []).filter(isAbandoned)
  for (const { Key, UploadId } of old) await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }))
  return old.length
}

function nothingWhenUnknown(error: unknown): null {
  if ([400, 403, 404, 405, 501].includes(s3Failure(error).status ?? 0)) return null
  throw error
}
