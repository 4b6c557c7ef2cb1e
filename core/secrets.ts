import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const prefix = 'enc:v1:'
const nonceBytes = 12
const tagBytes = 16

/** Encrypts setting values with the installation's master key. */
export interface Secrets {
  /** `enc:v1:` + base64(nonce ‖ ciphertext ‖ tag); bound to `key`, so a value copied to another key does not decrypt. */
  encrypt(key: string, plain: string): string
  /** @throws Error when the master key, the key name or the stored text is not the one it was encrypted with. */
  decrypt(key: string, stored: string): string
}

export const isEncrypted = (stored: string): boolean => stored.startsWith(prefix)

/** AES-256-GCM with a fresh nonce a value and the setting's key as associated data. */
export function createSecrets(masterKey: Uint8Array): Secrets {
  return {
    encrypt(key, plain) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', masterKey, nonce).setAAD(Buffer.from(key))
      const sealed = Buffer.concat([nonce, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return prefix + sealed.toString('base64')
    },
    decrypt(key, stored) {
      const sealed = Buffer.from(stored.slice(prefix.length), 'base64')
      const decipher = createDecipheriv('aes-256-gcm', masterKey, sealed.subarray(0, nonceBytes)).setAAD(
        Buffer.from(key)
      )
      decipher.setAuthTag(sealed.subarray(sealed.length - tagBytes))
      const body = sealed.subarray(nonceBytes, sealed.length - tagBytes)
      return decipher.update(body, undefined, 'utf8') + decipher.final('utf8')
    }
  }
}

/** A 32-byte key for one purpose, so that a leak of one signature scheme does not open another. */
export function deriveKey(secret: string, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, 'galley', purpose, 32))
}
