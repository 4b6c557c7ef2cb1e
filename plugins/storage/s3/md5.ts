import { createHash } from 'node:crypto'

export const md5Of = (bytes: Uint8Array) => createHash('md5').update(bytes).digest('hex')

/** Whether an ETag is the hash of other bytes. In parts, or with a key of the service's own, it is no hash of the bytes. */
export const hasOtherBytes = (
  etag: string,
  md5: string,
  { ServerSideEncryption = '' }: { ServerSideEncryption?: string | undefined }
): boolean => /^"[0-9a-f]{32}"$/.test(etag) && etag !== `"${md5}"` && !ServerSideEncryption.startsWith('aws:kms')
