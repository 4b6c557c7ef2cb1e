import type { Queryable, Tx } from '../../core/contract/database.ts'
import type { Secret } from '../../core/settings/repository.ts'

/** Row that is written where there is no secret at all, so that the database always tells which key counts. */
export const checkKey = 'secret_key_check'

/** Encrypted again, a setting is not changed: `updated_at` stays. */
export async function saveSecrets(tx: Tx, secrets: readonly Secret[]): Promise<void> {
  await tx.query(
    `update app_settings set value = fresh.value
     from unnest($1::text[], $2::text[]) as fresh (key, value) where app_settings.key = fresh.key`,
    [secrets.map(({ key }) => key), secrets.map(({ value }) => value)]
  )
}

export async function saveCheck(tx: Tx, key: string, value: string): Promise<void> {
  await tx.query("insert into app_settings (key, value, is_secret, category) values ($1, $2, true, 'secrets')", [
    key,
    value
  ])
}

export async function deleteSecrets(tx: Tx, keys: readonly string[]): Promise<void> {
  await tx.query('delete from app_settings where is_secret and key = any($1::text[])', [keys])
}

/** Any one secret: all are encrypted with the same key. */
export async function findSecret(db: Queryable): Promise<Secret | undefined> {
  const [secret] = await db.query<Secret>('select key, value from app_settings where is_secret order by key limit 1')
  return secret
}
