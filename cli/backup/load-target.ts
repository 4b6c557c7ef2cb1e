import type { Db, Tx } from '../../core/contract/database.ts'
import type { Keyring } from '../../core/keyring.ts'
import type { Log } from '../../core/log.ts'
import type { Migrator } from '../migrations/migrator.ts'
import type { BackupHeader, BackupManifest } from './format.ts'
import type { BackupTable } from './repository/tables.ts'

/** Where a backup is loaded. */
export interface LoadTarget {
  tx: Tx
  kind: Db['kind']
  log: Log
  /** Makes the keyring of a process that would start now. */
  keyring(): Keyring
  migratorOn(db: Db): Migrator
  signal: AbortSignal
  /** Called with how many rows and files are done. */
  onProgress(done: number): void
}

/** What a load found; without faults, what was loaded is what was saved. */
export interface Loaded {
  header: BackupHeader
  manifest: BackupManifest
  faults: string[]
  /** Tables and sequences of the operator's own in the file, which were not loaded: no migration makes them. */
  left_out: string[]
  secrets: number
}

/** A table of the file as it is here. Of the file are its name, and which column comes where in a row. */
export interface LoadedTable extends BackupTable {
  columns: { name: string; type: string; index: number }[]
  /** Whether the table has the columns of the file, and no other: another release of the queue's library may differ. */
  isExact: boolean
}
