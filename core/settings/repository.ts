import type { Queryable, Tx } from '../contract/database.ts'

/** A row of `app_settings` as it is stored: `value` is encrypted when `is_secret`. */
export interface SettingRow {
  key: string
  value: string
  is_secret: boolean
  is_active: boolean
  category: string
  /** Of a secret that is sent to an address: the host it was set for; null while there has been no address yet. */
  sent_to: string | null
  updated_at: string
}

const columns = 'key, value, is_secret, is_active, category, sent_to, updated_at'

export function listRows(db: Queryable): Promise<SettingRow[]> {
  return db.query<SettingRow>(`select ${columns} from app_settings order by key`)
}

export type NewSettingRow = Omit<SettingRow, 'updated_at' | 'is_active'>

/** A row as it is after a change and as it was before; `old` is null where the default was in use. */
export interface SettingChange {
  saved: SettingRow
  old: SettingRow | null
}

/** Once secret, always secret: plain text for a row that another process has just made secret fails the table's check. */
export async function saveRow(tx: Tx, row: NewSettingRow): Promise<SettingChange> {
  const values = [row.key, row.value, row.is_secret, row.category, row.sent_to]
  // Waits for another transaction that inserts the same key, so that the row read next is the one this change replaces.
  const [inserted] = await tx.query<SettingRow>(
    `insert into app_settings (key, value, is_secret, category, sent_to) values ($1, $2, $3, $4, $5)
     on conflict (key) do nothing returning ${columns}`,
    values
  )
  if (inserted !== undefined) return { saved: inserted, old: null }
  const [old] = await tx.query<SettingRow>(`select ${columns} from app_settings where key = $1 for update`, [row.key])
  const [saved] = await tx.query<SettingRow>(
    `update app_settings set value = $2, is_secret = is_secret or $3, category = $4, sent_to = $5, updated_at = now()
     where key = $1 returning ${columns}`,
    values
  )
  return { saved: saved as SettingRow, old: old ?? null }
}

/** A row that stays as it is until the transaction ends. */
export async function lockRow(tx: Tx, key: string): Promise<SettingRow | undefined> {
  const [row] = await tx.query<SettingRow>(`select ${columns} from app_settings where key = $1 for share`, [key])
  return row
}

/** Notes the host of secrets that belong to an address and have none noted. */
export function bindSecrets(tx: Tx, keys: readonly string[], origin: string): Promise<SettingRow[]> {
  return tx.query<SettingRow>(
    `update app_settings set sent_to = $2 where key = any($1) and is_secret and sent_to is null returning ${columns}`,
    [keys, origin]
  )
}

/** Switches a row on or off; `fallback` is stored when there is none yet. Null when it was so already. */
export async function saveActive(tx: Tx, isActive: boolean, fallback: NewSettingRow): Promise<SettingRow | null> {
  const [saved] = await tx.query<SettingRow>(
    `insert into app_settings (key, value, is_secret, is_active, category) values ($1, $2, $3, $4, $5)
     on conflict (key) do update set is_active = excluded.is_active, updated_at = now()
     where app_settings.is_active <> excluded.is_active
     returning ${columns}`,
    [fallback.key, fallback.value, fallback.is_secret, isActive, fallback.category]
  )
  return saved ?? null
}

/** Deletes a row. Returns it as it was; undefined when there was none. */
export async function deleteRow(tx: Tx, key: string): Promise<SettingRow | undefined> {
  const [old] = await tx.query<SettingRow>(`delete from app_settings where key = $1 returning ${columns}`, [key])
  return old
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
