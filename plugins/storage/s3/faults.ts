import { AppError, errorCode, isObject, UnavailableError } from '#core'
import type { S3Access } from './client.ts'

/** Of which bucket a fault is, for messages. */
export interface S3Place {
  bucket: string
  /** The setting that names it. */
  setting: string
  access: Pick<S3Access, 'endpoint' | 'region' | 'accessKey'>
}

/** What is known of a failed request. */
interface Failure {
  /** The service's word for it: `NoSuchBucket`. */
  name: string
  status: number | null
  /** Where the bucket is, when the service says so. */
  region: string | null
}

export function s3Failure(error: unknown): Failure {
  const { name, Region, $metadata, $response } = isObject(error) ? error : {}
  const status = isObject($metadata) ? $metadata.httpStatusCode : null
  const headers = isObject($response) && isObject($response.headers) ? $response.headers : {}
  const region = Region ?? headers['x-amz-bucket-region']
  return {
    name: typeof name === 'string' ? name : '',
    status: typeof status === 'number' ? status : null,
    region: typeof region === 'string' ? region : null
  }
}

/** What answers is something else, such as a website. */
export class NoObjectStorageError extends Error {
  constructor() {
    super('It answers, but not as an object storage does.')
    this.name = 'NoObjectStorage'
  }
}

/** A list goes on, but nobody knows where: the service may know only the first version of listing. */
export class CutListError extends Error {
  constructor() {
    super('It says that its list goes on, but not where.')
    this.name = 'CutList'
  }
}

/** A page of a list is one that came before. */
export class EndlessListError extends Error {
  constructor() {
    super('It lists the same objects again and again.')
    this.name = 'EndlessList'
  }
}

/** Every answer of an object storage has one. @throws NoObjectStorageError */
export function requireEtag({ ETag }: { ETag?: string | undefined }): string {
  if (ETag === undefined || ETag === '') throw new NoObjectStorageError()
  return ETag
}

/** Faults that the settings, the key's rights or the clock explain: no retry helps. */
const certain: Record<string, (place: S3Place) => string> = {
  NoSuchBucket: ({ bucket, setting, access }) =>
    `There is no bucket ${bucket} at ${access.endpoint}: create it, or set ${setting}.`,
  InvalidAccessKeyId: ({ access }) =>
    `${access.endpoint} does not know the key ${access.accessKey}: set storage_access_key and storage_secret_key.`,
  SignatureDoesNotMatch: ({ access }) =>
    `${access.endpoint} refuses the signature: storage_secret_key is not that of the key ${access.accessKey}.`,
  AccessDenied: ({ bucket, access }) =>
    `The key ${access.accessKey} may not do this in the bucket ${bucket}: allow it s3:ListBucket, s3:GetObject, s3:PutObject and s3:DeleteObject.`,
  NoObjectStorage: ({ access }) =>
    `${access.endpoint} answers, but not as an object storage does: set storage_endpoint.`,
  EndlessList: ({ bucket, access }) =>
    `${access.endpoint} lists the same objects again and again: the bucket ${bucket} cannot be read. Ask whoever runs it.`,
  CutList: ({ bucket, access }) =>
    `${access.endpoint} lists only the first objects of the bucket ${bucket}, and not where the list goes on: ask whoever runs it whether it knows ListObjectsV2.`,
  RequestTimeTooSkewed: ({ access }) =>
    `${access.endpoint} refuses requests of this machine, whose clock is wrong: set it, best by NTP.`
}
/** The SDK's word for an answer without a body, as to a HEAD. */
const nameless = 'Unknown'
const otherNames: Record<string, string> = {
  NotFound: 'NoSuchBucket',
  Forbidden: 'AccessDenied',
  AllAccessDisabled: 'AccessDenied'
}

/** What a request failed of for certain, in a sentence; null where trying again may help. */
export function certainFault(place: S3Place, error: unknown): string | null {
  const { name, status } = s3Failure(error)
  const meant = name === nameless && status === 403 ? 'AccessDenied' : (otherNames[name] ?? name)
  return regionFault(place, error) ?? certain[meant]?.(place) ?? null
}

/** The same, where the region explains it. */
export function regionFault({ bucket, access }: S3Place, error: unknown): string | null {
  const { name, status, region } = s3Failure(error)
  if (region !== null && region !== access.region && [301, 307, 400, 403].includes(status ?? 0))
    return `The bucket ${bucket} is in the region ${region}: galley settings set storage_region ${region}.`
  if (name === 'AuthorizationHeaderMalformed' || name === 'PermanentRedirect' || status === 301)
    return `The bucket ${bucket} is not in the region ${access.region}: set storage_region to its own.`
  return null
}

/** Failed requests become messages for the operator. Errors of galley's own are returned unchanged. */
export function toS3Fault(place: S3Place, doing: string, error: unknown): unknown {
  if (error instanceof AppError || error instanceof TypeError) return error
  const said = certainFault(place, error)
  if (said !== null) return new UnavailableError(said, { cause: error })
  const { name, status } = s3Failure(error)
  const { bucket, access } = place
  if (status === null && !isNetworkFault(error)) return error
  const found =
    status === null
      ? `${access.endpoint} could not be reached (${errorCode(error) ?? name}) while ${doing}: check storage_endpoint`
      : `${access.endpoint} answered ${status} ${name} while ${doing}, at the last of several tries`
  return new UnavailableError(`The bucket ${bucket} cannot be used: ${found}.`, { cause: error })
}

/** The SDK's own faults of connections have a name, and those of the system a code. */
const isNetworkFault = (error: unknown): boolean =>
  errorCode(error) !== undefined || ['TimeoutError', 'NetworkingError'].includes(s3Failure(error).name)
