import type { Db } from '../../core/contract/database.ts'
import { ConflictError, InputError, NotFoundError } from '../../core/contract/errors.ts'
import type { Plugin } from '../../core/contract/plugin.ts'
import type { AppliedMigration } from '../../core/db/migrations/applied.ts'
import { idOf, type MigrationSource } from '../../core/db/migrations/files.ts'
import { schemaSources } from '../../core/db/migrations/schema.ts'
import { type MigrationStatus, problemsOf, readMigrationState } from '../../core/db/migrations/status.ts'
import type { Kernel } from '../../core/kernel/kernel.ts'
import { requireUtf8 } from '../database/encoding.ts'
import type { DbLog } from '../database/session/session.ts'
import { checkPrivileges } from './privileges.ts'
import type { MigrationIdentity } from './repository.ts'
import { applyMigrations, type DownSummary, type MigrationWatch, rollBackMigrations, type UpSummary } from './run.ts'
import { refuseTransactionStatements } from './transaction-statements.ts'

/** Which migrations: `to` is a timestamp prefix or a file name and counts in itself; `plugin` names one namespace. */
interface MigrationSelection {
  to?: string | undefined
  plugin?: string | undefined
}

export interface Migrator {
  /** Every migration: the service's, then each plugin's, oldest first, those of plugins not loaded last; writes nothing. */
  status(selection?: Pick<MigrationSelection, 'plugin'>): Promise<MigrationStatus[]>
  /** What forbids running on this database, in sentences; pending migrations do not. */
  check(): Promise<string[]>
  /**
   * Applies what is pending, in the order of `status`, up to and including `to`.
   * @throws ConflictError when `check` finds anything, or a pending one begins or ends a transaction, NotFoundError when `to` or `plugin` names nothing, AppError when
   *   the login may not make tables, or the database is not in UTF8.
   */
  up(selection?: MigrationSelection, watch?: MigrationWatch): Promise<UpSummary>
  /** What `down` would undo, in that order. @throws as `down` does for a wrong selection. */
  planDown(selection?: MigrationSelection & { all?: boolean }): Promise<string[]>
  /**
   * Undoes the latest applied, or, latest first, all that was applied since `to` and `to` itself, or all.
   * @throws ConflictError when the file of one of them is missing here.
   */
  down(selection?: MigrationSelection & { all?: boolean }, watch?: Pick<MigrationWatch, 'signal'>): Promise<DownSummary>
}

interface MigratorOptions {
  db: Db
  /** In the order they run. */
  sources: readonly MigrationSource[]
  log?: DbLog | undefined
}

/** Over the migrations of the service and of the kernel's plugins. */
export const migratorOf = ({ db, log, migrations }: Pick<Kernel, 'db' | 'log' | 'migrations'>): Migrator =>
  createMigrator({ db, log, sources: migrations })

/** Over the service's own migrations and those of the plugins, which are given in the order they start. */
export const createSchemaMigrator = (db: Db, plugins: readonly Plugin[] = []): Migrator =>
  createMigrator({ db, sources: schemaSources(plugins) })

/** Applied migrations of namespaces that are not among the sources belong to plugins not loaded now: shown, and left alone. */
export function createMigrator({ db, sources, log }: MigratorOptions): Migrator {
  const namespaces = sources.map(({ namespace }) => namespace)
  const read = () => readMigrationState(db, sources)
  /** Those of loaded plugins, or of the one named. */
  const choose = async (plugin: string | undefined) => {
    const { migrations, applied, status } = await read()
    if (plugin !== undefined && !namespaces.includes(plugin)) throw unknown(plugin, namespaces, status)
    const isWanted = ({ namespace }: { namespace: string }) =>
      plugin === undefined ? namespaces.includes(namespace) : namespace === plugin
    return { migrations: migrations.filter(isWanted), applied: applied.filter(isWanted), status }
  }
  const planDown = async ({ to, plugin, all = false }: MigrationSelection & { all?: boolean } = {}) => {
    if (all && to !== undefined) throw new InputError({ to: 'Give either --to or --all, not both.' })
    const { migrations, applied, status } = await choose(plugin)
    const chosen = chooseRollback(applied, to, all)
    const ids = new Set(chosen.map(idOf))
    // Its rollback is in a file that is not here: to undo others without it would be out of order.
    const missing = status.filter(each => each.state === 'missing' && ids.has(idOf(each)))
    if (missing.length > 0) throw new ConflictError(problemsOf(missing).join('\n'))
    return { migrations, chosen }
  }
  return {
    async status({ plugin } = {}) {
      const { status } = await read()
      const isKnown = (name: string) => namespaces.includes(name) || status.some(({ namespace }) => namespace === name)
      if (plugin !== undefined && !isKnown(plugin)) throw unknown(plugin, namespaces, status)
      return status.filter(({ namespace }) => plugin === undefined || namespace === plugin)
    },
    check: async () => problemsOf((await read()).status),
    async up({ to, plugin } = {}, watch = {}) {
      const { migrations, status } = await choose(plugin)
      const problems = problemsOf(status)
      if (problems.length > 0) throw new ConflictError(problems.join('\n'))
      const pending = new Set(status.filter(({ state }) => state === 'pending').map(idOf))
      refuseTransactionStatements(migrations.filter(migration => pending.has(idOf(migration))))
      await requireUtf8(db)
      await checkPrivileges(db)
      const end = to === undefined ? migrations.length : indexOf(migrations, to) + 1
      return applyMigrations(db, migrations, { end, log, ...watch })
    },
    planDown: async selection => (await planDown(selection)).chosen.map(idOf),
    async down(selection, { signal } = {}) {
      const { migrations, chosen } = await planDown(selection)
      const files = new Map(migrations.map(migration => [idOf(migration), migration]))
      const rollbacks = chosen.flatMap(each => files.get(idOf(each)) ?? []).map(file => ({ ...file, up: '' }))
      refuseTransactionStatements(rollbacks)
      return rollBackMigrations(db, files, chosen, { log, signal })
    }
  }
}

function unknown(plugin: string, namespaces: readonly string[], status: readonly MigrationStatus[]): NotFoundError {
  const isRemoved = status.some(({ namespace }) => namespace === plugin)
  return new NotFoundError(
    isRemoved
      ? `The plugin ${plugin} is not loaded, and its files are needed: put it back into plugins.config.json first.`
      : `There are no migrations of ${plugin}: there are some of ${namespaces.join(', ')}.`
  )
}

/** @throws NotFoundError for a name that none has, InputError for one that several have. */
function indexOf(items: readonly MigrationIdentity[], to: string): number {
  const isNamed = (text: string) => text === to || text === `${to}.sql` || text.startsWith(`${to}_`)
  const found = items.filter(item => isNamed(item.name) || isNamed(idOf(item)))
  if (found.length > 1) throw new InputError({ to: `${to} names several: ${found.map(idOf).join(', ')}.` })
  if (found[0] === undefined)
    throw new NotFoundError(`No migration is named ${to}: give YYYYMMDD_HHMMSS or a file name from "migrate status".`)
  return items.indexOf(found[0])
}

/** Latest first: undoing in the order of application never takes away what a later one was built on. */
function chooseRollback(
  applied: readonly AppliedMigration[],
  to: string | undefined,
  all: boolean
): MigrationIdentity[] {
  const first = all ? 0 : to === undefined ? Math.max(applied.length - 1, 0) : indexOf(applied, to)
  return applied.slice(first).reverse()
}
