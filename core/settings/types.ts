import type { Tx } from '../contract/database.ts'
import { service } from '../contract/services.ts'
import type { Setting } from '../contract/settings.ts'
import type { SettingRow } from './repository.ts'

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
  /** One of the operator's machine: over HTTP a change needs the scope `api:admin`. */
  is_machine: boolean
  is_active: boolean
  /** Of a secret that is sent to an address: the host it was set for. */
  sent_to: string | null
  /** Why the stored value is not in use; null when it is, or when there is none. */
  fault: string | null
  updated_at: string | null
}

/** A declared setting with the plugin that owns it. */
export interface DeclaredSetting {
  plugin: string
  setting: Setting
}

/** A stored row, read. */
export interface StoredSetting extends SettingRow {
  /** Decrypted; equal to `value` for a plain setting. */
  plain: string
  /** A secret that does not decrypt: something else was written into its row. */
  isUnreadable: boolean
}

export interface SetOptions {
  /** Accept a key no plugin declares. */
  allowNew?: boolean
  /** Encrypt the value and flag the row `is_secret`; implies `allowNew`. */
  secret?: boolean
  category?: string
  /** Who changes it, for the audit log: `operator` (the default) for a local command, else a client_id. */
  actor?: string
}

/** What is wrong with a value that its schema allows; null for nothing. */
export type FaultOfValue = (value: string) => string | null

/** The runtime settings, as the API, the CLI and plugins that manage other plugins' settings use them. */
export interface SettingsStore {
  /** Every declared or stored setting, by key. */
  list(): SettingView[]
  /** @throws NotFoundError for a key that is neither declared nor stored. */
  find(key: string): SettingView
  /** The value in use, decrypted: the stored one when active, else the default (empty when no plugin declares it). */
  value(key: string): string
  /**
   * Stores a value; in effect here when it resolves, elsewhere within a second.
   * @throws NotFoundError for an unknown key, InputError (`value`) for text the setting's schema refuses.
   */
  set(key: string, value: string, options?: SetOptions): Promise<SettingView>
  /** The same inside the caller's transaction; in effect after commit. */
  write(tx: Tx, key: string, value: string, options?: SetOptions): Promise<void>
  setActive(key: string, isActive: boolean, options?: Pick<SetOptions, 'actor'>): Promise<SettingView>
  /** Deletes the stored value, so that the default counts; harmless where none is stored. @throws NotFoundError */
  unset(key: string, options?: Pick<SetOptions, 'actor'>): Promise<SettingView>
  /**
   * Calls back each time values are in effect: at the start, and after each change, here or elsewhere. A process does
   * not end before what the callback promises, which must not fail.
   */
  onRead(callback: () => void | Promise<void>): void
  /**
   * Refuses values of a setting the schema cannot judge: `faultOf` tells what is wrong ("must be …"), or null. `probe` may
   * ask another service, within some seconds; `set` asks it, and `write` in its transaction does not.
   */
  check(key: string, faultOf: FaultOfValue, probe?: (value: string) => Promise<string | null>): void
}
export const SettingsStoreService = service<SettingsStore>('core.settings')
