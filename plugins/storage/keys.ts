import { isTemporaryName } from '#files'
import type { HashedKey } from './index.ts'

/** No segment is `.` or `..`, none has a character that an address or a file system reads as something else. */
const keyPattern = /^(?:\.?[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}\/){0,8}\.?[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}$/
const extensionPattern = /^[a-z0-9]{2,5}$/

export const isStoreKey = (key: string): boolean =>
  keyPattern.test(key) && !isTemporaryName(key.slice(key.lastIndexOf('/') + 1))

/** @throws TypeError for what is no key */
export function requireKey(key: string): void {
  if (!isStoreKey(key)) throw new TypeError(`${JSON.stringify(key)} is no key of a store.`)
}

/** @throws TypeError for an extension that would make another key */
export function keyOfHash({ folder, extension }: HashedKey, sha256: string): string {
  if (!extensionPattern.test(extension)) throw new TypeError(`${JSON.stringify(extension)} is no file extension.`)
  return `${folder}/${sha256}.${extension}`
}
