import { AppError, ConflictError, InputError, NotFoundError, UnavailableError } from '../contract/errors.ts'
import {
  type AppliedMigration,
  createTable,
  deleteApplied,
  insertApplied,
  isApplied,
  listApplied,
  lockMigrations
} from './applied-migrations.ts'
import type { Db, Tx } from './db.ts'
import { codeOf } from './faults.ts'
import { idOf, type Migration, type MigrationSource, readMigrations } from './migration-files.ts'
import { compare, type MigrationStatus, problemsOf } from './migration-status.ts'
import { checkPrivileges } from './requirements.ts'
import type { DbLog } from './session.ts'
import type { Statement } from './sql-statements.ts'

export interface MigrationFailure {
  name: string
  message: string
}

/** Migrations by file name, a plugin's as `<plugin>/<file name>`. `skipped`: was applied before. `pending`: not reached, by `to` or after a failure. */
export interface UpSummary {
  applied: string[]
  skipped: string[]
  failed: MigrationFailure[]
  pending: string[]
}

/** `skipped`: has no rollback; its row was kept. `pending`: not reached after a failure. */
export interface DownSummary {
  rolled_back: string[]
  skipped: string[]
  failed: MigrationFailure[]
  pending: string[]
}

/** Which migrations: `to` is a timestamp prefix or a file name and counts in itself; `plugin` names one namespace. */
export interface Selection {
  to?: string | undefined
  plugin?: string | undefined
}

export interface Migrator {
  /** Every migration: the service's, then each plugin's, oldest first, those of plugins not loaded last; writes nothing. */
  status(selection?: Pick<Selection, 'plugin'>): Promise<MigrationStatus[]>
  /** What forbids running on this database, in sentences; pending migrations do not. */
  check(): Promise<string[]>
  /**
   * Applies what is pending, in the order of `status`, up to and including `to`.
   * @throws ConflictError when `check` finds anything, NotFoundError when `to` or `plugin` names nothing, AppError when
   *   the login may not make tables.
   */
  up(selection?: Selection, watch?: Watch): Promise<UpSummary>
  /** What `down` would undo, in that order. @throws as `down` does for a wrong selection. */
  planDown(selection?: Selection & { all?: boolean }): Promise<string[]>
  /**
   * Undoes the latest applied, or, latest first, all that was applied since `to` and `to` itself, or all.
   * @throws ConflictError when the file of one of them is missing here.
   */
  down(selection?: Selection & { all?: boolean }, watch?: Pick<Watch, 'signal'>): Promise<DownSummary>
}

export interface Watch {
  /** Told how many of the migrations that are to be applied are, those applied before included. */
  onProgress?(done: number, total: number): void
  /** Once it is aborted no further migration begins, and the signal's reason is thrown. */
  signal?: AbortSignal
}

export interface MigratorOptions {
  db: Db
  /** In the order they run. */
  sources: readonly MigrationSource[]
  log?: DbLog | undefined
}

