import type { S3Client } from '@aws-sdk/client-s3'
import { type Settings, UnavailableError } from '#core'
import type { StorageSettings } from '../settings.ts'

/** What requests are sent with. */
export interface S3Access {
  endpoint: string
  region: string
  accessKey: string
  secretKey: string
  isPathStyle: boolean
}

export interface S3Limits {
  /** A connection over which nothing comes for so long is given up. */
  idleMs: number
  tries: number
}
/** Some services refuse every twentieth request, and a full export sends tens of thousands. */
export const s3Limits: S3Limits = { idleMs: 30_000, tries: 6 }

/** Requests at once, over all stores of a process. */
export const maxRequests = 32
/** And so many that are urgent, beside them. */
const maxUrgentRequests = 4
const connectMs = 5000

/** What the settings say now. @throws UnavailableError where a key is missing, or belongs to another host */
export function readAccess(settings: Settings<StorageSettings>): S3Access {
  const fault = accessFault(settings)
  if (fault !== null) throw new UnavailableError(`The object storage cannot be used: ${fault}.`)
  const endpoint = settings.get('storage_endpoint')
  const region = settings.get('storage_region')
  const isAmazon = URL.parse(endpoint)?.hostname === amazonHost
  const style = settings.get('storage_bucket_style')
  return {
    endpoint: isAmazon ? `https://s3.${region}.amazonaws.com` : endpoint,
    region,
    accessKey: settings.get('storage_access_key'),
    secretKey: settings.secretFor('storage_secret_key', endpoint).value,
    isPathStyle: style === 'auto' ? !isAmazon : style === 'path'
  }
}

const amazonHost = 's3.amazonaws.com'

/** What the settings lack for a request; null when nothing. */
export function accessFault(settings: Settings<StorageSettings>): string | null {
  const { value, fault } = settings.secretFor('storage_secret_key', settings.get('storage_endpoint'))
  if (settings.get('storage_access_key') === '') return 'set storage_access_key and storage_secret_key first'
  if (value === '') return fault?.replace(/\.$/, '') ?? 'set storage_secret_key first'
  return null
}

/** A client of the endpoint, with the SDK loaded at the first one: the start of a process must not wait for it. */
export async function createS3Client(
  access: S3Access,
  { idleMs, tries }: S3Limits,
  isUrgent = false
): Promise<S3Client> {
  const { S3Client } = await import('@aws-sdk/client-s3')
  const maxSockets = isUrgent ? maxUrgentRequests : maxRequests
  return new S3Client({
    endpoint: access.endpoint,
    region: access.region,
    forcePathStyle: access.isPathStyle,
    credentials: { accessKeyId: access.accessKey, secretAccessKey: access.secretKey },
    maxAttempts: tries,
    // Not every service knows the newer checksums: what is stored is compared by its MD5.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: connectMs,
      socketTimeout: idleMs,
      httpAgent: { keepAlive: true, maxSockets },
      httpsAgent: { keepAlive: true, maxSockets }
    }
  })
}
