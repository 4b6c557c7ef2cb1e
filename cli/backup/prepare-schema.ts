import type { Db } from '../../core/contract/database.ts'
import { ConflictError, UnavailableError } from '../../core/contract/errors.ts'
import { idOf } from '../../core/db/migrations/files.ts'
import { createJobs } from '../../core/jobs/jobs.ts'
import type { UpSummary } from '../migrations/run.ts'
import type { BackupHeader } from './format.ts'
import type { LoadTarget } from './load-target.ts'
import { listAppliedRows, restoreAppliedTime } from './repository/installation.ts'
import { dropEverything } from './repository/schema-changes.ts'

/** The tables as they were when the backup was made; later migrations follow the rows. */
export async function prepareSchema(target: LoadTarget, header: BackupHeader): Promise<void> {
  const { tx, log } = target
  const db = within(target)
  await dropEverything(tx)
  const migrator = target.migratorOn(db)
  refuseUnknown(header, await migrator.status())
  // The last of each namespace; namespaces come in the order they were first applied.
  const last = new Map(header.migrations.map(({ namespace, name }) => [namespace, name]))
  for (const [plugin, to] of last) failOn(await migrator.up({ plugin, to }))
  const applied = new Map((await listAppliedRows(tx)).map(row => [idOf(row), row.checksum]))
  for (const migration of header.migrations) {
    if (applied.get(idOf(migration)) !== migration.checksum)
      throw new ConflictError(
        `The migration ${idOf(migration)} is not the one the backup was made with: restore its file.`
      )
    await restoreAppliedTime(tx, migration)
  }
  await createJobs({ db, log }).install()
}

function refuseUnknown(header: BackupHeader, known: readonly { namespace: string; name: string }[]): void {
  const ids = new Set(known.map(idOf))
  const missing = header.migrations.map(idOf).filter(id => !ids.has(id))
  if (missing.length === 0) return
  const more = missing.length > maxNamed ? ' and more' : ''
  throw new ConflictError(
    `The backup was made with migrations that are not here (${missing.slice(0, maxNamed).join(', ')}${more}): use galley ${header.galley} or newer, with the same plugins.`
  )
}

const maxNamed = 5

function failOn({ failed: [failure] }: UpSummary): void {
  if (failure !== undefined) throw new ConflictError(`A migration failed: ${failure.message}`)
}

/** Migrations that the backup did not have yet. */
export async function migrateRest(target: LoadTarget): Promise<void> {
  failOn(await target.migratorOn(within(target)).up())
}

/** The transaction for what asks for a database: its own transactions are parts of this one. */
function within({ tx, kind }: LoadTarget): Db {
  const refuse = () => {
    throw new UnavailableError('Nothing listens inside a restore.')
  }
  return {
    kind,
    query: tx.query,
    script: tx.script,
    transaction: work => work(tx),
    listen: refuse,
    pool: () => ({ size: 1, idle: 0 }),
    close: async () => {}
  }
}
