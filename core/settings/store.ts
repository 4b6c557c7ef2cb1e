import type { ChangeFeed } from '../changes.ts'
import { service } from '../contract/plugin.ts'
import type { SettingMap, Settings } from '../contract/settings.ts'
import type { Db, Queryable, Tx } from '../db/db.ts'
import type { Log } from '../log.ts'
import type { Secrets } from '../secrets.ts'
import { createCurrent } from './current.ts'
import type { Declared, SettingView } from './view.ts'
import { createWriting } from './writing.ts'

export type { Declared, SettingView } from './view.ts'

export interface SetOptions {
  /** Accept a key no plugin declares. */
  allowNew?: boolean
  /** Encrypt the value and flag the row `is_secret`; implies `allowNew`. */
  secret?: boolean
  category?: string
  /** Who changes it, for the audit log: `operator` (the default) for a local command, else a client_id. */
  actor?: string
}

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
  /** Takes the stored value away, so that the default counts; harmless where none is stored. @throws NotFoundError */
  unset(key: string, options?: Pick<SetOptions, 'actor'>): Promise<SettingView>
  /**
   * Calls back each time values are in effect: at the start, and after each change, here or elsewhere. A process does
   * not end before what the callback promises, which must not fail.
   */
  onRead(callback: () => void | Promise<void>): void
  /** Refuses values of a setting the schema cannot judge: `faultOf` tells what is wrong ("must be …"), or null. */
  check(key: string, faultOf: (value: string) => string | null): void
}
export const SettingsStoreService = service<SettingsStore>('core.settings')

/** The store with what only the kernel may do. */
export interface SettingsRegistry extends SettingsStore {
  /** Reads every row. @throws AppError when a secret does not decrypt with the master key. */
  load(db?: Queryable): Promise<void>
  /** As `find`, with a secret in plain text. */
  reveal(key: string): SettingView
  reader<S extends SettingMap>(definitions: S): Settings<S>
  /** Waits for what a change has set going here: the database must stay open for it. */
  whenIdle(): Promise<void>
}

export function createSettings(deps: {
  db: Db
  secrets: Secrets
  changes: ChangeFeed
  declared: ReadonlyMap<string, Declared>
  log: Log
}): SettingsRegistry {
  const current = createCurrent(deps)
  const { load, whenIdle, onRead, list, view, reveal, value, reader } = current
  return { ...createWriting({ ...deps, current }), load, whenIdle, onRead, list, find: view, reveal, value, reader }
}
