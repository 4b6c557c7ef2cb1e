import type { S3Client } from '@aws-sdk/client-s3'
import { UnavailableError } from '#core'
import type { FileContent, FileStore, HashedKey, ListedFile, PutOptions, WrittenFile } from '../index.ts'
import { isStoreKey, keyOfHash, requireKey } from '../keys.ts'
import type { S3Address } from './address.ts'
import { probeConditions } from './conditions.ts'
import { type S3Place, toS3Fault } from './faults.ts'
import { headObject, openObject } from './get.ts'
import { createPageCheck, listObjects, removeUnfinished } from './list.ts'
import { putObject } from './put.ts'
import { openUpload } from './upload.ts'

/** What a store needs of its driver. Both throw UnavailableError where the settings lack something. */
export interface S3Connection {
  client(): Promise<S3Client>
  place(): S3Place
}

const probeKey = '.galley-probe'

/** The driver `s3:`. Keys lie below the prefix of the address. */
export function createS3Store({ bucket, prefix }: S3Address, connection: S3Connection): FileStore {
  const below = prefix === '' ? '' : `${prefix}/`
  const at = (key: string) => ({ Bucket: bucket, Key: below + key })
  const guard = async <T>(doing: string, work: (client: S3Client) => Promise<T>): Promise<T> => {
    const client = await connection.client()
    try {
      return await work(client)
    } catch (error) {
      throw toS3Fault(connection.place(), doing, error)
    }
  }
  const stat = async (key: string) =>
    isStoreKey(key) ? guard(`looking at ${key}`, client => headObject(client, at(key), key)) : null
  const get: FileStore['get'] = async (key, { isWhole = false } = {}) => {
    const doing = `reading ${key}`
    const guarded = <T>(work: Promise<T>) => guard(doing, () => work)
    return isStoreKey(key)
      ? guard(doing, client => openObject(client, at(key), { key, isWhole, guard: guarded }))
      : null
  }
  return {
    name: `s3://${bucket}/${below}`,
    get,
    stat,
    put: (key, content, options = {}) => put({ guard, stat, at }, key, content, options),
    supportsConditions: () => guard('storing a probe', client => probeConditions(client, at(probeKey))),
    list: folder => list({ guard, at, below }, folder),
    async delete(key) {
      if (!isStoreKey(key)) return
      await guard(`deleting ${key}`, client => deleteObject(client, at(key)))
      // Readers must not get what was withdrawn, whatever the service answered.
      if ((await stat(key)) !== null)
        throw new UnavailableError(
          `The bucket ${bucket} still has ${below}${key}, after it answered that it is deleted.`
        )
    },
    clean: (folder, { isOnlyWriter = false } = {}) =>
      guard('listing unfinished uploads', client => removeUnfinished(client, at(folder), isOnlyWriter))
  }
}

interface Parts {
  guard<T>(doing: string, work: (client: S3Client) => Promise<T>): Promise<T>
  stat: FileStore['stat']
  at(key: string): { Bucket: string; Key: string }
}

async function put(
  { guard, stat, at }: Parts,
  key: string | HashedKey,
  content: FileContent,
  options: PutOptions
): Promise<WrittenFile> {
  if (typeof key === 'string') requireKey(key)
  else keyOfHash(key, 'hash')
  const upload = await openUpload(content)
  try {
    const { bytes, sha256 } = upload
    const finalKey = typeof key === 'string' ? key : keyOfHash(key, sha256)
    const present = typeof key === 'string' ? null : await stat(finalKey)
    if (present?.bytes === bytes) return { key: finalKey, bytes, etag: present.etag }
    const etag = await guard(`storing ${finalKey}`, client => putObject(client, at(finalKey), upload, options))
    return { key: finalKey, bytes, etag }
  } finally {
    await upload.close()
  }
}

async function deleteObject(client: S3Client, at: { Bucket: string; Key: string }): Promise<void> {
  const { DeleteObjectCommand } = await import('@aws-sdk/client-s3')
  await client.send(new DeleteObjectCommand(at))
}

async function* list(
  { guard, at, below }: Pick<Parts, 'guard' | 'at'> & { below: string },
  folder: string
): AsyncGenerator<ListedFile> {
  let token: string | undefined
  const checked = createPageCheck()
  do {
    const page = await guard('listing files', async client => checked(await listObjects(client, at(folder), token)))
    for (const file of page.files) {
      const key = file.key.slice(below.length)
      if (isStoreKey(key)) yield { ...file, key }
    }
    token = page.next
  } while (token !== undefined)
}
