import { touchEverything } from '../../core/changes.ts'
import type { Tx } from '../../core/contract/database.ts'
import { recordAudit } from '../../core/db/audit.ts'
import { createSecrets, isEncrypted } from '../../core/secrets.ts'
import { listSecrets, lockSecrets, type Secret } from '../../core/settings/repository.ts'
import { decrypts } from './decryption.ts'
import { checkKey, deleteSecrets, saveCheck } from './repository.ts'

/** What the stored secrets say of the keys that are known. */
interface SecretsFound {
  /** Those no key opens, by name. */
  lost: string[]
  /** A known key that opens at least one; undefined when none does. */
  opening: string | undefined
}

/** Tries each key on each secret. `keys`: base64 of 32 bytes each. */
export function matchKey(stored: readonly Secret[], keys: readonly string[]): SecretsFound {
  const opens = (masterKey: string, secret: Secret): boolean =>
    isEncrypted(secret.value) && decrypts(createSecrets(Buffer.from(masterKey, 'base64')), secret)
  const opening = keys.find(key => stored.some(secret => opens(key, secret)))
  const lost = stored.filter(secret => opening === undefined || !opens(opening, secret)).map(({ key }) => key)
  return { lost, opening }
}

/**
 * Deletes the secrets that `masterKey` does not open, in the caller's transaction, and leaves a row that tells that this key
 * is the current one. Returns which they were.
 */
export async function discardSecrets(tx: Tx, masterKey: string): Promise<string[]> {
  await lockSecrets(tx, 'exclusive')
  const stored = await listSecrets(tx)
  const { lost } = matchKey(stored, [masterKey])
  await deleteSecrets(tx, lost)
  if (lost.length === stored.length)
    await saveCheck(tx, checkKey, createSecrets(Buffer.from(masterKey, 'base64')).encrypt(checkKey, 'ok'))
  const keys = lost.filter(key => key !== checkKey)
  await recordAudit(tx, { event_type: 'settings.secrets_discarded', actor: 'operator', details: { keys } })
  await touchEverything(tx)
  return keys
}
