/** A bucket, and the beginning of the keys in it; empty, or without a slash at its end. */
export interface S3Address {
  bucket: string
  prefix: string
}

const pattern =
  /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/((?:[A-Za-z0-9_-][A-Za-z0-9._-]*\/)*[A-Za-z0-9_-][A-Za-z0-9._-]*))?\/?$/

/** Null for what is no address of a bucket. */
export function parseS3Address(address: string): S3Address | null {
  const [, bucket, prefix = ''] = pattern.exec(address) ?? []
  return bucket === undefined ? null : { bucket, prefix }
}
