import { ConflictError } from '../../core/contract/errors.ts'
import { bootstrapFile } from '../../core/home.ts'
import { createKeyring, isKey, type KeyConfig, type Keyring, readBootstrapOrEmpty } from '../../core/keyring.ts'
import { deriveKey } from '../../core/secrets.ts'

/**
 * A keyring with the keys that a process would have if it started now. A key from before a rotation, which this process may
 * still hold, is left out: a secret that only that key decrypts is lost when this process ends.
 * @throws ConflictError when `bootstrap.env` has lost its key.
 */
export function createCurrentKeyring(config: KeyConfig): Keyring {
  if (config.fromEnvironment?.includes('POINDEXTER_SECRET_KEY')) return createKeyring(config)
  const secretKey = readBootstrapOrEmpty(config.home).POINDEXTER_SECRET_KEY
  if (secretKey === undefined || !isKey(secretKey)) {
    throw new ConflictError(
      `${bootstrapFile(config.home)} has no valid POINDEXTER_SECRET_KEY, and the service cannot start again without it: put back a copy of the file first.`
    )
  }
  return createKeyring({ ...config, secretKey })
}

/** Tells keys apart without showing them. */
export const keyId = (masterKey: string): string =>
  Buffer.from(deriveKey(masterKey, 'key id')).toString('hex').slice(0, 16)
