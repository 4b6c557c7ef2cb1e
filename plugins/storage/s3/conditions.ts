import type { S3Client } from '@aws-sdk/client-s3'
import { s3Failure } from './faults.ts'
import type { ObjectAt } from './put.ts'

/** What was found, for as long as a client is used. */
const found = new WeakMap<S3Client, Map<string, Promise<boolean>>>()

/** Whether a bucket refuses to replace an object that is put on condition that there is none. `at` is where that is tried. */
export function probeConditions(client: S3Client, at: ObjectAt): Promise<boolean> {
  const ofClient = found.get(client) ?? new Map<string, Promise<boolean>>()
  found.set(client, ofClient)
  const probing = ofClient.get(at.Bucket) ?? probe(client, at)
  ofClient.set(at.Bucket, probing)
  // What failed is tried again.
  probing.catch(() => ofClient.delete(at.Bucket))
  return probing
}

async function probe(client: S3Client, at: ObjectAt): Promise<boolean> {
  const { DeleteObjectCommand, PutObjectCommand } = await import('@aws-sdk/client-s3')
  const put = () => client.send(new PutObjectCommand({ ...at, Body: Buffer.alloc(0), IfNoneMatch: '*' }))
  try {
    await put()
    await put()
    return false
  } catch (error) {
    const { status } = s3Failure(error)
    if (status === 412 || status === 409) return true
    if (status === 501) return false
    throw error
  } finally {
    // A service that denies it keeps an empty object.
    await client.send(new DeleteObjectCommand(at)).catch(() => {})
  }
}
