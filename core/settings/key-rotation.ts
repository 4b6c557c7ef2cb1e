import { updateBootstrap } from '../bootstrap-update.ts'
import type { Changes } from '../contract/changes.ts'
import type { Db, Tx } from '../db/db.ts'
import { type KeyConfig, type Keyring, nextKey, readQuietly } from '../keyring.ts'
import type { Log } from '../log.ts'
import { createSecrets } from '../secrets.ts'
import { findSecret, lockSecrets, type Secret } from './repository.ts'

/** What a rotation of the master key works with. */
export interface KeyParts {
  readonly config: KeyConfig
  readonly db: Db
  readonly keyring: Keyring
  readonly changes: Changes
  readonly log: Log
}

/** Ends a rotation that was stopped: the key that decrypts becomes the only one in `bootstrap.env`. */
export async function finishRotation({ config, db, log }: KeyParts): Promise<void> {
  if (config.fromEnvironment?.includes('POINDEXTER_SECRET_KEY') || readQuietly(config.home)[nextKey] === undefined)
    return
  try {
    await db.transaction(tx => finishLocked(tx, config.home))
  } catch (error) {
    // The key in use is known; the file is cleared up by whoever next can.
    log.warn({ err: error }, 'an unfinished rotation of POINDEXTER_SECRET_KEY could not be ended; both keys are kept')
  }
}

/** The same in the caller's transaction. Nobody encrypts or rotates until it ends. */
export async function finishLocked(tx: Tx, home: string): Promise<void> {
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