/** Applied migrations of namespaces that are not among the sources belong to plugins not loaded now: shown, and left alone. */
export function createMigrator({ db, sources, log }: MigratorOptions): Migrator {
  const namespaces = sources.map(({ namespace }) => namespace)
  const read = async () => {
    const [migrations, applied] = [await readMigrations(sources), await listApplied(db)]
    return { migrations, applied, status: compare(namespaces, migrations, applied) }
  }
  /** Those of loaded plugins, or of the one named. */
  const choose = async (plugin: string | undefined) => {
    const { migrations, applied, status } = await read()
    if (plugin !== undefined && !namespaces.includes(plugin)) throw unknown(plugin, namespaces, status)
    const isWanted = ({ namespace }: { namespace: string }) =>
      plugin === undefined ? namespaces.includes(namespace) : namespace === plugin
    return { migrations: migrations.filter(isWanted), applied: applied.filter(isWanted), status }
  }
  const planDown = async ({ to, plugin, all = false }: Selection & { all?: boolean } = {}) => {
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
      await checkPrivileges(db)
      const end = to === undefined ? migrations.length : indexOf(migrations, to) + 1
      return applyAll(db, migrations, { end, log, ...watch })
    },
    planDown: async selection => (await planDown(selection)).chosen.map(idOf),
    async down(selection, { signal } = {}) {
      const { migrations, chosen } = await planDown(selection)
      const files = new Map(migrations.map(migration => [idOf(migration), migration]))
      return rollBackAll(db, files, chosen, { log, signal })
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
function indexOf(items: readonly Identity[], to: string): number {
  const isNamed = (text: string) => text === to || text === `${to}.sql` || text.startsWith(`${to}_`)
  const found = items.filter(item => isNamed(item.name) || isNamed(idOf(item)))
  if (found.length > 1) throw new InputError({ to: `${to} names several: ${found.map(idOf).join(', ')}.` })
  if (found[0] === undefined)
    throw new NotFoundError(`No migration is named ${to}: give YYYYMMDD_HHMMSS or a file name from "migrate status".`)
  return items.indexOf(found[0])
}

type Identity = Pick<Migration, 'namespace' | 'name'>

/** Latest first: undoing in the order of application never takes away what a later one was built on. */
function chooseRollback(applied: readonly AppliedMigration[], to: string | undefined, all: boolean): Identity[] {
  const first = all ? 0 : to === undefined ? Math.max(applied.length - 1, 0) : indexOf(applied, to)
  return applied.slice(first).reverse()
}

/** Applies the first `end` of the migrations. */
async function applyAll(
  db: Db,
  migrations: readonly Migration[],
  { end, onProgress, signal, log }: Watch & { end: number; log: DbLog | undefined }
): Promise<UpSummary> {
  await db.transaction(async tx => {
    await lockMigrations(tx) // two at once could both find no table, and one would fail to create it
    await createTable(tx)
  })
  const summary: UpSummary = { applied: [], skipped: [], failed: [], pending: [] }
  for (const [index, migration] of migrations.entries()) {
    const id = idOf(migration)
    if (summary.failed.length > 0 || index >= end) {
      if (!(await isApplied(db, migration))) summary.pending.push(id)
      continue
    }
    signal?.throwIfAborted()
    const outcome = await inOneTransaction(db, id, tx => apply(tx, migration))
    if (outcome === 'done') log?.info({ migration: id }, 'migration applied')
    if (outcome === 'done') summary.applied.push(id)
    else if (outcome === 'not needed') summary.skipped.push(id)
    else summary.failed.push(outcome)
    if (summary.failed.length === 0) onProgress?.(index + 1, Math.min(end, migrations.length))
  }
  return summary
}

async function rollBackAll(
  db: Db,
  files: ReadonlyMap<string, Migration>,
  chosen: readonly Identity[],
  { log, signal }: { log: DbLog | undefined; signal: AbortSignal | undefined }
): Promise<DownSummary> {
  const summary: DownSummary = { rolled_back: [], skipped: [], failed: [], pending: [] }
  for (const migration of chosen) {
    const id = idOf(migration)
    const down = files.get(id)?.down
    if (summary.failed.length > 0) summary.pending.push(id)
    else if (down === undefined) summary.skipped.push(id)
    else {
      signal?.throwIfAborted()
      const outcome = await inOneTransaction(db, id, tx => rollBack(tx, migration, down))
      if (typeof outcome === 'object') summary.failed.push(outcome)
      else {
        log?.info({ migration: id }, 'migration rolled back')
        summary.rolled_back.push(id)
      }
    }
  }
  return summary
}

type Outcome = 'done' | 'not needed'

/** Another migrator may have been here while this one waited for the lock: the row decides. */
async function apply(tx: Tx, migration: Migration): Promise<Outcome> {
  await lockMigrations(tx)
  if (await isApplied(tx, migration)) return 'not needed'
  await runStatements(tx, migration.up)
  await insertApplied(tx, migration)
  return 'done'
}

async function rollBack(tx: Tx, migration: Identity, down: readonly Statement[]): Promise<Outcome> {
  await lockMigrations(tx)
  if (!(await isApplied(tx, migration))) return 'not needed'
  await runStatements(tx, down)
  await deleteApplied(tx, migration)
  return 'done'
}

/** A lost database is the caller's to hear of; a statement the database refuses is this migration's failure. */
async function inOneTransaction(
  db: Db,
  name: string,
  work: (tx: Tx) => Promise<Outcome>
): Promise<Outcome | MigrationFailure> {
  try {
    return await db.transaction(work)
  } catch (error) {
    if (error instanceof UnavailableError || !(error instanceof Error)) throw error
    return { name, message: `${name}: ${error.message}` }
  }
}

async function runStatements(tx: Tx, statements: readonly Statement[]): Promise<void> {
  for (const [index, { text, line }] of statements.entries()) {
    try {
      await tx.script(text)
    } catch (error) {
      if (error instanceof UnavailableError || !(error instanceof Error)) throw error
      const where = `statement ${index + 1} at line ${line} (${text.split('\n', 1)[0]})`
      // A full disk's remedy is in the hint.
      const hint = 'hint' in error && typeof error.hint === 'string' ? ` (${error.hint})` : ''
      const message = `${where} failed with ${codeOf(error)}: ${error.message}${hint}`
      throw new AppError('INTERNAL_ERROR', message, { cause: error })
    }
  }
}
