import { AppError, ConflictError, InputError, NotFoundError, UnavailableError } from '../errors.ts'
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
import { type Migration, type MigrationSource, readMigrations } from './migration-files.ts'
import { compare, type MigrationStatus, problemOf } from './migration-status.ts'
import type { DbLog } from './session.ts'
import type { Statement } from './sql-statements.ts'

export interface MigrationFailure {
  name: string
  message: string
}

/** `skipped`: was applied before. `pending`: not reached, by `to` or after a failure. */
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

export interface Migrator {
  /** Every migration, oldest first; writes nothing. */
  status(): Promise<MigrationStatus[]>
  /** What forbids running on this database, in sentences; pending migrations do not. */
  check(): Promise<string[]>
  /**
   * Applies what is pending, oldest first, up to and including `to` (a timestamp prefix or a file name).
   * @throws ConflictError when `check` finds anything, NotFoundError when `to` names nothing.
   */
  up(options?: { to?: string }): Promise<UpSummary>
  /** Rolls back the latest, newest first down to and including `to`, or all. */
  down(options?: { to?: string; all?: boolean }): Promise<DownSummary>
}

export interface MigratorOptions {
  db: Db
  sources: readonly MigrationSource[]
  log?: DbLog
}

/** Applied migrations of namespaces that are not among the sources belong to plugins not loaded now, and are left alone. */
export function createMigrator({ db, sources, log }: MigratorOptions): Migrator {
  const namespaces = new Set(sources.map(({ namespace }) => namespace))
  const read = async () => {
    const migrations = await readMigrations(sources)
    const applied = (await listApplied(db)).filter(({ namespace }) => namespaces.has(namespace))
    return { migrations, applied, status: compare(migrations, applied) }
  }
  return {
    status: async () => (await read()).status,
    check: async () => (await read()).status.flatMap(problemOf),
    up: async ({ to } = {}) => {
      const { migrations, status } = await read()
      const problems = status.flatMap(problemOf)
      if (problems.length > 0) throw new ConflictError(problems.join('\n'))
      const last = to === undefined ? undefined : findNamed(migrations, to)
      return applyAll(db, migrations, last, log)
    },
    down: async ({ to, all = false } = {}) => {
      if (all && to !== undefined) throw new InputError({ to: 'Give either --to or --all, not both.' })
      const { migrations, applied } = await read()
      const files = new Map(migrations.map(migration => [migration.name, migration]))
      return rollBackAll(db, files, chooseRollback(applied, to, all), log)
    }
  }
}

function findNamed<Item extends { name: string }>(items: readonly Item[], to: string): string {
  const found = items.filter(({ name }) => name === to || name === `${to}.sql` || name.startsWith(`${to}_`))
  if (found.length > 1)
    throw new InputError({ to: `${to} names several: ${found.map(({ name }) => name).join(', ')}.` })
  if (found[0] === undefined) {
    throw new NotFoundError(`No migration is named ${to}: give YYYYMMDD_HHMMSS or a file name from "migrate status".`)
  }
  return found[0].name
}

/** Newest first. */
function chooseRollback(applied: readonly AppliedMigration[], to: string | undefined, all: boolean): string[] {
  const names = applied.map(({ filename }) => filename).reverse()
  if (all) return names
  if (to === undefined) return names.slice(0, 1)
  const last = findNamed(
    names.map(name => ({ name })),
    to
  )
  return names.filter(name => name >= last)
}

async function applyAll(
  db: Db,
  migrations: readonly Migration[],
  last: string | undefined,
  log: DbLog | undefined
): Promise<UpSummary> {
  await db.transaction(async tx => {
    await lockMigrations(tx) // two at once could both find no table, and one would fail to create it
    await createTable(tx)
  })
  const summary: UpSummary = { applied: [], skipped: [], failed: [], pending: [] }
  for (const migration of migrations) {
    const { name } = migration
    if (summary.failed.length > 0 || (last !== undefined && name > last)) {
      if (!(await isApplied(db, name))) summary.pending.push(name)
      continue
    }
    const outcome = await inOneTransaction(db, name, tx => apply(tx, migration))
    if (outcome === 'done') log?.info({ migration: name }, 'migration applied')
    if (outcome === 'done') summary.applied.push(name)
    else if (outcome === 'not needed') summary.skipped.push(name)
    else summary.failed.push(outcome)
  }
  return summary
}

async function rollBackAll(
  db: Db,
  files: ReadonlyMap<string, Migration>,
  names: readonly string[],
  log: DbLog | undefined
): Promise<DownSummary> {
  const summary: DownSummary = { rolled_back: [], skipped: [], failed: [], pending: [] }
  for (const name of names) {
    const down = files.get(name)?.down
    if (summary.failed.length > 0) summary.pending.push(name)
    else if (down === undefined) summary.skipped.push(name)
    else {
      const outcome = await inOneTransaction(db, name, tx => rollBack(tx, name, down))
      if (typeof outcome === 'object') summary.failed.push(outcome)
      else {
        log?.info({ migration: name }, 'migration rolled back')
        summary.rolled_back.push(name)
      }
    }
  }
  return summary
}

type Outcome = 'done' | 'not needed'

/** Another migrator may have been here while this one waited for the lock: the row decides. */
async function apply(tx: Tx, migration: Migration): Promise<Outcome> {
  await lockMigrations(tx)
  if (await isApplied(tx, migration.name)) return 'not needed'
  await runStatements(tx, migration.up)
  await insertApplied(tx, migration)
  return 'done'
}

async function rollBack(tx: Tx, name: string, down: readonly Statement[]): Promise<Outcome> {
  await lockMigrations(tx)
  if (!(await isApplied(tx, name))) return 'not needed'
  await runStatements(tx, down)
  await deleteApplied(tx, name)
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
      throw new AppError('INTERNAL_ERROR', `${where} failed with ${codeOf(error)}: ${error.message}`, { cause: error })
    }
  }
}
