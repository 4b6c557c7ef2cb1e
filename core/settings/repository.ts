import type { Queryable, Tx } from '../db/db.ts'

/** A row of `app_settings` as it is stored: `value` is encrypted when `is_secret`. */
export interface SettingRow {
  key: string
  value: string
  is_secret: boolean
  is_active: boolean
  category: string
  updated_at: string
}

const columns = 'key, value, is_secret, is_active, category, updated_at'

export function listRows(db: Queryable): Promise<SettingRow[]> {
  return db.query<SettingRow>(`select ${columns} from app_settings order by key`)
}

export type NewSettingRow = Omit<SettingRow, 'updated_at' | 'is_active'>

/** Once secret, always secret: plain text for a row that another process has just made secret fails the table's check. */
export async function saveRow(db: Queryable, row: NewSettingRow): Promise<SettingRow> {
  const [saved] = await db.query<SettingRow>(
    `insert into app_settings (key, value, is_secret, category) values ($1, $2, $3, $4)
     on conflict (key) do update set value = excluded.value, is_secret = app_settings.is_secret or excluded.is_secret,
       category = excluded.category, updated_at = now()
     returning ${columns}`,
    [row.key, row.value, row.is_secret, row.category]
  )
  return saved as SettingRow
}

/** Switches a row on or off; `fallback` is stored when there is none yet. */
export async function saveActive(db: Queryable, isActive: boolean, fallback: NewSettingRow): Promise<SettingRow> {
  const [saved] = await db.query<SettingRow>(
    `insert into app_settings (key, value, is_secret, is_active, category) values ($1, $2, $3, $4, $5)
     on conflict (key) do update set is_active = excluded.is_active, updated_at = now()
     returning ${columns}`,
    [fallback.key, fallback.value, fallback.is_secret, isActive, fallback.category]
  )
  return saved as SettingRow
}

/** An encrypted value. */
export type Secret = Pick<SettingRow, 'key' | 'value'>

/** `exclusive` keeps others from writing settings, `row exclusive` from rotating the key, until the transaction ends. */
export async function lockSecrets(tx: Tx, mode: 'exclusive' | 'row exclusive'): Promise<void> {
  await tx.query(`lock table app_settings in ${mode} mode`)
}

export function listSecrets(db: Queryable): Promise<Secret[]> {
  return db.query<Secret>('select key, value from app_settings where is_secret order by key')
}

/** Any one secret: all are encrypted with the same key. */
export async function findSecret(db: Queryable): Promise<Secret | undefined> {
  const [secret] = await db.query<Secret>('select key, value from app_settings where is_secret order by key limit 1')
  return secret
}

/** Encrypted anew, a setting is not changed: `updated_at` stays. */
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

export async function recordRotation(tx: Tx, details: object): Promise<void> {
  await tx.query("insert into audit_log (event_type, actor, details) values ('settings.key_rotated', 'operator', $1)", [
    JSON.stringify(details)
  ])
}
