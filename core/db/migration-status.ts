import type { AppliedMigration } from './applied-migrations.ts'
import type { Migration } from './migration-files.ts'

/** `changed`: applied, and the file's up section is another now. `missing`: applied, and this version has no such file. */
export type MigrationState = 'applied' | 'pending' | 'changed' | 'missing'

export interface MigrationStatus {
  name: string
  namespace: string
  applied_at: string | null
  state: MigrationState
  /** True when the file has a down section. */
  reversible: boolean
}

/** Files against rows, oldest first. */
export function compare(migrations: readonly Migration[], applied: readonly AppliedMigration[]): MigrationStatus[] {
  const rows = new Map(applied.map(row => [row.filename, row]))
  const known = migrations.map(({ name, namespace, checksum, down }): MigrationStatus => {
    const row = rows.get(name)
    rows.delete(name)
    const state = row === undefined ? 'pending' : row.checksum === checksum ? 'applied' : 'changed'
    return { name, namespace, applied_at: row?.applied_at ?? null, state, reversible: down !== undefined }
  })
  const missing = [...rows.values()].map(
    ({ filename, namespace, applied_at }): MigrationStatus => ({
      name: filename,
      namespace,
      applied_at,
      state: 'missing',
      reversible: false
    })
  )
  return [...known, ...missing].sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** Why the service may not run on a database in this state: a sentence, or none. */
export function problemOf({ name, state }: MigrationStatus): string[] {
  if (state === 'changed') {
    return [`The migration ${name} was changed after it was applied: restore it, and put the change in a new one.`]
  }
  if (state === 'missing') {
    return [
      `The database has the migration ${name}, which this version lacks: run the version that applied it, or a newer one.`
    ]
  }
  return []
}
