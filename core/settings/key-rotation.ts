import { randomBytes } from 'node:crypto'
import { recordAudit } from '../audit/repository.ts'
import { updateBootstrap } from '../bootstrap-update.ts'
import type { Changes } from '../contract/changes.ts'
import { AppError } from '../contract/errors.ts'
import type { Db, Tx } from '../db/db.ts'
import { type KeyConfig, type Keyring, keyId, nextKey, readQuietly, refuseForeignKey } from '../keyring.ts'
import type { Log } from '../log.ts'
import { createSecrets, type Secrets } from '../secrets.ts'
import { findSecret, listSecrets, lockSecrets, type Secret, saveCheck, saveSecrets } from './repository.ts'

/** What `settings rotate-key` did, or would do. Key ids tell keys apart and do not give them away. */
export interface KeyRotationResult {
  dry_run: boolean
  /** Secrets that were, or would be, encrypted anew. */
  secrets: number
  old_key_id: string
  /** Null on a dry run: no key was made. */
  new_key_id: string | null
}

export interface KeyRotation {
  /**
   * Makes a new master key and encrypts every secret with it, in one transaction.
   * @throws ConflictError when the environment gives the key, AppError naming the secrets that do not decrypt.
   */
  rotate(options: { dryRun: boolean }): Promise<KeyRotationResult>
  /** Ends a rotation that was stopped: the key that decrypts becomes the only one in `bootstrap.env`. */
  finish(): Promise<void>
}

/** Row that a rotation writes when there is no secret at all, so that the database always tells which key counts. */
export const checkKey = 'secret_key_check'

/**
 * The new key is durable in `bootstrap.env`, beside the old one, before anything is encrypted with it, and the old one
 * goes after that is committed; both changes of the file happen under the lock that keeps others from encrypting.
 * So at any moment the file has the key that the database's secrets are encrypted with.
 */
export function createKeyRotation(deps: {
  config: KeyConfig
  db: Db
  keyring: Keyring
  changes: Changes
  log: Log
}): KeyRotation {
  const { config, db, keyring, changes, log } = deps
  const finish = async () => {
    if (config.fromEnvironment?.includes('POINDEXTER_SECRET_KEY') || readQuietly(config.home)[nextKey] === undefined)
      return
    try {
      await db.transaction(tx => finishLocked(tx, config.home))
    } catch (error) {
      // The key in use is known; the file is cleared up by whoever next can.
      log.warn({ err: error }, 'an unfinished rotation of POINDEXTER_SECRET_KEY could not be ended; both keys are kept')
    }
  }
  const encryptAnew = async (tx: Tx, next: string) => {
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
  return {
    finish,
    async rotate({ dryRun }) {
      refuseForeignKey(config, 'POINDEXTER_SECRET_KEY')
      if (dryRun) {
        const secrets = await readAll(db, keyring)
        return { dry_run: true, secrets: secrets.length, old_key_id: keyId(keyring.masterKey()), new_key_id: null }
      }
      try {
        return await db.transaction(tx => encryptAnew(tx, randomBytes(32).toString('base64')))
      } finally {
        await finish()
      }
    }
  }
}

/** Nobody encrypts or rotates until this transaction ends. */
async function finishLocked(tx: Tx, home: string): Promise<void> {
  await lockSecrets(tx, 'exclusive')
  const { [nextKey]: next, POINDEXTER_SECRET_KEY: current } = readQuietly(home)
  if (next === undefined || current === undefined) return
  const secret = await findSecret(tx)
  if (secret !== undefined && opens(next, secret))
    updateBootstrap(home, { POINDEXTER_SECRET_KEY: next, [nextKey]: null })
  else if (secret === undefined || opens(current, secret)) updateBootstrap(home, { [nextKey]: null })
}

function opens(masterKey: string, { key, value }: Secret): boolean {
  try {
    createSecrets(Buffer.from(masterKey, 'base64')).decrypt(key, value)
    return true
  } catch {
    return false
  }
}

interface Plain {
  key: string
  plain: string
}

/** @throws AppError naming every secret that does not decrypt. */
async function readAll(db: Parameters<typeof listSecrets>[0], secrets: Secrets): Promise<Plain[]> {
  const broken: string[] = []
  const plain = (await listSecrets(db)).flatMap(({ key, value }) => {
    try {
      return [{ key, plain: secrets.decrypt(key, value) }]
    } catch {
      broken.push(key)
      return []
    }
  })
  if (broken.length === 0) return plain
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
