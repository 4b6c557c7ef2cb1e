import type { Setting } from '../contract/settings.ts'
import { secretsSentTo } from './destination.ts'
import type { DeclaredSetting, SettingView, StoredSetting } from './types.ts'
import { describeBounds, toText } from './values.ts'

/** What stands for a secret's value wherever it is shown. */
export const mask = '********'

/** How a setting is shown: its stored row over what its plugin declared. */
export function settingView(
  key: string,
  row: StoredSetting | undefined,
  definition: DeclaredSetting | undefined
): Omit<SettingView, 'is_machine' | 'fault'> {
  // A row may have been stored in plain text before a plugin declared its key a secret.
  const isSecret = row?.is_secret === true || definition?.setting.isSecret === true
  const fallback = definition === undefined ? null : toText(definition.setting.default)
  const value = row?.plain ?? fallback ?? ''
  return {
    key,
    value: isSecret ? mask : value,
    // A declared default that is no secret is in the documents anyway.
    default: definition?.setting.isSecret === true && fallback ? mask : fallback,
    bounds: definition === undefined ? null : describeBounds(definition.setting),
    category: row?.category ?? settingCategory(definition?.setting, definition?.plugin, isSecret),
    description: definition?.setting.describe ?? '',
    is_secret: isSecret,
    is_active: row?.is_active ?? true,
    sent_to: row?.sent_to ?? null,
    updated_at: row?.updated_at ?? null
  }
}

/** The group a setting is listed in when its row names none. */
export function settingCategory(
  definition: Setting | undefined,
  plugin: string | undefined,
  isSecret: boolean
): string {
  return definition?.category ?? (isSecret ? 'secrets' : (plugin ?? 'general'))
}

/** About the operator's machine: declared so, the address of a secret, or of the category `machine`. */
export function isMachine(
  key: string,
  row: StoredSetting | undefined,
  declared: ReadonlyMap<string, DeclaredSetting>
): boolean {
  const setting = declared.get(key)?.setting
  if (setting?.isMachine === true || row?.category === 'machine' || setting?.category === 'machine') return true
  return secretsSentTo(declared, key).length > 0
}
