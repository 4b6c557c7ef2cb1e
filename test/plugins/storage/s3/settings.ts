import type { Settings } from '../../../../core/contract/settings.ts'
import type { StorageSettings } from '../../../../plugins/storage/settings.ts'
import { storageSettings } from '../../../../plugins/storage/settings.ts'

/** The settings of a store, as the kernel would give them. */
export function storeSettings(given: Partial<Record<keyof StorageSettings, string>>): Settings<StorageSettings> {
  return {
    get: key => (given[key] ?? storageSettings[key].default) as never,
    secretFor: key => ({ value: given[key] ?? '', fault: null })
  }
}
