import { existsSync } from 'node:fs'
import { updateBootstrap } from '../../core/bootstrap-update.ts'
import type { Tx } from '../../core/contract/database.ts'
import { bootstrapFile } from '../../core/home.ts'
import { type KeyRotationDeps, nextKey, readBootstrapOrEmpty } from '../../core/keyring.ts'
import type { Log } from '../../core/log.ts'
import { createSecrets } from '../../core/secrets.ts'
import { lockSecrets, type Secret } from '../../core/settings/repository.ts'
import { decrypts } from './decryption.ts'
import { findSecret } from './repository.ts'

/** Ends a rotation that was stopped: the key that decrypts becomes the only one in `bootstrap.env`. */
export async function finishRotation({ config, db, log }: KeyRotationDeps): Promise<void> {
  removeUnfinished(config.home, log)
  if (
    config.fromEnvironment?.includes('POINDEXTER_SECRET_KEY') ||
    readBootstrapOrEmpty(config.home)[nextKey] === undefined
  )
    return
  try {
    await db.transaction(tx => finishLocked(tx, config.home))
  } catch (error) {
    // The key in use is known; the file is cleared up by whoever next can.
    log.warn({ err: error }, 'an unfinished rotation of POINDEXTER_SECRET_KEY could not be ended; both keys are kept')
  }
}

/** Of a process that was killed while it wrote `bootstrap.env`: a file with keys in it. Whoever writes it now is waited for. */
function removeUnfinished(home: string, log: Pick<Log, 'warn'>): void {
  const file = bootstrapFile(home)
  if (!existsSync(`${file}.new`) || !existsSync(file)) return
  try {
    // Writing it anew, without a change, takes what another one left.
    updateBootstrap(home, {})
  } catch (error) {
    log.warn({ err: error }, `${file}.new, which a killed process left, could not be removed: it holds keys`)
  }
}

/** The same in the caller's transaction. Nobody encrypts or rotates until it ends. */
export async function finishLocked(tx: Tx, home: string): Promise<void> {
  await lockSecrets(tx, 'exclusive')
  const { [nextKey]: next, POINDEXTER_SECRET_KEY: current } = readBootstrapOrEmpty(home)
  if (next === undefined || current === undefined) return
  const secret = await findSecret(tx)
  if (secret !== undefined && opens(next, secret))
    updateBootstrap(home, { POINDEXTER_SECRET_KEY: next, [nextKey]: null })
  else if (secret === undefined || opens(current, secret)) updateBootstrap(home, { [nextKey]: null })
}

const opens = (masterKey: string, secret: Secret): boolean =>
  decrypts(createSecrets(Buffer.from(masterKey, 'base64')), secret)
