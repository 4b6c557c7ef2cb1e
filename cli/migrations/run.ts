import type { Db, Tx } from '../../core/contract/database.ts'
import { AppError, UnavailableError } from '../../core/contract/errors.ts'
import { idOf, type Migration } from '../../core/db/migrations/files.ts'
import { errorCode } from '../../core/unknown.ts'
import { rewriteSequences } from '../database/repository.ts'
import type { DbLog } from '../database/session/session.ts'
import {
  createTable,
  deleteApplied,
  insertApplied,
  isApplied,
  lockMigrations,
  type MigrationIdentity
} from './repository.ts'
import { statementsOf } from './transaction-statements.ts'

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

export interface MigrationWatch {
  /** Called with how many of the migrations are applied, those from before included, and with how many there are. */
  onProgress?(done: number, total: number): void
  /** Once it is aborted no further migration begins, and the signal's reason is thrown. */
  signal?: AbortSignal
}

/** Applies the first `end` of the migrations. */
export async function applyMigrations(
  db: Db,
  migrations: readonly Migration[],
  { end, onProgress, signal, log }: MigrationWatch & { end: number; log: DbLog | undefined }
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
    const outcome = await inOneTransaction(db, id, async tx => {
      const applied = await apply(tx, migration)
      await rewriteSequences(tx)
      return applied
    })
    if (outcome === 'done') log?.info({ migration: id }, 'migration applied')
    if (outcome === 'done') summary.applied.push(id)
    else if (outcome === 'not needed') summary.skipped.push(id)
    else summary.failed.push(outcome)
    if (summary.failed.length === 0) onProgress?.(index + 1, Math.min(end, migrations.length))
  }
  return summary
}

export async function rollBackMigrations(
  db: Db,
  files: ReadonlyMap<string, Migration>,
  chosen: readonly MigrationIdentity[],
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

async function rollBack(tx: Tx, migration: MigrationIdentity, down: string): Promise<Outcome> {
  await lockMigrations(tx)
  if (!(await isApplied(tx, migration))) return 'not needed'
  await runStatements(tx, down)
  await deleteApplied(tx, migration)
  return 'done'
}

/** A lost connection is thrown. A statement that the database refuses is a failure of this migration. */
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

async function runStatements(tx: Tx, script: string): Promise<void> {
  for (const [index, { text, line }] of statementsOf(script).entries()) {
    try {
      await tx.script(text)
    } catch (error) {
      if (error instanceof UnavailableError || !(error instanceof Error)) throw error
      const where = `statement ${index + 1} at line ${line} (${text.split('\n', 1)[0]})`
      // A full disk's remedy is in the hint.
      const hint = 'hint' in error && typeof error.hint === 'string' ? ` (${error.hint})` : ''
      const message = `${where} failed with ${errorCode(error)}: ${error.message}${hint}`
      throw new AppError('INTERNAL_ERROR', message, { cause: error })
    }
  }
}
