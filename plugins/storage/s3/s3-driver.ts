import type { S3Client } from '@aws-sdk/client-s3'
import { type Settings, withTimeout } from '#core'
import type { StorageDriver } from '../index.ts'
import type { StorageSettings } from '../settings.ts'
import { parseS3Address, type S3Address } from './address.ts'
import { accessFault, createS3Client, readAccess, type S3Access, type S3Limits, s3Limits } from './client.ts'
import { certainFault, regionFault, type S3Place, s3Failure } from './faults.ts'
import { listObjects } from './list.ts'
import { createS3Store, type S3Connection } from './s3-store.ts'

const wrongAddress = 'must be s3://bucket, or s3://bucket/prefix of letters, digits, ".", "_" and "-"'
const probeMs = 8000

/** The driver, with what the checks of its own settings ask. */
export interface S3Driver extends StorageDriver {
  probe(address: string): Promise<string | null>
  /** As `probe`, with another region, key or secret, and only for the fault of that name; null: that of the region. */
  probeWith(address: string, change: Partial<S3Access>, fault: string | null): Promise<string | null>
}

/** Stores in buckets: `s3://bucket/prefix`. What requests are sent with is read at each one. */
export function createS3Driver(settings: Settings<StorageSettings>, limits: S3Limits = s3Limits): S3Driver {
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
      const { place } = connect(parse(address), 'another bucket')
      return inWords(await failureOf(client(), parse(address)), error => certainFault(place(), error))
    },
    async probeWith(address, change, name) {
      // Without keys there is nobody to ask for.
      if (accessFault(settings) !== null) return null
      const parsed = parse(address)
      const place = { bucket: parsed.bucket, setting: 'another bucket', access: { ...readAccess(settings), ...change } }
      const client = await createS3Client(place.access, limits)
      const isMeant = (error: unknown) => name === null || s3Failure(error).name === name
      const failure = await failureOf(Promise.resolve(client), parsed)
      client.destroy()
      return inWords(failure, error =>
        isMeant(error) ? (name === null ? regionFault : certainFault)(place, error) : null
      )
    },
    open: (address, { setting, isUrgent }) => createS3Store(parse(address), connect(parse(address), setting, isUrgent))
  }
}

/** How a look at a bucket failed; undefined where it did not, or there was no answer in time. */
async function failureOf(client: Promise<S3Client>, { bucket, prefix }: S3Address): Promise<unknown> {
  try {
    const listing = client.then(found => listObjects(found, { Bucket: bucket, Key: prefix }, undefined))
    await withTimeout(probeMs, listing, () => null)
    return undefined
  } catch (error) {
    return error
  }
}

function inWords(failure: unknown, faultOf: (error: unknown) => string | null): string | null {
  const fault = failure === undefined ? null : faultOf(failure)
  return fault === null ? null : `cannot be used: ${fault.replace(/\.$/, '')}`
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
