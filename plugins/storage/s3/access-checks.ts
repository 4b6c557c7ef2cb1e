import type { SettingsStore } from '#core'
import { parseS3Address } from './address.ts'
import type { S3Driver } from './s3-driver.ts'

/** What of the access a setting is, and the faults that it alone explains. */
const checked: readonly [setting: string, part: 'region' | 'accessKey' | 'secretKey', fault: string | null][] = [
  ['storage_region', 'region', null],
  // A service looks the key up first. With a secret that is still another's, the key may be right.
  ['storage_access_key', 'accessKey', 'InvalidAccessKeyId'],
  ['storage_secret_key', 'secretKey', 'SignatureDoesNotMatch']
]

/** Refuses a region, a key or a secret with which a bucket that some setting names cannot be used for certain. */
export function checkAccess(store: Pick<SettingsStore, 'check' | 'list'>, driver: S3Driver): void {
  const buckets = () =>
    store.list().flatMap(({ value, is_active }) => (is_active && parseS3Address(value) !== null ? value : []))
  for (const [key, part, fault] of checked)
    store.check(
      key,
      () => null,
      async value => {
        for (const address of new Set(buckets())) {
          const found = await driver.probeWith(address, { [part]: value }, fault)
          if (found !== null) return found
        }
        return null
      }
    )
}
