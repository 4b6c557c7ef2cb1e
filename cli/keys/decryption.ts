import type { Secrets } from '../../core/secrets.ts'
import type { Secret } from '../../core/settings/repository.ts'

/** Whether the keys of `secrets` decrypt a stored secret. */
export function decrypts(secrets: Pick<Secrets, 'decrypt'>, { key, value }: Secret): boolean {
  try {
    secrets.decrypt(key, value)
    return true
  } catch {
    return false
  }
}

/** The names of those that no known key decrypts. */
export const undecryptable = (stored: readonly Secret[], secrets: Pick<Secrets, 'decrypt'>): string[] =>
  stored.filter(secret => !decrypts(secrets, secret)).map(({ key }) => key)
