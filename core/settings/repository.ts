import type { Queryable } from '../db/db.ts'

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

export async function saveRow(db: Queryable, row: Omit<SettingRow, 'updated_at' | 'is_active'>): Promise<void> {
  await db.query(
    `insert into app_settings (key, value, is_secret, category) values ($1, $2, $3, $4)
     on conflict (key) do update set value = excluded.value, is_secret = excluded.is_secret,
       category = excluded.category, updated_at = now()`,
    [row.key, row.value, row.is_secret, row.category]
  )
}

export async function saveActive(
  db: Queryable,
  key: string,
  isActive: boolean,
  fallback: Omit<SettingRow, 'updated_at' | 'is_active'>
): Promise<void> {
  await db.query(
    `insert into app_settings (key, value, is_secret, is_active, category) values ($1, $2, $3, $4, $5)
     on conflict (key) do update set is_active = excluded.is_active, updated_at = now()`,
    [key, fallback.value, fallback.is_secret, isActive, fallback.category]
  )
}
