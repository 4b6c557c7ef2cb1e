import type { Config } from './config.ts'
import type { Changes } from './contract/changes.ts'
import type { Db } from './contract/database.ts'
import { AppError, ConflictError } from './contract/errors.ts'
import { bootstrapFile, readBootstrap } from './home.ts'
import type { Log } from './log.ts'
import { createSecrets, type Secrets } from './secrets.ts'

/** The master key, and the one it may have been rotated to meanwhile. */
export interface Keyring extends Secrets {
  /** The key that decrypted last; base64. */
  masterKey(): string
  /** Decrypts with this key first from now on, and encrypts with it. */
  use(masterKey: string): void
}

/** Key of `bootstrap.env` that holds the new master key until the old one is not needed any more. */
export const nextKey = 'POINDEXTER_SECRET_KEY_NEXT'

/** What of the configuration the keys need. */
export type KeyConfig = Pick<Config, 'home' | 'secretKey' | 'jwtSecret' | 'fromEnvironment'>

/** What a rotation of the master key works with. */
export interface KeyRotationDeps {
  readonly config: KeyConfig
  readonly db: Db
  readonly keyring: Keyring
  readonly changes: Changes
  readonly log: Log
}

/**
 * Encrypts and decrypts with the key that fits what is stored. A stored value that the known keys do not open may have
 * been encrypted again by another process: `bootstrap.env` then has the key, since it is written there first.
 */
export function createKeyring(config: KeyConfig): Keyring {
  let known = [keyOf(config.secretKey)]
  const first = () => known[0] as Key
  const open = (candidates: readonly Key[], name: string, stored: string): string | undefined => {
    for (const key of candidates) {
      try {
        const plain = key.secrets.decrypt(name, stored)
        if (key !== first()) known = [key, ...known.filter(each => each !== key)]
        return plain
      } catch {
        // Not this one.
      }
    }
    return undefined
  }
  const readAgain = (): Key[] => {
    const fresh = keysOnFile(config)
      .filter(text => known.every(key => key.text !== text))
      .map(keyOf)
    known = [...known, ...fresh]
    return fresh
  }
  return {
    encrypt: (name, plain) => first().secrets.encrypt(name, plain),
    decrypt(name, stored) {
      const plain = open(known, name, stored) ?? open(readAgain(), name, stored)
      if (plain === undefined) throw new Error('The value was not encrypted with a key that is known here.')
      return plain
    },
    masterKey: () => first().text,
    use(masterKey) {
      known = [keyOf(masterKey), ...known.filter(key => key.text !== masterKey)]
    }
  }
}

interface Key {
  text: string
  secrets: Secrets
}

const keyOf = (text: string): Key => ({ text, secrets: createSecrets(Buffer.from(text, 'base64')) })

/** A key that the environment gives counts alone. */
function keysOnFile({ home, fromEnvironment = [] }: KeyConfig): string[] {
  if (fromEnvironment.includes('POINDEXTER_SECRET_KEY')) return []
  const values = readBootstrapOrEmpty(home)
  return [values[nextKey], values.POINDEXTER_SECRET_KEY].flatMap(text => (text && isKey(text) ? [text] : []))
}

export const isKey = (text: string): boolean => Buffer.from(text, 'base64').length === 32

/** What `bootstrap.env` says now; nothing when it is not there or cannot be read. */
export function readBootstrapOrEmpty(home: string): Record<string, string | undefined> {
  try {
    return readBootstrap(home) ?? {}
  } catch (error) {
    if (error instanceof AppError) return {}
    throw error
  }
}

/**
 * Refuses to rotate a key that this process did not read from `bootstrap.env`.
 * @throws ConflictError saying where it comes from and what to do.
 */
export function refuseEnvironmentKey({ home, fromEnvironment = [] }: KeyConfig, name: string): void {
  const file = bootstrapFile(home)
  if (fromEnvironment.includes(name)) {
    throw new ConflictError(
      `${name} comes from the environment, which galley cannot change: move it to ${file}, take it out of the environment, restart what runs, and rotate it then.`
    )
  }
  if (readBootstrap(home)?.[name] === undefined)
    throw new ConflictError(`${file} has no ${name}: run galley setup with this home.`)
}
