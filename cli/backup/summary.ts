import path from 'node:path'
import type { Terminal } from '../../core/contract/command.ts'
import { fieldLines } from '../framework/table.ts'
import type { Loaded } from './load-target.ts'

/** What a backup holds, as all three commands tell it. */
export interface BackupSummary {
  file: string
  /** When the backup was made. */
  created_at: string
  galley: string
  /** The key its secrets need, by its name. */
  key_id: string
  tables: Record<string, number>
  rows: number
  files: number
}

export function backupSummary(
  named: string,
  { header, manifest, left_out = [] }: Pick<Loaded, 'header' | 'manifest'> & Partial<Pick<Loaded, 'left_out'>>
): BackupSummary {
  const tables = loadedRows({ manifest, left_out })
  return {
    file: named,
    created_at: header.created_at,
    galley: header.galley,
    key_id: header.key_id,
    tables,
    rows: Object.values(tables).reduce((sum, rows) => sum + rows, 0),
    files: manifest.files.count
  }
}

/** How many rows were loaded, by table. */
export const loadedRows = ({ manifest, left_out }: Pick<Loaded, 'manifest' | 'left_out'>): Record<string, number> =>
  Object.fromEntries(
    Object.entries(manifest.tables).flatMap(([name, { rows }]) => (left_out.includes(name) ? [] : [[name, rows]]))
  )

export function showSummary(summary: object, terminal: Terminal): string {
  const fields = Object.entries(summary).filter(([name]) => name !== 'tables')
  return fieldLines(Object.fromEntries(fields), terminal)
}

/** What to print of tables that were not loaded. */
export const leftOutNotes = (names: readonly string[]): string[] =>
  names.length === 0
    ? []
    : [`Left out: ${names.join(', ')}. No migration makes these: keep tables of your own in a schema of their own.`]

/** A file as it was named at a terminal. */
export const fileOf = (named: string, { cwd }: Terminal): string => path.resolve(cwd, named)

/** Shows what is done of `work` under a label. */
export async function withProgress<T>(
  terminal: Terminal,
  label: string,
  work: (onProgress: (done: number) => void) => Promise<T>
): Promise<T> {
  const progress = terminal.progress(label)
  try {
    return await work(done => progress.update(done))
  } finally {
    progress.end()
  }
}
