import { deadLetterQueue } from '../../core/jobs/repository.ts'
import type { AppliedRow } from './repository/installation.ts'
import type { RowQuery } from './repository/rows.ts'
import type { BackupTable, SequenceState } from './repository/tables.ts'

/**
 * A backup is a gzipped tar that ordinary tools open: `backup.json`, then each table in pieces
 * (`tables/public.posts/000001.jsonl`, one line a row), then the files of the home (`media/…`), and `manifest.json`
 * last, which counts and sums up what came before: an archive without it is not whole.
 */
export const formatVersion = 1
export const headerName = 'backup.json'
export const manifestName = 'manifest.json'
/** Folders of the home that hold what the database does not. The export is made from the database. */
export const homeFolders = ['media'] as const

/** Names of tables in a backup, which names of its entries are made of. */
export const tableNamePattern = '^(public|jobs)\\.[\\w-]{1,63}$'

/** The first entry. */
export interface BackupHeader {
  format: number
  created_at: string
  galley: string
  database: string
  /** Names the key that the secrets are encrypted with, without giving it away. */
  key_id: string
  migrations: AppliedRow[]
  tables: BackupTable[]
  sequences: SequenceState[]
}

/** Rows of a table and the SHA-256 of their lines. */
export interface TableSum {
  rows: number
  sha256: string
}

/** The last entry. */
export interface BackupManifest {
  tables: Record<string, TableSum>
  files: { count: number; bytes: number; sha256: string }
}

/** Which rows of the queue are kept: what is still to be done, and the dead letters. What ran when the backup was made runs again. */
export const rowQueries: Readonly<Record<string, RowQuery>> = {
  'jobs.queue': { where: `name <> '${deadLetterQueue}' and name not like '\\_\\_pgboss%'` },
  'jobs.job': {
    where: `state <> 'completed' and state <> 'cancelled' and name not like '\\_\\_pgboss%'`,
    replace: {
      state: `case when state = 'active' then 'retry' else state end`,
      started_on: `case when state = 'active' then null else started_on end`,
      heartbeat_on: 'null::timestamptz'
    }
  }
}

/** What a file adds to the sum over all files. */
export const fileLine = (name: string, size: number, sha256: string): string => `${name}\0${size}\0${sha256}\n`
