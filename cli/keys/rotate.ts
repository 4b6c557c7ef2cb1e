import { randomBytes } from 'node:crypto'
import { updateBootstrap } from '../../core/bootstrap-update.ts'
import type { Queryable, Tx } from '../../core/contract/database.ts'
import { AppError } from '../../core/contract/errors.ts'
import { recordAudit } from '../../core/db/audit.ts'
import { type KeyRotationDeps, nextKey, refuseEnvironmentKey } from '../../core/keyring.ts'
import { createSecrets, type Secrets } from '../../core/secrets.ts'
import { listSecrets } from '../../core/settings/repository.ts'
import { keyId } from './current-key.ts'
import { undecryptable } from './decryption.ts'
import { finishLocked, finishRotation } from './finish-rotation.ts'
import { checkKey, saveCheck, saveSecrets } from './repository.ts'

/** What `settings rotate-key` did, or would do. Key ids tell keys apart and do not give them away. */
export interface KeyRotationResult {
  dry_run: boolean
  /** Secrets that were, or would be, encrypted again. */
  secrets: number
  old_key_id: string
  /** Null on a dry run: no key was made. */
  new_key_id: string | null
}

/**
 * Makes a new master key and encrypts every secret with it, in one transaction. The new key is durable in `bootstrap.env`,
 * beside the old one, before anything is encrypted with it. The old one goes after the commit. Both changes of the file
 * happen under the lock that keeps others from encrypting, so the file always has the key that counts.
 * @throws ConflictError when the environment gives the key, AppError naming the secrets that do not decrypt.
 */
export async function rotateKey(deps: KeyRotationDeps, { dryRun }: { dryRun: boolean }): Promise<KeyRotationResult> {
  const { config, db, keyring } = deps
  refuseEnvironmentKey(config, 'POINDEXTER_SECRET_KEY')
  if (dryRun) {
    const secrets = await readAll(db, keyring)
    return { dry_run: true, secrets: secrets.length, old_key_id: keyId(keyring.masterKey()), new_key_id: null }
  }
  try {
    return await db.transaction(tx => encryptAnew(tx, randomBytes(32).toString('base64'), deps))
  } finally {
    await finishRotation(deps)
  }
}

async function encryptAnew(
  tx: Tx,
  next: string,
  { config, keyring, changes }: KeyRotationDeps
): Promise<KeyRotationResult> {
  await finishLocked(tx, config.home)
  const secrets = await readAll(tx, keyring)
  const old_key_id = keyId(keyring.masterKey())
  updateBootstrap(config.home, { [nextKey]: next })
  await save(tx, secrets, createSecrets(Buffer.from(next, 'base64')))
  const result = { dry_run: false, secrets: secrets.length, old_key_id, new_key_id: keyId(next) }
  await recordAudit(tx, { event_type: 'settings.key_rotated', actor: 'operator', details: result })
  await changes.touch(tx, 'settings')
  tx.afterCommit(() => keyring.use(next))
  return result
}

interface Plain {
  key: string
  plain: string
}

/** @throws AppError naming every secret that does not decrypt. */
async function readAll(db: Queryable, secrets: Secrets): Promise<Plain[]> {
  const stored = await listSecrets(db)
  const broken = undecryptable(stored, secrets)
  if (broken.length === 0) return stored.map(({ key, value }) => ({ key, plain: secrets.decrypt(key, value) }))
  throw new AppError(
    'INTERNAL_ERROR',
    `POINDEXTER_SECRET_KEY does not decrypt ${broken.join(', ')}, and nothing was changed: set them again first.`
  )
}

async function save(tx: Tx, plain: readonly Plain[], next: Secrets): Promise<void> {
  if (plain.length === 0) await saveCheck(tx, checkKey, next.encrypt(checkKey, 'ok'))
  await saveSecrets(
    tx,
    plain.map(({ key, plain }) => ({ key, value: next.encrypt(key, plain) }))
  )
}
