import type { ChangeFeed } from '../changes.ts'
import type { Db, Queryable } from '../contract/database.ts'
import type { SettingMap, Settings } from '../contract/settings.ts'
import type { Log } from '../log.ts'
import type { Secrets } from '../secrets.ts'
import { createSettingsCache } from './cache.ts'
import { createSettingsReader } from './reader.ts'
import type { DeclaredSetting, SettingsStore, SettingView } from './types.ts'
import { createSettingsWriter } from './writer.ts'

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
  declared: ReadonlyMap<string, DeclaredSetting>
  log: Log
}): SettingsRegistry {
  const rows = createSettingsCache(deps)
  const { load, whenIdle, onRead } = rows
  const reader = createSettingsReader({ ...deps, rows })
  return { ...reader, ...createSettingsWriter({ ...deps, rows, reader }), load, whenIdle, onRead }
}
