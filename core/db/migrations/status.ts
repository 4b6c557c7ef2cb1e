import type { Queryable } from '../../contract/database.ts'
import { type AppliedMigration, listApplied } from './applied.ts'
import { idOf, type Migration, type MigrationSource, readMigrations } from './files.ts'

/**
 * `changed`: applied, and the file's up section is another now. `missing`: applied, and this version has no such file.
 * `removed`: applied, and the plugin it belongs to is not loaded; its tables are still there.
 */
export type MigrationState = 'applied' | 'pending' | 'changed' | 'missing' | 'removed'

export interface MigrationStatus {
  name: string
  namespace: string
  applied_at: string | null
  state: MigrationState
  /** True when the file has a down section. */
  reversible: boolean
}

interface MigrationRecords {
  migrations: Migration[]
  applied: AppliedMigration[]
  status: MigrationStatus[]
}

/** What the files and the database say of the migrations; writes nothing. `sources`: in the order they run. */
export async function readMigrationState(
  db: Queryable,
  sources: readonly MigrationSource[]
): Promise<MigrationRecords> {
  const migrations = await readMigrations(sources)
  const applied = await listApplied(db)
  const namespaces = sources.map(({ namespace }) => namespace)
  return { migrations, applied, status: compare(namespaces, migrations, applied) }
}

/** Files against rows: the sources in their order, each oldest first, then what is left of plugins not loaded. */
export function compare(
  namespaces: readonly string[],
  migrations: readonly Migration[],
  applied: readonly AppliedMigration[]
): MigrationStatus[] {
  const rows = new Map(applied.map(row => [idOf(row), row]))
  const known = migrations.map((migration): MigrationStatus => {
    const { name, namespace, checksum, down } = migration
    const row = rows.get(idOf(migration))
    rows.delete(idOf(migration))
    const state = row === undefined ? 'pending' : row.checksum === checksum ? 'applied' : 'changed'
    return { name, namespace, applied_at: row?.applied_at ?? null, state, reversible: down !== undefined }
  })
  const fileless = [...rows.values()].map(
    ({ name, namespace, applied_at }): MigrationStatus => ({
      name,
      namespace,
      applied_at,
      state: namespaces.includes(namespace) ? 'missing' : 'removed',
      reversible: false
    })
  )
  const all = [...known, ...fileless].sort((a, b) => (a.name < b.name ? -1 : 1))
  const others = [...new Set(fileless.map(({ namespace }) => namespace))].filter(name => !namespaces.includes(name))
  return [...namespaces, ...others.sort()].flatMap(namespace => all.filter(item => item.namespace === namespace))
}

/** Why the service may not run on a database in this state: a sentence for each kind of fault, however many there are. */
export function problemsOf(statuses: readonly MigrationStatus[]): string[] {
  const namesIn = (wanted: MigrationState) => statuses.filter(({ state }) => state === wanted).map(idOf)
  const changed = namesIn('changed')
  const missing = namesIn('missing')
  return [
    ...changed.map(
      name => `The migration ${name} was changed after it was applied: restore it, and put the change in a new one.`
    ),
    ...(missing.length === 0
      ? []
      : [
          `The database has ${listed(missing)}, which this version lacks: run the version that applied ${missing.length === 1 ? 'it' : 'them'}, or a newer one.`
        ])
  ]
}

const maxListed = 3

function listed(names: readonly string[]): string {
  if (names.length === 1) return `the migration ${names[0]}`
  const more = names.length > maxListed ? ' and more' : ''
  return `${names.length} migrations (${names.slice(0, maxListed).join(', ')}${more})`
}
