import { randomBytes } from 'node:crypto'
import { updateBootstrap } from './bootstrap-update.ts'
import type { Changes } from './contract/changes.ts'
import type { Db } from './contract/database.ts'
import { service } from './contract/plugin.ts'
import { bootstrapFile } from './home.ts'
import { type KeyConfig, readBootstrapOrEmpty, refuseEnvironmentKey } from './keyring.ts'
import { deriveKey } from './secrets.ts'

/** The secret that tokens and links are signed with. */
export interface SigningSecret {
  /**
   * Replaces it in `bootstrap.env`: what was signed before is void here at once, and within a second in the other
   * processes that read the same file.
   * @throws ConflictError when the environment gives the secret.
   */
  rotate(): Promise<{ file: string }>
}
export const SigningSecretService = service<SigningSecret>('core.signing-secret')

/** Cache tag that is touched when the secret was rotated. */
export const signingSecretCacheTag = 'signing-secret'

const name = 'GALLEY_JWT_SECRET'

interface SigningKeys extends SigningSecret {
  /** The same bytes until the secret is rotated. */
  keyFor(purpose: string): Uint8Array
}

export function createSigningKeys(deps: { config: KeyConfig; db: Db; changes: Changes }): SigningKeys {
  const { config, db, changes } = deps
  const { home, fromEnvironment = [] } = config
  let secret = config.jwtSecret
  let keys = new Map<string, Uint8Array>()
  changes.on(signingSecretCacheTag, () => {
    const stored = fromEnvironment.includes(name) ? undefined : readBootstrapOrEmpty(home)[name]
    if (stored === undefined || stored.length < 32 || stored === secret) return
    secret = stored
    keys = new Map()
  })
  return {
    keyFor(purpose) {
      const key = keys.get(purpose) ?? deriveKey(secret, purpose)
      keys.set(purpose, key)
      return key
    },
    async rotate() {
      refuseEnvironmentKey(config, name)
      await db.transaction(async tx => {
        await changes.touch(tx, signingSecretCacheTag)
        // Last, so that a database that does not answer leaves the file alone.
        updateBootstrap(home, { [name]: randomBytes(32).toString('base64url') })
      })
      return { file: bootstrapFile(home) }
    }
  }
}
