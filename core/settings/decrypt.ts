import { AppError } from '../contract/errors.ts'
import { isEncrypted, type Secrets } from '../secrets.ts'
import type { SettingRow } from './repository.ts'
import type { StoredSetting } from './types.ts'

/** A row, read. A secret that does not decrypt has no text. */
export function readStored(secrets: Secrets, row: SettingRow): StoredSetting {
  if (!row.is_secret) return { ...row, plain: row.value, isUnreadable: false }
  try {
    return { ...row, plain: secrets.decrypt(row.key, row.value), isUnreadable: false }
  } catch {
    return { ...row, plain: '', isUnreadable: true }
  }
}

/**
 * A damaged row does not decrypt, and others do. With the wrong master key none does.
 * @throws AppError when the master key is not the one the secrets are encrypted with.
 */
export function requireMasterKey(read: readonly StoredSetting[]): void {
  const secrets = read.filter(({ is_secret }) => is_secret)
  const lost = secrets.find(({ isUnreadable, value }) => isUnreadable && isEncrypted(value))
  if (lost === undefined || secrets.some(({ isUnreadable }) => !isUnreadable)) return
  throw new AppError(
    'INTERNAL_ERROR',
    `POINDEXTER_SECRET_KEY does not decrypt the stored setting ${lost.key}: start with the key this database was set up with, or was last rotated to (bootstrap.env of that installation). If it is lost, run galley setup --discard-secrets.`
  )
}
