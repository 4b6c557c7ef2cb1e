import type { S3Client } from '@aws-sdk/client-s3'
import { type Settings, withTimeout } from '#core'
import type { StorageDriver } from '../index.ts'
import type { StorageSettings } from '../settings.ts'
import { parseS3Address, type S3Address } from './address.ts'
import { accessFault, createS3Client, readAccess, type S3Limits, s3Limits } from './client.ts'
import { certainFault, type S3Place } from './faults.ts'
import { listObjects } from './list.ts'
import { createS3Store, type S3Connection } from './s3-store.ts'

const wrongAddress = 'must be s3://bucket, or s3://bucket/prefix of letters, digits, ".", "_" and "-"'
const probeMs = 8000

/** Stores in buckets: `s3://bucket/prefix`. What requests are sent with is read at each one. */
export function createS3Driver(settings: Settings<StorageSettings>, limits: S3Limits = s3Limits): StorageDriver {
  const client = createClients(settings, limits, false)
  const urgentClient = createClients(settings, limits, true)
  const connect = ({ bucket }: S3Address, setting: string, isUrgent = false): S3Connection => ({
    client: isUrgent ? urgentClient : client,
    place: (): S3Place => ({ bucket, setting, access: readAccess(settings) })
  })
  const parse = (address: string): S3Address => {
    const parsed = parseS3Address(address)
    if (parsed === null) throw new TypeError(`${JSON.stringify(address)} is no address of a bucket.`)
    return parsed
  }
  return {
    faultOf(address) {
      if (parseS3Address(address) === null) return wrongAddress
      const fault = accessFault(settings)
      return fault === null ? null : `names a bucket: ${fault}`
    },
    async probe(address) {
      const { bucket, prefix } = parse(address)
      const { place } = connect({ bucket, prefix }, 'another bucket')
      try {
        const listing = client().then(found => listObjects(found, { Bucket: bucket, Key: prefix }, undefined))
        await withTimeout(probeMs, listing, () => null)
        return null
      } catch (error) {
        const fault = certainFault(place(), error)
        return fault === null ? null : `cannot be used: ${fault.replace(/\.$/, '')}`
      }
    },
    open: (address, { setting, isUrgent }) => createS3Store(parse(address), connect(parse(address), setting, isUrgent))
  }
}

/** One client for all stores that are urgent, or all others, made anew when the settings change. */
function createClients(
  settings: Settings<StorageSettings>,
  limits: S3Limits,
  isUrgent: boolean
): () => Promise<S3Client> {
  let made: { access: string; client: Promise<S3Client> } | undefined
  return async () => {
    const access = readAccess(settings)
    const key = JSON.stringify(access)
    if (made?.access !== key) made = { access: key, client: createS3Client(access, limits, isUrgent) }
    return made.client
  }
}
