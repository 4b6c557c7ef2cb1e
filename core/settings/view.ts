import type { Setting } from '../plugin.ts'
import type { SettingRow } from './repository.ts'
import { describeBounds, toText } from './values.ts'

/** What stands for a secret's value wherever it is shown. */
export const mask = '********'

/** A setting as clients read it. `value` and `default` are text; a secret's are masked. */
export interface SettingView {
  key: string
  value: string
  default: string | null
  /** What the value may be, in a few words; null for any text. */
  bounds: string | null
  category: string
  description: string
  is_secret: boolean
  is_active: boolean
  updated_at: string | null
}

/** A declared setting with the plugin that owns it. */
export interface Declared {
  plugin: string
  setting: Setting
}

/** A stored row, read. */
export interface Stored extends SettingRow {
  /** Decrypted; equal to `value` for a plain setting. */
  plain: string
}

/** How a setting is shown: its stored row over what its plugin declared. */
export function viewOf(key: string, row: Stored | undefined, definition: Declared | undefined): SettingView {
  // A row may have been stored in plain text before a plugin declared its key a secret.
  const isSecret = row?.is_secret === true || definition?.setting.secret === true
  const fallback = definition === undefined ? null : toText(definition.setting.default)
  const value = row?.plain ?? fallback ?? ''
  return {
    key,
    value: isSecret ? mask : value,
    // A declared default that is no secret is in the documents anyway.
    default: definition?.setting.secret === true && fallback ? mask : fallback,
    bounds: definition === undefined ? null : describeBounds(definition.setting),
    category: row?.category ?? categoryOf(definition?.setting, definition?.plugin, isSecret),
    description: definition?.setting.describe ?? '',
    is_secret: isSecret,
    is_active: row?.is_active ?? true,
    updated_at: row?.updated_at ?? null
  }
}

/** The group a setting is listed in when its row names none. */
export function categoryOf(definition: Setting | undefined, plugin: string | undefined, isSecret: boolean): string {
  return definition?.category ?? (isSecret ? 'secrets' : (plugin ?? 'general'))
}
