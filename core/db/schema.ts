import path from 'node:path'
import { AppError } from '../errors.ts'
import type { Log } from '../log.ts'
import { packageRoot } from '../paths.ts'
import type { Db } from './db.ts'
import { createMigrator, type Migrator } from './migrate.ts'
import { checkServer } from './requirements.ts'

/** The migrator over the project's own files. */
export const createSchemaMigrator = (db: Db, log?: Log): Migrator =>
  createMigrator({
    db,
    sources: [{ namespace: 'galley', folder: path.join(packageRoot, 'migrations') }],
    ...(log === undefined ? {} : { log })
  })

/**
 * Refuses a database that does not fit this release: too old a server, no pgvector, migrations pending, changed or newer.
 * @throws AppError naming each and what to do.
 */
export async function checkSchema(db: Db): Promise<void> {
  await checkServer(db)
  const migrator = createSchemaMigrator(db)
  const problems = await migrator.check()
  const pending = (await migrator.status()).filter(({ state }) => state === 'pending')
  if (pending.length > 0)
    problems.push(
      `The database lacks ${pending.length} migration(s), the first is ${pending[0]?.name}: run "galley migrate up".`
    )
  if (problems.length > 0) throw new AppError('INTERNAL_ERROR', problems.join(' '))
}
